"""Live Elo: every finished block moves its players at once, with steps that shrink as a bot plays.

Blocks count in the order of their numbers, as far as no number is missing; so the same blocks give the same
ratings in whatever order they ended, and a restart from any checkpoint gives the same bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ladders.ledger import Ledger
from ladders.ratings import Rating
from ladders.ratings.settings import RatingSettings


def rate(ledger: Ledger, settings: RatingSettings) -> Rating:
    """Where the bots stand after the last block without a gap; live Elo knows no errors."""
    after = play(ledger, settings).checkpoint
    unknown = (None,) * len(ledger.bots)
    return Rating(ledger.bots, tuple(after.ratings.get(bot) for bot in ledger.bots), unknown, unknown)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """All that later blocks depend on.  Whoever is not listed starts at the base with no games."""

    next_block: int
    """The watermark: every block below has been counted."""

    ratings: Mapping[str, float] = field(default_factory=dict)
    games: Mapping[str, int] = field(default_factory=dict)

    def as_data(self) -> dict[str, Any]:
        """For JSON or msgpack, with every bit of the ratings."""
        return {"next_block": self.next_block, "ratings": dict(self.ratings), "games": dict(self.games)}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Checkpoint:
        """The way back from `as_data`."""
        return cls(data["next_block"], data["ratings"], data["games"])


@dataclass(frozen=True, slots=True)
class LiveElo:
    """Where play has led, and the way there."""

    checkpoint: Checkpoint
    history: dict[str, list[tuple[int, float]]]
    """Per bot: after which block it had which rating; from the given checkpoint on."""


def play(ledger: Ledger, settings: RatingSettings | None = None, after: Checkpoint | None = None) -> LiveElo:
    """Count the ledger's blocks that follow the checkpoint; earlier ones are passed over."""
    settings = settings or RatingSettings()
    after = after or Checkpoint(settings.first_block)
    rating = [float(after.ratings.get(bot, settings.base)) for bot in ledger.bots]
    games = [after.games.get(bot, 0) for bot in ledger.bots]
    odds = [10 ** (value / 400) for value in rating]
    history: list[list[tuple[int, float]]] = [[] for _ in ledger.bots]
    following = after.next_block
    void = set(ledger.void)
    for number, matches, players, half_beaten in _in_order(ledger):
        if number < following:
            continue
        while following in void:
            following += 1
        if number != following:
            break
        following += 1
        at_start = [odds[bot] for bot in players]
        for bot, mine, half in zip(players, at_start, half_beaten, strict=True):
            expected = -0.5  # against itself, which the sum below includes
            for theirs in at_start:
                expected += mine / (mine + theirs)
            k = settings.constant_k or settings.live_gain / (games[bot] + settings.live_offset + matches)
            rating[bot] += k / (len(players) - 1) * (0.5 * half - matches * expected)
            games[bot] += matches
            odds[bot] = 10 ** (rating[bot] / 400)
            history[bot].append((number, rating[bot]))
    while following in void:
        following += 1
    checkpoint = Checkpoint(
        following,
        {**after.ratings, **{bot: value for bot, value, n in zip(ledger.bots, rating, games, strict=True) if n}},
        {**after.games, **{bot: n for bot, n in zip(ledger.bots, games, strict=True) if n}},
    )
    return LiveElo(checkpoint, dict(zip(ledger.bots, history, strict=True)))


def _in_order(ledger: Ledger) -> Iterator[tuple[int, int, list[int], list[int]]]:
    """Every block by number: number, matches, players, and twice how many each has beaten in all its matches."""
    rows: list[tuple[int, int, list[int], list[int]]] = []
    for tables in ledger.tables:
        beaten = np.asarray(tables.per_block(tables.half_beaten)).T.tolist()
        columns = tables.numbers.tolist(), tables.matches.tolist(), tables.bots.T.tolist(), beaten
        rows += zip(*columns, strict=True)
    return iter(sorted(rows) if len(ledger.tables) > 1 else rows)
