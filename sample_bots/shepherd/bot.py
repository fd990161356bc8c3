"""Plays SheepZzz by counting: every option leads to a position, and the cheapest position is chosen.

A price is in pillows: what this seat will still pay in the round, less what the others will.  The bot counts which
cards are still out, prices a wolf by all that it may draw, a power by its best use, and the end of a round by who
wins the game then.  It keeps no memory: a view already shows every card that was ever laid open.
"""

from __future__ import annotations

import os
import random
import sys

# `typing` loads slowly, and nothing but annotations needs it.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    View = dict[str, Any]
    Option = list[Any]
    Face = str | None

WOLF = "W"
WOLF_PILLOWS = 3
NAMERS = {1, 19}
REVERSERS = {2, 3, 17, 18}
COPIES = [4, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 4, 3, 3, 3, 2, 2, 1, 1, 1]  # of the wolf, then of 1 to 19
PILLOWS = 74  # on all cards
TARGET = 75  # pillows that end the game
UNKNOWN_NUMBER, UNKNOWN_PILLOWS = 10, 1.5  # when the variant shows nothing but the tops of piles

# Prices at the deal, and once the deck is gone: what positions of some thousand rounds cost in the end.
PRICES = {
    "pillow": (0.3, 1.2),  # in the hand, where it counts when the round ends
    "wolf": (-4.5, -2.0),  # in the hand, where it is always a way out
    "namer": (-6.5, -3.0),  # in the hand, until a pile has become a trap
    "reverser": (-4.0, -2.0),  # in the hand, likewise
    "way": (-0.8, -1.0),  # a sheep that fits somewhere; more than two are no better
    "reach": (-1.2, -0.9),  # a sheep at the end towards which the flock counts; less in proportion
    "room": (-0.2, 2.2),  # a pile on which all that is still out would fit; less in proportion
    "trap": (-1.0, -1.0),  # a pillow that the next seat will have to take
}
RESCUE = 0.6  # of what wolves and powers are worth; the rest is harm, which with many seats hits but one of them
DECIDED = 100.0  # a game won or lost


class Table:
    """What the view says about every position a decision can lead to."""

    def __init__(self, view: View) -> None:
        self.seat: int = view["seat"]
        self.seats: int = view["seats"]
        self.direction: int = view["direction"]
        self.others = [seat for seat in range(self.seats) if seat != self.seat]
        self.held = [len(hand) for hand in view["hands"]]
        self.piles: list[list[Face]] = [pile for pile in view["piles"] if pile]
        self.deck = len(view["deck"])
        self.standing: list[float] = [
            total + cost(taken) for total, taken in zip(view["totals"], view["taken"], strict=True)
        ]
        lateness = 1 / (1 + self.deck / self.seats)
        self.prices = {name: early + lateness * (late - early) for name, (early, late) in PRICES.items()}
        for name in ("wolf", "namer", "reverser"):
            self.prices[name] *= RESCUE + (1 - RESCUE) / len(self.others)
        seen = [face for heap in (*view["hands"], *view["piles"], *view["taken"]) for face in heap if face]
        self.unseen = COPIES[:]
        for face in seen:
            self.unseen[number(face)] -= 1
        self.out = max(1, sum(self.unseen))
        self.pillows_per_unseen = (PILLOWS - cost(seen)) / self.out
        self.shares: dict[int, float] = {}

    def next_seat(self, *, turned: bool = False) -> int:
        """Who plays next, if the direction is turned or if not; this seat when no other holds a card."""
        step = -self.direction if turned else self.direction
        order = [(self.seat + step * n) % self.seats for n in range(1, self.seats)]
        return next((seat for seat in order if self.held[seat]), self.seat)

    def share_of_unseen(self, numbers: int) -> float:
        """How much of what is still out has one of these numbers; asked often, so worked out once."""
        if numbers not in self.shares:
            self.shares[numbers] = sum(n for bit, n in enumerate(self.unseen) if numbers >> bit & 1) / self.out
        return self.shares[numbers]

    def harm(self, victim: int) -> float:
        """What a pillow of another seat is worth: more if it leads the others."""
        average = sum(self.standing[seat] for seat in self.others) / len(self.others)
        return (1 + (average - self.standing[victim]) / TARGET) / len(self.others)

    def price(self, hand: list[str], piles: Piles, following: int, imposed: int | None = None) -> float:
        """What it costs to leave these piles to the following seat and go on with this hand."""
        sheep = [number(face) for face in hand if face != WOLF]
        amounts = {
            "pillow": cost(hand),
            "wolf": len(hand) - len(sheep),
            "namer": sum(n in NAMERS for n in sheep),
            "reverser": sum(n in REVERSERS for n in sheep),
            "way": min(2, sum(piles.anywhere >> n & 1 for n in sheep)),
            "reach": sum(n if piles.ascending else 20 - n for n in sheep) / 19,
            "room": sum(map(self.share_of_unseen, piles.fitting)) if hand else 0.0,
            "trap": 0.0 if following == self.seat else self.trap(piles, following, imposed),
        }
        return float(sum(self.prices[name] * amount for name, amount in amounts.items()))

    def trap(self, piles: Piles, victim: int, imposed: int | None) -> float:
        """What the victim loses if nothing fits: the imposed pile or the cheapest, and some of its choice."""
        fitting = piles.anywhere if imposed is None else piles.fitting[imposed]
        at_stake = min(piles.costs) if imposed is None else piles.costs[imposed]
        hopeless: float = (1 - self.share_of_unseen(fitting)) ** self.held[victim]
        return self.harm(victim) * hopeless * (1 + at_stake)

    def price_of_ending(self, hand: list[str], taken: float) -> float:
        """Hands count, and perhaps the game is over; with two seats all that is still out is the other hand."""
        paid = [held * self.pillows_per_unseen for held in self.held]
        paid[self.seat] = taken + cost(hand)
        totals = [before + now for before, now in zip(self.standing, paid, strict=True)]
        price = paid[self.seat] - sum(paid[seat] for seat in self.others) / len(self.others)
        if max(totals) < TARGET:
            return price
        beaten = totals[self.seat] > min(totals[seat] for seat in self.others)
        return price + (DECIDED if beaten else -DECIDED)


