"""The cards of SheepZzz (§1 of the rules page), what may follow what, and ready-made options by card."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from arena.game import Option, side_by_side
from arena.zones import Face

WOLF: Final[Face] = "W"
WOLF_PILLOWS: Final = 3
PILES: Final = 3
ALL_PILES: Final = (1 << PILES) - 1
"""A set of piles is bits."""

# §1 Card tables: which pillows the copies of each number carry.
DECKS: dict[str, dict[int, tuple[int, ...]]] = {
    "pyramid": {
        1: (5,), 2: (3,), 3: (3,), 4: (0, 1), 5: (0, 1), 6: (0, 1, 2), 7: (0, 1, 2), 8: (0, 1, 2),
        9: (0, 1, 2, 3), 10: (0, 1, 2, 3), 11: (0, 1, 2, 3), 12: (0, 1, 2), 13: (0, 1, 2), 14: (0, 1, 2),
        15: (0, 1), 16: (0, 1), 17: (3,), 18: (3,), 19: (5,),
    },
    "flat": {n: (0, 2) if 4 <= n <= 16 else (1, 2, 3) for n in range(1, 20)},
}  # fmt: skip

_SHEEP = re.compile(r"(1\d|[1-9])/(\d|[1-9]\d)", re.ASCII)  # one spelling per card


@cache
def cards_of(deck: str) -> tuple[Face, ...]:
    """The 48 faces of a deck: a name of `DECKS`, or the 44 sheep written out as "1/5 2/3 …"."""
    if deck in DECKS:
        sheep = [f"{n}/{pillows}" for n, copies in DECKS[deck].items() for pillows in copies]
    else:
        sheep = sorted(deck.replace(",", " ").split(), key=sheep_of)
    if len(sheep) != 44:
        raise ValueError(f"a deck is {', '.join(DECKS)}, or 44 sheep such as 10/3; these are {len(sheep)}")
    return (*sheep, *[WOLF] * 4)


def sheep_of(face: Face) -> tuple[int, int]:
    """Number and pillows of a sheep."""
    found = _SHEEP.fullmatch(face)
    if not found:
        raise ValueError(f'"{face}" is no sheep; write number/pillows with a number of 1 to 19')
    return int(found[1]), int(found[2])


def pillows_on(face: Face) -> int:
    """What a card costs."""
    return WOLF_PILLOWS if face == WOLF else sheep_of(face)[1]


def fitting(ascending: bool, top: int) -> set[int]:
    """§3.2 The numbers that may follow `top`: onward, or a reset by exactly ten; never an equal one."""
    if ascending:
        return {n for n in range(1, 20) if n > top or n == top - 10}
    return {n for n in range(1, 20) if n < top or n == top + 10}


def open_to(ascending: bool, k: int, top: int) -> int:
    """At PILES * n + k, whether the number n may be played on pile k; the wolf, 0, goes anywhere."""
    return sum(1 << PILES * n + k for n in (0, *fitting(ascending, top)))


OPEN: Final = {
    ascending: tuple(tuple(open_to(ascending, k, top) for top in range(20)) for k in range(PILES))
    for ascending in (True, False)
}
"""The same by flock, pile and top.  Of all piles joined, PILES bits from PILES * n on are those open to n."""


BySet = tuple[tuple[Option, ...], ...]
"""Ready-made options of one card, by the set of piles they are about."""

SETS = [[k for k in range(PILES) if places >> k & 1] for places in range(1 << PILES)]
TAKES: Final[list[list[Option]]] = [[("take", k) for k in piles] for piles in SETS]
TAKES_SAID: Final[list[bytes]] = [side_by_side(options) for options in TAKES]
"""The same in bytes, as they travel."""


@cache
def kinds_by_card(faces: tuple[Face, ...]) -> tuple[int, ...]:
    """Per card the first card of the same face."""
    return tuple(map(faces.index, faces))


@cache
def numbers_by_card(faces: tuple[Face, ...]) -> tuple[int, ...]:
    """Per card its number; a wolf has 0."""
    return tuple(0 if face == WOLF else sheep_of(face)[0] for face in faces)


@cache
def pillows_by_card(faces: tuple[Face, ...]) -> tuple[int, ...]:
    """Per card what it costs."""
    return tuple(map(pillows_on, faces))


@cache
def plays_by_card(faces: tuple[Face, ...]) -> tuple[BySet, ...]:
    """Per card and set of piles, the options to play it there."""
    return tuple(tuple(tuple(("play", face, k) for k in piles) for piles in SETS) for face in faces)


@cache
def takes_by_card(faces: tuple[Face, ...]) -> tuple[BySet, ...]:
    """Per card and set of piles, the options to take one and open it again with the card."""
    return tuple(tuple(tuple(("take", k, face) for k in piles) for piles in SETS) for face in faces)


@cache
def plays_said_by_card(faces: tuple[Face, ...]) -> tuple[tuple[bytes, ...], ...]:
    """The same as `plays_by_card` in bytes, the options of a set side by side."""
    return tuple(tuple(map(side_by_side, of_card)) for of_card in plays_by_card(faces))


@cache
def takes_said_by_card(faces: tuple[Face, ...]) -> tuple[tuple[bytes, ...], ...]:
    """The same as `takes_by_card` in bytes."""
    return tuple(tuple(map(side_by_side, of_card)) for of_card in takes_by_card(faces))
