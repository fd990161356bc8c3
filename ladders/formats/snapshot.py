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
    provisional: frozenset[str]
    """Bots whose rating does not count yet."""

    def surely_in_order(self, bots: Sequence[str]) -> bool:
        """Each is better than the next with a chance above 95 %; best first."""
        return all(
            self.logit[one] - self.logit[other]
            > self._quantile(0.95, one, other) * math.sqrt(self.variance(one, other))
            for one, other in pairwise(bots)
        )

    def widest_margin(self, bots: Sequence[str]) -> float:
        """The largest half of a 95 % interval among these, in Elo, relative to the mean of all."""
        spread = {
            bot: fmean(self.variance(bot, other) if other != bot else 0.0 for other in self.logit)
            for bot in self.logit
        }
        half = fmean(spread.values()) / 2  # variances of differences give those about the mean
        return max(ELO * self._quantile(0.975, bot) * math.sqrt(max(0.0, spread[bot] - half)) for bot in bots)

    def _quantile(self, chance: float, *bots: str) -> float:
        """Of Student's t; nothing is sure from a single block."""
        blocks = min(self.blocks[bot] for bot in bots)
        return t_quantile(chance, blocks - 1) if blocks > 1 else math.inf


Rate = Callable[[Scoresheet, int], Snapshot]
"""A fit of the first so many blocks of a scoresheet."""

EMPTY = Snapshot({}, lambda _one, _other: math.inf, {}, frozenset())
