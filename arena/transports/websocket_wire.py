"""One websocket connection: messages, pings and the goodbye, with a limit on everything a stranger may do.

It ends when the connection ends; whether the bot is lost with it is decided elsewhere.
"""

from __future__ import annotations

from collections import deque
from typing import Final, NamedTuple, Protocol

import trio

from arena.transports import websocket_frames as frames
from arena.transports.hub import Hub
from arena.transports.link import BACKLOG_BYTES
from arena.transports.websocket_frames import FrameReader, close_frame, frame
from arena.transports.websocket_line import Line

PING_S: Final = 10.0
SILENT_S: Final = 20.0
"""Who answers no ping for so long is not there any more."""

MESSAGE_S: Final = 5.0
"""So long a message may take from its first byte to its last."""

SEND_S: Final = 10.0
"""So long a bot may take nothing of what is sent to it."""

GOODBYE_S: Final = 1.0
PIECE_BYTES: Final = 1024
"""So much is cut into frames at a time: they may be as small as six bytes."""

CONTROLS_A_SECOND: Final = 10
ROUND_TRIPS: Final = 8
DROPPED: Final = 1006
_HELD_UP_NS: Final = 1_000_000_000
_SECOND_NS: Final = 1_000_000_000


class Parting(NamedTuple):
    """How a connection ended; 1006 means that it simply broke."""

    code: int
    text: str
    ours: bool
    """We closed it."""


class WireUser(Protocol):
    """Who is told what a wire brings."""

    def wire_brought(self, wire: Wire, message: bytes, now_ns: int, lag_ns: int) -> None:
        """A whole message."""

    def wire_is_clear(self, wire: Wire, now_ns: int) -> None:
        """What could not be sent at once has been."""

    def wire_ended(self, wire: Wire, parting: Parting) -> None:
        """Told once; after `drop` never."""


