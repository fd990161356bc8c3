"""Plays SheepZzz as it has learnt: every part of an option has a weight, and the heaviest option is chosen.

`train.py` finds the weights and writes them to `weights.json`; to play, these two files are enough without it.
"""

from __future__ import annotations

import json
import os
import random
import sys
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
WEIGHTS = os.path.join(HERE, "weights.json")

Weights = dict[str, float]


def parts_of(view: dict[str, Any], option: list[Any]) -> list[str]:
    """What is looked at: the words and cards of the option, while there is a deck and when there is none."""
    asked, late = view["question"]["options"], "late" if not view["deck"] else "early"
    return [f"{asked} {late} {place} {part}" for place, part in enumerate(option)]


def weight_of(weights: Weights, parts: list[str]) -> float:
    """The sum of what was learnt about the parts; nothing is known about the others."""
    return sum([weights.get(part, 0.0) for part in parts])


def read_weights(path: str = WEIGHTS) -> Weights:
    """As the training left them."""
    with open(path, encoding="utf-8") as file:
        weights: Weights = json.load(file)
    return weights


class Learner:
    """Chooses by weights that were learnt before."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights

    def choose(self, view: dict[str, Any], options: list[Any]) -> int:
        """The heaviest option; who has learnt nothing chooses by chance."""
        heavy = [(weight_of(self.weights, parts_of(view, option)), random.random()) for option in options]
        return heavy.index(max(heavy))


if __name__ == "__main__":
    # Appended, not put first: beside the kit lies a folder `random` that would hide the module.
    sys.path.append(os.path.dirname(HERE))
    from flock_bot import run  # type: ignore[import-not-found]

    run(Learner(read_weights()).choose, name="learner", games=["sheepzzz"])
