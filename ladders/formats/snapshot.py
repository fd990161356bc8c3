"""What matchmaking knows of strengths: a fit of the blocks played so far.  How it is fitted is said elsewhere."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

from ladders.formats.scoresheet import Scoresheet
from ladders.ratings.distributions import t_quantile

ELO = 400 / math.log(10)


@dataclass(frozen=True)
class Snapshot:
    """Strengths in logits, with their uncertainty; only bots that have played are in it."""

    logit: Mapping[str, float]
    variance: Callable[[str, str], float]
    """Of the difference between two bots' logits."""

    blocks: Mapping[str, int]
    newcomers: frozenset[str]
    """Bots that have played few blocks."""

    apart: frozenset[str] = frozenset()
    """Bots that have played many, and lost or won all but a few: more of them would not make a rating known."""

    def surely_in_order(self, bots: Sequence[str]) -> bool:
        """Each is better than the next with a chance above 95 %; best first."""
        return all(
            self.logit[one] - self.logit[other]
            > self._quantile(0.95, one, other) * math.sqrt(self.variance(one, other))
            for one, other in pairwise(bots)
        )

    def widest_margin(self, bots: Sequence[str]) -> float:
        """The largest half of a 95 % interval among these, in Elo, relative to the mean; without those apart."""
        pool = [bot for bot in self.logit if bot not in self.apart]
        spread = {bot: fmean(self.variance(bot, other) if other != bot else 0.0 for other in pool) for bot in pool}
        half = fmean(spread.values()) / 2 if spread else 0.0  # variances of differences give those about the mean
        margins = (
            ELO * self._quantile(0.975, bot) * math.sqrt(max(0.0, spread[bot] - half))
            for bot in bots
            if bot in spread
        )
        return max(margins, default=math.inf)

    def _quantile(self, chance: float, *bots: str) -> float:
        """Of Student's t; nothing is sure from a single block."""
        blocks = min(self.blocks[bot] for bot in bots)
        return t_quantile(chance, blocks - 1) if blocks > 1 else math.inf


Rate = Callable[[Scoresheet, int], Snapshot]
"""A fit of the first so many blocks of a scoresheet."""

EMPTY = Snapshot({}, lambda _one, _other: math.inf, {}, frozenset())
