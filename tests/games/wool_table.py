"""Positions of Volle Wolle, laid out on purpose: before the contracts, all cards known, dice on a tape."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

from arena.chance import FastChance, Key
from arena.game import Option
from arena.games.volle_wolle import UNROLLED, VolleWolle, WoolVariant
from arena.games.volle_wolle_cards import BONE, REBUILT

SHEEP = REBUILT.split()


def sheep(*ids: int) -> list[str]:
    """The cards S01 to S51 of the rules page."""
    return [SHEEP[number - 1] for number in ids]


PLAIN = sheep(16, 17, 20, 14)  # white, without modifier
BLACK = sheep(44, 48)  # -3 and -5


class Dice:
    """Rolls as told, d8 before d10 before d12, then ones; everything else by chance."""

    def __init__(self, rolls: Sequence[int]) -> None:
        self.rolls = list(rolls)
        self.keys: list[Key] = []
        self.other = FastChance(0)

    def order(self, size: int, key: Key) -> list[int]:
        return self.other.order(size, key)

    def pick(self, size: int, key: Key) -> int:
        if key[0] != "dice":
            return self.other.pick(size, key)
        self.keys.append(key)
        rolled = self.rolls.pop(0) if self.rolls else 1
        assert 1 <= rolled <= size, f"no {rolled} on a d{size}"
        return rolled - 1


def lay(
    seats: int = 3,
    *,
    table: Sequence[str] = PLAIN,
    flocks: dict[int, list[str]] | None = None,
    beside: dict[int, list[str]] | None = None,
    chips: Sequence[int] | None = None,
    reserve: int | None = 10,
    rolls: Sequence[int] = (),
    deck: Sequence[str] | None = None,
    variant: dict[str, Any] | None = None,
) -> VolleWolle:
    """A game before CONTRACT; cards not named are in the deck, or with a given deck in the last flock."""
    chosen = WoolVariant.read(variant or {})
    heaps = [list((flocks or {}).get(seat, ())) for seat in range(seats)]
    packs = [list((beside or {}).get(seat, ())) for seat in range(seats)]
    rest = list(VolleWolle.pack(seats, chosen))
    for face in (*table, *(deck or ()), *chain(*heaps, *packs)):
        rest.remove(face)
    if deck is not None:
        heaps[-1] = [face for face in rest if "/" in face] + heaps[-1]
        packs[-1] = [face for face in rest if "/" not in face] + packs[-1]
        rest = list(deck)
    view = {
        "seat": 0,
        "seats": seats,
        "variant": chosen.changes(),
        "deck": rest,
        "table": list(table),
        "received": [],
        "flocks": heaps,
        "beside": packs,
        "round": 3,
        "chips": list(chips or [2] * seats),
        "reserve": reserve,
        "board_levels": list(range(1, seats + 1)),
        "contracts": [],
        "order": [],
        "turn": 0,
        "attempt": 0,
        "dice": list(UNROLLED),
        "kept": [],
        "question": {
            "seats": list(range(seats)),
            "options": "bids",
            "then": "reveal",
            "context": [],
            "together": True,
        },
    }
    return VolleWolle.imagine(view, Dice(rolls))


def bid(game: VolleWolle, *contracts: int | str) -> VolleWolle:
    """Everybody's contract."""
    game.answer(*[game.options(seat).index(("bid", contract)) for seat, contract in enumerate(contracts)])
    return game


def asked(game: VolleWolle) -> tuple[int, str]:
    """Who is asked, and for what."""
    assert game.question is not None
    return game.question.seats[0], game.question.options


def offered(game: VolleWolle) -> list[Option]:
    """The options of who is asked."""
    return game.options(asked(game)[0])


def answer(game: VolleWolle, *options: Option) -> VolleWolle:
    """The answers of who is asked, one after the other."""
    for option in options:
        game.answer(offered(game).index(option))
    return game


def fail(game: VolleWolle) -> VolleWolle:
    """Keep the d8 and the d10, whatever they show."""
    return answer(game, ("keep", 8), ("keep", 10))


def faces(game: VolleWolle, zone: Any) -> list[str]:
    """What lies there, sorted."""
    return sorted(game.faces[card] for card in zone.cards)


def owns_bone(game: VolleWolle) -> list[bool]:
    """Seat by seat."""
    return [BONE in faces(game, pack) for pack in game.beside]
