# expect: OK
# Gives two answers to one request in one message; the first counts.
from wire import enter, requests, say

enter()
for number, request in enumerate(requests()):
    answers = [{"id": request["id"], "choice": 0}, {"id": request["id"], "choice": 1}]
    say({"type": "answer", "answers": answers[: 1 + (number < 8)]})
