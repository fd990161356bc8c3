# expect: OK
# Fills its scratch folder and shared memory with files of 4 MB; tells how many MB it got in each.
# Told to stay, it waits to be noticed.
import os
import sys
import time

from sandbox.tries import tell
from wire import enter, play_on

MB = bytes(1024 * 1024)


def fill(folder):
    written = 0
    try:
        for number in range(100):
            with open(f"{folder}/{number}", "wb", buffering=0) as file:
                for _ in range(4):
                    written += file.write(MB) // len(MB)
    except OSError:
        pass
    return written


def one_large_file(folder):
    try:
        os.truncate(os.open(f"{folder}/large", os.O_CREAT | os.O_WRONLY), 1 << 40)
    except OSError:
        return False
    return True


enter()
large = one_large_file(os.environ["TMPDIR"])
tell(scratch=fill(os.environ["TMPDIR"]), shared=fill("/dev/shm"), large=large)
if sys.argv[2:] == ["stay"]:
    time.sleep(2)
play_on()
