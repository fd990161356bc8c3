"""A bot as a coroutine in this process: the same link without a process, a pipe or a clock of its own.

For tests and simulation; with a hub that reads trio's clock it is exact to the nanosecond under a mocked one.
"""

from __future__ import annotations

import signal
import traceback
from collections.abc import Awaitable, Callable

import trio

from arena.transports.excerpt import Excerpt
from arena.transports.hub import Hub
from arena.transports.link import (
    BACKLOG_BYTES,
    CLOSED_ITS_INPUT,
    DOES_NOT_READ,
    READ_BYTES,
    WAS_STOPPED,
    Ending,
    Owner,
)

PIPE_BYTES = 64 * 1024
"""How much is handed over before the bot reads, as much as a pipe of Linux holds."""


class Died(Exception):
    """Raised by a memory bot to die as if by this signal."""

    def __init__(self, number: signal.Signals) -> None:
        super().__init__(number.name)
        self.number = number


class Stream:
    """The bot's end of a memory link."""

    def __init__(self, link: MemoryLink) -> None:
        self._link = link

    async def receive(self, max_bytes: int = READ_BYTES) -> bytes:
        """The next bytes, as soon as there are any; empty when the arena has closed the input."""
        return await self._link._bot_receives(max_bytes)

    async def send(self, data: bytes) -> None:
        """Hand bytes to the arena, at this very moment."""
        self._link._bot_sends(data)
        await trio.lowlevel.checkpoint()

    def log(self, data: bytes) -> None:
        """Write to the error output."""
        self._link.stderr.add(data)

    def compute(self, ns: int) -> None:
        """Pretend to have used so much CPU time."""
        self._link._cpu_ns += ns

    def close_input(self) -> None:
        """Refuse to be told anything more."""
        self._link._bot_closes_input()

    def close_output(self) -> None:
        """Fall silent for good, while still running."""
        self._link._bot_closes_output()


Bot = Callable[[Stream], Awaitable[object]]


def start(hub: Hub, bot: Bot, *, owner: Owner, name: str) -> MemoryLink:
    """Start a bot as a task beside the hub."""
    link = MemoryLink(hub, owner=owner, name=name)
    hub.spawn(link._live, bot)
    return link


class MemoryLink:
    """A bot's task and two buffers: what it may read now, and what waits behind."""

    def __init__(self, hub: Hub, *, owner: Owner, name: str) -> None:
        self.name = name
        self.owner = owner
        self.gone = trio.Event()
        self.stderr = Excerpt()
        self.handed_over_ns: int | None = None
        self.cannot_send: str | None = None
        self._hub = hub
        self._pipe = bytearray()
        self._backlog = bytearray()
        self._refused = 0
        self._cpu_ns = 0
        self._scope = trio.CancelScope()
        self._news = trio.Event()
        self._stopping = self._lost = self._input_closed = False
        self._our_bug: Exception | None = None

    @property
    def alive(self) -> bool:
        """Whether the bot's task still runs."""
        return not self.gone.is_set()

    @property
    def unsent(self) -> int:
        """Bytes given to `send` for which there was no room yet."""
        return len(self._backlog) + self._refused

    def send(self, data: bytes) -> bool:
        """Put bytes where the bot can read them; True if there was room for all."""
        if self._input_closed:
            return self._refuse(data, CLOSED_ITS_INPUT)
        if self.cannot_send is not None or len(self._backlog) > BACKLOG_BYTES:
            return self._refuse(data, DOES_NOT_READ)
        self._backlog += data
        self._fill_pipe()
        self.handed_over_ns = None if self._backlog else self._hub.now_ns()
        return not self._backlog

    def _fill_pipe(self) -> None:
        room = PIPE_BYTES - len(self._pipe)
        self._pipe += self._backlog[:room]
        del self._backlog[:room]
        self._news.set()

    def _refuse(self, data: bytes | bytearray, why: str) -> bool:
        self._refused += len(data)
        self.handed_over_ns = None
        if self.cannot_send is None:
            self.cannot_send = why
        return False

    def stop(self) -> None:
        """End the bot's input, after what was sent."""
        self._stopping = True
        if self.cannot_send is None:
            self.cannot_send = WAS_STOPPED
        self._news.set()

    def kill(self) -> None:
        """Cancel the bot's task."""
        self._stopping = True
        self._scope.cancel()

    def freeze(self) -> None:
        """It computes nothing by itself."""

    def cpu_ns(self) -> int | None:
        """What the bot claims to have computed."""
        return self._cpu_ns if self.alive else None

    def stderr_tail(self) -> bytes:
        """The last of what the bot logged, or of its traceback."""
        return self.stderr.tail()

    def stderr_kept(self) -> bytes:
        """First and last of what the bot logged."""
        return self.stderr.kept()

    # The bot's side ------------------------------------------------------------------------------------

    async def _live(self, bot: Bot) -> None:
        ending = Ending("stopped")
        try:
            with self._scope:
                ending = await self._run_to_its_end(bot)
        finally:
            self.gone.set()
        if self._our_bug is not None:
            raise self._our_bug
        self._tell(Ending("stopped", ending.exit_code, ending.signal) if self._stopping else ending)

    async def _run_to_its_end(self, bot: Bot) -> Ending:
        try:
            await bot(Stream(self))
        except Died as death:
            return Ending("signal", signal=death.number.name)
        except SystemExit as leave:
            return Ending(
                "exit", exit_code=leave.code if isinstance(leave.code, int) else int(leave.code is not None)
            )
        except Exception:
            self.stderr.add(traceback.format_exc().encode())
            return Ending("exit", exit_code=1)
        return Ending("exit", exit_code=0)

    async def _bot_receives(self, max_bytes: int) -> bytes:
        while not self._pipe:
            if self._stopping or self._input_closed:
                await trio.lowlevel.checkpoint()
                return b""
            self._news = trio.Event()
            await self._news.wait()
        data = bytes(self._pipe[:max_bytes])
        del self._pipe[:max_bytes]
        if self._backlog:
            self._hand_over_more()
        await trio.lowlevel.checkpoint()
        return data

    def _hand_over_more(self) -> None:
        self._fill_pipe()
        if not self._backlog and not self._refused:
            now_ns = self.handed_over_ns = self._hub.now_ns()
            self._call_owner(now_ns, lambda: self.owner.handed_over(self, now_ns))

    def _bot_sends(self, data: bytes) -> None:
        if self._lost:
            raise BrokenPipeError("the arena no longer listens")
        now_ns = self._hub.now_ns()
        self._call_owner(now_ns, lambda: self.owner.received(self, data, now_ns, 0))

    def _bot_closes_input(self) -> None:
        self._input_closed = True
        if self._backlog:
            self._refuse(self._backlog, CLOSED_ITS_INPUT)
        self._backlog.clear()
        self._pipe.clear()
        self._news.set()

    def _bot_closes_output(self) -> None:
        self._tell(Ending("closed output"))
        self._scope.cancel()

    def _tell(self, ending: Ending) -> None:
        if not self._lost:
            self._lost = True
            self._call_owner(self._hub.now_ns(), lambda: self.owner.lost(self, ending))

    def _call_owner(self, now_ns: int, callback: Callable[[], None]) -> None:
        try:
            callback()
            self._hub.settle(now_ns)
        except Exception as error:
            # It passes through the bot's own code; it must not be taken for the bot's mistake.
            self._our_bug = error
            raise
