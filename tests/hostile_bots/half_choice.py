# expect: PROTOCOL
# Chooses option one and a half.
from wire import enter, one, requests, say

enter()
for request in requests():
    say(one(request, 1.5))
