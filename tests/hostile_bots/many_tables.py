# expect: OK
# Says that it plays three tables at once, and does; what it was welcomed with goes to stderr.
from wire import enter, log, messages, one, say

enter(tables=3)
for message in messages():
    if message["type"] == "start":
        log(message)
    for request in message.get("requests", []):
        say(one(request))
