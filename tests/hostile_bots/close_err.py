# expect: OK
# Closes its error output and plays on.
import os

from wire import enter, messages, one, say

enter()
os.close(2)
os.open(os.devnull, os.O_WRONLY)
for message in messages():
    for request in message.get("requests", []):
        say(one(request))
