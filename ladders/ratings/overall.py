"""One number across several games.  Results are never pooled: the ratings of each game are added up."""

from __future__ import annotations

import math
from collections.abc import Mapping

from ladders.ratings import Rating
from ladders.ratings.distributions import Z95


def overall(
    games: Mapping[str, Rating], weights: Mapping[str, float] | None = None, base: float = 1500.0
) -> Rating:
    """The weighted sum of what each game's rating is above the base, for bots rated in all of them (ratings §8.3).

    Weights are equal, and add up to one, unless they are given.
    """
    if not games:
        raise ValueError("an overall rating needs the ratings of at least one game")
    weights = weights or dict.fromkeys(games, 1 / len(games))
    strangers = set(weights) ^ set(games)
    if strangers:
        raise ValueError(f"weights and games differ in {', '.join(sorted(strangers))}")
    bots = tuple(sorted({bot for rating in games.values() for bot in rating.bots}))
    values: list[float | None] = []
    errors: list[float | None] = []
    for bot in bots:
        terms = [(weights[game], *_of(rating, bot)) for game, rating in sorted(games.items())]
        above = [weight * (value - base) for weight, value, _ in terms if value is not None]
        squares = [(weight * error) ** 2 for weight, _, error in terms if error is not None]
        values.append(math.fsum(above) if len(above) == len(terms) else None)
        errors.append(math.sqrt(math.fsum(squares)) if len(squares) == len(terms) else None)
    margins = tuple(None if error is None else Z95 * error for error in errors)
    return Rating(bots, tuple(values), tuple(errors), margins)


def _of(rating: Rating, bot: str) -> tuple[float | None, float | None]:
    if bot not in rating.bots:
        return None, None
    at = rating.bots.index(bot)
    return rating.values[at], rating.errors[at]
