# expect: OK
# Looks at every other process it can see, and at the arena, whose number is its second argument.
import os
import sys

from sandbox.tries import attempt, tell
from wire import enter, play_on


def read(path):
    with open(path, "rb") as file:
        return bool(file.read(64))


enter()
try:
    seen = [int(name) for name in os.listdir("/proc") if name.isdecimal()]
except OSError:
    seen = []
others = {os.getppid(), int(sys.argv[2]), *seen} - {0, os.getpid()}
for pid in others:
    for name in ("environ", "maps", "mem", "auxv", "syscall", "stack", "io"):
        attempt(f"{name} of {pid}", read, f"/proc/{pid}/{name}")
    for name in ("exe", "cwd", "root", "fd/0"):
        attempt(f"{name} of {pid}", os.readlink, f"/proc/{pid}/{name}")
    attempt(f"fd of {pid}", os.listdir, f"/proc/{pid}/fd")
commands = []
for pid in seen:
    with open(f"/proc/{pid}/cmdline", "rb") as file:
        commands.append(file.read().decode(errors="replace"))
tell(seen=len(seen), commands=commands)
play_on()
