# expect: PROTOCOL
# Says that it is ready when it is asked to play.
from wire import enter, requests, say

enter()
for _ in requests():
    say({"type": "ready"})
