# expect: OK
# Takes its time at every fifth move, and computes nothing meanwhile.
import time

from wire import enter, one, requests, say

enter()
for move, request in enumerate(requests()):
    if move % 5 == 0:
        time.sleep(0.2)
    say(one(request))
