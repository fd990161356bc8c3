"""A bot as a child process, reached through its standard input and output.

Pipes and endings; no sandbox and no limits: whoever wants them has another launcher start the bot.
"""

from __future__ import annotations

import select
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from os import read, write
from typing import Final

import trio

from arena.transports.child import CLOSED, Child, rest_of, spawn
from arena.transports.excerpt import Excerpt
from arena.transports.hub import Hub
from arena.transports.launch import Launcher, bare
from arena.transports.link import (
    BACKLOG_BYTES,
    CLOSED_ITS_INPUT,
    DOES_NOT_READ,
    READ_BYTES,
    WAS_STOPPED,
    Ending,
    Owner,
)
from arena.transports.starting import explain, obstacle
from arena.transports.strays import sweep

DRAIN_S = 0.1
"""How long the other half of an ending is awaited: end of output after exit, or exit after end of output."""

SHORT_BYTES: Final = 448
"""So much room is enough for an answer, and quickly had; a bot that once filled it gets more from then on."""

SWEEPS = 200
SWEEP_PAUSE_S = 0.01
KILLED_WITHIN_S = 5.0


def start(
    hub: Hub,
    argv: Sequence[str],
    *,
    cwd: str,
    env: Mapping[str, str],
    owner: Owner,
    name: str,
    launcher: Launcher = bare,
) -> StdioLink:
    """Start a program and link it; raises `StartError` if it cannot be.

    A command with a slash is looked up from `cwd`, another on the PATH in `env`.  The environment is `env`
    and the mark by which descendants are found; nothing is inherited.  A `launcher` other than `bare` puts a
    sandbox around it.
    """
    problem = obstacle(argv, cwd=cwd, env=env)
    if problem is not None:
        raise problem
    mark = hub.new_mark()
    try:
        launch = launcher(argv, cwd=cwd, env=env, mark=mark)
    except OSError as error:
        raise explain(error, argv) from error
    try:
        child = spawn(launch)
    except OSError as error:
        launch.clear()
        raise explain(error, argv) from error
    return StdioLink(hub, child, owner=owner, name=name, mark=mark)


