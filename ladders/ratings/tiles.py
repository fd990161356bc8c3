"""Products and inverses of large symmetric matrices, tile by tile.

A tile is so small that the machine's library multiplies it in one thread.  So every sum has one order, whatever
the number of cores; and where bots keep all cores busy, threads that wait for each other would cost seconds.
"""

from __future__ import annotations

import numpy as np

from ladders.ledger import Floats

SIDE = 48


def inverse(matrix: Floats) -> Floats:
    """Of a symmetric positive definite matrix: Gauss and Jordan's sweep over tiles."""
    size = len(matrix)
    tiles = _cut(matrix, fill=1.0)
    for k in range(len(tiles)):
        pivot = _small_inverse(tiles[k, k])
        column = tiles[:, k].copy()
        row = pivot @ tiles[k]
        tiles -= column[:, None] @ row[None, :]
        tiles[k] = row
        tiles[:, k] = -column @ pivot
        tiles[k, k] = pivot
    joined = _join(tiles, size)
    return (joined + joined.T) / 2


def product(one: Floats, other: Floats) -> Floats:
    """Of two square matrices."""
    left, right = _cut(one), _cut(other)
    total = np.zeros_like(left)
    for k in range(len(left)):
        total += left[:, None, k] @ right[None, k]
    return _join(total, len(one))


def sandwich(bread: Floats, filling: Floats, other_bread: Floats) -> Floats:
    """The product of three."""
    return product(product(bread, filling), other_bread)


def times(matrix: Floats, vector: Floats) -> Floats:
    """A matrix times a vector."""
    return np.asarray((matrix * vector).sum(axis=1))


def _small_inverse(tile: Floats) -> Floats:
    swept = tile.copy()
    for k in range(len(swept)):
        pivot = 1 / swept[k, k]
        column = swept[:, k].copy()
        row = swept[k] * pivot
        swept -= column[:, None] * row
        swept[k] = row
        swept[:, k] = column * -pivot
        swept[k, k] = pivot
    return swept


def _cut(matrix: Floats, fill: float = 0.0) -> Floats:
    """Tiles by line and column; what is missing at the edge is filled with a piece of a diagonal matrix."""
    size = len(matrix)
    side = min(SIDE, max(1, size))
    count = -(-size // side)
    padded = np.zeros((count * side, count * side))
    padded[:size, :size] = matrix
    padded.flat[size * (count * side + 1) :: count * side + 1] = fill
    return np.ascontiguousarray(padded.reshape(count, side, count, side).transpose(0, 2, 1, 3))


def _join(tiles: Floats, size: int) -> Floats:
    count, _, side, _ = tiles.shape
    return np.asarray(tiles.transpose(0, 2, 1, 3).reshape(count * side, count * side)[:size, :size])
