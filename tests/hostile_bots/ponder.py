# expect: OK
# Goes on thinking while the others decide, and writes down how often it was stopped and woken again.
import signal
import threading

from wire import enter, log, one, requests, say

woken = 0


def wake(*_):
    global woken
    woken += 1


def think():
    while True:
        sum(range(1000))


signal.signal(signal.SIGCONT, wake)
enter()
threading.Thread(target=think, daemon=True).start()
for request in requests():
    log({"type": "pondered", "woken": woken})
    say(one(request))
