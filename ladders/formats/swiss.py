"""Rounds between bots that did about equally well so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from ladders.formats.format import Entry, Format, FormatError, Options, Table
from ladders.formats.rounds import Round, Scores
from ladders.lots import lot
from ladders.results import Block


@dataclass(frozen=True)
class SwissOptions(Options):
    """How long, and how thoroughly."""

    deals: int = 10
    """Blocks per table and round."""

    rounds: int = 0
    """0: enough to halve the field until one is left, that is log2 of the bots, rounded up."""


class Swiss(Format[SwissOptions]):
    """Every round seats neighbours in the order so far, preferring those who have met least.

    Whoever does not fit sits out: first those who have played most, and of them the last in order.  So nobody is
    ever more than one round behind.  A round begins when the one before is finished; newcomers join the next one,
    and the tables of a bot that withdraws play no further blocks.
    """

    name: ClassVar[str] = "swiss"
    options_type = SwissOptions

    def __init__(self, entries: Sequence[Entry], seats: int, options: SwissOptions, seed: bytes) -> None:
        self._scores = Scores()
        self._blocks: Counter[str] = Counter()
        self._met: Counter[Table] = Counter()
        self._rounds = options.rounds or max(1, (len(entries) - 1).bit_length())
        self._number = 0
        self._round = Round((), 0)
        super().__init__(entries, seats, options, seed)

    def enter(self, entry: Entry) -> None:
        """A bot joins from the next round on, if there is one."""
        if self._number == self._rounds:
            raise FormatError(f"{entry.bot} is too late: the last round has begun")
        super().enter(entry)

    def _choose(self) -> Table | None:
        return self._round.choose()

    def _seat(self, table: Table) -> None:
        self._round.seat(table)

    def _unseat(self, table: Table) -> None:
        self._round.finish(table)
        self._next_round()

    def _finish(self, block: Block) -> None:
        table = block.table
        self._scores.add(block)
        self._blocks.update(table)
        self._met.update(combinations(table, 2))
        self._round.finish(table)
        self._next_round()

    def _field_changed(self) -> None:
        self._round.cancel([table for table in self._round.tables if not self._plays(table)])
        self._next_round()

    def _remaining(self) -> int:
        return self._round.to_seat + (self._rounds - self._number) * self._tables_a_round() * self.options.deals

    def _next_round(self) -> None:
        if self._round.over and self._number < self._rounds and self._tables_a_round():
            self._number += 1
            self._round = Round(self._neighbours(self._players()), self.options.deals)

    def _order(self) -> list[str]:
        """Best first; equals by a lot of this round."""
        luck = {bot: lot(self.seed, "round", self._number, bot) for bot in self._active}
        return sorted(self._active, key=lambda bot: (-self._scores.share(bot), luck[bot]))

    def _tables_a_round(self) -> int:
        """As many as can be filled without two bots of one house at a table."""
        houses = Counter(self._house(bot) for bot in self._active)
        tables = len(self._active) // self.seats
        while tables and sum(min(bots, tables) for bots in houses.values()) < tables * self.seats:
            tables -= 1
        return tables

    def _players(self) -> list[str]:
        """Who plays this round, best first: of every house at most one bot per table."""
        order = self._order()
        tables = self._tables_a_round()
        houses: Counter[str] = Counter()
        players: set[str] = set()
        for bot in sorted(order, key=self._blocks.__getitem__):
            if len(players) < tables * self.seats and houses[self._house(bot)] < tables:
                houses[self._house(bot)] += 1
                players.add(bot)
        return [bot for bot in order if bot in players]

    def _neighbours(self, players: list[str]) -> list[Table]:
        """Split them into tables from the top down."""
        tables: list[Table] = []
        waiting = list(players)
        while waiting:
            left = len(waiting) // self.seats
            houses = Counter(self._house(bot) for bot in waiting)
            # A house with as many bots as there are tables left needs a seat at each of them.
            pressed = {house for house, bots in houses.items() if bots == left}
            table: list[str] = []
            while len(table) < self.seats:
                table.append(self._next_to(table, waiting, pressed))
                waiting.remove(table[-1])
                pressed.discard(self._house(table[-1]))
            tables.append(tuple(sorted(table)))
        return tables

    def _next_to(self, table: list[str], waiting: list[str], pressed: set[str]) -> str:
        """Of the nearest in order, the one that has met the table least."""
        only_pressed = self.seats - len(table) <= len(pressed)
        near = [
            bot
            for bot in waiting
            if self._may_join(bot, table) and (not only_pressed or self._house(bot) in pressed)
        ]
        if not table:
            return near[0]
        return min(near[: 2 * self.seats], key=lambda bot: sum(self._met[_pair(bot, other)] for other in table))


def _pair(one: str, other: str) -> Table:
    return (one, other) if one < other else (other, one)
