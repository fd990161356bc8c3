"""An endless ladder that seats the bots whose order matters most and is least certain (ratings §3.3)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, islice
from typing import ClassVar

from ladders.formats.bands import Bands
from ladders.formats.format import Entry, Format, Options, Table
from ladders.formats.order import Order
from ladders.formats.scoresheet import Scoresheet
from ladders.formats.snapshot import EMPTY, Rate
from ladders.lots import lot
from ladders.results import Block

NEWCOMER = 0.5
WINDOW, TOP = 0.60, 0.25  # and the rest is spread over everybody
FIRST_BLOCKS = 5
SCHEDULED = 0.6


@dataclass(frozen=True)
class OpenOptions(Options):
    """When to stop."""

    stop: float | None = None
    """Elo: stop when every rating is known to this, or when all neighbours are surely in order.  None: never.

    Whoever still loses, or wins, all but a few games after its first blocks has none, and is not waited for.
    """


class Open(Format[OpenOptions]):
    """Each table follows from its number and the latest fit, which is renewed whenever blocks grew by a twentieth.

    So the same blocks in the same order give the same tables.  A bot that was benched gets no new blocks.
    """

    name: ClassVar[str] = "open"
    endless: ClassVar[bool] = True
    options_type = OpenOptions

    def __init__(
        self,
        entries: Sequence[Entry],
        seats: int,
        options: OpenOptions,
        seed: bytes,
        rate: Rate | None = None,
    ) -> None:
        if rate is None:
            from ladders.formats.rated import rate_by
            from ladders.ratings.settings import RatingSettings

            rate = rate_by(RatingSettings())
        self._rate = rate
        self._sheet = Scoresheet()
        self._rated = 0
        """How many blocks the snapshot in use is about; it is made when it is needed."""
        self._snapshot_of = 0
        self._snapshot = EMPTY
        self._order: Order | None = None
        self._bands: Bands | None = None
        self._settled: bool | None = None
        """These follow from the snapshot and the field, and are made when they are needed."""
        self._fills_a_table = False
        self._without: frozenset[str] = frozenset()
        """Who is left out of them, being on the bench."""
        self._count: Counter[str] = Counter()
        self._met: Counter[Table] = Counter()
        self._scheduled: Counter[Table] = Counter()
        """Meetings that the snapshot does not know."""
        super().__init__(entries, seats, options, seed)

    def _choose(self) -> Table | None:
        order = self._in_order()
        if not self._fills_a_table or self._is_settled():
            return None
        table = tuple(sorted(self._matched(order)))
        self._seat(table)
        return table

    def _seat(self, table: Table) -> None:
        for bot in table:
            self._count[bot] += 1
        self._meet(table, 1)

    def _unseat(self, table: Table) -> None:
        for bot in table:
            self._count[bot] -= 1
        if self._order is not None:
            self._order.fewer(table)
        self._meet(table, -1)

    def _meet(self, table: Table, times: int) -> None:
        for pair in combinations(table, 2):
            self._met[pair] += times
            self._scheduled[pair] += times
            if self._bands is not None and self._order is not None:
                one, other = (self._order.rank.get(bot) for bot in pair)
                if one is not None and other is not None:
                    self._bands.weigh_again(one, other)

    def _finish(self, block: Block) -> None:
        self._sheet.write(block)
        if len(self._sheet) >= self._rated + max(1, self._rated // 20):
            self._rated = len(self._sheet)
            self._scheduled = Counter(
                pair for table in (*self._under_way.elements(), *self._dropped) for pair in combinations(table, 2)
            )
            self._forget()

    def _field_changed(self) -> None:
        self._forget()

    def _remaining(self) -> int | None:
        return 0 if self._is_settled() else None

    def _plays(self, table: Table) -> bool:
        return super()._plays(table) and not self.benched.intersection(table)

    # --- what is known of the field

    def _forget(self) -> None:
        self._order = self._bands = self._settled = None

    def _in_order(self) -> Order:
        if self._snapshot_of < self._rated:
            self._snapshot = self._rate(self._sheet, self._rated)
            self._snapshot_of = self._rated
        benched = self.benched
        if self._without != benched:
            self._without = benched
            self._forget()
        if self._order is None:
            free = [bot for bot in self._active if bot not in benched]
            self._fills_a_table = len({self._house(bot) for bot in free}) >= self.seats
            drawn = partial(lot, self.seed, "order", self._snapshot_of)
            self._order = Order(free, self._snapshot, self._count, drawn)
        return self._order

    def _is_settled(self) -> bool:
        if self.options.stop is None:
            return False
        order = self._in_order()
        if self._settled is None:
            self._settled = not order.newcomers and (
                self._snapshot.surely_in_order(order.bots)
                or self._snapshot.widest_margin(order.bots) < self.options.stop
            )
        return self._settled

    # --- who plays

    def _matched(self, order: Order) -> list[str]:
        if order.newcomers and self._lot("newcomer") < NEWCOMER:
            return self._with_newcomer(order.newcomers.first(), order)
        policy = self._lot("policy")
        if policy < WINDOW:
            return self._window(order)
        if policy < WINDOW + TOP:
            return self._top(order) or self._window(order)
        return self._filled([order.least_played.first()], self._drawn(order.bots, "spread"))

    def _with_newcomer(self, newcomer: str, order: Order) -> list[str]:
        if self._count[newcomer] >= FIRST_BLOCKS:
            return self._filled([newcomer], self._nearest(newcomer, order))
        known = order.established if len(order.established) >= self.seats - 1 else order.bots
        table = [newcomer]
        for band in range(self.seats - 1):
            low, high = (at * len(known) // (self.seats - 1) for at in (band, band + 1))
            self._filled(table, self._drawn(known[low:high], "band", band), band + 2)
        return self._filled(table, self._drawn(order.bots, "beyond"))

    def _nearest(self, bot: str, order: Order) -> Iterator[str]:
        """Of twice as many as are needed, nearest in rating, those it has met least come first."""
        near = order.nearest(bot)
        yield from sorted(islice(near, 2 * (self.seats - 1)), key=lambda other: self._met[_pair(bot, other)])
        yield from near

    def _window(self, order: Order) -> list[str]:
        return self._filled([], order.around(int(self._lot("window") * (len(order.bots) - self.seats + 1))))

    def _top(self, order: Order) -> list[str] | None:
        """Where a block tells most about the order, and most of all at the top."""
        if self._bands is None:
            self._bands = Bands(len(order.rated), self.seats, self._weight)
        found = self._bands.heaviest()
        return None if found is None else [order.rated[rank] for rank in found]

    def _weight(self, rank: int, below: int) -> float | None:
        """What a meeting of these two tells; None if they may not meet."""
        assert self._order is not None
        one, other = self._order.rated[rank], self._order.rated[below]
        if not self._may_join(one, (other,)):
            return None
        logit = self._snapshot.logit
        tells = gain(abs(logit[one] - logit[other]), self._snapshot.variance(one, other))
        return tells * SCHEDULED ** self._scheduled[_pair(one, other)] / (1 + rank)

    def _drawn(self, bots: Sequence[str], *what: str | int) -> Iterator[str]:
        """Uniform lots; then everybody, so that whoever waits for one in particular does not wait forever."""
        for draw in range(len(bots)):
            yield bots[int(lot(self.seed, *what, self.seated, draw) * len(bots))]
        yield from bots

    def _filled(self, table: list[str], preferred: Iterable[str], upto: int | None = None) -> list[str]:
        """Seat the first who may join until the table is full."""
        for bot in preferred:
            if len(table) == (upto or self.seats):
                break
            if self._may_join(bot, table):
                table.append(bot)
        return table

    def _lot(self, what: str) -> float:
        return lot(self.seed, what, self.seated)


def gain(distance: float, variance: float) -> float:
    """Ratings §3.3: large where two bots are close for what is known of them, and games between them are open."""
    if variance <= 0:
        return 0.0
    z = distance / math.sqrt(variance)
    chance = 1 / (1 + math.exp(-distance))
    density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    return density * (z + 0.3) * variance * chance * (1 - chance)


def _pair(one: str, other: str) -> Table:
    return (one, other) if one < other else (other, one)
