"""The table with the largest sum over its pairs: an exact search.  What a pair weighs is said elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

Weights = Sequence[dict[int, float]]
"""Per number its weight with every other number it may sit with; symmetric."""


def heaviest(weights: Weights, seats: int) -> tuple[int, ...] | None:
    """Branch and bound, most promising first; None when nobody can fill a table."""
    highest = [max(row.values(), default=0.0) for row in weights]
    best: tuple[float, tuple[int, ...] | None] = (-1.0, None)

    def extend(table: tuple[int, ...], weight: float, candidates: list[tuple[float, int]]) -> None:
        nonlocal best
        missing = seats - len(table)
        if not missing:
            best = max(best, (weight, table), key=lambda found: found[0])
            return
        # A candidate brings its weight with the table; of its pairs with other candidates it can hope for half.
        hopes = sorted(
            ((joint + (missing - 1) / 2 * highest[who], joint, who) for joint, who in candidates), reverse=True
        )
        for at in range(len(hopes) - missing + 1):
            if weight + sum(hope for hope, _, _ in hopes[at : at + missing]) <= best[0]:
                return
            _, joint, who = hopes[at]
            row = weights[who]
            extend(
                (*table, who),
                weight + joint,
                [(with_table + row[other], other) for _, with_table, other in hopes[at + 1 :] if other in row],
            )

    extend((), 0.0, [(0.0, who) for who in range(len(weights))])
    return best[1]
