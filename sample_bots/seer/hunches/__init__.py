"""Hunches: how a playout goes on beyond the tree, and how its last position is judged.

All that the seer knows about a single game stands in this folder and in the sample bots whose advice it takes;
for a game without a line here it guesses by chance and plays every world to its end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from random import random
from typing import Any, NamedTuple

from arena.game import Game, Option

Choose = Callable[[Any, list[Any]], int]
"""A bot as the kit knows it."""

FAR = 1_000_000


class Hunch(NamedTuple):
    """What is plugged into the search for one game."""

    guess: Callable[[Any, int, Sequence[Option]], int]
    """A quick answer for a seat of a world in which everything is known."""
    judge: Callable[[Any], Sequence[float]]
    """Scores to be expected from a position in which the game is not over."""
    horizon: int
    """Decisions after which a playout is judged, as soon as the searching seat has a turn again."""
    turn: str = ""
    """The question that begins a turn: positions compare best when the same seat is to move."""
    pause: str = ""
    """A question at which a playout is judged at once: nothing before it matters any more."""
    searched_after: int = 1
    """Visits after which a place in the tree is searched; before that the hunch plays, which costs less doubt."""
    prices: Callable[[Any, list[Any]], list[float]] | None = None
    """What the options of a view cost by rule of thumb, in points; there may be no such rule."""
    priced_from: int = 2
    """Seats at which the rule begins to help: the more others decide, the less a few playouts say."""


def by_chance(game: Game, seat: int, options: Sequence[Option]) -> int:  # noqa: ARG001
    """Any option."""
    return int(random() * len(options))


def all_equal(game: Game) -> list[float]:
    """Nothing can be said."""
    return [0.0] * game.seats


BLIND = Hunch(by_chance, all_equal, FAR)

# By game: the module here, and the sample bot that advises.
KNOWN = {
    "sheepzzz": ("sheepzzz", "shepherd"),
    "herr-der-ziegen": ("herr_der_ziegen", "goatherd"),
    "volle-wolle": ("volle_wolle", "bidder"),
    "wolfpack": ("wolfpack", "alpha"),
}


def hunch_for(game: str) -> tuple[Hunch, Choose | None]:
    """What is known about a game: a hunch, and an adviser if there is one."""
    if game not in KNOWN:
        return BLIND, None
    module, adviser = KNOWN[game]
    hunch: Hunch = import_module(f"sample_bots.seer.hunches.{module}").HUNCH
    try:
        choose: Choose = import_module(f"sample_bots.{adviser}.bot").choose
    except ImportError:
        return hunch, None
    return hunch, choose
