# expect: OK
# Plays well, and hears neither bye nor any signal.
import signal

from wire import enter, hang, messages, one, say

enter()
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
    signal.signal(number, signal.SIG_IGN)
for message in messages():
    if message["type"] == "bye":
        hang()
    for request in message.get("requests", []):
        say(one(request))
