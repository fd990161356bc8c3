"""Who can be compared with whom: bots of one group have scored against each other, directly or over others."""

from __future__ import annotations

import numpy as np

from ladders.ledger import Bools, Ints


def groups(scored: Bools) -> Ints:
    """Per bot the number of its group: strongly connected components of "line scored against column"."""
    count = len(scored)
    group = np.full(count, -1)
    left = np.ones(count, dtype=np.bool_)
    for bot in range(count):
        if group[bot] < 0:
            together = _reached(scored, bot, left) & _reached(scored.T, bot, left)
            group[together] = bot
            left &= ~together
    return np.unique(group, return_inverse=True)[1].astype(np.int64)


def largest(group: Ints) -> int:
    """The group with most members; of equal ones that of the alphabetically first bot."""
    return int(np.bincount(group, minlength=1).argmax())


def _reached(edges: Bools, start: int, among: Bools) -> Bools:
    reached = np.zeros(len(edges), dtype=np.bool_)
    reached[start] = True
    frontier = np.array([start])
    while len(frontier):
        fresh = edges[frontier].any(axis=0) & among & ~reached
        reached |= fresh
        frontier = np.flatnonzero(fresh)
    return reached
