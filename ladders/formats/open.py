"""An endless ladder that seats the bots whose order matters most and is least certain (ratings §3.3)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from ladders.formats.format import Entry, Format, Options, Table
from ladders.formats.heaviest import heaviest
from ladders.formats.snapshot import EMPTY, Rate
from ladders.lots import lot, shuffled
from ladders.results import Block

NEWCOMER = 0.5
WINDOW, TOP = 0.60, 0.25  # and the rest is spread over everybody
FIRST_BLOCKS = 5
SEARCH_ALL, BAND = 40, 12
SCHEDULED = 0.6


@dataclass(frozen=True)
class OpenOptions(Options):
    """When to stop."""

    stop: float | None = None
    """Elo: stop when every rating is known to this, or when all neighbours are surely in order.  None: never."""


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
        self._blocks: list[Block] = []
        self._rated = 0
        """How many blocks the snapshot in use is about; it is made when it is needed."""
        self._snapshot_of = 0
        self._verdict: tuple[object, bool] = (None, False)
        self._snapshot = EMPTY
        self._gains: dict[Table, float] = {}
        self._count: Counter[str] = Counter()
        self._met: Counter[Table] = Counter()
        self._scheduled: Counter[Table] = Counter()
        """Meetings that the snapshot does not know."""
        super().__init__(entries, seats, options, seed)

    def _choose(self) -> Table | None:
        free = self._free()
        if len({self._house(bot) for bot in free}) < self.seats or self._settled():
            return None
        table = tuple(sorted(self._matched(self._ordered(free))))
        self._seat(table)
        return table

    def _seat(self, table: Table) -> None:
        self._count.update(table)
        self._met.update(combinations(table, 2))
        self._scheduled.update(combinations(table, 2))

    def _unseat(self, table: Table) -> None:
        self._count.subtract(table)
        self._met.subtract(combinations(table, 2))
        self._scheduled.subtract(combinations(table, 2))

    def _finish(self, block: Block) -> None:
        self._blocks.append(block)
        if len(self._blocks) >= self._rated + max(1, self._rated // 20):
            self._rated = len(self._blocks)
            self._scheduled = Counter(
                pair for table in (*self._under_way.elements(), *self._dropped) for pair in combinations(table, 2)
            )

    def _field_changed(self) -> None:
        """The next block sees it by itself."""

    def _remaining(self) -> int | None:
        return 0 if self._settled() else None

    def _refresh(self) -> None:
        if self._snapshot_of < self._rated:
            self._snapshot = self._rate(self._blocks[: self._rated])
            self._snapshot_of = self._rated
            self._gains = {}

    def _settled(self) -> bool:
        if self.options.stop is None:
            return False
        self._refresh()
        snapshot = self._snapshot
        bots = self._free()
        if any(self._is_provisional(bot) for bot in bots):
            return False
        question = (self._snapshot_of, bots)
        if self._verdict[0] != question:
            order = sorted(bots, key=lambda bot: -snapshot.logit[bot])
            enough = snapshot.surely_in_order(order) or snapshot.widest_margin(order) < self.options.stop
            self._verdict = (question, enough)
        return self._verdict[1]

    def _plays(self, table: Table) -> bool:
        return super()._plays(table) and not self.benched.intersection(table)

    def _free(self) -> list[str]:
        benched = self.benched
        return [bot for bot in self._active if bot not in benched]

    def _ordered(self, bots: list[str]) -> list[str]:
        """Strongest first; newcomers in the middle, and of equals whoever played least."""
        self._refresh()
        logit = self._snapshot.logit
        drawn = shuffled(self.seed, sorted(bots), "order", self.seated)
        return sorted(drawn, key=lambda bot: (-logit.get(bot, 0.0), self._count[bot]))

    def _matched(self, order: list[str]) -> list[str]:
        newcomers = [bot for bot in order if self._is_provisional(bot)]
        if newcomers and self._lot("newcomer") < NEWCOMER:
            return self._with_newcomer(min(newcomers, key=self._count.__getitem__), order)
        policy = self._lot("policy")
        if policy < WINDOW:
            return self._window(order)
        if policy < WINDOW + TOP:
            return self._top(order) or self._window(order)
        return self._filled(
            [min(order, key=self._count.__getitem__)], shuffled(self.seed, order, "spread", self.seated)
        )

    def _with_newcomer(self, newcomer: str, order: list[str]) -> list[str]:
        others = [bot for bot in order if bot != newcomer]
        if self._count[newcomer] >= FIRST_BLOCKS:
            return self._filled([newcomer], self._nearest(newcomer, others))
        known = [bot for bot in others if not self._is_provisional(bot)]
        known = known if len(known) >= self.seats - 1 else others
        table = [newcomer]
        for band in range(self.seats - 1):
            low, high = (at * len(known) // (self.seats - 1) for at in (band, band + 1))
            self._filled(table, shuffled(self.seed, known[low:high], "band", self.seated, band), band + 2)
        return self._filled(table, shuffled(self.seed, others, "beyond", self.seated))

    def _nearest(self, bot: str, others: list[str]) -> list[str]:
        """Of twice as many as are needed, nearest in rating, those it has met least come first."""
        logit = self._snapshot.logit
        own = logit.get(bot, 0.0)
        near = sorted(others, key=lambda other: abs(logit.get(other, 0.0) - own))
        enough = 2 * (self.seats - 1)
        return sorted(near[:enough], key=lambda other: self._met[_pair(bot, other)]) + near[enough:]

    def _window(self, order: list[str]) -> list[str]:
        start = int(self._lot("window") * (len(order) - self.seats + 1))
        return self._filled([], [*order[start:], *reversed(order[:start])])

    def _top(self, order: list[str]) -> list[str] | None:
        """Where a block tells most about the order, and most of all at the top."""
        rated = [bot for bot in order if bot in self._snapshot.logit]
        span = len(rated) if len(rated) <= SEARCH_ALL else BAND
        weights: list[dict[int, float]] = [{} for _ in rated]
        for rank, one in enumerate(rated):
            for below in range(rank + 1, min(rank + span, len(rated))):
                other = rated[below]
                if self._may_join(one, (other,)):
                    pair = _pair(one, other)
                    weight = self._gain(pair) * SCHEDULED ** self._scheduled[pair] / (1 + rank)
                    weights[rank][below] = weights[below][rank] = weight
        found = heaviest(weights, self.seats)
        return None if found is None else [rated[rank] for rank in found]

    def _gain(self, pair: Table) -> float:
        """How much a meeting tells about which of two is better."""
        if pair not in self._gains:
            one, other = (self._snapshot.logit[bot] for bot in pair)
            self._gains[pair] = gain(abs(one - other), self._snapshot.variance(*pair))
        return self._gains[pair]

    def _filled(self, table: list[str], preferred: Iterable[str], upto: int | None = None) -> list[str]:
        """Seat the first who may join until the table is full."""
        for bot in preferred:
            if len(table) == (upto or self.seats):
                break
            if self._may_join(bot, table):
                table.append(bot)
        return table

    def _is_provisional(self, bot: str) -> bool:
        return bot not in self._snapshot.logit or bot in self._snapshot.provisional

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
