# expect: OK
# Goes on thinking while the others decide, and writes down how long it could.
import threading
import time

from wire import enter, log, one, requests, say


def think():
    while True:
        sum(range(1000))


enter()
threading.Thread(target=think, daemon=True).start()
answered = time.process_time()
for request in requests():
    log({"type": "pondered", "s": time.process_time() - answered})
    say(one(request))
    answered = time.process_time()
