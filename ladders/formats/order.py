"""The field in order, as one fit sees it: strongest first.  Nobody is looked up by going through everybody."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from heapq import merge

from ladders.formats.least_played import LeastPlayed
from ladders.formats.snapshot import Snapshot


class Order:
    """It follows from a fit, the field and lots alone, and holds until one of them is another."""

    def __init__(
        self,
        bots: Iterable[str],
        snapshot: Snapshot,
        count: Mapping[str, int],
        lot: Callable[[str], float],
    ) -> None:
        """`count`: how many blocks each has played or is playing; it may grow meanwhile."""
        self._logit = snapshot.logit
        # Newcomers in the middle, of equals whoever had played least, and of those the lot decides.
        self.bots = sorted(bots, key=lambda bot: (-self._strength(bot), snapshot.blocks.get(bot, 0), lot(bot)))
        self._place = {bot: at for at, bot in enumerate(self.bots)}
        self.rated = [bot for bot in self.bots if bot in self._logit]
        self.rank = {bot: at for at, bot in enumerate(self.rated)}
        """Of those who are rated."""
        self.established = [bot for bot in self.rated if bot not in snapshot.newcomers]
        known = set(self.established)
        self.newcomers = LeastPlayed([bot for bot in self.bots if bot not in known], count)
        self.least_played = LeastPlayed(self.bots, count)

    def around(self, start: int) -> Iterator[str]:
        """From a place down, then from there up."""
        yield from (self.bots[at] for at in range(start, len(self.bots)))
        yield from (self.bots[at] for at in range(start - 1, -1, -1))

    def nearest(self, bot: str) -> Iterator[str]:
        """Everybody else, nearest in strength first."""
        place, own = self._place[bot], self._strength(bot)
        above = (self.bots[at] for at in range(place - 1, -1, -1))
        below = (self.bots[at] for at in range(place + 1, len(self.bots)))
        return merge(above, below, key=lambda other: abs(self._strength(other) - own))

    def fewer(self, bots: Iterable[str]) -> None:
        """Their counts went down."""
        for bot in bots:
            self.newcomers.fewer(bot)
            self.least_played.fewer(bot)

    def _strength(self, bot: str) -> float:
        return self._logit.get(bot, 0.0)
