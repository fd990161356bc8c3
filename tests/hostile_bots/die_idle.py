# expect: OK
# Ends with its match, as a program may that was written to play one.
from wire import enter, messages, one, say

enter()
for message in messages():
    if message["type"] == "ask":
        for request in message["requests"]:
            say(one(request))
    elif message["type"] == "end":
        break
