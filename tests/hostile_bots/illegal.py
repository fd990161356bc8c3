# expect: ILLEGAL
# Chooses an option that is none: the number it was given, or one past the last.
import sys

from wire import enter, one, requests, say

enter()
for request in requests():
    say(one(request, int(sys.argv[1]) if sys.argv[1:] else len(request["options"])))
