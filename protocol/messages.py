"""Every message between the arena and a bot, in the order of a conversation.  No bytes here.

Bots may not send fields the arena does not know (`forbid_unknown_fields`): a misspelt field is
told, not lost.  The arena may grow by adding fields, so bots must ignore those they do not know.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

PROTOCOL_VERSION = 1

FRAME_LIMIT = 64 * 1024
NOTE_LIMIT = 1024
NOTE_KEPT = 200

RequestId = Annotated[str, Meta(min_length=16, max_length=16)]
Wants = Literal["view", "events", "both"]


class Message(Struct, frozen=True, tag_field="type", omit_defaults=True):
    """Anything that travels as one frame; fields at their default stay at home."""


class FromBot(Message, frozen=True, forbid_unknown_fields=True):
    """A message only a bot sends."""


class FromArena(Message, frozen=True):
    """A message only the arena sends."""


class Hello(FromBot, frozen=True, tag="hello"):
    """A bot introduces itself: what it speaks, what it plays (no `games`: any), what it wants to be shown."""

    protocol: Annotated[tuple[int, ...], Meta(min_length=1, max_length=16)]
    name: Annotated[str, Meta(min_length=1, max_length=64)]
    version: Annotated[str, Meta(max_length=64)] = ""
    games: Annotated[tuple[Annotated[str, Meta(max_length=64)], ...], Meta(max_length=64)] = ()
    tables: Annotated[int, Meta(ge=1, le=1024)] = 1
    wants: Wants = "view"


class Limits(Struct, frozen=True):
    """What a bot's frames may weigh."""

    frame_bytes: int = FRAME_LIMIT
    note_chars: int = NOTE_KEPT


class Welcome(FromArena, frozen=True, tag="welcome"):
    """The arena answers `hello`; `seed` feeds the bot's own randomness and never the deal's."""

    protocol: int
    tables: int
    limits: Limits
    seed: str


class Prepare(FromArena, frozen=True, tag="prepare"):
    """Load what you need for this game now, on a budget of its own, then say `ready`."""

    game: str
    variant: dict[str, Any]
    budget_ms: int


class Ready(FromBot, frozen=True, tag="ready"):
    """The bot has prepared."""


class ClockRules(Struct, frozen=True):
    """How long a seat may think: per decision, per match (0: no bank), and how many strikes forfeit it."""

    move_ms: int
    bank_ms: int
    strikes: int


class Start(FromArena, frozen=True, tag="start"):
    """A match begins; `commitment` is the salted hash of the deal, opened when the deal is.

    `seed` makes a bot's own chance repeatable in this match; it says nothing about the deal.
    """

    match: str
    seat: int
    seats: int
    clock: ClockRules
    commitment: str
    seed: str = ""


class Request(Struct, frozen=True, omit_defaults=True):
    """One decision asked of one seat.  The answer is the index of an option."""

    match: str
    id: str
    move: int
    question: str
    options: list[Any]
    default: int
    time_ms: int
    view: dict[str, Any] | None = None
    events: list[Any] | None = None


class Ask(FromArena, frozen=True, tag="ask"):
    """The requests a process has to answer now, one per table at most; answers may come in any order."""

    requests: list[Request]


class Choice(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """The answer to one request; the note is kept for the replay and shown to the bot's owner."""

    id: RequestId
    choice: int
    note: Annotated[str, Meta(max_length=NOTE_LIMIT)] = ""


class Answer(FromBot, frozen=True, tag="answer"):
    """Answers to one or more requests."""

    answers: Annotated[tuple[Choice, ...], Meta(min_length=1, max_length=1024)]


class Forced(FromArena, frozen=True, tag="forced"):
    """What was played for the bot, why, and how many strikes are left before the seat is forfeited."""

    match: str
    id: str
    choice: int
    code: str
    text: str
    strikes_left: int


class End(FromArena, frozen=True, tag="end"):
    """A match is over: ranks and scores by seat, this seat's verdicts, time used and transcript hash."""

    match: str
    ranks: list[int]
    scores: list[int]
    verdicts: list[str]
    time_ms: int
    transcript: str


class Error(FromArena, frozen=True, tag="error"):
    """What was wrong with a bot's message, where, and what happens next."""

    code: str
    text: str
    path: str
    next: str


class Bye(Message, frozen=True, forbid_unknown_fields=True, tag="bye"):
    """Either side leaves."""

    reason: Annotated[str, Meta(max_length=200)] = ""


FROM_BOT: dict[str, type[Message]] = {
    "hello": Hello,
    "ready": Ready,
    "answer": Answer,
    "bye": Bye,
}
FROM_ARENA: dict[str, type[Message]] = {
    "welcome": Welcome,
    "prepare": Prepare,
    "start": Start,
    "ask": Ask,
    "forced": Forced,
    "end": End,
    "error": Error,
    "bye": Bye,
}
