"""Teaches the learner SheepZzz by playing against chance: a policy gradient over a table of weights.

    python -m sample_bots.learner.train [games]

Needs the package `arena` with the extra `rl`.  Three thousand games take about ten seconds; it no longer
loses to chance after three hundred.
"""

from __future__ import annotations

import json
import math
import random
import sys
from collections.abc import Sequence
from typing import Any

from arena.game import Game, Option
from arena.games import GAMES
from arena.rl import playouts
from sample_bots.learner.bot import WEIGHTS, Weights, parts_of, weight_of

STEP = 0.02
GAMES_TO_LEARN = 3_000


class Pupil:
    """A seat that tries options by their weights, and remembers what it tried."""

    def __init__(self, weights: Weights, seed: int) -> None:
        self.weights, self.random = weights, random.Random(seed)
        self.seat = 0
        self.tried: list[tuple[list[list[str]], list[float], int]] = []

    def policy(self, game: Game, seat: int, options: Sequence[Option]) -> int:
        """The pupil on its own seat, chance on the others."""
        if seat != self.seat or len(options) == 1:
            return self.random.randrange(len(options))
        view = game.view(seat)
        parts = [parts_of(view, list(option)) for option in options]
        heavy = [weight_of(self.weights, some) for some in parts]
        most = max(heavy)
        odds = [math.exp(weight - most) for weight in heavy]
        choice = self.random.choices(range(len(odds)), odds)[0]
        self.tried.append((parts, [odd / sum(odds) for odd in odds], choice))
        return choice

    def learn(self, reward: float) -> None:
        """Make what was tried likelier after a good game, and less likely after a bad one."""
        for parts, odds, choice in self.tried:
            for index, (some, odd) in enumerate(zip(parts, odds, strict=True)):
                change = STEP * reward * ((index == choice) - odd)
                for part in some:
                    self.weights[part] = self.weights.get(part, 0.0) + change
        self.tried.clear()


def train(games: int, seed: int = 1) -> Weights:
    """The weights after so many games."""
    weights: Weights = {}
    pupil = Pupil(weights, seed)
    expected = 0.0
    for number, outcome in enumerate(playouts(GAMES["sheepzzz"], pupil.policy, games, seed=seed)):
        mine, other = outcome.scores[pupil.seat], outcome.scores[1 - pupil.seat]
        reward = (other - mine) / 50  # pillows tell more than who won
        pupil.learn(reward - expected)
        expected += 0.05 * (reward - expected)
        pupil.seat = (number + 1) % 2
    return weights


def main(arguments: Sequence[Any]) -> None:
    """Learn, and write the weights beside the bot."""
    weights = train(int(arguments[0]) if arguments else GAMES_TO_LEARN)
    with open(WEIGHTS, "w", encoding="utf-8") as file:
        json.dump({part: round(weight, 2) for part, weight in sorted(weights.items())}, file, indent=0)
        file.write("\n")


if __name__ == "__main__":
    main(sys.argv[1:])
