"""Plays SheepZzz by rules of thumb: every option is priced in pillows and the cheapest is chosen.

It looks one move ahead, keeps no memory, and guesses nothing about the hands of others.
"""

from __future__ import annotations

import os
import random
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

WOLF = "W"
SHEEP = range(1, 20)
COPIES = [4, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 4, 3, 3, 3, 2, 2, 1, 1, 1]  # wolves first, as number 0
NUMBER_OF = {WOLF: 0}
POWERS = {1, 2, 3, 17, 18, 19}

# Prices in pillows, found by letting the bot play against itself with other prices.
PILLOWS_UNSEEN = 1.5
ROOM = 0.04
BASE = 0.6
STUCK = 0.1
HELD = 0.1
LATE = 1.0
HURT = 0.5
WOLFKEPT=4.0
WDEC=0.0
CH=0.0
C0=1.0
NEXT=0.0
EXTRA=3.0


def choose(view: dict[str, Any], options: list[list[Any]]) -> int:
    price = {"flocks": price_of_flock, "moves": price_of_move, "powers": price_of_power}[view["question"]["options"]]
    prices = [(price(view, option), random.random()) for option in options]
    return prices.index(min(prices))


def price_of_flock(view: dict[str, Any], option: list[Any]) -> float:
    return danger(view, hand_of(view), view["piles"], option == ["ascending"])


def price_of_move(view: dict[str, Any], option: list[Any]) -> float:
    if option[0] == "take":
        return price_of_taking(view, *option[1:])
    if option[1] == WOLF:
        return price_of_wolf(view, option[2])
    return price_of_sheep(view, option[1], option[2])


def price_of_sheep(view: dict[str, Any], face: str, k: int) -> float:
    piles = list(view["piles"])
    piles[k] = [*piles[k], face]
    rest = without(hand_of(view), face)
    return danger(view, rest, piles, view["ascending"]) - gain(view, face, piles)


def price_of_taking(view: dict[str, Any], k: int, start: str | None = None) -> float:
    hand = hand_of(view)
    cost = cost_of(view["piles"][k])
    if start is None:
        # everybody's hand counts
        return cost + cost_of(hand) 
    piles = list(view["piles"])
    piles[k] = [start]
    return cost + danger(view, without(hand, start), piles, view["ascending"]) - gain(view, start, piles) + EXTRA


def price_of_wolf(view: dict[str, Any], k: int) -> float:
    pile = [*view["piles"][k], WOLF]
    rest = without(hand_of(view), WOLF)
    total = 0.0
    asc = not view["ascending"]
    for drawn in pile:
        piles = list(view["piles"])
        if drawn == WOLF:
            piles[k] = []
            total += cost_of(pile) + danger(view, rest, piles, asc)
        else:
            piles[k] = [*without(pile, drawn), drawn]
            total += danger(view, rest, piles, asc)
    return total / len(pile)


def gain(view, face, piles):
    if number(face) not in POWERS: return 0.0
    unseen = unseen_numbers(view)
    return HURT * max(trap(view, unseen, pile, 5) for pile in piles if pile)


def trap(view, unseen, pile, cards) -> float:
    fit = 1-chance(unseen, {0}|FITS[view["ascending"]][number(pile[-1])], cards)
    return fit * cost_of(pile)

def chance(unseen, wanted, cards):
    q = sum(unseen[n] for n in wanted) / max(1,sum(unseen))
    return 1 - (1 - q) ** cards


def unseen_numbers(view):
    left = COPIES[:]
    for heap in (*view["hands"], *view["piles"], *view["taken"]):
        for face in heap:
            if face is not None:
                left[number(face)] -= 1
    return left


def danger(view, rest, piles, ascending) -> float:
    late = 1.0 / (1.0 + LATE*len(view["deck"]) / view["seats"])
    held = cost_of(rest) * (HELD + (1-HELD)*late) - WOLFKEPT*(1-late*WDEC)*rest.count(WOLF)
    tops = [number(pile[-1]) for pile in piles if pile]
    f = FITS[ascending]
    pairs = sum(number(face) in f[top] for face in rest for top in tops)
    cheapest = min([cost_of(pile) for pile in piles if pile], default=0)
    room = sum(19 - top if ascending else top - 1 for top in tops)
    if not view["deck"]: room*=0.3
    return held + STUCK * BASE ** pairs * (CH*cheapest+C0) - ROOM * room


def price_of_power(view: dict[str, Any], option: list[Any]) -> float:
    if option == ["none"]:
        return 0.0
    word, *target = option
    seats, totals = view["seats"], view["totals"]
    direction = -view["direction"] if word == "reverse" else view["direction"]
    if len(target) == 2:
        who = target[0]
    else:
        who = view["seat"]
        while True:
            who = (who + direction) % seats
            if view["hands"][who]: break
    if who == view["seat"]: return 0
    if not target: return 0
    unseen = unseen_numbers(view)
    standing = [t + cost_of(h) for t, h in zip(totals, view["taken"])]
    w = 1 + 0.02*(max(standing)-standing[who])
    return -trap(view, unseen, view["piles"][target[-1]], len(view["hands"][who])) * w


def cost_of(cards): return sum(map(pillows, cards))
def without(cards, face):
    cards = list(cards)
    cards.remove(face)
    return cards


FITS = {True: [{n for n in SHEEP if n > t or n == t - 10} for t in range(20)],
        False: [{n for n in SHEEP if n < t or n == t + 10} for t in range(20)]}
from functools import lru_cache
@lru_cache(None)
def number(face: str) -> int:
    return 0 if face == WOLF else int(face.partition("/")[0])


@lru_cache(None)
def pillows(face: str | None) -> float:
    if face is None:
        return PILLOWS_UNSEEN
    return 3 if face == WOLF else int(face.partition("/")[2])


def hand_of(view: dict[str, Any]) -> list[str]:
    return list(view["hands"][view["seat"]])


if __name__ == "__main__":
    sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    from flock_bot import run  # type: ignore[import-not-found]

    run(choose, name="greedy", games=["sheepzzz"])
