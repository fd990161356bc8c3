"""Means whose errors come from the spread between blocks, because games of one block are not independent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ladders.ledger import Floats, Ints, add_up
from ladders.ratings.distributions import margin


@dataclass(frozen=True, eq=False)
class Means:
    """One mean per thing counted; mean and error are nan where nothing, or a single block, is known."""

    mean: Floats
    error: Floats
    blocks: Ints

    def margin(self, which: int) -> float | None:
        """Half of the 95 % interval."""
        return margin(float(self.error[which]), int(self.blocks[which]))


Scores = tuple[Ints, Floats]
"""For the blocks of one table size, player by block: the line of the bot, and how far it was off in the block."""


def meat(count: int, ours: Sequence[Scores], theirs: Sequence[Scores]) -> Floats:
    """What stands in the middle of a sandwich: outer products of block scores, summed in block order."""
    total = np.zeros(count * count)
    blocks = 0
    for (lines, one), (_, other) in zip(ours, theirs, strict=True):
        at = (lines[:, None] * count + lines).reshape(-1)
        total += add_up(at, (one[:, None] * other).reshape(-1), count * count)
        blocks += lines.shape[1]
    return blocks / (blocks - 1) * total.reshape(count, count)


def means(which: Ints, sums: Floats, counts: Floats, size: int) -> Means:
    """Ratio means: each entry is one block's sum and count for the thing it is about."""
    blocks = np.bincount(which, minlength=size)
    weight = add_up(which, counts, size)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = add_up(which, sums, size) / weight
        off = add_up(which, (sums - mean[which] * counts) ** 2, size)
        error = np.where(blocks > 1, np.sqrt(off * blocks / (blocks - 1)) / weight, np.nan)
    return Means(mean, error, blocks)


def normal_score(t: Floats, df: Ints) -> Floats:
    """The normal deviate as surprising as this t (Wallace 1959), so that few blocks raise no false alarm."""
    df = np.maximum(df, 1)
    return np.asarray(np.sign(t) * (8 * df + 1) / (8 * df + 3) * np.sqrt(df * np.log1p(t * t / df)))
