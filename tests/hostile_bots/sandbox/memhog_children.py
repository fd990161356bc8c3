# expect: OK
# Eight children that each take two thirds of the limit in its second argument, and tell when they have it.
import os
import sys

from sandbox.tries import tell
from wire import enter, hang, play_on

enter()
size = int(sys.argv[2]) * 1024 * 1024 * 2 // 3
children = []
reading, writing = os.pipe()
for _ in range(8):
    if (pid := os.fork()) == 0:
        try:
            kept = b"x" * size
            os.write(writing, b"!")
        except MemoryError:
            os._exit(1)
        hang()
    children.append(pid)
os.close(writing)
filled = 0
while len(children) > filled:
    pid, _ = os.waitpid(-1, os.WNOHANG)
    if pid:
        children.remove(pid)
        continue
    os.set_blocking(reading, False)
    try:
        filled += len(os.read(reading, 8))
    except BlockingIOError:
        continue
tell(filled=filled)
play_on()
