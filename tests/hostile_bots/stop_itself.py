# expect: IDLE
# Stops itself at its first decision, as Ctrl-Z would.
import os
import signal

from wire import enter, requests

enter()
for _ in requests():
    os.kill(os.getpid(), signal.SIGSTOP)
