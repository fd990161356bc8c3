"""Plays Volle Wolle by expected value, with exact dice and no memory; others are taken to bid by chance."""

from __future__ import annotations

import os
import random
import sys
from itertools import combinations, product
from math import comb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    View = dict[str, Any]

DICE = (8, 10, 12)
SAFE = 14

# The chance to reach a sum of 10, 11, ... 29 at the first, second and third attempt, over all rolls.
SUCCESS = (
    (.912, .079, .007), (.875, .109, .012), (.829, .143, .019), (.775, .181, .029), (.714, .218, .043),
    (.646, .253, .060), (.574, .283, .081), (.500, .303, .103), (.426, .313, .127), (.354, .310, .149),
    (.286, .294, .168), (.225, .268, .179), (.171, .232, .181), (.125, .192, .172), (.087, .150, .153),
    (.058, .110, .127), (.036, .075, .096), (.021, .046, .065), (.010, .025, .038), (.004, .011, .018),
)  # fmt: skip

# In points, by rule of thumb.
HOPE_007 = (0, 3, 9)  # one or two of a trio, while there is a whole deck to complete it
TOP = 0.5  # a point of modifier on top of the flock
TAKEN_EACH = 1.2  # not in points: cards that a player before me takes


def choose(view: View, options: list[list[Any]]) -> int:
    weigh = WEIGH[view["question"]["options"]]
    weights = [(weight, random.random()) for weight in weigh(view, options)]
    return weights.index(max(weights))


# --- What cards are worth
def worth(view: View, won: list[str]) -> float:
    """How much better my final score looks with these cards."""
    return prospect(view, won) - prospect(view, [])


def prospect(view: View, won: list[str]) -> float:
    me, deck_left = view["seat"], len(view["deck"]) / 60
    cards = [face.split("/") for face in [*view["flocks"][me], *view["beside"][me], *won] if face]
    kinds = [card[0] for card in cards]
    dogs = kinds.count("dog")
    white = [int(card[1]) for card in cards if card[0] == "white"]
    black = [int(card[1]) for card in cards if card[0] == "black"]
    trios, loose = divmod(kinds.count("007"), 3)
    return (
        sum(white) - (0 if dogs else (1 - deck_left) * sum(sorted(white)[:2])) + sum(black)
        + (0, 3, 14)[kinds.count("370") % 3]
        + 21 * trios + HOPE_007[loose] * deck_left
        + prospect_of_dogs(view, dogs, won)
        + TOP * max((modifier(face) for face in won if "/" in face), default=0)
    )  # fmt: skip


def prospect_of_dogs(view: View, dogs: int, won: list[str]) -> float:
    mine = view["beside"][view["seat"]]
    others = [heap for heap in view["beside"] if heap is not mine]
    called = any("/bone/" in face for face in won) and any("bone" in heap for heap in others)
    largest_pack = dogs >= max(2, *[heap.count("dog") for heap in others])
    bone = called or "bone" in mine or "bone" in won
    return (9 if dogs == 1 else 0) - (5 if largest_pack else 0) + (4 * dogs + 1 if bone else 0)


def modifier(face: str) -> int:
    mod = face.split("/")[2]
    return 0 if mod in ("-", "bone") else int(mod)


def my_modifier(view: View) -> int:
    flock = view["flocks"][view["seat"]]
    return modifier(flock[-1]) if flock else 0


# --- Bidding: before anything is known of the others
def weigh_bids(view: View, options: list[list[Any]]) -> list[float]:
    values = sorted((worth(view, [face]) for face in view["table"]), reverse=True)
    helped = my_modifier(view) + min(1, view["chips"][view["seat"]])
    return [weigh_contract(view["seats"] - 1, values, option[1], helped) for option in options]


def weigh_contract(others: int, values: list[float], contract: int | str, helped: int) -> float:
    """The sum, over how many others go before me, of what is then left for me."""
    high = 27 if contract == "26+" else int(contract)
    before = (27.5 - high) / 14  # the chance of one other, if all bid by chance; of equals, half go before me
    value = -1.0 if high == 27 else 0.0
    for count in range(others + 1):
        chance = comb(others, count) * before**count * (1 - before) ** (others - count)
        left = max(0, round(len(values) - TAKEN_EACH * count))
        if count == others > 1:  # the last one sweeps
            value += chance * left * sum(values) / len(values)
        else:
            value += chance * value_of_rolling(values, left, min(26, high) - helped)
    return value


