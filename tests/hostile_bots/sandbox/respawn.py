# expect: EXIT
# Leaves behind a process that is never the same for long: each forks the next and ends.
import os

from wire import enter, requests

enter()
for _ in requests():
    if os.fork() == 0:
        os.setsid()
        os.closerange(0, 256)
        while True:
            if os.fork():
                os._exit(0)
    os._exit(3)