class Piles:
    """Piles as they are or would be: their tops, their pillows, and the numbers that fit, as bits."""

    def __init__(self, tops: list[int], costs: list[float], ascending: bool) -> None:
        self.tops, self.costs, self.ascending = tops, costs, ascending
        self.fitting = [FITTING[ascending][top] for top in tops]
        self.anywhere = 0
        for numbers in self.fitting:
            self.anywhere |= numbers

    def with_pile(self, k: int, top: Face, below: float) -> Piles:
        """With another top in place k, and that many pillows below it."""
        costs = replaced(self.costs, k, below + pillows(top))
        return Piles(replaced(self.tops, k, number(top)), costs, self.ascending)

    def without_pile(self, k: int) -> Piles:
        """As after a wolf ate it."""
        return Piles(replaced(self.tops, k), replaced(self.costs, k), self.ascending)


def choose(view: View, options: list[Option]) -> int:
    """The cheapest option; among equals chance decides, so that no seat is always the victim."""
    costs = [(price, random.random()) for price in prices(view, options)]
    return costs.index(min(costs))


def prices(view: View, options: list[Option]) -> list[float]:
    """What every option costs."""
    table, hand = Table(view), view["hands"][view["seat"]]
    tops, costs = [number(pile[-1]) for pile in table.piles], [cost(pile) for pile in table.piles]
    piles = Piles(tops, costs, view["ascending"] or False)
    return [price_of(table, hand, piles, option) for option in options]


def price_of(table: Table, hand: list[str], piles: Piles, option: Option) -> float:
    match option:
        case ["play", "W", k]:
            return price_of_wolf(table, hand, piles, k)
        case ["play", sheep, k]:
            return price_of_sheep(table, hand, piles.with_pile(k, sheep, piles.costs[k]), sheep)
        case ["take", k, sheep]:
            return piles.costs[k] + price_of_sheep(table, hand, piles.with_pile(k, sheep, 0), sheep)
        case ["take", k]:
            return table.price_of_ending(hand, piles.costs[k])
        case ["ascending" | "descending" as face]:
            return table.price(hand, Piles(piles.tops, piles.costs, face == "ascending"), table.seat)
        case [_, victim, k]:
            return table.price(hand, piles, victim, k)
        case [word, *imposed]:
            return table.price(hand, piles, table.next_seat(turned=word == "reverse"), *imposed)
    raise ValueError(f"no option of SheepZzz: {option}")


def price_of_sheep(table: Table, hand: list[str], piles: Piles, sheep: str) -> float:
    """With the sheep laid; a power costs what its best use does."""
    n, places = number(sheep), range(len(piles.tops))
    uses: list[tuple[int, int | None]] = [(table.next_seat(), None)]
    if n in NAMERS:
        uses += [(victim, k) for victim in table.others if table.held[victim] for k in places]
    elif n in REVERSERS:
        uses += [(table.next_seat(turned=True), k) for k in places]
    rest = replaced(hand, hand.index(sheep))
    return min(table.price(rest, piles, following, imposed) for following, imposed in uses)


def price_of_wolf(table: Table, hand: list[str], piles: Piles, k: int) -> float:
    """The flock turns; then a sheep of the pile comes to the top, or a wolf eats pile and place."""
    rest, following = replaced(hand, hand.index(WOLF)), table.next_seat()
    turned = Piles(piles.tops, piles.costs, not piles.ascending)
    heap, at_stake = [*table.piles[k], WOLF], piles.costs[k] + WOLF_PILLOWS
    price = 0.0
    for drawn in heap:
        if drawn != WOLF:
            price += table.price(rest, turned.with_pile(k, drawn, at_stake - pillows(drawn)), following)
        elif table.deck and len(piles.tops) > 1:
            price += at_stake + table.price(rest, turned.without_pile(k), following)
        else:
            price += table.price_of_ending(rest, at_stake)
    return price / len(heap)


def replaced(row: list[Any], place: int, *by: Any) -> list[Any]:
    return [*row[:place], *by, *row[place + 1 :]]


def number(face: Face) -> int:
    if face is None:
        return UNKNOWN_NUMBER
    return 0 if face == WOLF else int(face.partition("/")[0])


def pillows(face: Face) -> float:
    if face is None:
        return UNKNOWN_PILLOWS
    return WOLF_PILLOWS if face == WOLF else int(face.partition("/")[2])


def cost(heap: Sequence[Face]) -> float:
    return sum(map(pillows, heap))


def fits(n: int, top: int, ascending: bool) -> bool:
    if n == 0:
        return True  # a wolf goes anywhere
    return n > top or n == top - 10 if ascending else n < top or n == top + 10


FITTING = {
    ascending: [sum(1 << n for n in range(20) if fits(n, top, ascending)) for top in range(20)]
    for ascending in (True, False)
}


if __name__ == "__main__":
    # Appended, not put first: beside the kit lies a folder `random` that would hide the module.
    sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    from flock_bot import run  # type: ignore[import-not-found]

    run(choose, name="shepherd", games=["sheepzzz"])
