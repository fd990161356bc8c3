# expect: PROTOCOL
# Introduces itself instead of answering.
from wire import enter, requests, say

enter()
for _ in requests():
    say({"type": "hello", "protocol": [1], "name": "hostile"})
