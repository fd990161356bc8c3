"""What every way of reaching a bot offers, and what it expects of the one who uses it.

Bytes and endings only: what the bytes mean, and what an ending costs, is decided elsewhere.
"""

from __future__ import annotations

import signal as signals
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, Protocol

import trio

BACKLOG_BYTES: Final = 64 * 1024
"""How much may wait for a bot that does not read, before one more message is refused."""

READ_BYTES: Final = 64 * 1024
"""The most taken from one bot before the others have their turn."""

CLOSED_ITS_INPUT = "closed its input"
DOES_NOT_READ = "does not read its input"
WAS_STOPPED = "was stopped by the arena"

How = Literal["exit", "signal", "closed output", "stopped", "hung up", "disconnected", "garbled", "flooded"]
"""The last four happen to connections: closed by the bot, broken for good, or closed by us for what came."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a bot ended, as far as its process can tell."""

    how: How
    exit_code: int | None = None
    signal: str | None = None
    memory_mb: int | None = None
    """The memory limit, if that is what it died of."""
    words: str = ""
    """What went wrong with a connection."""

    @classmethod
    def of_process(cls, returncode: int, *, stopped: bool = False) -> Ending:
        """Read the number that the operating system left (negative: killed by that signal)."""
        exit_code = returncode if returncode >= 0 else None
        signal = signal_name(-returncode) if returncode < 0 else None
        if stopped:
            return cls("stopped", exit_code, signal)
        return cls("exit" if signal is None else "signal", exit_code, signal)

    @property
    def text(self) -> str:
        """The ending in words, to be read after "it died: "."""
        if self.how == "exit":
            return f"exit code {self.exit_code}"
        if self.how == "signal":
            return f"signal {self.signal}"
        if self.how == "closed output":
            return "closed its output"
        if self.how == "hung up":
            return "closed its connection"
        if self.how == "disconnected":
            return f"lost its connection and {self.words}"
        if self.words:
            return self.words
        return "stopped by the arena"


def signal_name(number: int) -> str:
    """`SIGSEGV` for 11; a number without a name keeps its number."""
    try:
        return signals.Signals(number).name
    except ValueError:
        return f"SIG{number}"


class Link(Protocol):
    """One live bot.  Nothing here waits: what takes time is told to the owner later."""

    @property
    def name(self) -> str:
        """What the bot is called in messages."""

    @property
    def owner(self) -> Owner:
        """Who is told what happens."""

    @owner.setter
    def owner(self, owner: Owner) -> None: ...

    @property
    def alive(self) -> bool:
        """Whether the bot still runs."""

    @property
    def gone(self) -> trio.Event:
        """Set when nothing of it is left: no process, no descriptor, no descendant."""

    @property
    def unsent(self) -> int:
        """How many bytes have been given to `send` and not yet been handed over."""

    @property
    def handed_over_ns(self) -> int | None:
        """When the last byte sent was handed over; None while some are unsent, or none was sent."""

    @property
    def cannot_send(self) -> str | None:
        """Why nothing more can be sent, in words; then `unsent` never returns to 0."""

    def send(self, data: bytes) -> bool:
        """Write at once: True if all was handed over now.

        Otherwise the rest is written when there is room and `Owner.handed_over` follows; but if
        `cannot_send` is not None, it never will.  Never raises.
        """

    def stop(self) -> None:
        """Begin an orderly end: the bot's input ends after what was sent."""

    def kill(self) -> None:
        """End it now, with all it started; what it wrote before may still be received."""

    def freeze(self) -> None:
        """Let it not compute until something is sent, if it is in our power."""

    def cpu_ns(self) -> int | None:
        """How long the bot has computed so far; None when it has ended."""

    def stderr_tail(self) -> bytes:
        """The last of what it wrote to its error output."""

    def stderr_kept(self) -> bytes:
        """First and last of its error output, with a line between them that says how much is missing."""


class Owner(Protocol):
    """Who is told what a bot does.  An exception raised here is our own bug and ends the hub."""

    def received(self, link: Link, data: bytes, now_ns: int, lag_ns: int) -> None:
        """Bytes came, seen at `now_ns`; they may have waited for us up to `lag_ns` before.

        All that is seen together has one `now_ns`; it can lie before a hand-over made since then.
        """

    def handed_over(self, link: Link, now_ns: int) -> None:
        """What `send` could not write at once has been written whole."""

    def lost(self, link: Link, ending: Ending) -> None:
        """The bot ended; called once, after the last bytes it wrote."""


def is_clogged(link: Link, most: int) -> bool:
    """The bot has yet to read more than so many bytes, and may still do so: then it is told by `handed_over`."""
    return link.handed_over_ns is None and link.unsent > most and link.cannot_send is None


async def stop_all(links: Iterable[Link], grace_s: float) -> None:
    """End these bots in good order, or by force after `grace_s`; when it returns nothing is left of them.

    Their hub must be running.
    """
    links = list(links)
    for link in links:
        link.stop()
    with trio.move_on_after(grace_s):
        for link in links:
            await link.gone.wait()
    for link in links:
        if not link.gone.is_set():
            link.kill()
    for link in links:
        await link.gone.wait()
