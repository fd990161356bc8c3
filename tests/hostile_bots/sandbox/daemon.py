# expect: OK
# Leaves a grandchild that is in nobody's session, heeds no signal, holds no file and has wiped its environment.
import os
import signal
import sys

from wire import enter, hang, play_on

enter()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        os.closerange(0, 256)
        if sys.argv[2:] != ["again"]:
            os.execve(sys.executable, [sys.executable, "-c", "import time; time.sleep(60)", sys.argv[1]], {})
        hang()
    os._exit(0)
os.wait()
play_on()
