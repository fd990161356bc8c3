# expect: PROTOCOL
# Names the request and forgets the choice.
from wire import enter, requests, say

enter()
for request in requests():
    say({"type": "answer", "answers": [{"id": request["id"]}]})
