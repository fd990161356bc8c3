"""The table with the largest sum over its pairs: an exact search.  What a pair weighs is said elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

Weights = Sequence[dict[int, float]]
"""Per number its weight with every other number it may sit with; symmetric."""

Found = tuple[float, tuple[int, ...]]
"""What a table weighs, and who sits there."""


def heaviest(weights: Weights, seats: int) -> Found | None:
    """Of all tables; None when nobody can fill one."""
    return _search(weights, seats, (), [(0.0, who) for who in range(len(weights))])


def heaviest_below(weights: Weights, seats: int, first: int) -> Found | None:
    """Of the tables of `first` and larger numbers."""
    return _search(
        weights, seats, (first,), [(weight, who) for who, weight in weights[first].items() if who > first]
    )


def _search(
    weights: Weights, seats: int, begun: tuple[int, ...], candidates: list[tuple[float, int]]
) -> Found | None:
    """Branch and bound, most promising first; a candidate brings its weight with those who sit already."""
    highest = {who: max(weights[who].values(), default=0.0) for _, who in candidates}
    best: Found | None = None

    def extend(table: tuple[int, ...], weight: float, candidates: list[tuple[float, int]]) -> None:
        nonlocal best
        missing = seats - len(table)
        if not missing:
            if best is None or weight > best[0]:
                best = weight, table
            return
        # Of its pairs with other candidates, a candidate can hope for half.
        hopes = sorted(
            ((joint + (missing - 1) / 2 * highest[who], joint, who) for joint, who in candidates), reverse=True
        )
        for at in range(len(hopes) - missing + 1):
            if best is not None and weight + sum(hope for hope, _, _ in hopes[at : at + missing]) <= best[0]:
                return
            _, joint, who = hopes[at]
            row = weights[who]
            extend(
                (*table, who),
                weight + joint,
                [(with_table + row[other], other) for _, with_table, other in hopes[at + 1 :] if other in row],
            )

    extend(begun, 0.0, candidates)
    return best
