# expect: PROTOCOL
# Answers before it is asked, to an id of its own making; then plays on.
from wire import enter, messages, one, play_on, say

enter()
for message in messages():
    if message["type"] == "start":
        say(one({"id": "0123456789abcdef"}))
        break
play_on()
