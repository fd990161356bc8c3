# expect: EXIT
# Says bye in the middle of a match, and keeps running.
from wire import enter, hang, requests, say

enter()
for _ in requests():
    say({"type": "bye", "reason": "dinner"})
    hang()
