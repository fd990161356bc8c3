"""Positions of SheepZzz, laid out on purpose: a view in which every card is known is a whole game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.chance import Key
from arena.game import Option
from arena.games.sheepzzz import SheepVariant, SheepZzz
from arena.games.sheepzzz_cards import pillows_on

PLAIN = ["5/0", "9/1", "12/2"]
"""Tops of three piles without a power."""


class Tape:
    """Chance that was written down before: picks in turn, shuffles by key, and nothing moves otherwise."""

    def __init__(self, *picks: int, orders: dict[Key, list[int]] | None = None) -> None:
        self.picks = list(picks)
        self.orders = orders or {}
        self.asked: list[tuple[int, Key]] = []

    def order(self, size: int, key: Key) -> list[int]:
        self.asked.append((size, key))
        return self.orders.get(key, list(range(size)))

    def pick(self, size: int, key: Key) -> int:
        self.asked.append((size, key))
        picked = self.picks.pop(0)
        assert picked < size, f"the tape says {picked}, but only {size} cards lie there"
        return picked


def table(
    hands: Sequence[Sequence[str]],
    piles: Sequence[Sequence[str] | str] = PLAIN,
    *,
    deck: Sequence[str] | int | None = None,
    taken: dict[int, Sequence[str]] | None = None,
    turn: int = 0,
    imposed: int | None = None,
    tape: Tape | None = None,
    rest_under: int | None = None,
    cards: str | None = None,
    **values: Any,
) -> SheepZzz:
    """A game before the TURN of seat `turn`.

    The last card of a pile is its top; `deck` is drawn from its first card on, a number takes any cards, and
    without it everything left over is the deck.  Cards nobody mentioned lie under pile `rest_under`, where
    they score for nobody, or are out of the game.  `cards` is the variant's deck, `values` are public values
    and other options of the variant.
    """
    options = {name: values.pop(name) for name in list(values) if name in SheepVariant.__dataclass_fields__}
    if cards is not None:
        options["deck"] = cards
    heaps = [[pile] if isinstance(pile, str) else list(pile) for pile in piles]
    lying = {seat: list((taken or {}).get(seat, ())) for seat in range(len(hands))}
    left = list(SheepZzz.pack(len(hands), SheepVariant.read(options)))
    mentioned = [*heaps, *hands, *lying.values(), [] if deck is None or isinstance(deck, int) else deck]
    for face in (face for heap in mentioned for face in heap):
        left.remove(face)
    if deck is None or isinstance(deck, int):
        count = len(left) if deck is None else deck
        deck, left = left[:count], left[count:]
    if rest_under is not None:
        heaps[rest_under] = left + heaps[rest_under]
    view = {
        "seat": None,
        "seats": len(hands),
        "variant": options,
        "deck": list(deck)[::-1],
        "hands": [list(hand) for hand in hands],
        "piles": heaps + [[]] * (3 - len(heaps)),
        "taken": [lying[seat] for seat in range(len(hands))],
        "ascending": True,
        "direction": 1,
        "totals": (0,) * len(hands),
        "starter": 0,
        "round": 1,
        "wolves_played": 0,
        **values,
        "question": {
            "seats": [turn],
            "options": "moves",
            "then": "move_made",
            "context": [imposed],
            "together": False,
        },
    }
    return SheepZzz.imagine(view, tape or Tape())


def choose(game: SheepZzz, *option: Any) -> None:
    """The seat that is asked takes this option."""
    game.answer(options(game).index(option))


def options(game: SheepZzz) -> list[Option]:
    """What the seat that is asked may do."""
    return game.options(asked(game))


def asked(game: SheepZzz) -> int:
    """The one seat that is asked."""
    assert game.question is not None, "the game is over"
    (seat,) = game.question.seats
    return seat


def asks(game: SheepZzz) -> str:
    """What is asked: flocks, moves or powers."""
    assert game.question is not None, "the game is over"
    return game.question.options


def imposed(game: SheepZzz) -> int | None:
    """The pile imposed on the seat that is asked for a move."""
    assert game.question is not None and game.question.options == "moves"
    (pile,) = game.question.context
    return pile if pile is None else int(pile)


def pile(game: SheepZzz, k: int) -> list[str]:
    """A pile, its top last."""
    return [game.faces[card] for card in game.piles[k].cards]


def tops(game: SheepZzz) -> list[str]:
    """The tops of the piles that lie on the table."""
    return [pile(game, k)[-1] for k in range(3) if game.piles[k].cards]


def hand(game: SheepZzz, seat: int) -> list[str]:
    """A hand, in the order the cards came."""
    return [game.faces[card] for card in game.hands[seat].cards]


def taken_pillows(game: SheepZzz, seat: int) -> int:
    """The pillows in front of a seat."""
    return sum(pillows_on(game.faces[card]) for card in game.taken[seat].cards)
