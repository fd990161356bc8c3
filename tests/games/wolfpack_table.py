"""Wolfpack positions written as in the rules page: hands such as "AABSSS", action cards by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from arena.game import Option
from arena.games.wolfpack import PILES, Wolfpack, WolfpackVariant

SHEEP, WOLVES, STEAL, SWAP = ("use", "SHEEP"), ("use", "WOLVES"), ("use", "STEAL"), ("use", "SWAP")
PLAY_CARDS = "ABCDES"


class Tape:
    """Chance that leaves heaps as they are and picks what the tape says, else the first."""

    def __init__(self, *picks: int) -> None:
        self.picks = list(picks)

    def order(self, size: int, key: tuple[str | int, ...]) -> list[int]:
        return list(range(size))

    def pick(self, size: int, key: tuple[str | int, ...]) -> int:
        return self.picks.pop(0) if self.picks else 0


def position(
    *hands: str,
    actions: Sequence[str] = (),
    laid: Sequence[str] = (),
    taken: str | None = None,
    piles: str | None = None,
    deck: str | None = None,
    discard: str = "",
    turn: int = 0,
    out: Sequence[int] = (),
    idle: int = 0,
    picks: Sequence[int] = (),
    **variant: Any,
) -> Wolfpack:
    """Seat `turn` to move; `taken` asks it for KEEP_OR_USE.  The last card of a heap is its top.

    What is not named lies in the piles and the action deck, unless those are named too: then it stays in the box.
    """
    seats = len(hands)
    options = WolfpackVariant.read(variant)
    rest = Counter(Wolfpack.pack(seats, options))
    action_hands = [row.split() for row in [*actions, *[""] * (seats - len(actions))]]
    in_front = [list(row) for row in [*laid, *[""] * (seats - len(laid))]]
    for heap in (*hands, *in_front, *action_hands, discard.split(), [taken] if taken else []):
        rest.subtract(heap)
    assert min(rest.values()) >= 0, "more cards than there are"
    spare = [face for face in rest.elements() if face in PLAY_CARDS] if piles is None else list(piles)
    asked = ("keep_or_use", "kept_or_used") if taken else ("moves", "play")
    view = {
        "seat": None,  # so that only the public knows more than it could
        "seats": seats,
        "variant": variant,
        "piles": [spare[k::PILES] for k in range(PILES)],
        "action_deck": [face for face in rest.elements() if len(face) > 1] if deck is None else deck.split(),
        "action_discard": discard.split(),
        "play_hands": [list(hand) for hand in hands],
        "action_hands": action_hands,
        "taken": [[taken] if taken and seat == turn else [] for seat in range(seats)],
        "laid": in_front,
        "out": [seat in out for seat in range(seats)],
        "idle": idle,
        "turn": 0,
        "reshuffles": 0,
        "question": {"seats": [turn], "options": asked[0], "then": asked[1], "context": [], "together": False},
    }
    return Wolfpack.imagine(view, Tape(*picks))


def answer(game: Wolfpack, *options: Option) -> None:
    """Whoever is asked chooses these, one after the other."""
    for option in options:
        assert game.question is not None
        game.answer(game.options(game.question.seats[0]).index(option))


def asked(game: Wolfpack) -> list[Option]:
    """What may be chosen now."""
    assert game.question is not None
    return game.options(game.question.seats[0])


def mover(game: Wolfpack) -> int:
    """Who is asked."""
    assert game.question is not None
    return game.question.seats[0]


def hand(game: Wolfpack, seat: int) -> str:
    """The play cards in hand, sorted."""
    return "".join(sorted(game.faces[card] for card in game.play_hands[seat].cards))


def actions(game: Wolfpack, seat: int) -> list[str]:
    """The action cards in hand, sorted."""
    return sorted(game.faces[card] for card in game.action_hands[seat].cards)


def laid(game: Wolfpack, seat: int) -> str:
    """What lies in front of a seat."""
    return "".join(game.faces[card] for card in game.laid[seat].cards)


def final(first: str, *others: str, **named: Any) -> tuple[int, ...]:
    """The scores with these hands at the end: seat 0 draws the last sheep of its hand from the last pile."""
    game = position(first.replace("S", "", 1), *others, piles="S", **named)
    answer(game, ("draw",))
    assert game.outcome is not None
    return game.outcome.scores
