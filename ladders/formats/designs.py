"""Plans that need no results: every table, or every pair, a number of times.  No ranks here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations

from ladders.formats.format import Table

ALL_TABLES = 1_000
"""Up to so many different tables each of them is played; beyond, it is pairs that meet equally often."""


class EveryTable:
    """Each of the given tables `deals` times: all of them once, then all of them again."""

    def __init__(self, tables: Sequence[Table], deals: int, seated: Counter[Table]) -> None:
        self._tables = tables
        self._deals = deals
        self._seated = Counter(seated)
        self._place = {table: place for place, table in enumerate(tables)}
        self._at = 0
        self.remaining = sum(max(0, deals - seated[table]) for table in tables)

    def choose(self) -> Table | None:
        """The first table that is behind the others."""
        while self._at < len(self._tables) * self._deals:
            deal, place = divmod(self._at, len(self._tables))
            table = self._tables[place]
            if self._seated[table] <= deal:
                self.seat(table)
                return table
            self._at += 1
        return None

    def seat(self, table: Table) -> None:
        """Count it, whether or not it is in the plan."""
        if table in self._place and self._seated[table] < self._deals:
            self.remaining -= 1
        self._seated[table] += 1

    def unseat(self, table: Table) -> None:
        """Go back to its place in the plan."""
        self._seated[table] -= 1
        if table in self._place and self._seated[table] < self._deals:
            self.remaining += 1
            self._at = min(self._at, self._seated[table] * len(self._tables) + self._place[table])


class EveryPair:
    """Each leader meets every follower of another house about `deals` times; in a round robin all bots are both.

    Greedy: the leader that lacks most meetings sits down first, then whoever has met that table least.  With two
    seats every pair meets exactly `deals` times; with more, almost always `deals` times give or take one.
    """

    def __init__(
        self,
        leaders: Sequence[str],
        followers: Sequence[str],
        house: Callable[[str], str],
        seats: int,
        deals: int,
        seated: Counter[Table],
    ) -> None:
        self._followers = followers
        self._seats = seats
        self._deals = deals
        self._houses = {bot: house(bot) for bot in (*leaders, *followers)}
        self._together = leaders is followers
        self._met: dict[str, Counter[str]] = {bot: Counter() for bot in self._houses}
        sizes = Counter(self._houses[bot] for bot in followers)
        self._leaders = [bot for bot in leaders if len({*sizes} - {self._houses[bot]}) >= seats - 1]
        self._lacks = {bot: deals * (len(followers) - sizes[self._houses[bot]]) for bot in self._leaders}
        self._meetings = sum(self._lacks.values()) // (2 if self._together else 1)
        for table, blocks in seated.items():
            for _ in range(blocks):
                self.seat(table)

    @property
    def remaining(self) -> int:
        """As many blocks as the meetings still to come would fill."""
        a_block = self._seats * (self._seats - 1) // 2 if self._together else self._seats - 1
        return max(0, -(-self._meetings // a_block))

    def choose(self) -> Table | None:
        """Build a table round the leader that lacks most."""
        if not self.remaining:
            return None
        table = [max(self._leaders, key=self._lacks.__getitem__)]
        # Squares, so that no pair runs far ahead.  In a gauntlet only meetings with the leader are asked for: they
        # weigh more than all others together.
        cost = dict.fromkeys(self._followers, 0)
        weight = 1 if self._together else 1 << 20
        while True:
            last = table[-1]
            for bot, times in self._met[last].items():
                if bot in cost:
                    cost[bot] += weight * times * times
            cost = {bot: paid for bot, paid in cost.items() if self._houses[bot] != self._houses[last]}
            if len(table) == self._seats:
                break
            weight = 1
            table.append(min(cost, key=lambda bot: (cost[bot], -self._lacks.get(bot, 0))))
        chosen = tuple(sorted(table))
        self.seat(chosen)
        return chosen

    def seat(self, table: Table) -> None:
        """Everyone at the table has met everyone else once more."""
        self._count(table, 1)

    def unseat(self, table: Table) -> None:
        """They have not met after all."""
        self._count(table, -1)

    def _count(self, table: Table, by: int) -> None:
        for one, other in combinations([bot for bot in table if bot in self._met], 2):
            self._met[one][other] += by
            self._met[other][one] += by
            wanted = self._together or (one in self._lacks) != (other in self._lacks)
            if not wanted or self._houses[one] == self._houses[other]:
                continue
            self._meetings -= by
            fewest = min(self._met[one][other], self._met[one][other] - by)
            for leader in (one, other):
                if leader in self._lacks and fewest < self._deals:
                    self._lacks[leader] -= by
