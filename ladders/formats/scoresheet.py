"""The scoresheet: finished blocks, seat by seat in plain numbers, a small part of their size.  No rating here."""

from __future__ import annotations

from array import array
from collections import defaultdict

from ladders.results import Block


class Scoresheet:
    """Blocks in the order in which they came."""

    def __init__(self) -> None:
        self.rows = array("q")
        """One `Row` after the other."""
        self._ids: defaultdict[str, int] = defaultdict(lambda: len(self._ids))
        self._ends = array("q")

    def write(self, block: Block) -> None:
        """One more."""
        for row in block.rows(self._ids):
            self.rows.extend(row)
        self._ends.append(len(self.rows))

    def __len__(self) -> int:
        """Blocks."""
        return len(self._ends)

    def end(self, blocks: int) -> int:
        """How many numbers the first so many blocks take."""
        return self._ends[blocks - 1] if blocks else 0

    @property
    def names(self) -> dict[int, str]:
        """Of the bots in the rows."""
        return {number: bot for bot, number in self._ids.items()}
