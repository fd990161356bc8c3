"""Plays Wolfpack by thresholds: points on the table are safe, cards in a hand may be swapped away or stolen.

Every action card is priced in points as if it were used now, and used once it brings enough.  A hand worth
anything calls for an action card that lays it; otherwise the bot draws.  It remembers what its view remembers.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    View = dict[str, Any]
    Option = list[Any]

PACKS = "ABCDE"
LAMB = "S"
WOLF_POINTS = 3

# Points an action card must bring to be used at once.
WORTH_USING = {"WOLVES": 3.0, "SHEEP": 2.0, "STEAL": 1.0, "SWAP": 2.0}
# Points in a hand that should be laid before it grows.
WORTH_PROTECTING = 3
# Points for cards in hand: some of them will never be laid.
FOREIGN_WOLF = 2.0
OWN_WOLF = 0.3
GUARDED_SHEEP = 0.7
UNGUARDED_SHEEP = 0.3
UNSEEN_CARD = 1.1
ACTION_CARD = 0.5


class Hand:
    """A hand as it would be worth to one seat."""

    def __init__(self, view: View, holder: int) -> None:
        cards: list[str | None] = view["play_hands"][holder]
        self.own = cards.count(PACKS[view["seat"]])
        self.sheep = cards.count(LAMB)
        self.unseen = cards.count(None)
        self.foreign = len(cards) - self.own - self.sheep - self.unseen
        self.actions: list[str | None] = view["action_hands"][holder]

    def worth(self) -> float:
        return (
            FOREIGN_WOLF * self.foreign
            + OWN_WOLF * self.own
            + (GUARDED_SHEEP if self.own else UNGUARDED_SHEEP) * self.sheep
            + UNSEEN_CARD * self.unseen
            + ACTION_CARD * len(self.actions)
        )

    def gain_by_wolves(self) -> int:
        return WOLF_POINTS * self.foreign

    def gain_by_sheep(self) -> int:
        return self.sheep if self.own > self.foreign else 0

    def could_lay(self) -> int:
        """Points with the right action cards: wolves first, then the sheep they no longer block."""
        return self.gain_by_wolves() + (self.sheep if self.own else 0)

    def is_armed(self) -> bool:
        """An action card waits for the right moment."""
        can_lay_wolves = "WOLVES" in self.actions and self.foreign > 0
        return can_lay_wolves or ("SHEEP" in self.actions and self.gain_by_sheep() > 0)


def choose(view: View, options: list[Option]) -> int:
    asked = view["question"]["options"]
    if asked == "moves":
        choice = choose_move(view, options)
    elif asked == "keep_or_use":
        choice = best_use(view, options) or options[0]
    elif asked == "steal_kind":
        choice = options[0]  # play cards rather than action cards
    else:
        choice = max(options, key=lambda option: hand_coming(view, option[1]).worth())
    return options.index(choice)


def choose_move(view: View, options: list[Option]) -> Option:
    use = best_use(view, options)
    if use:
        return use
    hand = Hand(view, view["seat"])
    if hand.could_lay() >= WORTH_PROTECTING and not hand.is_armed():
        for search in (["take"], ["exchange"]):
            if search in options:
                return search
    return options[0]  # draw


def best_use(view: View, options: list[Option]) -> Option | None:
    """The action card that exceeds its threshold by most."""
    uses = [option for option in options if option[0] == "use"]
    best = max(uses, key=lambda use: surplus(view, use[1]), default=None)
    return best if best and surplus(view, best[1]) >= 0 else None


def surplus(view: View, kind: str) -> float:
    return gain(view, kind) - WORTH_USING[kind]


def gain(view: View, kind: str) -> float:
    hand = Hand(view, view["seat"])
    if kind == "WOLVES":
        return hand.gain_by_wolves()
    if kind == "SHEEP":
        return hand.gain_by_sheep()
    if kind == "STEAL":
        return UNSEEN_CARD * sum(1 for other in others_in(view) if view["play_hands"][other])
    return max(hand_coming(view, direction).worth() for direction in ("left", "right")) - hand.worth()


def hand_coming(view: View, direction: str) -> Hand:
    """What a swap would bring: to the left means from the right."""
    others = others_in(view) or [view["seat"]]
    return Hand(view, others[-1] if direction == "left" else others[0])


def others_in(view: View) -> list[int]:
    """The others still in the game, clockwise."""
    seat, seats = view["seat"], view["seats"]
    clockwise = [(seat + step) % seats for step in range(1, seats)]
    return [other for other in clockwise if not view["out"][other]]


if __name__ == "__main__":
    # Appended, not put first: beside the kit lies a folder `random` that would hide the module.
    sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    from flock_bot import run  # type: ignore[import-not-found]

    run(choose, name="alpha", games=["wolfpack"])
