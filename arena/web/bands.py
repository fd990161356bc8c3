"""A board's past: ratings with their 95 % margins after some of its blocks, each from all results up to there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ladders.ledger import Ledger
from ladders.ratings.bradley_terry import rate
from ladders.ratings.settings import RatingSettings

POINTS = 16

Rated = dict[str, tuple[float, float]]
"""Elo and margin by bot; who had none is not in it."""

Rows = Sequence[tuple[int, ...]]


@dataclass(frozen=True)
class Bands:
    """The same blocks for all bots; None where a bot had no margin yet."""

    blocks: list[int]
    lines: dict[str, list[tuple[float, float] | None]]


def points_of(count: int) -> list[int]:
    """How many blocks each point counts: multiples of a power of two, so that old points stay, and all."""
    step = 1
    while count > POINTS * step:
        step *= 2
    return [*range(step, count, step), count] if count else []


def bands_of(rows: Rows, names: Mapping[int, str], settings: RatingSettings) -> Bands:
    """From rows as the store gives them."""
    ordered = sorted(rows)
    ends = {row[0]: at for at, row in enumerate(ordered, 1)}
    numbers = list(ends)
    blocks = [numbers[count - 1] for count in points_of(len(numbers))]
    rated = [_rated(ordered[: ends[number]], names, settings) for number in blocks]
    return Bands(blocks, {bot: [point.get(bot) for point in rated] for bot in sorted(names.values())})


def _rated(rows: Rows, names: Mapping[int, str], settings: RatingSettings) -> Rated:
    found = rate(Ledger.from_rows(rows, names), settings)
    return {
        bot: (round(elo, 1), round(margin, 1))
        for bot, elo, margin in zip(found.bots, found.values, found.margins, strict=True)
        if elo is not None and margin is not None
    }
