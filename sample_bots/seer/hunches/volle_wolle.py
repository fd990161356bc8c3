"""A hunch for Volle Wolle: bid in the middle, keep good dice, take what is worth most to this flock."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import random

from arena.game import Option
from arena.games.volle_wolle import DICE, VolleWolle
from arena.games.volle_wolle_cards import BONE, DOG, sheep_on
from arena.zones import Face
from sample_bots.seer.hunches import Hunch

read = cache(sheep_on)
CHIPS_WELL_SPENT = 2
CHIPS_AGAINST_BLACK = 3


def guess(game: VolleWolle, seat: int, options: Sequence[Option]) -> int:
    """By the question asked."""
    if len(options) == 1:
        return 0
    assert game.question is not None
    asked = game.question.options
    if asked == "bids":
        return min(len(options) - 1, int(2 + 6 * random()))
    if asked == "claims":
        return 0 if options[0][1] <= CHIPS_WELL_SPENT else 1
    if asked == "rescues":
        return 0 if options[0][1] <= CHIPS_AGAINST_BLACK else 1
    if asked == "keeps":
        dice = dict(zip(DICE, game.dice, strict=True))
        worth = [dice[option[1]] - option[1] / 2 for option in options]
    elif asked == "tops":
        worth = [float(read(option[1]).mod) for option in options]
    else:
        worth = _worth_of_picks(game, seat, options)
    return worth.index(max(worth))


def _worth_of_picks(game: VolleWolle, seat: int, options: Sequence[Option]) -> list[float]:
    kinds = [game.sheep[card].kind for card in game.flocks[seat].cards]
    special: dict[Face, float] = {
        "007": (6, 9, 21)[kinds.count("007") % 3],
        "370": (3, 11, -14)[kinds.count("370") % 3],
        DOG: -7 if game.beside[seat].cards else 9,
        BONE: 4,
    }
    worth = []
    for option in options:
        total = random()
        for face in option[1:]:
            if face in special:
                total += special[face]
            else:
                sheep = read(face)
                total += special.get(sheep.kind, sheep.points)
        worth.append(total)
    return worth


def judge(game: VolleWolle) -> list[float]:
    """The score if the deck were empty now."""
    return [game.score(seat) for seat in range(game.seats)]


HUNCH = Hunch(guess, judge, horizon=24, turn="bids")
