# expect: EXIT
# Answers so many requests as it was told, and exits with the last answer still in the pipe.
import os
import sys

from wire import enter, one, requests, say

enter()
for number, request in enumerate(requests(), 1):
    say(one(request))
    if number == int(sys.argv[1]):
        os._exit(0)
