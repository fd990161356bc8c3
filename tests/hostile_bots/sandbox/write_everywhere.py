# expect: OK
# Writes, makes, removes and changes files wherever it can outside its scratch folder; arguments name more places.
import os
import sys

from sandbox.tries import attempt, tell
from wire import enter, play_on

FOLDERS = [".", "/", "/usr", "/usr/lib", "/etc", "/dev", "/proc", "/var/tmp", "/run", "/root", "/home", "/opt"]
SYSTEM = ["wire.py", "/usr/bin/env", "/etc/ld.so.cache", "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger"]


def write(path):
    with open(path, "w") as file:
        file.write("was here")


def open_for_writing(path):
    os.close(os.open(path, os.O_WRONLY))


enter()
for folder in FOLDERS:
    attempt(f"make {folder}", write, f"{folder}/was-here")
    attempt(f"folder {folder}", os.mkdir, f"{folder}/was-here-too")
for path in [*SYSTEM, *sys.argv[2:]]:
    attempt(f"open {path}", open_for_writing, path)
# What a wall with a hole would really harm is only done to what the test puts there for it.
for path in sys.argv[2:]:
    attempt(f"mode {path}", os.chmod, path, 0o777)
    attempt(f"time {path}", os.utime, path, (0, 0))
    attempt(f"size {path}", os.truncate, path, 0)
    attempt(f"mark {path}", os.setxattr, path, "user.was", b"here")
    attempt(f"link {path}", os.link, path, os.path.join(os.environ["TMPDIR"], "link"))
    attempt(f"name {path}", os.rename, path, path + ".gone")
    attempt(f"remove {path}", os.unlink, path)
tell()
play_on()
