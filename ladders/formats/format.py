"""What all formats share: the field, the blocks under way, who is benched.  Which tables are played, each says.

A format is a fold over results: constructed anew with the same entries and given the stored blocks in the order
of their numbers, it goes on as if it had never stopped; a block that was under way is handed out again.
Bots that came or went in between come and go again at the same place among the blocks; see `replay`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from ladders.results import Block

Table = tuple[str, ...]
"""The bots of a block in alphabetical order, as `Block.table` tells them."""

BENCH_GAMES = 50
BENCH_FORFEITS = 10
"""More than so many of its last games forfeited, and a bot is benched (ratings §8.4)."""


class FormatError(ValueError):
    """A field or an option that cannot be played; the text says what would do."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot in the field; bots of one owner do not meet.  No owner: it may meet everybody."""

    bot: str
    owner: str = ""


@dataclass(frozen=True)
class Options:
    """What every format can be told."""

    same_owner: bool = False
    """Bots of one owner may share a table."""


_Options = TypeVar("_Options", bound=Options)


class Format(ABC, Generic[_Options]):
    """The field and the blocks under way; a subclass chooses the tables."""

    name: ClassVar[str]
    endless: ClassVar[bool] = False
    options_type: ClassVar[type[Options]]

    def __init__(self, entries: Sequence[Entry], seats: int, options: _Options, seed: bytes) -> None:
        self.seats = seats
        self.options = options
        self.seed = seed
        self.seated = 0
        """Blocks handed out and not dropped; it numbers the lots."""
        self._houses: dict[str, str] = {}
        self._active: dict[str, None] = {}
        self._under_way: Counter[Table] = Counter()
        self._dropped: deque[Table] = deque()
        self._lately: dict[str, deque[bool]] = {}
        self._forfeits: Counter[str] = Counter()
        self._benched: set[str] = set()
        for entry in entries:
            self._admit(entry)
        if seats < 2:
            raise FormatError(f"a table has at least 2 seats, not {seats}")
        if len(entries) < seats:
            raise FormatError(f"{seats} seats need {seats} bots, and {len(entries)} entered: enter more")
        owners = len({self._house(bot) for bot in self._active})
        if owners < seats:
            raise FormatError(
                f"bots of one owner do not meet, and {len(entries)} bots of {owners} owner{'s' * (owners > 1)} "
                f"cannot fill {seats} seats: enter other bots, or set same_owner = true"
            )
        self._field_changed()

    # --- what a runner uses

    def next_table(self) -> Table | None:
        """The bots of the next block, which is under way from now on; None when there is none to play now."""
        table = self._dropped.popleft() if self._dropped else self._choose()
        if table is None:
            return None
        self._under_way[table] += 1
        self.seated += 1
        return table

    def handed_out(self, table: Table) -> None:
        """A block of an earlier run, whose result comes later."""
        self._under_way[table] += 1
        self.seated += 1
        self._seat(table)

    def played(self, block: Block) -> None:
        """A finished block, of this run or of an earlier one."""
        table = block.table
        if self._under_way[table]:
            self._no_longer_under_way(table)
        elif table in self._dropped:  # given up, and it came in after all
            self._dropped.remove(table)
            self.seated += 1
        else:
            self.seated += 1
            self._seat(table)
        for match in block.matches:
            for bot, forfeited in zip(match.bots, match.forfeited, strict=True):
                self._remember(bot, forfeited)
        self._finish(block)

    def dropped(self, table: Table) -> None:
        """A block under way came to nothing, and nobody is to blame: it is handed out again."""
        table = tuple(sorted(table))
        if not self._under_way[table]:
            raise ValueError(f"no block of {', '.join(table)} is under way")
        self._no_longer_under_way(table)
        self.seated -= 1
        if self._plays(table):
            self._dropped.append(table)
        else:
            self._unseat(table)

    def enter(self, entry: Entry) -> None:
        """A bot joins while the others play."""
        self._admit(entry)
        self._field_changed()

    def takes_part(self, bot: str) -> bool:
        """Whether it may get new blocks."""
        return bot in self._active

    def withdraw(self, bot: str) -> None:
        """A bot gets no new blocks; what it played stays."""
        if bot not in self._active:
            raise FormatError(f"{bot} does not take part")
        del self._active[bot]
        lost = [table for table in self._dropped if bot in table]
        for table in lost:
            self._dropped.remove(table)
            self._unseat(table)
        self._field_changed()

    @property
    def over(self) -> bool:
        """Nothing is under way and nothing will follow."""
        return self._remaining() == 0 and not self._dropped and not self._under_way

    @property
    def planned(self) -> int | None:
        """Blocks in all, as far as known today; None when it never ends."""
        remaining = self._remaining()
        return None if remaining is None else self.seated + len(self._dropped) + remaining

    @property
    def benched(self) -> frozenset[str]:
        """Who forfeited too many of its last games (ratings §8.4): only a new version helps."""
        return frozenset(self._benched)

    # --- what a format says

    @abstractmethod
    def _choose(self) -> Table | None:
        """The next table, counted as seated; None when nothing can be handed out now."""

    @abstractmethod
    def _seat(self, table: Table) -> None:
        """A block of this table was handed out in an earlier run."""

    @abstractmethod
    def _unseat(self, table: Table) -> None:
        """A block that was handed out will not be played."""

    @abstractmethod
    def _remaining(self) -> int | None:
        """Blocks still to hand out for the first time; None when endless."""

    @abstractmethod
    def _field_changed(self) -> None:
        """Bots have come or gone; also called once at the start."""

    def _finish(self, block: Block) -> None:
        """A block is finished; its table was counted before.  Plans need not know."""

    # --- who may sit with whom

    def _house(self, bot: str) -> str:
        """Of one house, one bot at most sits at a table."""
        return self._houses[bot]

    def _may_join(self, bot: str, table: Iterable[str]) -> bool:
        house = self._house(bot)
        return all(self._house(other) != house for other in table)

    def _plays(self, table: Table) -> bool:
        return all(bot in self._active for bot in table)

    def _admit(self, entry: Entry) -> None:
        if entry.bot in self._active:
            raise FormatError(f"{entry.bot} is entered twice; a bot has one entry")
        alone = self.options.same_owner or not entry.owner
        self._houses[entry.bot] = f"bot {entry.bot}" if alone else f"owner {entry.owner}"
        self._active[entry.bot] = None

    def _remember(self, bot: str, forfeited: bool) -> None:
        """The last games of a bot, and how many of them it forfeited."""
        lately = self._lately.setdefault(bot, deque(maxlen=BENCH_GAMES))
        if len(lately) == BENCH_GAMES:
            self._forfeits[bot] -= lately[0]
        lately.append(forfeited)
        self._forfeits[bot] += forfeited
        if self._forfeits[bot] > BENCH_FORFEITS:
            self._benched.add(bot)
        else:
            self._benched.discard(bot)

    def _no_longer_under_way(self, table: Table) -> None:
        self._under_way[table] -= 1
        if not self._under_way[table]:
            del self._under_way[table]
