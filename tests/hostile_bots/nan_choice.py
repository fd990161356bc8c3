# expect: PROTOCOL
# Chooses what is not a number.
from wire import enter, one, requests, say

enter()
for request in requests():
    say(one(request, float("nan")))
