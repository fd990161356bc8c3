"""A bot on somebody else's machine: one conversation, over one websocket connection after the other.

A connection that breaks is not the end: for a grace the bot may come back, and what it missed is sent again,
byte for byte.  Both sides count whole messages, so nothing is lost and nothing is heard twice, wherever the
cut was.  Who may connect at all is the door's affair.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

import trio

from arena.transports import websocket_frames as frames
from arena.transports import websocket_wire as wires
from arena.transports.hub import Hub
from arena.transports.link import BACKLOG_BYTES, CLOSED_ITS_INPUT, DOES_NOT_READ, WAS_STOPPED, Ending, Owner
from arena.transports.websocket_line import Line
from arena.transports.websocket_wire import DROPPED, GOODBYE_S, SILENT_S, Parting, Wire

GRACE_S: Final = 10.0
"""So long a bot may be away before it counts as lost."""

KEPT_BYTES: Final = 32 * 1024
"""Of what was handed over, so much is kept for a bot that comes back without having got it."""

CREDIT_NS: Final = 100_000_000
CREDIT_A_MATCH_NS: Final = 2_000_000_000
"""The way there and back is not thinking time: so much of it is forgiven for one move, and in one match."""


def start(
    hub: Hub, line: Line, *, owner: Owner, name: str, text: bool = False, grace_s: float = GRACE_S
) -> WebsocketLink:
    """A conversation over a connection whose upgrade is done; messages are text, or binary."""
    link = WebsocketLink(hub, owner=owner, name=name, text=text, grace_s=grace_s)
    link.connect(line)
    return link


class WebsocketLink:
    """A remote bot, connected or for a moment away."""

    def __init__(
        self,
        hub: Hub,
        *,
        owner: Owner,
        name: str,
        text: bool,
        grace_s: float = GRACE_S,
        silent_s: float = SILENT_S,
    ) -> None:
        self.name = name
        self.owner = owner
        self.text = text
        self.gone = trio.Event()
        self.handed_over_ns: int | None = None
        self.cannot_send: str | None = None
        self.got = 0
        """Messages that came, each counted once."""
        self.sent = 0
        self.credit_ns = 0
        """Travelling time forgiven in this match."""
        self._hub = hub
        self._grace_s, self._silent_s = grace_s, silent_s
        self._wire: Wire | None = None
        self._kept: deque[bytes] = deque()  # the last of what was sent, and all that has not been
        self._kept_bytes = 0
        self._missed = 0  # bytes that nobody was there to take
        self._refused = 0
        self._repeats = 0  # messages to come that came before
        self._granted_ns = 0
        self._drops = 0
        self._stopping = self._ended = self._delayed = False
        self.on_drop: Callable[[WebsocketLink], None] | None = None
        """Called when the connection breaks."""
        hub.at_close(_end_by_force, self)

    @property
    def alive(self) -> bool:
        """Whether the conversation goes on, connected or not."""
        return not self._ended

    @property
    def connected(self) -> bool:
        """Whether somebody is there now."""
        return self._wire is not None

    @property
    def stopping(self) -> bool:
        """Whether we have said goodbye."""
        return self._stopping

    @property
    def round_trip_ns(self) -> int:
        """There and back, as pings tell."""
        return 0 if self._wire is None else self._wire.round_trip_ns

    @property
    def silent_ns(self) -> int:
        """How long ago the last sign of life came."""
        return 0 if self._wire is None else self._wire.silent_ns

    @property
    def unsent(self) -> int:
        """Bytes given to `send` and not yet handed over."""
        if not self._delayed:
            return self._refused  # a ping that waits is nobody's message
        return self._refused + (self._missed if self._wire is None else self._wire.unsent)

    # --- Connections --------------------------------------------------------------------------------

    def can_go_on(self, got: int, begins: int) -> bool:
        """Whether a bot that got so many messages, and speaks next the one numbered `begins`, missed nothing."""
        return not self._ended and self.sent - len(self._kept) <= got <= self.sent and 0 <= begins <= self.got

    def connect(self, line: Line, first: bytes = b"", *, got: int = 0, begins: int = 0) -> None:
        """Go on over this connection, on which `first` came already; one that was there before is dropped."""
        if self._wire is not None:
            self._wire.drop()
        self._repeats = self.got - begins
        self._missed = 0
        self._wire = Wire(self._hub, line, self, text=self.text, silent_s=self._silent_s)
        self._wire.begin(first)
        for message in [*self._kept][len(self._kept) - (self.sent - got) :]:
            self._delayed |= not self._wire.send(message)
        if not self._wire.unsent:
            self.wire_is_clear(self._wire, self._hub.now_ns())

    def refuse(self, code: int, text: str) -> None:
        """End it with a reason that the bot can read."""
        if self._wire is not None:
            self._wire.close(code, text)

    def give_up(self, words: str) -> None:
        """It is not coming back."""
        if self._ended:
            return
        if self._wire is not None:
            self._wire.drop()
            self._wire = None
        self._end(Ending("stopped") if self._stopping else Ending("disconnected", words=words))

    # --- As a link ----------------------------------------------------------------------------------

    def send(self, data: bytes) -> bool:
        """One message; True if it was handed over whole, else see `cannot_send`."""
        if self.cannot_send is not None:
            return self._refuse(data, self.cannot_send)
        if self._wire.clogged if self._wire is not None else self._missed > BACKLOG_BYTES:
            return self._refuse(data, DOES_NOT_READ)
        self.sent += 1
        self._keep(data)
        if self._wire is None:
            self._missed += len(data)
            handed = False
        else:
            handed = self._wire.send(data) and not self._delayed
        if handed:
            self.handed_over_ns = self._hub.now_ns() + self._grant()
        else:
            self._delayed, self.handed_over_ns = True, None
        return handed

    def _keep(self, data: bytes) -> None:
        self._kept.append(data)
        self._kept_bytes += len(data)
        while self._kept_bytes - len(self._kept[0]) > KEPT_BYTES + self.unsent:
            self._kept_bytes -= len(self._kept.popleft())

    def _refuse(self, data: bytes, why: str) -> bool:
        self._refused += len(data)
        self.handed_over_ns = None
        if self.cannot_send is None:
            self.cannot_send = why
            # A message is missing now: the conversation cannot go on, whatever the bot does.
            self._hub.later(wires.SEND_S, lambda: self.give_up("did not read what it was sent"))
        return False

    def stop(self) -> None:
        """Close in good order, after what was sent; the bot may finish its sentence."""
        if self._stopping or self._ended:
            return
        self._stopping = True
        if self.cannot_send is None:
            self.cannot_send = WAS_STOPPED
        if self._wire is None:
            self._hub.later(0, lambda: self._end(Ending("stopped")))
        else:
            self._wire.say_goodbye()

    def kill(self) -> None:
        """Hang up."""
        self._stopping = True
        if self._wire is not None:
            self._wire.drop()
            self._wire = None
        if not self._ended:
            self._hub.later(0, lambda: self._end(Ending("stopped")))

    def freeze(self) -> None:
        """Not in our power: it computes elsewhere."""

    def cpu_ns(self) -> int | None:
        """Unknown: it computes elsewhere."""
        return None

    def stderr_tail(self) -> bytes:
        """Nothing: its error output stays where it is."""
        return b""

    def stderr_kept(self) -> bytes:
        """Nothing."""
        return b""

    # --- Travelling time ----------------------------------------------------------------------------

    def renew_credit(self) -> None:
        """Another match begins."""
        self.credit_ns = self._granted_ns = 0

    def _grant(self) -> int:
        """The clock of a request starts so much later; charged only when something comes back."""
        left_ns = CREDIT_A_MATCH_NS - self.credit_ns
        self._granted_ns = min(self.round_trip_ns, CREDIT_NS, left_ns)
        return self._granted_ns

    # --- What a wire brings -------------------------------------------------------------------------

    def wire_brought(self, wire: Wire, message: bytes, now_ns: int, lag_ns: int) -> None:
        """Pass a message on, unless it was heard before the connection broke."""
        if wire is not self._wire or self._ended:
            return
        if self._repeats:
            self._repeats -= 1
            return
        self.got += 1
        self.credit_ns += self._granted_ns
        self._granted_ns = 0
        self.owner.received(self, message, now_ns, lag_ns)

    def wire_is_clear(self, wire: Wire, now_ns: int) -> None:
        """All is through that had to wait."""
        if wire is not self._wire or not self._delayed or self._refused:
            return
        self._delayed = False
        self.handed_over_ns = now_ns + self._grant()
        self.owner.handed_over(self, self.handed_over_ns)

    def wire_ended(self, wire: Wire, parting: Parting) -> None:
        """A broken connection may come back; a closed one was meant."""
        if wire is not self._wire:
            return
        self._missed = wire.unsent
        self._wire = None
        if self._stopping:
            self._end(Ending("stopped"))
        elif parting.code == DROPPED or (parting.code == frames.GOING_AWAY and not parting.ours):
            # A browser says so when its page is loaded again: it may come back like any other.
            self._drops += 1
            drop = self._drops
            self._hub.later(self._grace_s, lambda: self._miss(drop))
            if self.on_drop is not None:
                self.on_drop(self)
        elif parting.ours:
            how: Ending = Ending("garbled", words=parting.text)
            if parting.code == frames.TOO_BIG:
                how = Ending("flooded", words=parting.text)
            self._end(how, lingering=True)
        else:
            self._end(Ending("hung up"))

    def _miss(self, drop: int) -> None:
        if drop == self._drops and self._wire is None:
            self.give_up(f"did not come back within {self._grace_s:.1f} s")

    def _end(self, ending: Ending, *, lingering: bool = False) -> None:
        if self._ended:
            return
        self._ended = True
        self._kept.clear()
        if self.cannot_send is None:
            self.cannot_send = CLOSED_ITS_INPUT
        self.owner.lost(self, ending)
        if lingering:
            self._hub.later(GOODBYE_S, self._bury)
        else:
            self._bury()

    def _bury(self) -> None:
        self._hub.forget(self)
        self.gone.set()


def _end_by_force(links: list[WebsocketLink]) -> None:
    """The hub ends: leave no connection behind."""
    for link in links:
        link._ended = True
        if link._wire is not None:
            link._wire.drop()
        link.gone.set()
