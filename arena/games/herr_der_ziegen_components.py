"""§1 of Herr der Ziegen, the components: cards, pasture, track and stables.  No moves here.

A cell is numbered row * side + column.  The page's "type" of a goat is called its breed.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple, TypeVar

from arena.variants import VariantError
from arena.zones import Face

# §1 Components
BREEDS: Final = "ABCDEFGHIJKLMNOPQR"
VALUES: Final = range(1, 6)
COPIES: Final = 5
MILK: Final[tuple[Face, Face]] = ("milk1", "milk2")
DOG: Final[Face] = "dog"
DOGS = 15
MILK_CARDS = 16

BREED_OF: Final = {f"{letter}{value}": breed for breed, letter in enumerate(BREEDS) for value in VALUES}
VALUE_OF: Final = {DOG: 0, MILK[0]: 1, MILK[1]: 2} | {goat: int(goat[1]) for goat in BREED_OF}

# §1.1 Cards in play: what leaves the game for fewer players (breeds, dogs, milk of 1, milk of 2).
REMOVED = {5: (0, 0, 0, 0), 4: (2, 2, 2, 0), 3: (5, 5, 5, 0), 2: (8, 8, 4, 4)}

# §1.3 Stables and starting positions in seat order: row,column@position.
_STANDARD = {
    2: "0,0@0 5,5@12",
    3: "0,0@0 0,6@7 6,6@14",
    4: "0,0@0 0,6@7 6,6@14 6,0@21",
    5: "0,3@3 2,6@9 6,5@15 6,1@19 2,0@25",
}
LAYOUTS = {"standard": _STANDARD, "corners": _STANDARD | {5: "0,0@0 0,3@3 0,6@7 6,6@14 6,0@21"}}


def milk_in(value: str) -> tuple[int, int]:
    """How many milk cards of 1 and of 2 there are, before any are removed."""
    ones, slash, twos = value.partition("/")
    if not (slash and ones.isdecimal() and twos.isdecimal() and int(ones) + int(twos) == MILK_CARDS):
        raise ValueError(f"write ones/twos, {MILK_CARDS} cards in all, such as 8/8")
    if int(ones) < 5 or int(twos) < 4:
        raise ValueError("smaller tables take 5 ones or 4 twos away, so there must be as many")
    return int(ones), int(twos)


@cache
def cards_in_play(seats: int, milk_split: str) -> tuple[Face, ...]:
    """§1.1 Goats first, five of a breed side by side; then milk, then dogs."""
    breeds, dogs, *milk = REMOVED[seats]
    goats = [goat for goat, breed in BREED_OF.items() if breed < len(BREEDS) - breeds]
    counts = [had - gone for had, gone in zip(milk_in(milk_split), milk, strict=True)]
    return (*goats, *[MILK[0]] * counts[0], *[MILK[1]] * counts[1], *[DOG] * (DOGS - dogs))


@cache
def breeds_and_values(faces: tuple[Face, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """By card: its breed, -1 for none, and how many steps it is worth."""
    return tuple(BREED_OF.get(face, -1) for face in faces), tuple(VALUE_OF[face] for face in faces)


Place = tuple[int, int, int]
"""A cell with its row and column."""


class Pasture(NamedTuple):
    """What stays the same all game long."""

    side: int
    cells: tuple[int, ...]
    """Where cards lie: everywhere but on stables."""
    lines: tuple[tuple[Place, ...], ...]
    """Per position of the track, the line it faces."""
    crossing: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    """Per cell, its row and its column."""
    reach: tuple[tuple[Place, ...], ...]
    """Per cell, where a dog may lead a goat from there."""
    neighbours: tuple[tuple[int, ...], ...]
    doors: tuple[tuple[int, ...], ...]
    """Per seat, the cells beside its stable."""
    starts: tuple[int, ...]
    """Per seat, where its large goat begins."""


def side_of(seats: int) -> int:
    """§1.2 The pasture is a square of 6 or 7 cells each way."""
    return 6 if seats == 2 else 7


def track(side: int) -> tuple[tuple[int, ...], ...]:
    """§1.2 The cells in line with each position: along the top, down, back along the bottom, up."""
    columns = tuple(tuple(range(column, side * side, side)) for column in range(side))
    rows = tuple(tuple(range(row * side, (row + 1) * side)) for row in range(side))
    return columns + rows + columns[::-1] + rows[::-1]


def edge(position: int, side: int) -> int:
    """§1.2 The border cell at a position: the far end of its line for who stands right or below."""
    return track(side)[position][-1 if side <= position < 3 * side else 0]


def stables_in(layout: str) -> list[tuple[int, int, int]]:
    """Row, column and starting position of each stable, as written."""
    try:
        return [
            (int(row), int(column), int(position))
            for cell, position in (stable.split("@") for stable in layout.split())
            for row, column in [cell.split(",")]
        ]
    except ValueError:
        raise ValueError('a stable is written row,column@position, such as "0,0@0 5,5@12" for two') from None


def check_layout(layout: str) -> None:
    """Whether a layout can be read; whether it fits shows when the seats are known."""
    if layout not in LAYOUTS and not 2 <= len(stables_in(layout)) <= 5:
        raise ValueError(f"{', '.join(LAYOUTS)}, or one stable for each of 2 to 5 seats")


@cache
def lay_out(seats: int, layout: str, embedded: bool) -> Pasture:
    """§1.3 The pasture with its stables, which replace a border cell or stand beside it."""
    side = side_of(seats)
    everywhere = track(side)
    stables = stables_in(LAYOUTS[layout][seats] if layout in LAYOUTS else layout)
    homes = [row * side + column for row, column, _ in stables]
    starts = tuple(position for _, _, position in stables)
    if len(set(homes)) != seats:
        raise VariantError(f'layout = "{layout}": {seats} seats need a stable each')
    for home, (row, column, position) in zip(homes, stables, strict=True):
        if not (0 <= position < 4 * side and row < side and column < side and edge(position, side) == home):
            raise VariantError(f'layout = "{layout}": position {position} is not at cell {row},{column} here')
    cells = tuple(cell for cell in range(side * side) if not embedded or cell not in homes)
    crossing = tuple((everywhere[side + cell // side], everywhere[cell % side]) for cell in range(side * side))
    neighbours = tuple(
        tuple(sorted(other for line in lines for other in line if abs(other - cell) in (1, side)))
        for cell, lines in enumerate(crossing)
    )

    def places(line: tuple[int, ...]) -> tuple[Place, ...]:
        return tuple((cell, *divmod(cell, side)) for cell in line if cell in cells)

    return Pasture(
        side,
        cells,
        lines=tuple(map(places, everywhere)),
        crossing=crossing,
        reach=tuple(
            places(tuple(other for line in lines for other in line if other != cell))
            for cell, lines in enumerate(crossing)
        ),
        neighbours=neighbours,
        doors=tuple(neighbours[home] if embedded else (home,) for home in homes),
        starts=starts,
    )


Value = TypeVar("Value")


def put(values: tuple[Value, ...], place: int, value: Value) -> tuple[Value, ...]:
    """The same values but for one place."""
    changed = list(values)
    changed[place] = value
    return tuple(changed)
