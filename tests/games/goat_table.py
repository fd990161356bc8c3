"""Positions of Herr der Ziegen, laid out on purpose: everything is known, and the rest is filled up."""

from __future__ import annotations

from itertools import chain
from typing import Any

from arena.chance import FastChance, Key
from arena.games.herr_der_ziegen import GoatVariant, HerrDerZiegen
from arena.games.herr_der_ziegen_components import BREED_OF, BREEDS, lay_out

Cell = tuple[int, int]
ASKED = {"options": "plays", "then": "card_played", "context": [], "together": False}


class _Fillers:
    """Cards nobody mentioned: goats of other breeds, and dogs and milk only when asked for."""

    def __init__(self, faces: list[str], mentioned: list[str]) -> None:
        self.left = faces[:]
        for face in mentioned:
            self.left.remove(face)
        breeds = {face[0] for face in mentioned if face in BREED_OF}
        self.goats = [face for face in self.left if face in BREED_OF and face[0] not in breeds]

    def goat(self) -> str:
        face = self.goats.pop()
        self.left.remove(face)
        return face


def table(
    seats: int = 4,
    *,
    active: int = 0,
    hands: dict[int, list[str]] | None = None,
    fronts: dict[int, list[str]] | None = None,
    pasture: dict[Cell, str] | None = None,
    marks: dict[Cell, int] | None = None,
    owners: dict[str, int] | None = None,
    deck: list[str] | None = None,
    bare: bool = False,
    variant: dict[str, Any] | None = None,
    **values: Any,
) -> HerrDerZiegen:
    """A game before the PLAY of `active`; cells not named hold other goats, or nothing when `bare`.

    `deck` is drawn from its first card on; without it everything left over is the deck.
    """
    chosen = GoatVariant.read(variant or {})
    hands, fronts, pasture, marks = hands or {}, fronts or {}, pasture or {}, marks or {}
    faces = list(HerrDerZiegen.pack(seats, chosen))
    named = [*chain(*hands.values(), *fronts.values()), *pasture.values(), *(deck or [])]
    fillers = _Fillers(faces, named)
    land = lay_out(seats, chosen.layout, chosen.stables == "embedded")
    grid: list[list[str]] = [[] for _ in range(land.side**2)]
    for (row, column), face in pasture.items():
        grid[row * land.side + column] = [face]
    for cell in land.cells:
        if not grid[cell] and not bare:
            grid[cell] = [fillers.goat()]
    held = [hands[seat] if seat in hands else [fillers.goat(), fillers.goat()] for seat in range(seats)]
    marked = [marks.get(divmod(cell, land.side)) for cell in range(land.side**2)]
    game_breeds = BREEDS[: len({face for face in faces if face in BREED_OF}) // 5]
    view: dict[str, Any] = {
        "seat": active,
        "seats": seats,
        "variant": chosen.changes(),
        "hands": held,
        "pasture": grid,
        "fronts": [fronts.get(seat, []) for seat in range(seats)],
        "deck": fillers.left if deck is None else deck[::-1],
        "box": [] if deck is None else fillers.left,
        "doors": land.doors,
        "positions": land.starts,
        "marks": marked,
        "owners": [(owners or {}).get(breed) for breed in game_breeds],
        "supplies": [chosen.small_goats - marked.count(seat) for seat in range(seats)],
        "milk": [0] * seats,
        "ending": False,
        "question": {
            "seats": [active],
            "options": "plays",
            "then": "card_played",
            "context": [],
            "together": False,
        },
    }
    return HerrDerZiegen.imagine(view | values, FastChance(1))


def deal(seats: int, starting: list[str], *, refills: list[str] | None = None, log: bool = False) -> HerrDerZiegen:
    """A real game: other goats on the pasture, these starting cards as drawn, then these refills."""
    faces = list(HerrDerZiegen.pack(seats, GoatVariant()))
    fillers = _Fillers(faces, [*starting, *(refills or [])])
    cells = [fillers.goat() for _ in lay_out(seats, "standard", True).cells]
    drawn = [*cells, *starting, *(refills or []), *fillers.left]
    spare = {face: [card for card, other in enumerate(faces) if other == face] for face in faces}
    order = [spare[face].pop() for face in drawn]
    return HerrDerZiegen(seats, None, Tape({("deal",): order[::-1]}), log=log)


class Tape:
    """Chance that was written down; what is not on the tape stays in place."""

    def __init__(self, orders: dict[Key, list[int]]) -> None:
        self.orders = orders

    def order(self, size: int, key: Key) -> list[int]:
        return self.orders.get(key, list(range(size)))

    def pick(self, size: int, key: Key) -> int:
        return size - 1


def answer(game: HerrDerZiegen, *options: tuple[Any, ...]) -> None:
    """Choose options one after the other, whoever is asked."""
    for option in options:
        game.answer(options_of(game).index(option))


def options_of(game: HerrDerZiegen) -> list[tuple[Any, ...]]:
    assert game.question is not None
    return game.options(game.question.seats[0])


def asked(game: HerrDerZiegen) -> tuple[str, int] | None:
    """What is asked, and whom."""
    return game.question and (game.question.options, game.question.seats[0])


def take_any(game: HerrDerZiegen) -> None:
    """The TAKE does not matter."""
    assert game.question is not None and game.question.options == "takes"
    game.answer(0)


def at(game: HerrDerZiegen, row: int, column: int) -> str | None:
    """The card on a cell."""
    cards = game.pasture[row * game.land.side + column].cards
    return game.faces[cards[0]] if cards else None


def mark_at(game: HerrDerZiegen, row: int, column: int) -> int | None:
    return game.marks[row * game.land.side + column]


def faces_in(game: HerrDerZiegen, heap: Any) -> list[str]:
    return [game.faces[card] for card in heap.cards]
