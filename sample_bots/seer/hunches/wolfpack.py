"""A hunch for Wolfpack: lay what can be laid, else find the card for it; the others draw what is to be taken."""

from __future__ import annotations

from collections.abc import Sequence
from random import random
from typing import Any

from arena.game import Option
from arena.games.wolfpack import NO_PACK, SHEEP, STEAL, WOLVES, Wolfpack
from sample_bots.alpha.bot import hand_coming, surplus
from sample_bots.seer.hunches import Hunch

WORTH_LAYING = 3
SOON_OVER = 5  # play cards left per player
# Points of cards in hand, some of which will never be laid.
FOREIGN_WOLF = 2.0
OWN_WOLF = 0.3
GUARDED_SHEEP = 0.7
UNGUARDED_SHEEP = 0.3
ACTION_CARD = 0.5
UNSEEN_CARD = 1.1
# Points of a turn beside taking an action card.  Three in four of those take something from the others or lay it
# down for good; what is drawn may yet be lost to one of theirs.
TURNS = {"take": 0.0, "keep": 0.0, "exchange": -0.3, "draw": -0.6}
AT_ONCE = 0.1  # to use a card that is worth it, before somebody takes it away


def guess(game: Wolfpack, seat: int, options: Sequence[Option]) -> int:
    """The sample bot's thresholds without its view."""
    if len(options) == 1:
        return 0
    assert game.question is not None
    asked = game.question.options
    if asked == "steal_kind":
        return 0
    if asked == "swap_direction":
        return int(random() * len(options))
    packs = [game.pack_of[card] for card in game.play_hands[seat].cards]
    sheep, own = packs.count(NO_PACK), packs.count(seat)
    foreign = len(packs) - sheep - own
    best, at = 0.0, -1
    for index, option in enumerate(options):
        if option[0] == "use":
            gain = _gain(game, seat, option[1], sheep, own, foreign)
            if gain > best:
                best, at = gain, index
    if at >= 0:
        return at
    if asked == "keep_or_use" or 3 * foreign + (sheep if own else 0) < WORTH_LAYING:
        return 0
    held = [game.faces[card] for card in game.action_hands[seat].cards]
    if (foreign and WOLVES in held) or (own > foreign and sheep and SHEEP in held):
        return 0
    for index, option in enumerate(options):
        if option[0] in ("take", "exchange"):
            return index
    return 0


def _gain(game: Wolfpack, seat: int, kind: str, sheep: int, own: int, foreign: int) -> float:
    """Points above what the card must bring to be used at once."""
    if kind == WOLVES:
        return 3 * foreign - 2.5
    if kind == SHEEP:
        return (sheep if own > foreign else 0) - 1.5
    if kind == STEAL:
        return 0.2
    coming = max(
        [
            UNSEEN_CARD * len(game.play_hands[other].cards) + ACTION_CARD * len(game.action_hands[other].cards)
            for other in range(game.seats)
            if other != seat and not game.out[other]
        ]
    )
    return coming - _hopes(sheep, own, foreign) - ACTION_CARD * len(game.action_hands[seat].cards) - 2


def _hopes(sheep: int, own: int, foreign: int) -> float:
    return FOREIGN_WOLF * foreign + OWN_WOLF * own + (GUARDED_SHEEP if own else UNGUARDED_SHEEP) * sheep


def judge(game: Wolfpack) -> list[float]:
    """What was laid, and what a hand may still lay; late in the game, whose its sheep would be."""
    early = min(1.0, sum([len(pile.cards) for pile in game.piles]) / (SOON_OVER * game.seats))
    scores: list[float] = [game.base(seat) for seat in range(game.seats)]
    for seat, hand in enumerate(game.play_hands):
        packs = [game.pack_of[card] for card in hand.cards]
        sheep, own = packs.count(NO_PACK), packs.count(seat)
        hopes = _hopes(sheep, own, len(packs) - sheep - own)
        scores[seat] += early * (hopes + ACTION_CARD * len(game.action_hands[seat].cards))
        strongest = game.strongest_packs(seat)
        for leader in strongest:
            scores[leader] += (1 - early) * (sheep // len(strongest))
    return scores


def prices(view: Any, options: list[Any]) -> list[float]:
    """The sample bot's thresholds in points; where it would draw, rather an action card."""
    asked = view["question"]["options"]
    if asked == "steal_kind":
        return [-UNSEEN_CARD if option[2] == "play" else -ACTION_CARD for option in options]
    if asked == "swap_direction":
        return [-hand_coming(view, option[1]).worth() for option in options]
    return [
        -(AT_ONCE + surplus(view, option[1])) if option[0] == "use" else -TURNS[option[0]] for option in options
    ]


HUNCH = Hunch(guess, judge, horizon=12, turn="moves", prices=prices, priced_from=3)
