"""Plays SheepZzz by rules of thumb: every option has a price in pillows, and the cheapest is chosen.

It looks one move ahead and keeps no memory: a view already shows every card that was ever laid open.
"""

from __future__ import annotations

import os
import random
import sys

# `typing` loads slowly, and nothing but annotations needs it.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    View = dict[str, Any]
    Option = list[Any]
    Pile = list[str | None]

WOLF = "W"
WOLF_PILLOWS = 3
POWERS = {1, 2, 3, 17, 18, 19}
COPIES = [4, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 4, 3, 3, 3, 2, 2, 1, 1, 1]  # of the wolf, then of 1 to 19

# Prices in pillows, found by playing some thousand matches with others.
ROOM = 0.04  # for each number a pile can no longer count on
TAKING = 3.0  # on top of its pillows: a pile left lying costs nobody anything
WOLF_KEPT = 4.0  # a wolf in the hand is the way out when nothing fits
HARM = 0.5  # of what an imposed pile costs somebody else

UNKNOWN_NUMBER, UNKNOWN_PILLOWS = 10, 1.5  # when the variant shows nothing but the tops of piles


def choose(view: View, options: list[Option]) -> int:
    """The cheapest option; among equals chance decides, so that no seat is always the victim."""
    asked = view["question"]["options"]
    price_of = {"flocks": price_of_flock, "moves": price_of_move, "powers": price_of_power}[asked]
    prices = [(price_of(view, option), random.random()) for option in options]
    return prices.index(min(prices))


def price_of_flock(view: View, option: Option) -> float:
    """Let the flock count the way in which more of the hand fits."""
    ascending = option == ["ascending"]
    tops = [number(pile[-1]) for pile in view["piles"]]
    return -sum(fits(number(face), top, ascending) for face in hand(view) for top in tops)


def price_of_move(view: View, option: Option) -> float:
    match option:
        case ["play", "W", k]:
            return price_of_wolf(view, k)
        case ["play", sheep, k]:
            return price_of_laying(view, sheep, k, [*view["piles"][k], sheep])
        case ["take", k, sheep]:
            return price_of_taking(view["piles"][k]) + price_of_laying(view, sheep, k, [sheep])
        case [_, k]:
            return price_of_taking(view["piles"][k])
    raise ValueError(f"no move of SheepZzz: {option}")


def price_of_laying(view: View, sheep: str, k: int, laid: Pile) -> float:
    """Small steps and resets by ten leave room; late in the round costly cards must go."""
    room_used = room(view["piles"][k][-1], view["ascending"]) - room(sheep, view["ascending"])
    price = ROOM * room_used - lateness(view) * pillows(sheep)
    if number(sheep) not in POWERS:
        return price
    piles = [laid if place == k else pile for place, pile in enumerate(view["piles"])]
    return price - HARM * max(trap(view, pile, 5) for pile in piles if pile)


def price_of_taking(pile: Pile) -> float:
    """Pillows count, cards do not."""
    return TAKING + cost(pile)


def price_of_wolf(view: View, k: int) -> float:
    """Best on a long pile without wolves, or when the hand would otherwise have to take."""
    pile: Pile = view["piles"][k]
    turned = not view["ascending"]
    eaten = (pile.count(WOLF) + 1) / (len(pile) + 1)
    room_now = sum(room(other[-1], not turned) for other in view["piles"] if other)
    room_beside = sum(room(other[-1], turned) for other in view["piles"] if other and other is not pile)
    room_drawn = sum(room(drawn, turned) for drawn in pile if drawn != WOLF) / (len(pile) + 1)
    price = WOLF_KEPT - lateness(view) * WOLF_PILLOWS + ROOM * (room_now - room_beside - room_drawn)
    return price + eaten * (cost(pile) + WOLF_PILLOWS)


def price_of_power(view: View, option: Option) -> float:
    """Impose the pile that traps best, and rather on who leads."""
    word, *target = option
    if not target:
        return 0.0
    victim = target[0] if len(target) == 2 else next_seat(view, turned=word == "reverse")
    standing = [total + cost(taken) for total, taken in zip(view["totals"], view["taken"], strict=True)]
    lead: float = max(standing) - standing[victim]
    return -trap(view, view["piles"][target[-1]], len(view["hands"][victim])) * (1 + lead / 50)


def trap(view: View, pile: Pile, cards: int) -> float:
    """What imposing a pile costs: its pillows, if none of that many unseen cards fits."""
    unseen = COPIES[:]
    for heap in (*view["hands"], *view["piles"], *view["taken"]):
        for face in heap:
            if face is not None:
                unseen[number(face)] -= 1
    top = number(pile[-1])
    rescues = unseen[0] + sum(unseen[n] for n in range(1, 20) if fits(n, top, view["ascending"]))
    hopeless: float = (1 - rescues / max(1, sum(unseen))) ** cards
    return cost(pile) * hopeless


def next_seat(view: View, *, turned: bool) -> int:
    """Who plays next, if the direction is turned or if not."""
    step = -view["direction"] if turned else view["direction"]
    seat = (view["seat"] + step) % view["seats"]
    while not view["hands"][seat]:
        seat = (seat + step) % view["seats"]
    return int(seat)


def lateness(view: View) -> float:
    """From nearly 0 at the deal to 1 without a deck: how soon the pillows in hand will count."""
    turns_to_come: float = len(view["deck"]) / view["seats"]
    return 1 / (1 + turns_to_come)


def fits(n: int, top: int, ascending: bool) -> bool:
    if n == 0:
        return False  # wolves go anywhere, and are thought of apart
    return n > top or n == top - 10 if ascending else n < top or n == top + 10


def room(face: str | None, ascending: bool) -> int:
    return 19 - number(face) if ascending else number(face) - 1


def number(face: str | None) -> int:
    if face is None:
        return UNKNOWN_NUMBER
    return 0 if face == WOLF else int(face.partition("/")[0])


def pillows(face: str | None) -> float:
    if face is None:
        return UNKNOWN_PILLOWS
    return WOLF_PILLOWS if face == WOLF else int(face.partition("/")[2])


def cost(pile: Pile) -> float:
    return sum(map(pillows, pile))


def hand(view: View) -> list[str]:
    return list(view["hands"][view["seat"]])


if __name__ == "__main__":
    # Appended, not put first: beside the kit lies a folder `random` that would hide the module.
    sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    from flock_bot import run  # type: ignore[import-not-found]

    run(choose, name="greedy", games=["sheepzzz"])
