"""The points view: how many points above its table a bot makes.  A second column, never the official order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ladders.ledger import Floats, Ints, Ledger, Tables, add_up
from ladders.ratings import Rating
from ladders.ratings.clustered import Scores, meat
from ladders.ratings.groups import groups
from ladders.ratings.settings import RatingSettings
from ladders.ratings.tiles import inverse, sandwich, times


def rate(ledger: Ledger, settings: RatingSettings) -> Rating:  # noqa: ARG001  points have a scale of their own
    """Points per game relative to the pool, with errors clustered by block."""
    fitted = fit(ledger)
    errors: list[float | None] = [None] * len(fitted.rated)
    if fitted.covariance is not None:
        errors = np.sqrt(np.maximum(0.0, fitted.covariance.diagonal())).tolist()
    return Rating.of(ledger.bots, fitted.rated.tolist(), fitted.values.tolist(), errors, fitted.blocks.tolist())


@dataclass(frozen=True, eq=False)
class PointsFit:
    """One entry per bot that has played, in alphabetical order."""

    ledger: Ledger
    rated: Ints
    values: Floats
    blocks: Ints
    inverse: Floats
    """Of the normal equations; every connected pool is centred."""

    def scores_by_block(self) -> Iterator[Scores]:
        """Per table size: each player's surprise in the block, in points."""
        line = np.zeros(len(self.ledger.bots), dtype=np.int64)
        line[self.rated] = np.arange(len(self.rated))
        for tables in self.ledger.tables:
            lines = line[tables.bots]
            expected = self.values[lines]
            yield lines, _above_table(tables) - tables.matches * (expected - expected.mean(axis=0))

    @cached_property
    def covariance(self) -> Floats | None:
        """The sandwich clustered by block; None with a single block."""
        if self.ledger.blocks < 2:
            return None
        scores = list(self.scores_by_block())
        return sandwich(self.inverse, meat(len(self.rated), scores, scores), self.inverse)


def fit(ledger: Ledger) -> PointsFit:
    """Least squares: points above the table's mean = own strength above the table's mean strength."""
    count = len(ledger.bots)
    above = ledger.tally(_above_table(tables) for tables in ledger.tables)
    normal = np.zeros(count * count)
    for tables in ledger.tables:
        for one, other in tables.pairs:
            at = tables.bots[one] * count + tables.bots[other]
            normal -= add_up(at, tables.matches / tables.size, count * count)
    normal = normal.reshape(count, count) + normal.reshape(count, count).T
    blocks = ledger.blocks_of_each_bot()
    rated = np.flatnonzero(blocks)
    normal = normal[np.ix_(rated, rated)]
    pools = groups(normal < 0)
    normal[np.diag_indices_from(normal)] = -normal.sum(axis=1)
    # Each unconnected pool has a mean of its own, which results leave open: it is set to zero.
    centre = (pools[:, None] == pools) / np.bincount(pools)[pools]
    solved = inverse(normal + centre) - centre
    return PointsFit(ledger, rated, times(solved, above[rated]), blocks[rated], solved)


def _above_table(tables: Tables) -> Floats:
    """Player by block: points above the table's mean, summed over matches."""
    points = tables.per_block(tables.points)
    return np.asarray(points - points.mean(axis=0))
