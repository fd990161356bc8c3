# expect: PROTOCOL
# Declares itself the winner, in the arena's own words.
from wire import enter, requests, say

enter()
for request in requests():
    say({"type": "end", "match": request["match"], "ranks": [2, 1, 2], "scores": [0, 99, 0]})
