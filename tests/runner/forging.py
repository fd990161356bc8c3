"""A result as somebody who cheats would deliver it."""

from __future__ import annotations

from dataclasses import replace

from arena.runner.orders import BlockReport


def forged(report: BlockReport) -> BlockReport:
    """The same block with a thousand points more for everybody in its first match."""
    first, *rest = report.matches
    seats = tuple(seat._replace(points=seat.points + 1000) for seat in first.seats)
    return replace(report, matches=(replace(first, seats=seats), *rest))
