# expect: OUTPUT
# Sends an answer with a note of a megabyte.
from wire import enter, one, requests, say

enter()
for request in requests():
    say(one(request, note="x" * (1 << 20)))
