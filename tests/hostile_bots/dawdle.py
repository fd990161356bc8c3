# expect: OK
# Takes its time at every move, and computes nothing meanwhile.
import time

from wire import enter, one, requests, say

enter()
for request in requests():
    time.sleep(0.04)
    say(one(request))
