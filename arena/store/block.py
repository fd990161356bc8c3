"""What is handed in: divisions, planned and finished blocks, and what can become of them.  Values only."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from arena.store.errors import Damaged

STORED: Final = "stored"
KNOWN: Final = "known"
REVIEW: Final = "review"
VOID: Final = "void"
"""What a hand-in came to: stored now; stored before, all the same; stored before or planned otherwise, so kept
aside; or too late, for the block does not count any more."""

THE_ARENA_STOPPED: Final = "the arena stopped"


def canonical(data: Any) -> str:
    """JSON in its one spelling."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def decoded(text: Any, what: str) -> Any:
    """JSON as it was stored."""
    try:
        return json.loads(text)
    except (TypeError, ValueError):
        raise Damaged(f"{what} cannot be read: the database is damaged") from None


class Division(NamedTuple):
    """Results compare only within one: the same game, variant and number of seats."""

    game: str
    variant: str
    """The changes against the rulebook as canonical JSON; see `of`."""

    seats: int

    @classmethod
    def of(cls, game: str, changes: Mapping[str, Any], seats: int) -> Division:
        """From a variant's changes."""
        return cls(game, canonical(dict(changes)), seats)


class Seat(NamedTuple):
    """How one seat of a match ended."""

    bot: str
    place: int
    points: int
    forfeited: bool
    strikes: int
    moves: int
    thinking_us: int
    code: str
    """The last verdict's, or nothing."""


@dataclass(frozen=True)
class Played:
    """A match that is over, with its record as bytes."""

    match: str
    seats: tuple[Seat, ...]
    record: bytes
    duration_ms: int
    stderr: Mapping[int, bytes] = field(default_factory=dict)
    """By seat: what a bot that failed had to say, for its owner and the operator."""

    @property
    def moves(self) -> int:
        """Of all seats."""
        return sum(seat.moves for seat in self.seats)


@dataclass(frozen=True)
class Planned:
    """A block before play.  Its commitments are public from now on."""

    number: int
    division: Division
    table: tuple[str, ...]
    """Labels, as many as there are seats."""

    matches: tuple[tuple[str, str], ...]
    """Match id and commitment (hexadecimal), one per seating."""

    replaces: int | None = None
    """The number of a void block that is played again with this new deal."""


@dataclass(frozen=True)
class Finished:
    """A block after play: all its matches, in the order planned."""

    number: int
    matches: tuple[Played, ...]


class Voided(NamedTuple):
    """A planned block that will not count, and why."""

    number: int
    why: str
