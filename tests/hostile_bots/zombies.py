# expect: OK
# Starts children it never waits for, and leaves one behind that ignores its signals; plays on.
import os
import signal

from wire import enter, hang, play_on

enter()
for _ in range(5):
    if os.fork() == 0:
        os._exit(0)
if os.fork() == 0:
    os.setsid()
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    hang()
play_on()
