"""What a runner and its workers say to each other.  Plain values that can be pickled; nothing is done here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from arena.bots.manifest import Bot
from arena.clock import TimeControl
from arena.gallery import Running
from arena.match import match_id
from arena.sandbox.limits import Limits
from arena.store.block import Played
from arena.verdicts import Verdict


@dataclass(frozen=True)
class Terms:
    """How every match of a run is played."""

    control: TimeControl = field(default_factory=TimeControl)
    strikes: int = 3
    tables: int = 8
    """Matches at once in one worker."""

    sandbox: str = "none"
    limits: Limits = field(default_factory=Limits)
    """What a bot may use, where a sandbox can see to it."""

    ponder: bool = False
    """Whether a bot may compute while others decide."""

    block_s: float = 3600.0
    """A block that is under way for longer than this is void: something is wrong with the arena."""

    step_s: float = 10.0
    """So much CPU time may pass without a worker's loop coming round; then a rulebook has lost its way."""


@dataclass(frozen=True)
class BlockOrder:
    """One deal to be played in several seatings; the secrets of a deal travel with it and nowhere else."""

    number: int
    game: str
    variant: dict[str, Any]
    rows: tuple[tuple[tuple[str, Bot], ...], ...]
    """Who sits where, by label, one row for each match."""

    deals: tuple[bytes, ...]
    """The same for every row, unless a bot at the table has a memory that the arena cannot wipe."""

    salts: tuple[bytes, ...]

    def tables(self) -> list[Running]:
        """Its matches, as far as anybody may know them."""
        return [
            Running(match_id(salt), self.game, self.variant, tuple(label for label, _ in row), self.number)
            for row, salt in zip(self.rows, self.salts, strict=True)
        ]


@dataclass(frozen=True)
class BlockReport:
    """All matches of a block, in the order of its rows."""

    number: int
    matches: tuple[Played, ...]
    verdicts: tuple[tuple[Verdict, ...], ...]
    """Per match, whatever went wrong."""


@dataclass(frozen=True)
class BlockVoid:
    """A block that cannot be finished, by no bot's fault."""

    number: int
    reason: str
    by_rulebook: bool = False
    match: str = ""
    record: bytes = b""
    """What there is of the match that broke, so that it can be broken again."""


@dataclass(frozen=True)
class Beat:
    """A worker's sign of life."""

    lag_ms: float
    playing: tuple[str, ...]
    """The matches on its tables."""


@dataclass(frozen=True)
class Watch:
    """The matches that somebody watches; a worker says nothing of others."""

    matches: frozenset[str]


@dataclass(frozen=True)
class Glimpse:
    """What the public saw of a watched match after its first so many events."""

    match: str
    first: int
    events: list[list[Any]]
    featured: bool
    """It was chosen because any match would do."""


@dataclass(frozen=True)
class Helpless:
    """A worker's last words: this machine does not let it work."""

    reason: str


Report = BlockReport | BlockVoid
