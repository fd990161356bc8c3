# expect: PROTOCOL
# Answers with a list of no answers.
from wire import enter, requests, say

enter()
for _ in requests():
    say({"type": "answer", "answers": []})
