# expect: CRASH
# Is killed in the middle of a message.
import os
import signal

from wire import enter, requests

enter()
for _ in requests():
    os.write(1, b'{"type":"answer","answers":[{"id')
    os.kill(os.getpid(), signal.SIGKILL)
