"""A tap between a live bot and its link: what was said, by whom and when.  It judges nothing."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from typing import Any, Final, cast

from arena.bots.live import LiveBot
from arena.transports import Ending, Hub, Link
from protocol.codec import CODECS
from protocol.errors import RemoteProtocolError, beginning, in_hex, printable, quoted
from protocol.framing import FRAMINGS, Whole
from protocol.messages import Answer, Ask, Hello, Message, Ready
from protocol.session import ARENA_FRAME_LIMIT

LINE_CHARS: Final = 300
_LAST_WORD: Final = re.compile(rb"type.{1,3}(forced|error|bye)", re.DOTALL)


class Tap:
    """Hears everything, and passes everything on; but for one answer, if it is to be swallowed."""

    def __init__(self, live: LiveBot, hub: Hub, *, swallow: bool = False) -> None:
        self.live = live
        self.link: Link | None = None
        self.hello: Hello | None = None
        self.ready = False
        self.answers = 0
        self.strange_ids: list[str] = []
        self.heard: deque[tuple[str, bytes]] = deque(maxlen=8)
        self.started_ns = self.hello_ns = self.bye_ns = self.lost_ns = 0
        self._hub = hub
        self._swallow = self._excused = swallow  # the complaint that follows is our own doing
        # What cannot be read, a complaint of ours, or bye closes the book: its last entry led to it.
        self._open = True
        self._asked: set[str] = set()
        self._codec = CODECS[live.bot.encoding]
        framing = Whole if live.bot.remote else FRAMINGS[live.bot.encoding]
        self._in = framing()
        self._out = framing(ARENA_FRAME_LIMIT)

    def attach(self, link: Link) -> Link:
        """The process runs; what the live bot holds from now on is this tap."""
        self.link = link
        self.started_ns = self._hub.now_ns()
        return cast(Link, _TappedLink(link, self))

    # --- What goes out ------------------------------------------------------------------------------

    def sent(self, data: bytes) -> None:
        """The arena said something."""
        if _LAST_WORD.search(data[:24]):
            self._open, self._excused = self._excused, False
        for payload in self._out.feed(data):
            self._write_down("sent", payload)
            message = self._codec.decode_from_arena(payload)
            if isinstance(message, Ask):
                self._asked |= {request.id for request in message.requests}

    def stopped(self) -> None:
        """The bot was told to leave."""
        self.bye_ns = self.bye_ns or self._hub.now_ns()

    # --- What comes in, as an `Owner` ---------------------------------------------------------------

    def received(self, link: Link, data: bytes, now_ns: int, lag_ns: int) -> None:
        """The bot said something."""
        payloads = self._in.feed(data)
        swallowed = False
        for payload in payloads:
            self._write_down("came", payload)
            swallowed |= self._open and self._understand(payload, now_ns)
        if not payloads:
            self._write_down("came", data)
        if not swallowed:
            self.live.received(link, data, now_ns, lag_ns)

    def handed_over(self, link: Link, now_ns: int) -> None:
        """What had clogged is through."""
        self.live.handed_over(link, now_ns)

    def lost(self, link: Link, ending: Ending) -> None:
        """The bot is gone."""
        self.lost_ns = self._hub.now_ns()
        self.live.lost(link, ending)

    # --- What was found out -------------------------------------------------------------------------

    def exchange(self) -> list[str]:
        """The last thing said to the bot and what it said then, as lines to show."""
        sent = came = None
        for who, payload in self.heard:
            sent, came = (payload, None) if who == "sent" else (sent, payload)
        told = [] if sent is None else [f"sent: {self._shown(sent, self._codec.decode_from_arena)}"]
        return [*told, "came: " + ("nothing" if came is None else self._shown(came, self._codec.decode_from_bot))]

    def last_words(self, lines: int = 5) -> list[str]:
        """The end of its error output, harmless to show."""
        said = b"" if self.link is None else self.link.stderr_tail()
        last = said.decode("utf-8", "replace").strip().splitlines()[-lines:]
        return [quoted(line, mark="", limit=160) for line in last]

    def leaving_s(self) -> float:
        """How long it took to leave when told."""
        return (self.lost_ns - self.bye_ns) / 1e9

    def _understand(self, payload: bytes, now_ns: int) -> bool:
        """Take note; True if this message is to be swallowed."""
        try:
            message: Message | None = self._codec.decode_from_bot(payload)
        except RemoteProtocolError:
            self._open = False
            return False
        if isinstance(message, Hello) and self.hello is None:
            self.hello, self.hello_ns = message, now_ns
        elif isinstance(message, Ready):
            self.ready = True
        elif isinstance(message, Answer):
            self.answers += len(message.answers)
            self.strange_ids += [choice.id for choice in message.answers if choice.id not in self._asked]
            swallow, self._swallow = self._swallow, False
            return swallow
        return False

    def _write_down(self, who: str, payload: bytes) -> None:
        if self._open:
            self.heard.append((who, payload))

    def _shown(self, payload: bytes, decode: Callable[[bytes], Message]) -> str:
        try:
            text = CODECS["json"].encode(decode(payload)).decode()
        except RemoteProtocolError:
            text = beginning(payload) or in_hex(payload)
        cut = f"{text[:LINE_CHARS]} ..." if len(text) > LINE_CHARS else text
        return printable(cut)


class _TappedLink:
    """The link, but what it sends is heard."""

    def __init__(self, link: Link, tap: Tap) -> None:
        self._link = link
        self._tap = tap

    def send(self, data: bytes) -> bool:
        self._tap.sent(data)
        return self._link.send(data)

    def stop(self) -> None:
        self._tap.stopped()
        self._link.stop()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._link, name)
