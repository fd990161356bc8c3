# expect: PROTOCOL
# Prints what it thinks among its messages, as every beginner does once.
from wire import enter, one, requests, say

enter()
for request in requests():
    print("Debug: my hand is", request["view"]["hands"], flush=True)
    say(one(request))
