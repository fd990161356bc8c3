"""The tables of one round, what is still to play of them, and how the bots scored.  Exact: whole numbers only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ladders.formats.format import Table
from ladders.results import Block


class Round:
    """Every table plays `deals` blocks; the round is over when the last of them is finished."""

    def __init__(self, tables: Iterable[Table], deals: int) -> None:
        self.tables = tuple(tables)
        self._to_seat = dict.fromkeys(self.tables, deals)
        self._to_finish = dict.fromkeys(self.tables, deals)

    @property
    def to_seat(self) -> int:
        """Blocks of this round not yet handed out."""
        return sum(self._to_seat.values())

    @property
    def over(self) -> bool:
        """Every block is finished."""
        return not self._to_finish

    def choose(self) -> Table | None:
        """Seat the next table; None when all are seated."""
        table = next(iter(self._to_seat), None)
        if table is not None:
            self.seat(table)
        return table

    def seat(self, table: Table) -> None:
        """One block of this table is handed out."""
        _take_one(self._to_seat, table)

    def finish(self, table: Table) -> None:
        """One block of this table will not be waited for any more."""
        _take_one(self._to_finish, table)

    def cancel(self, tables: Iterable[Table]) -> None:
        """These tables play no further blocks; those under way are waited for."""
        for table in tables:
            for _ in range(self._to_seat.pop(table, 0)):
                self.finish(table)


def _take_one(blocks: dict[Table, int], table: Table) -> None:
    if table in blocks:
        blocks[table] -= 1
        if not blocks[table]:
            del blocks[table]


class Scores:
    """Per bot two points for every opponent beaten in a match and one for a tie, first places, and games."""

    def __init__(self) -> None:
        self.points: Counter[str] = Counter()
        self.firsts: Counter[str] = Counter()
        self.opponents: Counter[str] = Counter()

    def add(self, block: Block) -> None:
        """Count every match of a block."""
        for match in block.matches:
            for bot, place in zip(match.bots, match.places, strict=True):
                self.points[bot] += sum((place < other) * 2 + (place == other) for other in match.places) - 1
                self.firsts[bot] += place == 1
                self.opponents[bot] += len(match.places) - 1

    def share(self, bot: str) -> float:
        """Of all opponents met, how many were beaten; half before the first game."""
        return self.points[bot] / (2 * self.opponents[bot]) if self.opponents[bot] else 0.5
