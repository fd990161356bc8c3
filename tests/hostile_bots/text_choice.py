# expect: PROTOCOL
# Writes its choice as a text.
from wire import enter, one, requests, say

enter()
for request in requests():
    say(one(request, "0"))
