"""Small drawings made on the server, as SVG: numbers only go in, so nothing in them needs escaping."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from ladders.standings import Row

WIDTH = 160


class Scale(NamedTuple):
    """From which to which value a drawing reaches."""

    low: float
    high: float

    def at(self, value: float) -> int:
        """Where a value lies."""
        return round((value - self.low) / (self.high - self.low) * WIDTH)


def scale_of(rows: Sequence[Row]) -> Scale:
    """One scale for all bars of a board; a margin that is larger than all differences is cut off."""
    rated = [(row.elo, row.margin or 0) for row in rows if row.elo is not None]
    if not rated:
        return Scale(0, 1)
    lowest, highest = min(elo for elo, _ in rated), max(elo for elo, _ in rated)
    most = max(100.0, highest - lowest)
    low = min(elo - min(margin, most) for elo, margin in rated)
    high = max(elo + min(margin, most) for elo, margin in rated)
    return Scale(low - 10, high + 10)


def bar(row: Row, scale: Scale) -> Markup:
    """The 95 % interval as a bar, the number as a dot."""
    if row.elo is None:
        return Markup()
    middle, drawn = scale.at(row.elo), ""
    if row.margin is not None:
        low, high = max(0, scale.at(row.elo - row.margin)), min(WIDTH, scale.at(row.elo + row.margin))
        drawn = f'<path d="M{low} 7H{high}"/>'
    return Markup(f'<svg class="bar" viewBox="0 0 {WIDTH} 14">{drawn}<circle cx="{middle}" cy="7" r="4"/></svg>')


def share_bar(share: float) -> Markup:
    """A share of the whole width."""
    path = f'<path d="M0 7H{round(100 * share)}"/>'
    return Markup(f'<svg class="bar" viewBox="0 0 100 14" preserveAspectRatio="none">{path}</svg>')


def level(share: float) -> int:
    """A share against 50 % as one of nine steps, -4 to 4, for a scale of two colours."""
    return max(-4, min(4, round((share - 0.5) * 8)))
