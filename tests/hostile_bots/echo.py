# expect: PROTOCOL
# Sends every request back as its answer.
from wire import enter, requests, say

enter()
for request in requests():
    say({"type": "ask", "requests": [request]})
