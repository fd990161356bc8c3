"""A match as one viewer saw it, position by position, folded from the events that viewer saw; no rulebook runs.

A *move* is everything from one question to the next, so position 0 is the table at the first question.  Positions
are handed out in pages; the first of a page is told whole, every other one by what changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from arena.analyses import Remarks
from arena.events import Onlooker, Seen
from arena.game import Game
from arena.record import Document, events_for
from arena.telling import tell
from arena.web.moments import Moment, moments_of
from arena.zones import PUBLIC, Face

PAGE = 50

Heap = list[Face | None] | int
"""The faces of a zone, or how many cards lie in one of which the viewer knows none."""


@dataclass
class Position:
    """The table at one question, and what led there from the one before."""

    zones: dict[str, Heap]
    values: dict[str, Any]
    asked: list[int]
    together: bool
    words: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Scene:
    """All positions of a match for one viewer (a seat, PUBLIC, or None for everyone)."""

    positions: list[Position]
    moments: list[Moment]

    def remarked(self, remarks: Remarks) -> Scene:
        """With what is said of decisions: a match may be analysed at any time, so that is no part of the fold."""
        return replace(self, moments=[moment.remarked(remarks) for moment in self.moments]) if remarks else self

    def page(self, number: int, notes: set[int]) -> list[dict[str, Any]]:
        """The positions of a page as data; `notes` are the seats whose notes may be read."""
        first = number * PAGE
        told = []
        for at in range(first, min(first + PAGE, len(self.positions))):
            before = None if at == first else self.positions[at - 1]
            told.append(_as_data(self.positions[at], before, self.moments[at], notes))
        return told


def scene_of(game: type[Game], document: Document, viewer: int | None) -> Scene:
    """Fold the record for a viewer."""
    seats = len(document["bots"])
    eyes = [viewer] if viewer is not None else [*range(seats), PUBLIC]
    folded = [list(fold(events_for(document, eye), eye)) for eye in eyes]
    positions = [_best_informed(together) for together in zip(*folded, strict=True)]
    for at, line in lines_of(game, events_for(document, viewer)):
        positions[at].words.append(line)
    return Scene(positions, moments_of(document))


def fold(events: Iterable[Seen], viewer: int) -> Iterator[Position]:
    """The table at every question, and at the end."""
    eye = Onlooker(viewer)
    for event in events:
        eye.see(event)
        if event[0] in ("ask", "end"):
            asked = eye.question or {"seats": [], "together": False}
            zones = {label: _heap(heap) for label, heap in eye.zones.items()}
            yield Position(zones, dict(eye.values), list(asked["seats"]), asked["together"])


def _heap(heap: list[Face | None]) -> Heap:
    return len(heap) if all(face is None for face in heap) else list(heap)


def _best_informed(views: tuple[Position, ...]) -> Position:
    """Everyone's picture: of every heap, what the seat knows that can place most of its cards."""
    best = views[0]
    for view in views[1:]:
        for label, heap in view.zones.items():
            if _known(heap) > _known(best.zones[label]):
                best.zones[label] = heap
    return best


def _known(heap: Heap) -> int:
    return 0 if isinstance(heap, int) else sum(face is not None for face in heap)


def lines_of(game: type[Game], events: Iterable[Seen]) -> Iterator[tuple[int, str]]:
    """The game in words, each line with the position it led to."""
    at = -1

    def counted() -> Iterator[Seen]:
        nonlocal at
        for event in events:
            at += event[0] in ("ask", "end")
            yield event

    for line in tell(game, counted()):
        if line:
            yield at, line


def _as_data(position: Position, before: Position | None, moment: Moment, notes: set[int]) -> dict[str, Any]:
    told: dict[str, Any] = {
        "zones": _changed(position.zones, None if before is None else before.zones),
        "values": _changed(position.values, None if before is None else before.values),
        "asked": position.asked,
        "words": position.words,
        "answers": [
            [answer.seat, answer.elapsed_us, answer.note if answer.seat in notes else ""]
            for answer in moment.answers
        ],
    }
    if moment.marks:
        told["marks"] = [[mark.seat, mark.kind, mark.text] for mark in moment.marks]
    return told


def zones_changed(now: Position, before: Position | None) -> list[str]:
    """Where something moved; nowhere when nothing is known of before."""
    return [] if before is None else list(_changed(now.zones, before.zones))


def _changed(now: dict[str, Any], before: dict[str, Any] | None) -> dict[str, Any]:
    if before is None:
        return now
    missing = object()
    return {key: value for key, value in now.items() if before.get(key, missing) != value}
