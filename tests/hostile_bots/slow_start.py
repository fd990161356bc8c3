# expect: OK
# Takes several times the limit of a move to say hello, and again to get ready; then plays at once.
import time

from wire import messages, play_on, say

time.sleep(0.4)
say({"type": "hello", "protocol": [1], "name": "hostile"})
for message in messages():
    if message["type"] == "prepare":
        time.sleep(0.4)
        say({"type": "ready"})
        break
play_on()
