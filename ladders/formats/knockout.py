"""Rounds from which the last of every table go home, until one table is left: the final."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ladders.formats.format import Entry, Format, FormatError, Options, Table
from ladders.formats.rounds import Round, Scores
from ladders.lots import shuffled
from ladders.results import Block


@dataclass(frozen=True)
class KnockoutOptions(Options):
    """How thoroughly, and how many go on."""

    deals: int = 20
    """Blocks per table."""

    advance: int = 0
    """How many of a table go on; 0: half of it, rounded down."""


class Knockout(Format[KnockoutOptions]):
    """A table plays `deals` blocks; who beat most opponents goes on.

    Ties: more first places, then the lot drawn at the start.  Whoever does not fit has a bye, first those who had
    fewest byes.  The final has every seat taken, so the last tables before it may send one or two more on.  Nobody
    may join later.  A bot that withdraws is last at its table, which is decided on what was played.
    """

    name: ClassVar[str] = "knockout"
    options_type = KnockoutOptions

    def __init__(self, entries: Sequence[Entry], seats: int, options: KnockoutOptions, seed: bytes) -> None:
        self._advance = options.advance or seats // 2
        if options.advance >= max(seats, 2):
            raise FormatError(f"of {seats} at a table 1 to {seats - 1} can go on, not {self._advance}")
        self.places: dict[str, int] = {}
        """Of those who are out, and in the end of everybody; who goes home in the same round shares the place."""
        self._lots: dict[str, int] = {}
        self._byes: Counter[str] = Counter()
        self._in: list[str] = []
        self._resting: list[str] = []
        self._round = Round((), 0)
        self._scores = Scores()
        super().__init__(entries, seats, options, seed)
        if len({self._house(bot) for bot in self._active}) < len(self._active):
            raise FormatError(
                "a knockout brings bots of one owner together sooner or later: enter one of each, "
                "or set same_owner = true"
            )

    def enter(self, entry: Entry) -> None:
        """Refused: the draw has been made."""
        raise FormatError(f"{entry.bot} is too late: a knockout takes nobody once it is drawn")

    def _choose(self) -> Table | None:
        return self._round.choose()

    def _seat(self, table: Table) -> None:
        self._round.seat(table)

    def _unseat(self, table: Table) -> None:
        self._round.finish(table)
        self._go_on()

    def _finish(self, block: Block) -> None:
        if block.table in self._round.tables:
            self._scores.add(block)
            self._round.finish(block.table)
        self._go_on()

    def _field_changed(self) -> None:
        if not self._lots:
            drawn = shuffled(self.seed, sorted(self._active), "draw")
            self._lots = {bot: place for place, bot in enumerate(drawn)}
            self._begin(drawn)
        self._round.cancel([table for table in self._round.tables if not self._plays(table)])
        self._go_on()

    def _remaining(self) -> int:
        bots, tables = len(self._in), 0
        while bots > self.seats:
            bots -= self._going_home(bots)
            tables += self._tables_for(bots)
        return self._round.to_seat + tables * self.options.deals

    def _tables_for(self, bots: int) -> int:
        """As many as are needed to come to a full final, as far as there are bots to fill them."""
        too_many = bots - self.seats
        return min(bots // self.seats, max(1, -(-too_many // (self.seats - self._advance))))

    def _going_home(self, bots: int) -> int:
        return min(self._tables_for(bots) * (self.seats - self._advance), bots - self.seats)

    def _begin(self, players: list[str]) -> None:
        """A round of these bots, best placed first."""
        tables = self._tables_for(len(players))
        if not tables:
            self._settle(players)
            return
        self._in = players
        self._scores = Scores()
        self._resting = sorted(players, key=self._byes.__getitem__)[: len(players) - tables * self.seats]
        self._byes.update(self._resting)
        playing = [bot for bot in players if bot not in self._resting]
        self._round = Round((tuple(sorted(playing[table::tables])) for table in range(tables)), self.options.deals)

    def _go_on(self) -> None:
        if not self._in or not self._round.over:
            return
        if len(self._in) == self.seats:
            self._settle(self._ranked(self._round.tables[0]))
            return
        to_go = self._going_home(len(self._in))
        staying = []
        for table in self._round.tables:
            leaving = min(to_go, self.seats - self._advance)
            to_go -= leaving
            staying.append([bot for bot in self._ranked(table)[: self.seats - leaving] if bot in self._active])
        still_in = [bot for bot in self._resting if bot in self._active]
        for place in range(self.seats):  # all winners, then all seconds: they are dealt to different tables
            still_in += [bots[place] for bots in staying if place < len(bots)]
        self.places.update((bot, len(still_in) + 1) for bot in self._in if bot not in still_in)
        self._begin(still_in)

    def _ranked(self, table: Table) -> list[str]:
        return sorted(
            table,
            key=lambda bot: (
                bot not in self._active,
                -self._scores.share(bot),
                -self._scores.firsts[bot],
                self._lots[bot],
            ),
        )

    def _settle(self, order: list[str]) -> None:
        self.places.update((bot, place) for place, bot in enumerate(order, 1))
        self._in = []
