# expect: OK
# Plays the last option at once; the bot that all the others sit down with.
from wire import enter, one, requests, say

enter()
for request in requests():
    say(one(request, len(request["options"]) - 1))
