# expect: OK
# Signals, traces, slows and limits the arena, whose number is its second argument, its parent, and everybody.
# The signal is one that is ignored by default: a wall with a hole must not cost the machine.
import fcntl
import os
import resource
import signal
import sys
import threading

from sandbox.tries import attempt, call, libc, tell
from wire import enter, play_on

HARMLESS = signal.SIGURG
PTRACE_ATTACH, PTRACE_SEIZE = 16, 0x4206
arena = int(sys.argv[2])


def by_file(pid):
    """Have the kernel send it when a pipe becomes readable."""
    reading, writing = os.pipe()
    fcntl.fcntl(reading, fcntl.F_SETOWN, pid)
    fcntl.fcntl(reading, fcntl.F_SETSIG, HARMLESS)
    fcntl.fcntl(reading, fcntl.F_SETFL, os.O_ASYNC)
    os.write(writing, b"x")


def trace(request, pid):
    if libc.ptrace(request, pid, None, None) != 0:
        return False
    os.waitpid(pid, 0)
    return True


enter()
for who, pid in {"arena": arena, "parent": os.getppid(), "everybody": -1, "group of the arena": -arena}.items():
    if pid in (0, 1):
        continue
    attempt(f"kill {who}", os.kill, pid, HARMLESS)
for who, pid in {"arena": arena, "parent": os.getppid()}.items():
    if pid in (0, 1):
        continue
    attempt(f"tkill {who}", call, 200, pid, int(HARMLESS))
    attempt(f"pidfd {who}", os.pidfd_open, pid)
    attempt(f"by file {who}", by_file, pid)
    attempt(f"attach {who}", trace, PTRACE_ATTACH, pid)
    attempt(f"seize {who}", trace, PTRACE_SEIZE, pid)
    attempt(f"limit {who}", resource.prlimit, pid, resource.RLIMIT_NOFILE, (64, 64))
    attempt(f"nice {who}", os.setpriority, os.PRIO_PROCESS, pid, 19)
    attempt(f"idle {who}", os.sched_setscheduler, pid, os.SCHED_IDLE, os.sched_param(0))
    attempt(f"affinity {who}", os.sched_setaffinity, pid, {0})
    attempt(f"memory of {who}", call, 310, pid, b"\0" * 16, 1, b"\0" * 16, 1, 0)
tell(itself=os.kill(os.getpid(), HARMLESS) is None, threads=threading.Thread(target=print).start() is None)
play_on()