class StdioLink:
    """A running child process and our ends of its pipes."""

    def __init__(self, hub: Hub, child: Child, *, owner: Owner, name: str, mark: str) -> None:
        self.name = name
        self.owner = owner
        self.mark = mark
        self.pid = child.process.pid
        self.gone = trio.Event()
        self.stderr = Excerpt()
        self.handed_over_ns: int | None = None
        self.cannot_send: str | None = None
        self._hub = hub
        self._now_ns = hub.now_ns
        self._child = child
        self._backlog = bytearray()
        self._refused = 0
        self._room = SHORT_BYTES
        self._stopping = self._lost = self._ended = self._frozen = False
        self._stdin, self._stdout, self._stderr = child.stdin, child.stdout, child.stderr
        self._pidfd = child.pidfd
        hub.watch(self._stdout, self._read_first)
        hub.watch(self._stderr, self._read_errors)
        hub.watch(self._pidfd, self._exited)
        hub.at_close(_end_by_force, self)

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self._child.running

    @property
    def unsent(self) -> int:
        """Bytes given to `send` and not yet handed over."""
        return len(self._backlog) + self._refused

    # Writing -------------------------------------------------------------------------------------------

    def send(self, data: bytes) -> bool:
        """Write at once; True if all was handed over now, else see `cannot_send`."""
        if self._frozen:
            self._thaw()
        if self._backlog or self.cannot_send is not None:
            return self._keep(data)
        try:
            written = write(self._stdin, data)
        except BlockingIOError:
            return self._keep(data)
        except OSError:
            return self._refuse(data, CLOSED_ITS_INPUT)
        if written < len(data):
            return self._keep(data[written:])
        self.handed_over_ns = self._now_ns()
        return True

    def _keep(self, data: bytes) -> bool:
        if self.cannot_send is not None or len(self._backlog) > BACKLOG_BYTES:
            return self._refuse(data, DOES_NOT_READ)
        if not self._backlog:
            self._hub.watch(self._stdin, self._flush, select.EPOLLOUT)
        self._backlog += data
        self.handed_over_ns = None
        return False

    def _refuse(self, data: bytes | bytearray, why: str) -> bool:
        self._refused += len(data)
        self.handed_over_ns = None
        if self.cannot_send is None:
            self.cannot_send = why
        return False

    def _flush(self, now_ns: int, lag_ns: int) -> None:  # noqa: ARG002
        try:
            del self._backlog[: write(self._stdin, self._backlog)]
        except BlockingIOError:
            return
        except OSError:
            self._refuse(self._backlog, CLOSED_ITS_INPUT)
            self._close_input()
            return
        if self._backlog:
            return
        self._hub.unwatch(self._stdin)
        if self._stopping:
            self._close_input()
        if not self._refused:
            self.handed_over_ns = self._now_ns()
            self.owner.handed_over(self, self.handed_over_ns)

    def _close_input(self) -> None:
        self._backlog.clear()
        self._stdin = self._release(self._stdin)

    # Reading -------------------------------------------------------------------------------------------

    def _read_first(self, now_ns: int, lag_ns: int) -> None:
        self._child.meet()
        self._hub.unwatch(self._stdout)
        self._hub.watch(self._stdout, self._read_output)
        self._read_output(now_ns, lag_ns)

    def _read_output(self, now_ns: int, lag_ns: int) -> None:  # noqa: ARG002
        try:
            data = read(self._stdout, self._room)
        except BlockingIOError:
            return
        if len(data) == SHORT_BYTES == self._room:
            self._room = READ_BYTES
            with suppress(BlockingIOError):
                data += read(self._stdout, READ_BYTES - SHORT_BYTES)
        if data:
            self._hub.bring(self, data)
        else:
            self._output_ended()

    def _read_errors(self, now_ns: int, lag_ns: int) -> None:  # noqa: ARG002
        try:
            data = read(self._stderr, READ_BYTES)
        except BlockingIOError:
            return
        if data:
            self.stderr.add(data)
        else:
            self._stderr = self._release(self._stderr)

    def _read_the_last(self) -> None:
        for data in rest_of(self._stderr):
            self.stderr.add(data)
        for data in rest_of(self._stdout):
            now_ns = self._now_ns()
            self.owner.received(self, data, now_ns, self._hub.lag_ns(now_ns))

    def stderr_tail(self) -> bytes:
        """The last 64 KiB of its error output."""
        return self.stderr.tail()

    def stderr_kept(self) -> bytes:
        """First and last 64 KiB of its error output."""
        return self.stderr.kept()

    def freeze(self) -> None:
        """Stop it and all it started, until something is sent."""
        if not self._frozen and not self._stopping and not self._backlog:
            self._frozen = True
            self._child.signal_bot(signal.SIGSTOP)

    def _thaw(self) -> None:
        self._frozen = False
        self._child.signal_bot(signal.SIGCONT)

    def cpu_ns(self) -> int | None:
        """CPU time of the bot itself, also inside a sandbox; its children are not counted."""
        return self._child.cpu_ns()

    # Ending --------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """Close the bot's input, after what was sent."""
        self._stopping = True
        if self._frozen:
            self._thaw()
        if self.cannot_send is None:
            self.cannot_send = WAS_STOPPED
        if not self._backlog:
            self._close_input()

    def kill(self) -> None:
        """SIGKILL to its whole process group."""
        self._stopping = True
        self._child.kill_group()

    def _output_ended(self) -> None:
        self._stdout = self._release(self._stdout)
        if self._child.running:
            # An exiting process closes its files first: give it time to be seen dead.
            self._hub.later(DRAIN_S, self._leave_the_silent)
        else:
            self._end()

    def _leave_the_silent(self) -> None:
        if not self._child.running or self._stopping:
            return
        if self._child.bot_is_leaving():
            # Its sandbox takes away what it left, and then tells how it ended.
            self._hub.later(DRAIN_S, self._leave_the_silent)
            return
        self._tell(Ending("closed output"))
        self.kill()

    def _exited(self, now_ns: int, lag_ns: int) -> None:  # noqa: ARG002
        # Before it is reaped: the number of the group is surely its own.
        self._child.kill_group()
        if self._child.process.poll() is None:
            # A tracer has first claim on it, and has just been killed or will be swept.
            self._hub.unwatch(self._pidfd)
            self._hub.later(SWEEP_PAUSE_S, lambda: self._exited(0, 0))
            return
        self._pidfd = self._release(self._pidfd)
        if self._stdout == CLOSED:
            self._end()
        else:
            self._hub.later(DRAIN_S, self._end)

    def _end(self) -> None:
        if self._ended:
            return
        self._ended = True
        self._read_the_last()
        self._release_all()
        self._tell(self._child.ending(self.stderr.tail(), stopped=self._stopping))
        self._hub.gather(_bury, self)

    def _tell(self, ending: Ending) -> None:
        if not self._lost:
            self._lost = True
            self.owner.lost(self, ending)

    def _release(self, descriptor: int) -> int:
        if descriptor != CLOSED:
            self._hub.release(descriptor)
        return CLOSED

    def _release_all(self) -> None:
        self._close_input()
        self._stdout = self._release(self._stdout)
        self._stderr = self._release(self._stderr)
        self._pidfd = self._release(self._pidfd)


def _bury(links: list[StdioLink], sweeps: int = SWEEPS) -> None:
    """Hunt the descendants of bots that have ended, in one search for all, until none is found."""
    hub = links[0]._hub
    # Whoever breeds faster than we kill, for that long, is left to the sandbox.
    if _something_left(links) and sweeps:
        hub.later(SWEEP_PAUSE_S, lambda: _bury(links, sweeps - 1))
        return
    for link in links:
        hub.forget(link)
        link.gone.set()


def _something_left(links: list[StdioLink]) -> bool:
    alive = sweep(*(link.mark for link in links))
    cleared = [link._child.launch.clear() for link in links]
    return bool(alive) or not all(cleared)


def _end_by_force(links: list[StdioLink]) -> None:
    """The hub ends: leave nothing behind, and wait only for the kernel."""
    for link in links:
        link.kill()
    for link in links:
        with suppress(subprocess.TimeoutExpired):
            link._child.process.wait(KILLED_WITHIN_S)
        link._release_all()
    for _ in range(SWEEPS):
        if not _something_left(links):
            break
    for link in links:
        link.gone.set()
