# expect: OK
# Answers its first eight requests twice, with a better idea the second time.
from wire import enter, one, requests, say

enter()
for number, request in enumerate(requests()):
    say(one(request))
    if number < 8:
        say(one(request, len(request["options"]) - 1))
