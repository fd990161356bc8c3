"""The cards of Volle Wolle: what they show and what they score.  No play here: see `volle_wolle`.

Sections (§) are those of the rules page.  The printed list is lost, so the table is data and an option.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from arena.zones import Face

# §1 Components
DOG: Final[Face] = "dog"
BONE: Final[Face] = "bone"
DOGS = 8
SHEEP = 51
LONGEST = 32
"""So many letters a written card has at most."""

# §1.2 Card table: kind/points/modifier/level, S01 to S51 of the rules page.
REBUILT = """
    white/1/+3/7    white/1/+3/27   white/1/+2/47    white/2/+3/16  white/2/+2/36  white/2/+2/56  white/2/bone/25
    white/3/+2/45   white/3/+1/14   white/3/+1/34    white/3/bone/54
    white/4/+1/23   white/4/+1/43   white/4/-/12     white/4/bone/32
    white/5/-/52    white/5/-/21    white/5/-1/41    white/5/bone/10
    white/6/-/30    white/6/-1/50   white/6/-1/19    white/6/-2/39
    white/7/-1/8    white/7/-2/28   white/7/-2/48    white/8/-2/17  white/8/-2/37  white/8/-3/57
    white/9/-3/26   white/9/-3/46
    370/*/-/15      370/*/-/35      370/*/-/55       370/*/+1/24    370/*/-1/44    370/*/bone/13
    007/*/-/33      007/*/-/53      007/*/-/22       007/*/+1/42    007/*/-1/11    007/*/bone/31
    black/-3/+2/51  black/-3/+1/20  black/-4/+1/40   black/-4/-/9
    black/-5/-/29   black/-5/-/49   black/-6/-/18    black/-7/-/38
"""
KINDS = {"white": "white sheep", "370": "3-7-0", "007": "0-0-7", "black": "black sheep"}


class Sheep(NamedTuple):
    """What a sheep card shows; trio cards score by number, so they have no points of their own."""

    kind: str
    points: int
    mod: int
    bone: bool
    level: int


def sheep_on(face: Face) -> Sheep:
    """Read a face such as white/8/-2/17 or 370/*/bone/13."""
    try:
        kind, points, mod, level = face.split("/")
        if kind not in KINDS or (points == "*") != kind.isdecimal():
            raise ValueError
        bone = mod == "bone"
        numbers = 0 if points == "*" else int(points), 0 if bone or mod == "-" else int(mod), int(level)
        if len(face) > LONGEST or any(abs(number) >= 1_000 for number in numbers):
            raise ValueError  # scores and cards must fit on a wire
        return Sheep(kind, numbers[0], numbers[1], bone, numbers[2])
    except ValueError:
        raise ValueError(
            f'"{face}" is no sheep; write one like white/8/-2/17, black/-5/-/29 or 370/*/bone/13'
        ) from None


@cache
def cards_of(table: str) -> tuple[Face, ...]:
    """All 60 faces: 51 sheep, "rebuilt" or written out, and always eight dogs and the bone."""
    sheep = (REBUILT if table == "rebuilt" else table.replace(",", " ")).split()
    for face in sheep:
        sheep_on(face)
    if len(sheep) != SHEEP:
        raise ValueError(f"{SHEEP} sheep are needed, these are {len(sheep)}")
    return (*sorted(sheep, key=sheep.index), *[DOG] * DOGS, BONE)


@cache
def by_card(faces: tuple[Face, ...]) -> tuple[tuple[Sheep, ...], tuple[int, ...], tuple[int, ...]]:
    """What each card shows, and by themselves the two things asked most: modifiers and levels."""
    no_sheep = Sheep("", 0, 0, bone=False, level=0)
    sheep = tuple(no_sheep if face in (DOG, BONE) else sheep_on(face) for face in faces)
    return sheep, tuple(card.mod for card in sheep), tuple(card.level for card in sheep)


def say_card(face: Face) -> str:
    """A card in words."""
    if face == DOG:
        return "a dog"
    if face == BONE:
        return "the bone"
    kind, points, mod, bone, level = sheep_on(face)
    worth = KINDS[kind] if kind.isdecimal() else f"{KINDS[kind]} worth {points}"
    extra = " with a bone" if bone else f" with {mod:+}" if mod else ""
    return f"{worth}{extra} (level {level})"


# §5 Scoring, part by part


def score_flock(flock: Sequence[Sheep], dogs: int) -> int:
    """White and black sheep by their points, trios by their number."""
    white = sorted(sheep.points for sheep in flock if sheep.kind == "white")
    black = sum(sheep.points for sheep in flock if sheep.kind == "black")
    returned = 0 if dogs else 2  # without a dog two white sheep are lost; nobody would give any but the lowest
    trios = [sheep.kind for sheep in flock]
    return sum(white[returned:]) + black + score_370(trios.count("370")) + score_007(trios.count("007"))


def score_370(count: int) -> int:
    """One is worth 3, two 14, a full trio nothing; then counting starts again."""
    return (0, 3, 14)[count % 3]


def score_007(count: int) -> int:
    """Only full trios are worth something."""
    return 21 * (count // 3)


def score_dogs(dogs: int, *, most: bool, bone: bool) -> int:
    """A single dog is worth 9, the largest pack costs 5, the bone gives 4 for each."""
    return (9 if dogs == 1 else 0) - (5 if most else 0) + (4 * dogs if bone else 0)
