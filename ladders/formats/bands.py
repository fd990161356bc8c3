"""Where a table tells most: the heaviest one of a field in order, searched in bands of ranks (ratings §3.3).

What was found in a band is kept until a pair in it weighs something else, so a large field costs no more.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heapify, heappop, heappush
from typing import Final

from ladders.formats.heaviest import Found, heaviest, heaviest_below

SEARCH_ALL: Final = 40
BAND: Final = 12
"""A larger field is searched in so many neighbouring ranks at a time."""


class Bands:
    """Ranks 0, 1, … of a field, and tables of so many seats."""

    def __init__(self, field: int, seats: int, weight: Callable[[int, int], float | None]) -> None:
        """`weight` tells what a rank and one below it weigh; None: they may not meet."""
        self._seats = seats
        self._weight = weight
        self._whole = field <= SEARCH_ALL
        self._span = field if self._whole else BAND
        self._weights: list[dict[int, float]] = [{} for _ in range(field)]
        for one in range(field):
            for other in range(one + 1, min(one + self._span, field)):
                self._weigh(one, other)
        self._found: list[Found | None] = []
        self._changed: set[int] = set()
        """Bands, each named by its first rank."""
        if not self._whole:
            self._found = [heaviest_below(self._weights, seats, first) for first in range(field)]
        self._order = [(-found[0], first) for first, found in enumerate(self._found) if found is not None]
        heapify(self._order)

    def weigh_again(self, one: int, other: int) -> None:
        """Two ranks weigh something else than before."""
        if abs(one - other) < self._span:
            first, last = min(one, other), max(one, other)
            self._weigh(first, last)
            self._changed.update(range(max(0, last - self._span + 1), first + 1))

    def heaviest(self) -> tuple[int, ...] | None:
        """The ranks at the heaviest table; None when nobody can fill one."""
        if self._whole:
            found = heaviest(self._weights, self._seats)
            return None if found is None else found[1]
        for first in self._changed:
            self._search(first)
        self._changed.clear()
        while self._order:
            weight, first = self._order[0]
            found = self._found[first]
            if found is not None and found[0] == -weight:
                return found[1]
            heappop(self._order)  # it was heavier once
        return None

    def _search(self, first: int) -> None:
        found = heaviest_below(self._weights, self._seats, first)
        if found is not None and found != self._found[first]:
            heappush(self._order, (-found[0], first))
        self._found[first] = found

    def _weigh(self, one: int, other: int) -> None:
        weight = self._weight(one, other)
        if weight is not None:
            self._weights[one][other] = self._weights[other][one] = weight
