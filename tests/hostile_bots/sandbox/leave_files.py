# expect: OK
# Looks for what it left the last time, and leaves it again, wherever it can write.
import os
import sys

from sandbox.tries import attempt, got, tell
from wire import enter, play_on

NAME = "from-the-last-time"
PLACES = [os.environ["TMPDIR"], "/tmp", "/dev/shm", "/var/tmp", ".", "/dev/mqueue", "/run/lock", "/"]


def leave(folder):
    with open(f"{folder}/{NAME}", "w") as file:
        file.write("remember")


def hide(folder):
    """A file in a folder that its owner cannot list."""
    os.mkdir(f"{folder}/hidden")
    leave(f"{folder}/hidden")
    os.umask(0o777)
    os.mkdir(f"{folder}/closed")


enter()
found = [place for place in PLACES if os.path.exists(f"{place}/{NAME}")]
for place in PLACES:
    attempt(place, leave, place)
left = got.copy()
attempt("hide", hide, os.environ["TMPDIR"])
if sys.argv[2:] == ["deep"]:
    os.umask(0)
    os.chdir(os.environ["TMPDIR"])
    for _ in range(1100):
        os.mkdir("d")
        os.chdir("d")
tell(found=found, left=left)
play_on()
