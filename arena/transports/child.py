"""Starting a child process with three pipes and a descriptor of its life.  Who reads them is not known here."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace

from arena.transports.launch import Launch
from arena.transports.link import READ_BYTES, Ending

CLOSED = -1
"""In place of a descriptor that was given back."""

PIPE_AT_MOST_BYTES = 1024 * 1024
"""What a pipe can hold, unless root has allowed more."""

EXITING = 0x4
"""The kernel's PF_EXITING: files are closed before the parent is told."""

TICKS_PER_S = os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class Child:
    """A started process and our ends: none of them blocks, none is inherited by other children."""

    process: subprocess.Popen[bytes]
    stdin: int
    stdout: int
    stderr: int
    pidfd: int
    """Readable when the process has ended."""
    launch: Launch
    _bot: int | None = None

    @property
    def running(self) -> bool:
        """Whether it has not been reaped yet."""
        return self.process.returncode is None

    def kill_group(self) -> None:
        """Kill all that did not leave its process group; only while the leader holds the group's number."""
        if self.running and not (self.launch.depth and _kill_child_of(self.process.pid)):
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def signal_bot(self, number: int) -> None:
        """Send a signal to the bot and all it started, parents first: who is stopped breeds no more."""
        if not self.running:
            return
        reached = children(self.process.pid) if self.launch.depth else [self.process.pid]
        for pid in reached:
            with suppress(OSError):
                os.kill(pid, number)
                reached += children(pid)

    def meet(self) -> None:
        """Find out which process is the bot, now that it is there: what stands around it may outlive it."""
        if self._bot is None:
            self._bot = descendant(self.process.pid, self.launch.depth)

    def bot_is_leaving(self) -> bool:
        """Whether the bot has ended or is about to, though who started it has not said so yet."""
        if self._bot is None:
            return False
        try:
            with open(f"/proc/{self._bot}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
        except OSError:
            return True
        return bool(int(fields[6]) & EXITING)

    def ending(self, last_words: bytes, *, stopped: bool) -> Ending:
        """How it ended, once it has been reaped."""
        ending = self.launch.ending(self.process.returncode, last_words)
        return replace(ending, how="stopped", memory_mb=None) if stopped else ending

    def cpu_ns(self) -> int | None:
        """CPU time used by all threads of the bot; None when it has ended."""
        if not self.running:
            return None
        self.meet()
        pid = self._bot or self.process.pid
        try:
            # The kernel's name for the CPU clock of another process, as clock_getcpuclockid(3) makes it.
            return time.clock_gettime_ns((~pid << 3) | 2)
        except OSError:
            return cpu_ns_from_proc(pid)


def descendant(pid: int, depth: int) -> int | None:
    """The first child of the first child, and so on: orphans that are adopted queue up behind it."""
    for _ in range(depth):
        try:
            with open(f"/proc/{pid}/task/{pid}/children", "rb") as file:
                pid = int(file.read().split()[0])
        except (OSError, IndexError):
            return None
    return pid


def children(pid: int) -> list[int]:
    """The processes started by any of its threads."""
    found: list[int] = []
    with suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                found += map(int, file.read().split())
    return found


def _kill_child_of(pid: int) -> bool:
    child = descendant(pid, 1)
    if child is None:
        return False
    with suppress(OSError):
        descriptor = os.pidfd_open(child)
        try:
            # The number may have passed to another process since it was read.
            if descendant(pid, 1) == child:
                signal.pidfd_send_signal(descriptor, signal.SIGKILL)
        finally:
            os.close(descriptor)
    return True


def cpu_ns_from_proc(pid: int) -> int | None:
    """The same in the coarse ticks of /proc."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) * 1_000_000_000 // TICKS_PER_S


def spawn(launch: Launch) -> Child:
    """Start a command in a session of its own, with descriptors 0, 1, 2 and those it was given; raises OSError."""
    with ExitStack() as ours, ExitStack() as theirs:
        for descriptor in launch.descriptors:
            theirs.callback(os.close, descriptor)
        their_stdin, stdin = _pipe(theirs, ours)
        stdout, their_stdout = _pipe(ours, theirs)
        stderr, their_stderr = _pipe(ours, theirs)
        for descriptor in (stdin, stdout, stderr):
            os.set_blocking(descriptor, False)
        # In this thread, never by trio's own call: a parent-death signal follows the thread that forked.
        process = subprocess.Popen(
            launch.argv,
            stdin=their_stdin,
            stdout=their_stdout,
            stderr=their_stderr,
            cwd=launch.cwd,
            env=launch.env,
            pass_fds=launch.descriptors,
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
    return Child(process, stdin, stdout, stderr, pidfd, launch)


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
