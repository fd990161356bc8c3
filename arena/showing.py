"""Showing: how zones and public values appear to a viewer, as faces and as the bytes that travel.

What a viewer saw is kept for those who see the same; the verbs of `arena.table` say when that is over.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, ClassVar, Final

import msgspec

from arena.guessing import GuessingTable
from arena.zones import EVERYONE, OWN_HAND, PUBLIC, STACK, Card, Face, Row, Zone

MOST: Final = 256
UNKNOWN: Final[tuple[tuple[None, ...], ...]] = tuple((None,) * count for count in range(MOST))
"""So many cards that a viewer cannot place; no pack has more."""

in_bytes: Final = msgspec.msgpack.Encoder().encode
NONES: Final[tuple[bytes, ...]] = tuple([in_bytes(None) * count for count in range(MOST)])
UNKNOWN_PACKED: Final[tuple[bytes, ...]] = tuple([in_bytes(backs) for backs in UNKNOWN])
LIST_OF: Final[tuple[bytes, ...]] = tuple([in_bytes(UNKNOWN[n]).removesuffix(NONES[n]) for n in range(MOST)])
"""How a list of so many begins."""


def map_of(count: int) -> bytes:
    """How a map of so many entries begins."""
    return bytes((0x80 | count,)) if count < 16 else b"\xde" + count.to_bytes(2, "big")


def list_of(count: int) -> bytes:
    """How a list of so many begins."""
    return LIST_OF[count] if count < MOST else in_bytes((None,) * count).removesuffix(in_bytes(None) * count)


def side_by_side(values: Iterable[Any]) -> bytes:
    """A list in bytes, but for how it begins: so that lists can be joined."""
    return b"".join([in_bytes(value) for value in values])


COMPILED: Final = type(map_of).__name__ != "function"
"""Then a view is put together from kept bytes sooner than it is packed anew; interpreted, it is not."""


@lru_cache(maxsize=64)
def packed_faces(faces: tuple[Face, ...]) -> tuple[bytes, ...]:
    """By card, its face in bytes."""
    return tuple([in_bytes(face) for face in faces])


class Sheet:
    """A view as it was last packed, in parts: whose it is, the rows, the public values, the question."""

    __slots__ = ("faces", "heads", "keys", "names", "parts", "values", "words")

    def __init__(self, faces: tuple[Face, ...], rows: int, names: Iterable[str]) -> None:
        self.faces = packed_faces(faces)
        self.heads: dict[int, bytes] = {}
        self.words: dict[tuple[str, str], bytes] = {}  # of a question: which options, which step then
        self.names = list(names)
        self.keys = [in_bytes(name) for name in self.names]
        self.values: list[Any] = [*self.keys]  # no public value is bytes: all are still to be packed
        self.parts = [b""] * (1 + rows + len(self.keys) + 3)


class ShownTable(GuessingTable):
    """A table with viewers around it."""

    _publics: ClassVar[dict[str, Any]] = {}
    _eyes_only: bool
    """Whether views show what lies open to the eye, and not what is only remembered."""

    def _look(self, zone: Zone, bit: int) -> tuple[Face | None, ...]:
        """The faces of a zone: open heaps in their order, hidden ones sorted so that places tell nothing."""
        if self._eyes_only:
            zone.look, zone.lookers = self._glance(zone, bit), bit
        else:
            faces = self.faces
            known, zone.lookers = self._known(zone, bit)
            seen = [faces[card] for card in known]
            hidden = len(zone.cards) - len(known)
            zone.look = (*seen, *UNKNOWN[hidden]) if hidden else tuple(seen)
        return zone.look

    def _known(self, zone: Zone, bit: int) -> tuple[list[Card], int]:
        """The cards of a zone that a viewer can place, and who can place exactly the same."""
        cards = zone.cards
        if zone.sees == EVERYONE:
            return cards, EVERYONE
        if zone.sees & bit:
            return sorted(cards), bit
        knowers, same = self.knowers, EVERYONE
        known = []
        for card in cards:
            if knowers[card] & bit:
                known.append(card)
                same &= knowers[card]
            else:
                same &= ~knowers[card]
        known.sort()
        return known, same

    def _glance(self, zone: Zone, bit: int) -> tuple[Face | None, ...]:
        """What lies open to the eye, without what is only remembered."""
        cards, faces = zone.cards, self.faces
        if zone.sight is STACK and cards:
            return (*UNKNOWN[len(cards) - 1], faces[cards[-1]])
        if not zone.sees & bit:
            return UNKNOWN[len(cards)]
        return tuple([faces[card] for card in (sorted(cards) if zone.sight is OWN_HAND else cards)])

    # --- The same in bytes ------------------------------------------------------------------------

    def _pack_rows(self, sheet: Sheet, bit: int) -> None:
        """All zones."""
        for place, row in enumerate(self._rows):
            if not row.readers & bit:
                self._pack_row(row, bit, sheet.faces)
            sheet.parts[1 + place] = row.packed

    def _pack_row(self, row: Row, bit: int, faces: tuple[bytes, ...]) -> None:
        parts, readers = row.parts, EVERYONE
        if not parts:
            key = in_bytes(row.name)
            parts = row.parts = [key if row.single else key + LIST_OF[len(row.heaps)], *[b""] * len(row.heaps)]
        place = 0
        for heap in row.heaps:
            place += 1
            sharing = heap.readers
            if sharing == EVERYONE:
                continue  # its part is the same for all, and in place
            if not sharing & bit:
                if not heap.placed & bit:
                    readers &= ~heap.placed  # nor can they place a card of it
                    parts[place] = UNKNOWN_PACKED[len(heap.cards)]
                    continue
                sharing = self._pack_look(heap, bit, faces)
            readers &= sharing
            parts[place] = heap.packed
        row.packed = b"".join(parts)
        row.readers = readers

    def _pack_look(self, zone: Zone, bit: int, faces: tuple[bytes, ...]) -> int:
        """Pack what a viewer sees of a zone; who else may read it."""
        if self._eyes_only:
            zone.packed, zone.readers = in_bytes(self._glance(zone, bit)), bit
            return bit
        if zone.sees == EVERYONE:
            return self._pack_open(zone, faces)
        known, readers = self._known(zone, bit)
        size, seen = len(zone.cards), len(known)
        packed = LIST_OF[size] + (faces[known[0]] if seen == 1 else b"".join([faces[card] for card in known]))
        zone.packed = packed if seen == size else packed + NONES[size - seen]
        zone.readers = readers
        return readers

    def _pack_open(self, zone: Zone, faces: tuple[bytes, ...]) -> int:
        """The same of a zone into which all see: only what came on top since is added."""
        cards, kept = zone.cards, zone.kept
        size = len(cards)
        if size - kept == 1:
            zone.body = zone.body + faces[cards[-1]] if kept else faces[cards[0]]
        elif size != kept:
            above = b"".join([faces[card] for card in cards[kept:]])
            zone.body = zone.body + above if kept else above
        elif not size:
            zone.body = b""
        zone.kept = size
        zone.packed = LIST_OF[size] + zone.body
        zone.readers = EVERYONE
        return EVERYONE

    def _pack_values(self, sheet: Sheet) -> None:
        """All public values; the very same object is the same value, as they are immutable."""
        values, first = sheet.values, 1 + len(self._rows)
        for place, name in enumerate(sheet.names):
            value = getattr(self, name)
            if value is not values[place]:
                values[place] = value
                sheet.parts[first + place] = sheet.keys[place] + in_bytes(value)


NOT_ASKED: Final = (in_bytes("question"), in_bytes(None), b"")
ASKED: Final = in_bytes("question") + map_of(5) + in_bytes("seats")
ASKED_ONE: Final = [ASKED + in_bytes((seat,)) for seat in range(PUBLIC)]
TOGETHER: Final = [in_bytes("together") + in_bytes(together) for together in (False, True)]
ALONE: Final = in_bytes(()) + TOGETHER[False]
ALONE_WITH_NONE: Final = in_bytes((None,)) + TOGETHER[False]


def packed_question(
    seats: tuple[int, ...],
    options: str,
    then: str,
    context: tuple[Any, ...],
    together: bool,
    known: dict[tuple[str, str], bytes],
) -> tuple[bytes, bytes, bytes]:
    """A view's entry for what is asked, in bytes; `known` keeps the words of questions that come again."""
    methods = (options, then)
    words = known.get(methods)
    if words is None:
        spoken = ("options", options, "then", then, "context")
        words = known[methods] = b"".join([in_bytes(part) for part in spoken])
    if together:
        return ASKED + in_bytes(seats), words, in_bytes(context) + TOGETHER[True]
    if not context:
        ending = ALONE
    elif len(context) == 1 and context[0] is None:  # the most usual one
        ending = ALONE_WITH_NONE
    else:
        ending = in_bytes(context) + TOGETHER[False]
    return ASKED_ONE[seats[0]], words, ending
