# expect: EXIT
# Stumbles over its own code at its second decision.
from wire import enter, one, requests, say

enter()
for number, request in enumerate(requests()):
    say(one(request, 0 // (1 - number)))
