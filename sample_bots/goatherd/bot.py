"""Plays Herr der Ziegen by rules of thumb: every option is priced in points, and the dearest is chosen.

It looks to the end of its own turn.  What it hopes for in a breed is what would be left on the pasture,
times its chance to win the breed with the cards it has, holds and could still take.
"""

from __future__ import annotations

import os
import random
import sys
from math import isqrt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    View = dict[str, Any]

BREEDS = "ABCDEFGHIJKLMNOPQR"
MAJORITY, DECIDING = 8, 4

# Points and chances, found by playing with others.
MILK = {"milk1": 1.5, "milk2": 3.0}
DOG_IN_HAND = 1.0
LAST_WORD = 40.0
UNSEEN_COMES_UP = 0.8
PLAYED_IN_TIME = 0.95
TAKEN_IN_TIME = 0.35
SOMEHOW = 0.15


def choose(view: View, options: list[list[Any]]) -> int:
    """The index of the dearest option; equal ones are drawn for."""
    price = PRICES[view["question"]["options"]]
    prices = [(price(view, option), random.random()) for option in options]
    return prices.index(max(prices))


def price_of_play(view: View, option: list[Any]) -> float:
    """What the card brings, and the best that can be taken where it leads."""
    me, card = view["seat"], option[1]
    hand = list(view["hands"][me])
    hand.remove(card)
    fronts = put(view["fronts"], me, [*view["fronts"][me], card])
    after = {**view, "hands": put(view["hands"], me, hand), "fronts": fronts}
    brings = MILK.get(card, 0.0)
    if card == "dog":  # kept until it can swing a goat home
        brings = max([gain_of_swap(view, *swap) for swap in swaps(view)], default=0.0) - DOG_IN_HAND
    line = takeable(view, view["positions"][me] + value(card))
    if line:
        return brings + max(price_of_taking(after, cell, card) for cell in line)
    scores = [score(view, seat) for seat in range(view["seats"])]
    return brings + hope_of_all(after, card) + (LAST_WORD if scores[me] == max(scores) else -LAST_WORD)


def price_of_take(view: View, option: list[Any]) -> float:
    return price_of_taking(view, option[2] * side(view) + option[3], view["question"]["context"][0])


def price_of_taking(view: View, cell: int, played: str) -> float:
    """What can be hoped for once the card is in the hand and off the pasture."""
    me, taken = view["seat"], view["pasture"][cell][0]
    hands = put(view["hands"], me, [*view["hands"][me], taken])
    held = DOG_IN_HAND if taken == "dog" else 0.8 * MILK.get(taken, 0.0)
    return held + hope_of_all({**view, "hands": hands, "pasture": put(view["pasture"], cell, [])}, played)


def hope_of_all(view: View, played: str) -> float:
    cards = [*view["hands"][view["seat"]], *view["fronts"][view["seat"]]]
    open_breeds = [breed for breed, owner in zip(BREEDS, view["owners"], strict=False) if owner is None]
    return sum(hope(view, breed, played) for breed in open_breeds if values_of(breed, cards))


def hope(view: View, breed: str, played: str) -> float:
    """Points a breed may bring: what stays on the pasture, times the chance to win it."""
    me, marks = view["seat"], view["marks"]
    rows = [values_of(breed, front) for front in view["fronts"]]
    held = [values_of(breed, hand) for hand in view["hands"]]
    grazing = {value(heap[0]): cell for cell, heap in enumerate(view["pasture"]) if heap and heap[0][0] == breed}
    unseen = {1, 2, 3, 4, 5}.difference(grazing, *rows, *held)
    near = {*view["doors"][me], *(other for cell in at_home(view, me, marks) for other in neighbours(view, cell))}
    left = sum(points * (2 if cell in near else 1) for points, cell in grazing.items())
    prize = left + UNSEEN_COMES_UP * sum(unseen)
    total, out = sum(rows[me]), sum(map(len, rows))
    rival = max(sum(row) for seat, row in enumerate(rows) if seat != me)
    if played[0] == breed and (total >= MAJORITY or out == DECIDING):
        return prize if total >= rival else -prize / 2
    chance = 1.0
    for points in sorted(held[me], reverse=True):
        total, out, chance = total + points, out + 1, chance * PLAYED_IN_TIME
        if total >= MAJORITY or out == DECIDING:
            return chance * prize if total >= rival else 0.0
    enough = [points for points in grazing if total + points >= MAJORITY]
    if enough:
        return chance * TAKEN_IN_TIME * (prize - min(enough))
    return chance * SOMEHOW * prize * total / MAJORITY