class Wire:
    """A connection in use."""

    def __init__(self, hub: Hub, line: Line, user: WireUser, *, text: bool, silent_s: float = SILENT_S) -> None:
        self._hub = hub
        self._line = line
        self._user = user
        self._silent_ns = round(silent_s * 1e9)
        self._opcode = frames.TEXT if text else frames.BINARY
        self._reader = FrameReader(self._opcode)
        self._round_trips: deque[int] = deque(maxlen=ROUND_TRIPS)
        self._pinged: tuple[bytes, int] | None = None
        self._pings = 0
        self._controls = 0
        self._second_ns = self._heard_ns = self._begun_ns = 0
        self._watching_message = self._watching_backlog = False
        self._said_goodbye = self._told = False
        self._first = b""
        self._ticks: trio.CancelScope | None = None

    @property
    def round_trip_ns(self) -> int:
        """The quickest of the last pings: a bot that was thinking answers late, and proves nothing by it."""
        return min(self._round_trips, default=0)

    @property
    def unsent(self) -> int:
        """Bytes that are still with us."""
        return self._line.unsent

    @property
    def silent_ns(self) -> int:
        """How long ago the last byte came."""
        return self._hub.now_ns() - self._heard_ns

    @property
    def clogged(self) -> bool:
        """The bot does not read."""
        return self._line.unsent > BACKLOG_BYTES + self._line.room

    def begin(self, first: bytes = b"") -> None:
        """Use the line, on which `first` came already."""
        self._heard_ns = self._hub.now_ns()
        self._line.open(self)
        self._ping(self._heard_ns, 0)
        self._ticks = self._hub.every(PING_S, self._ping)
        if first:
            self._first = first
            self._hub.later(0, lambda: self.line_brought(b"", self._hub.now_ns(), 0))

    def send(self, message: bytes) -> bool:
        """One message; True if all was handed over now."""
        return self._write(frame(self._opcode, message))

    def say_goodbye(self) -> None:
        """Close in good order, after what was sent; until the bot closes too, it is heard."""
        if not self._said_goodbye:
            self._said_goodbye = True
            self._write(close_frame(frames.NORMAL, "bye"))

    def close(self, code: int, text: str) -> None:
        """Close for a reason: nothing it says is heard any more, and it may not take long to go."""
        if self._told:
            return
        if not self._said_goodbye:
            self._said_goodbye = True
            self._write(close_frame(code, text))
        self._line.end_sending()
        self._hub.later(GOODBYE_S, self.drop)
        self._tell(Parting(code, text, ours=True))

    def drop(self) -> None:
        """Be done with it at once, and tell nobody."""
        self._told = True
        self._stop_ticks()
        self._line.close()

    # --- What the line brings -----------------------------------------------------------------------

    def line_brought(self, data: bytes, now_ns: int, lag_ns: int) -> None:
        """Bytes came; nobody is heard out who is thrown out for the first of them."""
        self._heard_ns = now_ns
        if self._first:  # more may have come before that was handed on
            data, self._first = self._first + data, b""
        for at in range(0, len(data), PIECE_BYTES):
            if self._told:
                return
            self._hear(data[at : at + PIECE_BYTES], now_ns, lag_ns)
        if self._reader.unfinished and not self._told and not self._watching_message:
            self._watching_message = True
            self._hub.later(MESSAGE_S, self._demand_the_rest)

    def _hear(self, data: bytes, now_ns: int, lag_ns: int) -> None:
        if not self._reader.unfinished:
            self._begun_ns = now_ns
        for kind, payload, code in self._reader.feed(data):
            if kind == "message":
                self._begun_ns = now_ns
                self._user.wire_brought(self, payload, now_ns, lag_ns)
            elif kind == "pong":
                self._answered(payload, now_ns)
            elif kind == "ping":
                self._control(now_ns)
                if self._line.unsent < frames.MESSAGE_BYTES:
                    self._write(frame(frames.PONG, payload))
            else:
                return self._closed_by_bot(code, payload)
            if self._over():
                return None
        if self._reader.broken is not None:
            self.close(*self._reader.broken)
        return None

    def line_is_clear(self, now_ns: int) -> None:
        """The bot reads."""
        if not self._told:
            self._user.wire_is_clear(self, now_ns)

    def line_ended(self) -> None:
        """It broke, or the bot closed it without a word."""
        self._tell(Parting(DROPPED, "", ours=False))

    # --- Inside -------------------------------------------------------------------------------------

    def _write(self, data: bytes) -> bool:
        if self._line.send(data):
            return True
        if not self._watching_backlog:
            self._watch_backlog()
        return False

    def _watch_backlog(self) -> None:
        """What waits now must have moved a little later on."""
        self._watching_backlog = True
        sent = self._line.sent
        self._hub.later(SEND_S, lambda: self._demand_progress(sent))

    def _closed_by_bot(self, code: int, reason: bytes) -> None:
        if not self._said_goodbye:
            self._said_goodbye = True
            self._write(close_frame(frames.NORMAL if code == frames.NO_CODE else code, ""))
        if self._line.unsent:
            self._line.end_sending()
            self._hub.later(GOODBYE_S, self.drop)
        else:
            self._line.close()
        self._tell(Parting(code, reason.decode(errors="replace"), ours=False))

    def _over(self) -> bool:
        return self._told

    def _tell(self, parting: Parting) -> None:
        if not self._told:
            self._told = True
            self._stop_ticks()
            self._user.wire_ended(self, parting)

    def _stop_ticks(self) -> None:
        if self._ticks is not None:
            self._ticks.cancel()

    def _demand_the_rest(self) -> None:
        """A message begun so long ago must have ended."""
        self._watching_message = False
        if self._told or not self._reader.unfinished:
            return None
        left_s = MESSAGE_S - (self._hub.now_ns() - self._begun_ns) / 1e9
        if left_s <= 0:
            return self.close(frames.POLICY, f"a message that was not finished within {MESSAGE_S:.0f} s")
        self._watching_message = True
        return self._hub.later(left_s, self._demand_the_rest)

    def _demand_progress(self, sent: int) -> None:
        self._watching_backlog = False
        if self._told or not self._line.unsent:
            return None
        if self._line.sent > sent:
            return self._watch_backlog()
        self._line.close()
        return self._tell(Parting(DROPPED, f"it took nothing of what was sent for {SEND_S:.0f} s", ours=True))

    def _control(self, now_ns: int) -> None:
        if now_ns - self._second_ns > _SECOND_NS:
            self._second_ns, self._controls = now_ns, 0
        self._controls += 1
        if self._controls > CONTROLS_A_SECOND:
            self.close(frames.POLICY, f"more than {CONTROLS_A_SECOND} pings a second")

    def _ping(self, now_ns: int, lag_ns: int) -> None:
        if lag_ns > _HELD_UP_NS:
            self._heard_ns = now_ns  # it was us who were away
        elif now_ns - self._heard_ns >= self._silent_ns:
            self._line.close()
            return self._tell(Parting(DROPPED, f"it was silent for {self._silent_ns / 1e9:.0f} s", ours=True))
        self._pings += 1
        payload = b"%d" % self._pings
        self._pinged = (payload, now_ns)
        self._write(frame(frames.PING, payload))
        return None

    def _answered(self, payload: bytes, now_ns: int) -> None:
        if self._pinged is not None and self._pinged[0] == payload:
            self._round_trips.append(now_ns - self._pinged[1])
            self._pinged = None
        else:
            self._control(now_ns)
