"""What happened at the table, as each viewer saw it: a replay folds events and runs no rulebook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from arena.table import Event
from arena.zones import Face

Seen = list[Any]
"""An event as one viewer saw it: verb, places, and what was moved or shown, or None when that was hidden."""


def seen_by(viewer: int, events: Iterable[Event]) -> list[Seen]:
    """The events as `viewer` saw them."""
    bit = 1 << viewer
    return [
        list(event[1:]) if event[0] & bit else [*event[1:-1], None]
        for event in events
    ]  # fmt: skip


class Onlooker:
    """One viewer's picture of the table, kept up to date from the events that viewer saw.

    `zones` maps labels ("deck", "hands.0") to faces; a face the viewer cannot place is None.
    """

    def __init__(self, viewer: int) -> None:
        self.viewer = viewer
        self.zones: dict[str, list[Face | None]] = {}
        self.values: dict[str, Any] = {}
        self.question: dict[str, Any] | None = None
        self.scores: Sequence[int] | None = None
        self.ranks: Sequence[int] | None = None

    def see(self, event: Seen) -> None:
        """Take one event in."""
        verb, *rest = event
        getattr(self, f"_{verb}")(*rest)

    def _heap(self, label: str) -> list[Face | None]:
        return self.zones.setdefault(label, [])

    def _fill(self, zone: str, count: int) -> None:
        self._heap(zone).extend([None] * count)

    def _draw(self, source: str, target: str, face: Face | None) -> None:
        # The top card: what the viewer remembers of the rest of the heap stays true.
        self._remove(self._heap(source), face)
        self._heap(target).append(face)

    def _move(self, source: str, target: str, place: int | None, face: Face | None) -> None:
        self._remove(self._heap(source), face, place)
        self._heap(target).append(face)

    def _tuck(self, source: str, target: str, place: int | None, face: Face | None) -> None:
        self._remove(self._heap(source), face, place)
        self._heap(target).insert(0, face)

    def _slip(self, source: str, target: str, place: int | None, face: Face | None) -> None:
        heap = self._heap(source)
        known = set(heap)
        if face is None and len(known) == 1:  # one like the others has gone
            face = heap[0]
        elif face is None:  # any of them may have gone: of each kind one card less is certain
            for kind in known - {None}:
                heap[heap.index(kind)] = None
        self._remove(heap, face, place)
        self._heap(target).append(face)

    def _pour(self, source: str, target: str, poured: int | Sequence[Face]) -> None:
        heap = self._heap(source)
        size = poured if isinstance(poured, int) else len(poured)
        assert len(heap) == size, f"{source} holds {len(heap)} cards, {size} were poured"
        self._heap(target).extend(heap if isinstance(poured, int) else poured)  # turned up, the order shows
        self.zones[source] = []

    def _cut(self, source: str, row: Sequence[str], sizes: Sequence[int]) -> None:
        self.zones[source] = []
        for label, size in zip(row, sizes, strict=True):
            self._heap(label).extend([None] * size)

    def _pass(self, row: Sequence[str], step: int) -> None:
        heaps = [self._heap(label) for label in row]
        for index, label in enumerate(row):
            self.zones[label] = heaps[(index - step) % len(row)]

    def _surface(self, zone: str, place: int | None, face: Face | None) -> None:
        heap = self._heap(zone)
        self._remove(heap, face, place)
        heap.append(face)

    def _show(self, zone: str, face: Face | None) -> None:
        heap = self._heap(zone)
        if face is not None:
            heap[heap.index(None)] = face

    def _shuffle(self, zone: str, count: int) -> None:
        self.zones[zone] = [None] * count

    def _roll(self, sides: int, thrown: int) -> None:
        """Dice are told, nothing on the table changes by them."""

    def _set(self, name: str, value: Any) -> None:
        self.values[name] = value

    def _answer(self, seat: int, option: Any) -> None:
        """The choice itself; what follows from it comes as its own events."""

    def _ask(self, seats: Sequence[int], options: str, then: str, context: Sequence[Any], together: bool) -> None:
        self.question = {
            "seats": seats,
            "options": options,
            "then": then,
            "context": context,
            "together": together,
        }

    def _end(self, scores: Sequence[int], ranks: Sequence[int]) -> None:
        self.question = None
        self.scores, self.ranks = scores, ranks

    @staticmethod
    def _remove(heap: list[Face | None], face: Face | None, place: int | None = None) -> None:
        """Take out the card at its place, or the topmost such card; it may have been unknown before."""
        if place is None:
            known_as = face if face in heap else None
            place = len(heap) - 1 - heap[::-1].index(known_as)
        del heap[place]
