# expect: PROTOCOL
# Misspells a field of its answer.
from wire import enter, one, requests, say

enter()
for request in requests():
    say(one(request, chioce=1))