def price_of_dog_move(view: View, option: list[Any]) -> float:
    """Asking costs nothing: after a refusal there is another choice."""
    if option[0] == "none":
        return 0.0
    return gain_of_swap(view, view["pasture"].index([option[1]]), option[2] * side(view) + option[3])


def price_of_consent(view: View, option: list[Any]) -> float:
    """Refuse, unless it costs nothing and helps who is behind."""
    proposer, cell, other = view["question"]["context"]
    behind = score(view, proposer) < score(view, view["seat"])
    return float((option[0] == "yes") == (behind and gain_of_swap(view, cell, other) >= 0))


def price_of_marking(view: View, option: list[Any]) -> float:
    chosen = {view["pasture"].index([goat]) for goat in option[1:]}
    marks = [view["seat"] if cell in chosen else owner for cell, owner in enumerate(view["marks"])]
    return goat_points(view, view["seat"], view["pasture"], marks)


def swaps(view: View) -> Iterable[tuple[int, int]]:
    """Where a dog could lead the own goats without asking."""
    wide, me, marks = side(view), view["seat"], view["marks"]
    for cell in [cell for cell, owner in enumerate(marks) if owner == me]:
        row, column = divmod(cell, wide)
        for other in (*range(row * wide, (row + 1) * wide), *range(column, wide * wide, wide)):
            if view["pasture"][other] and marks[other] in (None, me):
                yield cell, other


def gain_of_swap(view: View, cell: int, other: int) -> float:
    pasture, marks = list(view["pasture"]), list(view["marks"])
    before = goat_points(view, view["seat"], pasture, marks)
    for row in (pasture, marks):
        row[cell], row[other] = row[other], row[cell]
    return goat_points(view, view["seat"], pasture, marks) - before


def score(view: View, seat: int) -> float:
    return goat_points(view, seat, view["pasture"], view["marks"]) + float(view["milk"][seat])


def goat_points(view: View, seat: int, pasture: list[list[str]], marks: list[int | None]) -> int:
    herd = [cell for cell, owner in enumerate(marks) if owner == seat]
    return sum(value(pasture[cell][0]) for cell in (*herd, *at_home(view, seat, marks)))


def at_home(view: View, seat: int, marks: list[int | None]) -> set[int]:
    """The marked cells connected with a stable."""
    home: set[int] = set()
    reached = [cell for cell in view["doors"][seat] if marks[cell] == seat]
    while reached:
        cell = reached.pop()
        home.add(cell)
        reached += [other for other in neighbours(view, cell) if marks[other] == seat and other not in home]
    return home


def neighbours(view: View, cell: int) -> list[int]:
    wide = side(view)
    beside = [cell - 1] * (cell % wide > 0) + [cell + 1] * (cell % wide < wide - 1)
    return beside + [other for other in (cell - wide, cell + wide) if 0 <= other < wide * wide]


def takeable(view: View, position: int) -> list[int]:
    """The cells of the faced line that hold a card without a small goat."""
    wide = side(view)
    edge, place = divmod(position % (4 * wide), wide)
    line = place if edge < 2 else wide - 1 - place
    cells = range(line * wide, (line + 1) * wide) if edge % 2 else range(line, wide * wide, wide)
    return [cell for cell in cells if view["pasture"][cell] and view["marks"][cell] is None]


def side(view: View) -> int:
    return isqrt(len(view["pasture"]))


def put(rows: list[Any], place: int, row: list[str]) -> list[Any]:
    return [*rows[:place], row, *rows[place + 1 :]]


def values_of(breed: str, faces: Iterable[str | None]) -> list[int]:
    return [value(face) for face in faces if face is not None and face[0] == breed]


def value(face: str) -> int:
    return 0 if face == "dog" else int(face[-1])


PRICES = {
    "plays": price_of_play, "takes": price_of_take, "dog_moves": price_of_dog_move,
    "consents": price_of_consent, "markings": price_of_marking,
}  # fmt: skip

if __name__ == "__main__":
    sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    from flock_bot import run  # type: ignore[import-not-found]

    run(choose, name="goatherd", games=["herr-der-ziegen"])
