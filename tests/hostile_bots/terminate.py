# expect: CRASH
# Ends itself by the signal that asks others to end.
import os
import signal

from wire import enter, requests

enter()
for _ in requests():
    os.kill(os.getpid(), signal.SIGTERM)
