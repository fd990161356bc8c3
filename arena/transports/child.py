"""Starting a child process with three pipes and a descriptor of its life.  Who reads them is not known here."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass

from arena.transports.link import READ_BYTES

CLOSED = -1
"""In place of a descriptor that was given back."""

PIPE_AT_MOST_BYTES = 1024 * 1024
"""What a pipe can hold, unless root has allowed more."""

TICKS_PER_S = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Child:
    """A started process and our ends: none of them blocks, none is inherited by other children."""

    process: subprocess.Popen[bytes]
    stdin: int
    stdout: int
    stderr: int
    pidfd: int
    """Readable when the process has ended."""

    @property
    def running(self) -> bool:
        """Whether it has not been reaped yet."""
        return self.process.returncode is None

    def kill_group(self) -> None:
        """Kill all that did not leave its process group; only while the leader holds the group's number."""
        if self.running:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def cpu_ns(self) -> int | None:
        """CPU time used by all its threads; None when it has ended."""
        if not self.running:
            return None
        try:
            # The kernel's name for the CPU clock of another process, as clock_getcpuclockid(3) makes it.
            return time.clock_gettime_ns((~self.process.pid << 3) | 2)
        except OSError:
            return cpu_ns_from_proc(self.process.pid)


def cpu_ns_from_proc(pid: int) -> int | None:
    """The same in the coarse ticks of /proc."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) * 1_000_000_000 // TICKS_PER_S


def spawn(argv: Sequence[str], *, cwd: str, env: Mapping[str, str]) -> Child:
    """Start a command in a session of its own, with descriptors 0, 1 and 2 only; raises OSError."""
    with ExitStack() as ours, ExitStack() as theirs:
        their_stdin, stdin = _pipe(theirs, ours)
        stdout, their_stdout = _pipe(ours, theirs)
        stderr, their_stderr = _pipe(ours, theirs)
        for descriptor in (stdin, stdout, stderr):
            os.set_blocking(descriptor, False)
        # In this thread, never by trio's own call: a parent-death signal follows the thread that forked.
        process = subprocess.Popen(
            list(argv),
            stdin=their_stdin,
            stdout=their_stdout,
            stderr=their_stderr,
            cwd=cwd,
            env=env,
            close_fds=True,
            start_new_session=True,
        )
        try:
            pidfd = os.pidfd_open(process.pid)
        except OSError:
            process.kill()
            process.wait()
            raise
        # As a batch job it does not interrupt us the moment it is woken: answers are then handled by the batch,
        # with half the context switches.
        with suppress(OSError):
            os.sched_setscheduler(process.pid, os.SCHED_BATCH, os.sched_param(0))
        ours.pop_all()
    return Child(process, stdin, stdout, stderr, pidfd)


def _pipe(reader: ExitStack, writer: ExitStack) -> tuple[int, int]:
    reading, writing = os.pipe()
    reader.callback(os.close, reading)
    writer.callback(os.close, writing)
    return reading, writing


def rest_of(descriptor: int) -> Iterator[bytes]:
    """What a pipe still holds; whoever else keeps it open is not waited for."""
    with suppress(BlockingIOError):
        for _ in range(PIPE_AT_MOST_BYTES // READ_BYTES):
            data = b"" if descriptor == CLOSED else os.read(descriptor, READ_BYTES)
            if not data:
                return
            yield data
