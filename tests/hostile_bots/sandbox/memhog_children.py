# expect: OK
# Eight children that each take two thirds of the limit in its second argument, and tell when they have it.
import os
import sys

from sandbox.tries import tell
from wire import enter, hang, play_on

enter()
size = int(sys.argv[2]) * 1024 * 1024 * 2 // 3
children = set()
reading, writing = os.pipe()
for _ in range(8):
    if (pid := os.fork()) == 0:
        try:
            kept = b"x" * size
            os.write(writing, os.getpid().to_bytes(4, "little"))
        except MemoryError:
            os._exit(1)
        hang()
    children.add(pid)
os.close(writing)
os.set_blocking(reading, False)
full = set()
while not children <= full:  # who was full may be killed so that the next one fits: the living count
    pid, _ = os.waitpid(-1, os.WNOHANG)
    if pid:
        children.remove(pid)
        continue
    try:
        full.add(int.from_bytes(os.read(reading, 4), "little"))
    except BlockingIOError:
        continue
tell(filled=len(children))
play_on()