def value_of_rolling(values: list[float], left: int, need: int) -> float:
    chances = SUCCESS[min(max(need, 10), 29) - 10]
    prizes = [chance * best_left(values, left, due) for due, chance in zip((3, 2, 1), chances, strict=True)]
    return sum(prizes) + 1 - sum(chances)  # who fails gets a chip


def best_left(values: list[float], left: int, due: int) -> float:
    """The best `due` cards, on average over all tables that others may leave."""
    tables = list(combinations(values, left))
    return sum(sum(table[:due]) for table in tables) / len(tables)


# --- Rolling: every throw still to come is weighed
class Turn:
    """What my turn is worth from any roll on, if I choose well."""

    def __init__(self, view: View) -> None:
        contract = view["contracts"][view["seat"]]
        self.contract = 26 if contract == "26+" else contract
        self.modifier = my_modifier(view)
        self.chips = view["chips"][view["seat"]]
        picks = [combinations(view["table"], min(due, len(view["table"]))) for due in (3, 2, 1)]
        self.prizes = [max(worth(view, list(won)) for won in sets) for sets in picks]
        self.black = worth(view, black_sheep(view))
        self.thrown: dict[tuple[int, tuple[int, ...]], float] = {}

    def after_roll(self, attempt: int, kept: int, loose: dict[int, int]) -> float:
        """`kept` is the sum of the dice laid aside, `loose` the others by size."""
        total = kept + sum(loose.values())
        prize = self.prizes[attempt - 1]
        if total + min(self.modifier, 0) >= self.contract:
            return prize
        cost = max(0, self.contract - total - self.modifier)
        onward = self.onward(attempt, kept, loose)
        return max(onward, prize - cost) if cost <= self.chips else onward

    def onward(self, attempt: int, kept: int, loose: dict[int, int]) -> float:
        if attempt == 3:
            missing = max(0, SAFE - kept - sum(loose.values()) - self.modifier)
            return 1 + (max(self.black, -missing) if missing <= self.chips else self.black)
        return max(self.keeping(attempt, kept, loose, die) for die in loose)

    def keeping(self, attempt: int, kept: int, loose: dict[int, int], die: int) -> float:
        return self.throw(attempt + 1, kept + loose[die], tuple(other for other in loose if other != die))

    def throw(self, attempt: int, kept: int, dice: tuple[int, ...]) -> float:
        if (kept, dice) not in self.thrown:
            throws = product(*[range(1, die + 1) for die in dice])
            values = [self.after_roll(attempt, kept, dict(zip(dice, throw, strict=True))) for throw in throws]
            self.thrown[kept, dice] = sum(values) / len(values)
        return self.thrown[kept, dice]


def weigh_claims(view: View, options: list[list[Any]]) -> list[float]:
    turn, attempt = Turn(view), view["attempt"]
    return [turn.prizes[attempt - 1] - options[0][1], turn.onward(attempt, *kept_and_loose(view))]


def weigh_keeps(view: View, options: list[list[Any]]) -> list[float]:
    turn = Turn(view)
    return [turn.keeping(view["attempt"], *kept_and_loose(view), option[1]) for option in options]


def kept_and_loose(view: View) -> tuple[int, dict[int, int]]:
    dice = dict(zip(DICE, view["dice"], strict=True))
    return sum(dice.pop(die) for die in view["kept"]), dice


# --- Cards won
def weigh_picks(view: View, options: list[list[Any]]) -> list[float]:
    return [worth(view, option[1:]) for option in options]


def weigh_tops(view: View, options: list[list[Any]]) -> list[float]:  # noqa: ARG001
    return [modifier(face) - int(face.split("/")[3]) / 100 for _, face in options]


def weigh_rescues(view: View, options: list[list[Any]]) -> list[float]:
    return [-options[0][1], worth(view, black_sheep(view))]


def black_sheep(view: View) -> list[str]:
    return [face for face in view["table"] if face.startswith("black")]


WEIGH = {
    "bids": weigh_bids, "claims": weigh_claims, "keeps": weigh_keeps,
    "picks": weigh_picks, "tops": weigh_tops, "rescues": weigh_rescues,
}  # fmt: skip

if __name__ == "__main__":
    sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    from flock_bot import run  # type: ignore[import-not-found]

    run(choose, name="bidder", games=["volle-wolle"])
