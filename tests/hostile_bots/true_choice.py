# expect: PROTOCOL
# Says true where a number should be; true is not one.
from wire import enter, one, requests, say

enter()
for request in requests():
    say(one(request, True))
