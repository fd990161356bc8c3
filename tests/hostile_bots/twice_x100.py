# expect: PROTOCOL
# Answers its first request a hundred times, in one breath.
import json
import os

from wire import enter, one, play_on, requests

enter()
for request in requests():
    os.write(1, (json.dumps(one(request)) + "\n").encode() * 100)
    break
play_on()
