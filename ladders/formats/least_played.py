"""Whoever has played least, found without asking everybody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heapify, heappush, heapreplace


class LeastPlayed:
    """Of these bots; of equals the one that is named first."""

    def __init__(self, bots: Sequence[str], count: Mapping[str, int]) -> None:
        """`count` is looked at again and again, and may grow meanwhile."""
        self._bots = bots
        self._count = count
        self._place = {bot: at for at, bot in enumerate(bots)}
        self._heap = [(count[bot], at) for at, bot in enumerate(bots)]
        heapify(self._heap)

    def first(self) -> str:
        """There must be one."""
        while True:
            noted, at = self._heap[0]
            bot = self._bots[at]
            if noted == self._count[bot]:
                return bot
            heapreplace(self._heap, (self._count[bot], at))  # it has played since

    def fewer(self, bot: str) -> None:
        """Its count went down; that it went up is noticed when it matters."""
        if bot in self._place:
            heappush(self._heap, (self._count[bot], self._place[bot]))

    def __bool__(self) -> bool:
        """Whether there is anybody."""
        return bool(self._bots)
