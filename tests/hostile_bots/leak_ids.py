# expect: OK
# Plays the last option, and writes the id of every request into the file it was given.
import sys

from wire import enter, one, requests, say

enter()
with open(sys.argv[1], "a") as leaked:
    for request in requests():
        print(request["id"], file=leaked, flush=True)
        say(one(request, len(request["options"]) - 1))
