# expect: IDLE
# Answers every request, each a little after its deadline.
import time

from wire import enter, one, requests, say

enter()
for request in requests():
    time.sleep(request["time_ms"] * 1.3 / 1000)
    say(one(request, len(request["options"]) - 1))
