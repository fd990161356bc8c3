"""The block: one deal, played by the same bots in a balanced set of seatings; the atom of play and statistics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ladders.ratings.distributions import margin


def seatings(players: int, block: int = 0) -> list[list[int]]:
    """A Williams square: each row says who sits where; every player has every seat once.

    With an even number everybody also follows everybody else once; with an odd one, blocks take turns
    with the mirror image to the same end.
    """
    base = [0]
    for step in range(1, players):
        base.append((step + 1) // 2 if step % 2 else players - step // 2)
    if players % 2 and block % 2:
        base.reverse()
    return [[(player + row) % players for player in base] for row in range(players)]


def beaten(ranks: Sequence[int]) -> list[float]:
    """Per seat, the share of the others it finished ahead of; a tie is half."""
    return [
        sum(1.0 if rank < other else 0.5 if rank == other else 0.0 for other in ranks) / (len(ranks) - 1)
        - 0.5 / (len(ranks) - 1)  # the seat itself was counted as a tie
        for rank in ranks
    ]


@dataclass(frozen=True)
class Estimate:
    """A mean over blocks and half the width of its 95 % interval (None below two blocks)."""

    mean: float
    margin: float | None


def estimate(block_means: Sequence[float]) -> Estimate:
    """Blocks are independent, games of one deal are not: so the error comes from the spread of block means."""
    count = len(block_means)
    mean = math.fsum(block_means) / count
    if count < 2:
        return Estimate(mean, None)
    spread = math.sqrt(math.fsum((value - mean) ** 2 for value in block_means) / (count - 1))
    if spread == 0:
        return Estimate(mean, min(1.0, 3 / count))  # rule of three: what never happened may still be that frequent
    return Estimate(mean, margin(spread / math.sqrt(count), count))
