"""Formats that follow a plan made before the first block, whatever the results: leaders against followers."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

from ladders.formats.designs import ALL_TABLES, EveryPair, EveryTable
from ladders.formats.format import Entry, Format, Options, Table
from ladders.lots import shuffled


@dataclass(frozen=True)
class PlannedOptions(Options):
    """How often the same bots meet."""

    deals: int = 10
    """Blocks per table; where there are more than a thousand different tables, blocks per pair of bots."""


_Options = TypeVar("_Options", bound=PlannedOptions)


class Planned(Format[_Options]):
    """Every possible table `deals` times; where they are too many, every pair about `deals` times."""

    def __init__(self, entries: Sequence[Entry], seats: int, options: _Options, seed: bytes) -> None:
        self._ever: Counter[Table] = Counter()
        super().__init__(entries, seats, options, seed)

    @abstractmethod
    def _sides(self, field: list[str]) -> tuple[list[str], list[str]]:
        """Leaders, one of whom sits at every table, and those they meet; the same list twice when all are both."""

    def _choose(self) -> Table | None:
        table = self._design.choose()
        if table is not None:
            self._ever[table] += 1
        return table

    def _seat(self, table: Table) -> None:
        self._ever[table] += 1
        self._design.seat(table)

    def _unseat(self, table: Table) -> None:
        self._ever[table] -= 1
        self._design.unseat(table)

    def _remaining(self) -> int:
        return self._design.remaining

    def _field_changed(self) -> None:
        leaders, followers = self._sides(shuffled(self.seed, sorted(self._active), "field"))
        deals = self.options.deals
        others = self.seats - 1
        count, tables = math.comb(len(followers), others) * len(leaders), _each_with(leaders, followers, others)
        if leaders is followers:
            count, tables = math.comb(len(followers), self.seats), combinations(followers, self.seats)
        self._design: EveryTable | EveryPair
        if count > ALL_TABLES:
            self._design = EveryPair(leaders, followers, self._house, self.seats, deals, self._ever)
        else:
            legal = [tuple(sorted(table)) for table in tables if self._legal(table)]
            self._design = EveryTable(shuffled(self.seed, legal, "tables"), deals, self._ever)

    def _legal(self, table: Table) -> bool:
        return len({self._house(bot) for bot in table}) == len(table)


def _each_with(leaders: list[str], followers: list[str], others: int) -> Iterable[Table]:
    return ((leader, *rest) for leader in leaders for rest in combinations(followers, others))
