# expect: CRASH
# Plays as long as it has no pillows, and aborts when a round has cost it some.
import os

from wire import enter, one, requests, say

enter()
for request in requests():
    view = request["view"]
    if view["totals"][view["seat"]]:
        os.abort()
    say(one(request))
