"""Processes that outlived their bot by leaving its process group, found by the mark in their environment.

A process can wipe its own mark; only a sandbox with a process namespace catches that one too.
"""

from __future__ import annotations

import os
import signal

MARK = "ARENA_MARK"
_PREFIX = f"{MARK}=".encode()


def sweep(*marks: str) -> int:
    """Kill every process that carries one of these marks; how many were found.

    They die a moment later: sweep again until it finds none.
    """
    wanted = {_PREFIX + mark.encode() for mark in marks}
    return sum(_kill_if_marked(entry, wanted) for entry in os.listdir("/proc") if entry.isdecimal())


def _kill_if_marked(pid: str, wanted: set[bytes]) -> bool:
    if not _is_marked(pid, wanted):
        return False
    try:
        descriptor = os.pidfd_open(int(pid))
    except OSError:
        return True
    try:
        # The number may have passed to another process since it was read.
        if _is_marked(pid, wanted):
            signal.pidfd_send_signal(descriptor, signal.SIGKILL)
    except OSError:
        pass
    finally:
        os.close(descriptor)
    return True


def _is_marked(pid: str, wanted: set[bytes]) -> bool:
    environment = _environment(pid)
    return _PREFIX in environment and not wanted.isdisjoint(environment.split(b"\0"))


def _environment(pid: str) -> bytes:
    try:
        with open(f"/proc/{pid}/environ", "rb", buffering=0) as file:
            return file.read()
    except OSError:
        return b""
