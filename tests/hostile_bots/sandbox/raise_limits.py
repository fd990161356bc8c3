# expect: OK
# Takes back what it was denied: limits, priority, identity, capabilities, by itself and by helpers of root.
import ctypes
import os
import resource
import subprocess

from sandbox.tries import attempt, libc, tell
from wire import enter, play_on


def raise_limit(number):
    hard = resource.getrlimit(number)[1]
    if hard == resource.RLIM_INFINITY:
        return False
    resource.setrlimit(number, (hard + 1, hard + 1))
    return True


def root_by_helper(*command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return b"uid=0" in done.stdout


def all_capabilities():
    header, data = ctypes.create_string_buffer(b"\x22\x05\x08\x20" + bytes(4)), b"\xff" * 24
    return libc.capset(header, data) == 0


enter()
for name in ("NPROC", "FSIZE", "NOFILE", "CORE", "DATA"):
    attempt(f"limit {name}", raise_limit, getattr(resource, f"RLIMIT_{name}"))
attempt("nice", os.setpriority, os.PRIO_PROCESS, 0, -5)
attempt("real time", os.sched_setscheduler, 0, os.SCHED_FIFO, os.sched_param(10))
attempt("root", os.setuid, 0)
attempt("root, at once", os.setresuid, 0, 0, 0)
attempt("group of root", os.setgid, 0)
attempt("groups", os.setgroups, [0])
attempt("another user", os.setuid, 1001)
attempt("capabilities", all_capabilities)
attempt("su", root_by_helper, "/bin/su", "-c", "id")
attempt("unshare", root_by_helper, "/usr/bin/unshare", "--map-root-user", "id")
attempt("spared", lambda: os.write(os.open("/proc/self/oom_score_adj", os.O_WRONLY), b"-500"))
tell()
play_on()
