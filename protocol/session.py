"""What may be said when: one table per role.  Bytes in, messages out; no clock and no pipe.

A bot's mistake is data: `receive` returns it among the messages, in the place where it happened, and the
frames behind it are still read.  A mistake of ours raises `LocalProtocolError`.  Neither changes the state.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, Literal

from protocol.codec import Codec
from protocol.errors import LocalProtocolError, RemoteProtocolError, quoted
from protocol.framing import FRAMINGS, Framing
from protocol.messages import FRAME_LIMIT, FROM_ARENA, FROM_BOT, PROTOCOL_VERSION, Hello, Message

Role = Literal["arena", "bot"]
Received = Message | RemoteProtocolError

# A view may be long; a bot that reads its own arena has nothing to fear.
ARENA_FRAME_LIMIT: Final = 16 * 1024 * 1024

# One read may hold thousands of tiny bad frames; complaining about each would hold up everybody.
PATIENCE: Final = 64


class State(StrEnum):
    """How far a conversation has come."""

    NEW = "new"
    GREETED = "greeted"
    IDLE = "idle"
    PREPARING = "preparing"
    READY = "ready"
    SWITCHING = "switching"
    CLOSED = "closed"


class Direction(StrEnum):
    """Who speaks, seen from the session."""

    SENT = "sent"
    RECEIVED = "received"


READY: Final = State.READY  # by itself: looked at for every answer

Moves = dict[tuple[Direction, str], State]
Table = dict[State, Moves]

SENT, RECEIVED = Direction.SENT, Direction.RECEIVED

_ALWAYS: Final[Moves] = {
    (SENT, "bye"): State.CLOSED,
    (RECEIVED, "bye"): State.CLOSED,
}


def _arena_table() -> Table:
    table: Table = {
        State.NEW: {(RECEIVED, "hello"): State.GREETED},
        State.GREETED: {(SENT, "welcome"): State.IDLE},
        State.IDLE: {(SENT, "prepare"): State.PREPARING},
        State.PREPARING: {(RECEIVED, "ready"): State.READY},
        State.READY: {
            (SENT, "start"): State.READY,
            (SENT, "ask"): State.READY,
            (RECEIVED, "answer"): State.READY,
            (SENT, "forced"): State.READY,
            (SENT, "end"): State.READY,
            (SENT, "prepare"): State.SWITCHING,
        },
        # To another game: answers already on their way are no fault, but nothing new is asked of a bot
        # that is busy loading.
        State.SWITCHING: {
            (RECEIVED, "answer"): State.SWITCHING,
            (SENT, "forced"): State.SWITCHING,
            (SENT, "end"): State.SWITCHING,
            (RECEIVED, "ready"): State.READY,
        },
    }
    for state, moves in table.items():
        moves |= {**_ALWAYS, (SENT, "error"): state}
    table[State.CLOSED] = {}
    return table


def _seen_from_the_other_side(table: Table) -> Table:
    other = {SENT: RECEIVED, RECEIVED: SENT}
    return {
        state: {(other[who], what): after for (who, what), after in moves.items()}
        for state, moves in table.items()
    }


ARENA_TABLE: Final = _arena_table()
TABLES: Final[dict[Role, Table]] = {
    "arena": ARENA_TABLE,
    "bot": _seen_from_the_other_side(ARENA_TABLE),
}

_MAY_SEND: Final = {
    role: {
        state: {what: after for (who, what), after in moves.items() if who is SENT}
        for state, moves in table.items()
    }
    for role, table in TABLES.items()
}
"""What may be sent when, by the word alone: looked up for every request."""

_TAGS: Final = {message: tag for known in (FROM_BOT, FROM_ARENA) for tag, message in known.items()}


class Session:
    """One conversation.  After `bye`, or once its stream is broken, it hears nothing more."""

    def __init__(self, role: Role, codec: Codec, framing: Framing | None = None) -> None:
        limit = FRAME_LIMIT if role == "arena" else ARENA_FRAME_LIMIT
        self.role = role
        self.codec = codec
        self.state = State.NEW
        self._table = TABLES[role]
        self._moves = self._table[State.NEW]
        self._may_be_sent = _MAY_SEND[role][State.NEW]
        self.framing: Framing = framing or FRAMINGS[codec.name](limit)
        self._decode = codec.decode_from_bot if role == "arena" else codec.decode_from_arena
        self.mistakes_in_a_row = 0
        self._gave_up: RemoteProtocolError | None = None
        self._deaf = False

    @property
    def pending(self) -> int:
        """How many bytes of an unfinished message are waiting."""
        return self.framing.pending

    @property
    def broken(self) -> RemoteProtocolError | None:
        """Why the stream is read no further, or None."""
        return self._gave_up or self.framing.broken

    @property
    def closed(self) -> bool:
        """Whether either side has said `bye`."""
        return self.state is State.CLOSED

    def receive(self, data: bytes) -> list[Received]:
        """The messages these bytes complete, with an error in the place of each bad one; never raises.

        An error with `fatal` is the last thing a session ever returns.
        """
        heard: list[Received] = []
        for payload in self.frames(data):
            heard.append(self.read(payload))
            if self._deaf:
                return heard
        if self.framing.broken is not None and not self._deaf:
            self._deaf = True
            heard.append(self.framing.broken)
        return heard

    def frames(self, data: bytes) -> list[bytes]:
        """`receive` by halves, for who needs the raw payloads.

        Give each to `read` until the session is `closed` or an error was `fatal`; then look at `broken`.
        """
        return [] if self._deaf else self.framing.feed(data)

    def read(self, payload: bytes) -> Received:
        """One payload as the message it holds, or what is wrong with it."""
        try:
            message = self._decode(payload)
        except RemoteProtocolError as error:
            return self._mistake(error)
        tag = _TAGS[type(message)]
        after = self._moves.get((RECEIVED, tag))
        if after is None:
            return self._mistake(RemoteProtocolError(f"{self._expected()}, got {tag}", path="type"))
        self.mistakes_in_a_row = 0
        if after is not self.state:
            self._enter(after)
        return message

    def send(self, message: Message) -> bytes:
        """The frame to send, if this may be said now."""
        tag = _TAGS.get(type(message), type(message).__name__)
        after = self._may_send(tag)
        payload = self.codec.encode(message)
        if self.role == "bot" and len(payload) > FRAME_LIMIT:
            raise LocalProtocolError(f"{tag} of {len(payload)} bytes, the limit is {FRAME_LIMIT}")
        self._enter(after)
        return self.framing.frame(payload)

    def send_requests(self, packed: Sequence[bytes]) -> bytes:
        """The frame of an `ask` made of requests packed by the same codec."""
        self._may_send("ask")
        return self.framing.frame(self.codec.ask(packed))

    def _mistake(self, error: RemoteProtocolError) -> RemoteProtocolError:
        self.mistakes_in_a_row += 1
        if self.mistakes_in_a_row < PATIENCE:
            return error
        text = f"{PATIENCE} bad messages in a row, the last: {error.text}"
        self._gave_up = RemoteProtocolError(text, code=error.code, path=error.path, fatal=True)
        self._deaf = True
        return self._gave_up

    def _may_send(self, tag: str) -> State:
        after = self._may_be_sent.get(tag)
        if after is None:
            raise LocalProtocolError(f"{tag} may not be sent by the {self.role} when {self.state}")
        return after

    def _enter(self, state: State) -> None:
        self.state = state
        self._moves = self._table[state]
        self._may_be_sent = _MAY_SEND[self.role][state]
        self._deaf = self._deaf or state is State.CLOSED

    def _expected(self) -> str:
        wanted = [what for who, what in self._moves if who is RECEIVED and what not in ("bye", "error")]
        if wanted:
            return f"expected {' or '.join(wanted)}"
        ours = [what for who, what in self._moves if who is SENT and what not in ("bye", "error")]
        return f"expected nothing before {' or '.join(ours)}" if ours else "expected nothing any more"


def agree(hello: Hello, game: str | None = None) -> int:
    """The version both speak; `RemoteProtocolError` if there is none or the bot does not play `game`."""
    if PROTOCOL_VERSION not in hello.protocol:
        offered = quoted(", ".join(map(str, hello.protocol)), mark="")
        text = f"arena speaks protocol {PROTOCOL_VERSION}, bot offered {offered}"
        raise RemoteProtocolError(text, path="protocol")
    if game is not None and hello.games and game not in hello.games:
        listed = quoted(", ".join(hello.games), mark="")
        text = f"the bot does not list {game} among its games: {listed}"
        raise RemoteProtocolError(text, path="games")
    return PROTOCOL_VERSION
