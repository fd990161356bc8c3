# expect: IDLE
# Answers every request, each a little after its deadline, or as many times as late as it is told.
import sys
import time

from wire import enter, one, requests, say

times = float(sys.argv[1]) if sys.argv[1:] else 1.3
enter()
for request in requests():
    time.sleep(request["time_ms"] * times / 1000)
    say(one(request, len(request["options"]) - 1))
