"""A hunch for Herr der Ziegen: play and take what gives most hope of winning a breed."""

from __future__ import annotations

from collections.abc import Sequence
from random import random
from typing import Any

from arena.game import Option
from arena.games.herr_der_ziegen import DECIDING, MAJORITY, HerrDerZiegen, milk_points
from arena.games.herr_der_ziegen_components import BREED_OF, DOG, VALUE_OF
from arena.zones import Face
from sample_bots.goatherd.bot import PRICES
from sample_bots.seer.hunches import Hunch

MILK = {"milk1": 1.5, "milk2": 3.0}
MILK_IN_HAND = 0.8
DOG_IN_HAND = 1.0
DOG_PLAYED = -0.5
DEAD_CARD = -0.5
STAYS = 0.8  # of a breed, on the pasture
PLAYED_IN_TIME = 0.93
BEGUN, HARDLY_BEGUN = 0.35, 0.15
BLUR = 0.3
HOPES_COME_TRUE = 0.7
ALL_VALUES = 15

Breed = tuple[int, int, int, list[int]]
"""Of one breed: the sum in front of me, the best of the others, cards in front of all, and the values I hold."""


def guess(game: HerrDerZiegen, seat: int, options: Sequence[Option]) -> int:
    """By the question asked; swaps are refused."""
    if len(options) == 1:
        return 0
    assert game.question is not None
    asked = game.question.options
    if asked == "plays":
        breeds = _breeds_of(game, seat)
        worth = [_worth_of_play(game, seat, option[1], breeds) + BLUR * random() for option in options]
    elif asked == "takes":
        breeds = _breeds_of(game, seat)
        worth = [_worth_of_take(game, option[1], breeds) + BLUR * random() for option in options]
    elif asked == "dog_moves":
        worth = [_worth_of_lead(game, seat, option) for option in options]
    elif asked == "consents":
        return 0
    else:
        return int(random() * len(options))
    return worth.index(max(worth))


def _breeds_of(game: HerrDerZiegen, seat: int) -> dict[int, Breed]:
    """What matters of every breed not decided yet, if a card of it lies in front or is held."""
    breeds, values, owners = game.breeds, game.values, game.owners
    found: dict[int, Breed] = {}
    for owner, front in enumerate(game.fronts):
        sums: dict[int, list[int]] = {}
        for card in front.cards:
            breed = breeds[card]
            if breed >= 0 and owners[breed] is None:
                sums.setdefault(breed, []).append(values[card])
        for breed, row in sums.items():
            mine, rival, out, held = found.get(breed, (0, 0, 0, []))
            if owner == seat:
                mine = sum(row)
            else:
                rival = max(rival, sum(row))
            found[breed] = mine, rival, out + len(row), held
    for card in game.hands[seat].cards:
        breed = breeds[card]
        if breed >= 0 and owners[breed] is None:
            mine, rival, out, held = found.get(breed, (0, 0, 0, []))
            found[breed] = mine, rival, out, [*held, values[card]]
    return found


NOTHING: Breed = (0, 0, 0, [])


def _hope(breed: Breed) -> float:
    """Points a breed may bring: what will stay on the pasture, times the chance to win it."""
    total, rival, out, held = breed
    prize = STAYS * max(0, ALL_VALUES - total - sum(held) - rival)
    chance = 1.0
    for value in sorted(held, reverse=True):
        total, out, chance = total + value, out + 1, chance * PLAYED_IN_TIME
        if total >= MAJORITY or out == DECIDING:
            return chance * prize if total >= rival else 0.0
    return chance * prize * (BEGUN if total >= 3 else HARDLY_BEGUN) * total / MAJORITY


def _worth_of_take(game: HerrDerZiegen, face: Face, breeds: dict[int, Breed]) -> float:
    if face == DOG:
        return DOG_IN_HAND
    if face in MILK:
        return MILK_IN_HAND * MILK[face]
    breed = BREED_OF[face]
    if game.owners[breed] is not None:
        return DEAD_CARD
    before = breeds.get(breed, NOTHING)
    mine, rival, out, held = before
    return _hope((mine, rival, out, [*held, VALUE_OF[face]])) - _hope(before)


def _worth_of_play(game: HerrDerZiegen, seat: int, face: Face, breeds: dict[int, Breed]) -> float:
    """What the card brings, and the best that can be taken where it leads."""
    steps, breed = VALUE_OF[face], BREED_OF.get(face)
    worth = DOG_PLAYED if face == DOG else MILK.get(face, 0.0)
    if breed is not None and game.owners[breed] is None:
        before = breeds[breed]
        mine, rival, out, held = before
        rest = held[:]
        rest.remove(steps)
        after: Breed = (mine + steps, rival, out + 1, rest)
        worth += _hope_once_played(after) - _hope(before)
        breeds = {**breeds, breed: after}
    line = game.land.lines[(game.positions[seat] + steps) % len(game.land.lines)]
    faces = [
        game.faces[cards[0]]
        for cell, _, _ in line
        if game.marks[cell] is None and (cards := game.pasture[cell].cards)
    ]
    return worth + max([_worth_of_take(game, other, breeds) for other in faces], default=0.0)


def _hope_once_played(breed: Breed) -> float:
    """Perhaps it is decided now."""
    total, rival, out, held = breed
    if total < MAJORITY and out < DECIDING:
        return _hope(breed)
    prize = STAYS * max(0, ALL_VALUES - total - sum(held) - rival)
    return 1.3 * prize if total >= rival else -prize / 2


def _worth_of_lead(game: HerrDerZiegen, seat: int, option: Option) -> float:
    """A goat beside the own stable counts twice; nobody is asked."""
    if option[0] != "lead":
        return 0.0 if option[0] == "none" else -1.0
    cell = option[2] * game.land.side + option[3]
    return float(VALUE_OF[option[1]]) if cell in game.doors[seat] and game.marks[cell] is None else -1.0


def judge(game: HerrDerZiegen) -> list[float]:
    """The score if the game were over; among several also a good part of what may be hoped for in open breeds."""
    milk = milk_points(game.milk, game.rules)
    scores = [float(game.goat_points(seat) + milk[seat]) for seat in range(game.seats)]
    if game.seats > 2:
        for seat in range(game.seats):
            scores[seat] += HOPES_COME_TRUE * sum(map(_hope, _breeds_of(game, seat).values()))
    return scores


def prices(view: Any, options: list[Any]) -> list[float]:
    """As the sample bot sees it."""
    price = PRICES[view["question"]["options"]]
    return [-price(view, option) for option in options]


HUNCH = Hunch(guess, judge, horizon=16, turn="plays", prices=prices, priced_from=3)
