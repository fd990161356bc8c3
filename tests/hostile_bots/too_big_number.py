# expect: PROTOCOL
# Chooses an option whose number does not fit 64 bits.
from wire import enter, one, requests, say

enter()
for request in requests():
    say(one(request, 2**64))
