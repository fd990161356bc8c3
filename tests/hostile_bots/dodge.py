# expect: EXIT
# Thinks for free: in its second match it ponders the first request for a while and leaves without an answer.
import os
import time

from wire import enter, messages, one, say

enter()
played = 0
for message in messages():
    if message["type"] == "end":
        played += 1
    elif message["type"] == "ask":
        for request in message["requests"]:
            if played:
                time.sleep(0.3)
                os._exit(0)
            say(one(request))
