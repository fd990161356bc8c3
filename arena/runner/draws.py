"""Draws: the seatings of the next block, for a ladder's format or for a fixed table.

Every block is one deal.  A draw hands out rows of labels, one row for each match, and hears what became of them.
A remote bot remembers what it saw, so a deal it has met is never dealt again: its blocks have one row.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from ladders.blocks import seatings
from ladders.duel import DuelSettings, Side, Verdict, block_score, judge, mirror
from ladders.formats.format import Format
from ladders.lots import labelled, shuffled
from ladders.results import Block

Rows = tuple[tuple[str, ...], ...]
"""Who sits where: labels in seat order, one row for each match of a block."""


class Draw(Protocol):
    """Says what is played next.  A fold over results: fed the stored blocks, it goes on where it stopped."""

    @property
    def over(self) -> bool:
        """Nothing is under way, and nothing will follow."""

    @property
    def planned(self) -> int | None:
        """Blocks in all; None when it never ends."""

    def next_rows(self, number: int) -> Rows | None:
        """The seatings of block `number`; None when there is nothing to play now."""

    def played(self, block: Block) -> None:
        """A block is finished."""

    def dropped(self, number: int, rows: Rows) -> None:
        """A block came to nothing, by nobody's fault."""


class FormatDraw:
    """Tables of a format, seated by Williams squares whose labels are drawn from the ladder's secret."""

    def __init__(self, format: Format[Any], secret: bytes, remote: Iterable[str] = ()) -> None:
        self.format = format
        self.remote = set(remote)
        """Who meets a deal once."""
        self._secret = secret

    @property
    def over(self) -> bool:
        """As the format says."""
        return self.format.over

    @property
    def planned(self) -> int | None:
        """As the format says."""
        return self.format.planned

    def next_rows(self, number: int) -> Rows | None:
        """The format's next table in a balanced square."""
        table = self.format.next_table()
        if table is None:
            return None
        rows = square(labelled(self._secret, number, table), number)
        return rows if self.remote.isdisjoint(table) else rows[:1]  # labels are drawn, and so are seats

    def played(self, block: Block) -> None:
        """Tell the format."""
        self.format.played(block)

    def dropped(self, number: int, rows: Rows) -> None:  # noqa: ARG002
        """Tell the format."""
        self.format.dropped(rows[0])


class SeriesDraw:
    """The same table a number of times; a bot may sit at it more than once."""

    def __init__(self, entries: Sequence[str], deals: int, *, fresh: bool = False) -> None:
        """With `fresh`, every seating of a deal becomes a deal of its own."""
        self.planned = deals * len(entries) if fresh else deals
        self._fresh = fresh
        self._entries = tuple(entries)
        self._seated = 0
        self._under_way: Counter[tuple[str, ...]] = Counter()
        self._turn = 0
        self._played_before: Counter[tuple[str, ...]] = Counter()
        self._again: deque[tuple[str, ...]] = deque()
        """Fresh seatings come in turn, but for those of an earlier run; first those that came to nothing."""

    @property
    def over(self) -> bool:
        """All deals are played."""
        return self._seated >= self.planned and not self._under_way

    def next_rows(self, number: int) -> Rows | None:
        """The next deal in a balanced square."""
        if self._seated >= self.planned:
            return None
        self._seated += 1
        self._under_way[tuple(sorted(self._entries))] += 1
        return (self._next_turn(),) if self._fresh else square(self._entries, number)

    def played(self, block: Block) -> None:
        """One deal less to play."""
        if not self._settle(block.table):
            self._seated += 1
            self._played_before[block.matches[0].bots] += 1

    def dropped(self, number: int, rows: Rows) -> None:  # noqa: ARG002
        """It is played again, with another deal."""
        self._settle(tuple(sorted(rows[0])))
        self._seated -= 1
        if self._fresh:
            self._again.append(rows[0])

    def _next_turn(self) -> tuple[str, ...]:
        if self._again:
            return self._again.popleft()
        while True:
            around, row = divmod(self._turn, len(self._entries))
            self._turn += 1
            seating = square(self._entries, around)[row]
            if not self._played_before[seating]:
                return seating
            self._played_before[seating] -= 1

    def _settle(self, table: tuple[str, ...]) -> bool:
        if not self._under_way[table]:
            return False
        self._under_way[table] -= 1
        self._under_way += Counter()
        return True


class SeatedDraw(SeriesDraw):
    """The same seats a number of times, and nobody changes places: for a table at which a human sits."""

    def next_rows(self, number: int) -> Rows | None:
        """The next deal, as they sit."""
        return None if super().next_rows(number) is None else (self._entries,)


class DuelDraw:
    """A against B: mirrored seatings on fresh deals, until the sequential test has seen enough."""

    planned = None

    def __init__(
        self, a: str, b: str, seats: int, settings: DuelSettings, secret: bytes, *, fresh: bool = False
    ) -> None:
        """With `fresh`, no deal is played the other way round."""
        self.settings = settings
        self._fresh = fresh
        self._bots: dict[Side, str] = {"A": a, "B": b}
        self._seats = seats
        self._secret = secret
        self._scores: dict[int, float] = {}
        self._under_way: set[int] = set()

    @property
    def over(self) -> bool:
        """The test has come to its end, and nothing is under way."""
        return self.verdict().over and not self._under_way

    def verdict(self) -> Verdict:
        """Where the test stands.  A block counts only when all before it are in: quick games must not lead."""
        first = min(self._under_way, default=math.inf)
        return judge([score for number, score in sorted(self._scores.items()) if number < first], self.settings)

    def next_rows(self, number: int) -> Rows | None:
        """Random seats, then the other way round."""
        if self.verdict().over:
            return None
        self._under_way.add(number)
        arrangement = shuffled(self._secret, range(self._seats), "mirror", number)
        rows = tuple(tuple(self._bots[side] for side in row) for row in mirror(arrangement))
        return rows[:1] if self._fresh else rows

    def played(self, block: Block) -> None:
        """One more score for the test."""
        self._under_way.discard(block.number)
        sides: dict[str, Side] = {bot: side for side, bot in self._bots.items()}
        seated = [[sides[bot] for bot in match.bots] for match in block.matches]
        self._scores[block.number] = block_score(seated, [match.places for match in block.matches])

    def dropped(self, number: int, rows: Rows) -> None:  # noqa: ARG002
        """It never happened."""
        self._under_way.discard(number)


def square(labels: Sequence[str], number: int) -> Rows:
    """Every label in every seat once."""
    return tuple(tuple(labels[at] for at in row) for row in seatings(len(labels), number))
