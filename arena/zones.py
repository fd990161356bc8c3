"""Zones: heaps of cards, and who sees what arrives in them.  Cards travel by the verbs of `arena.game` only."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, Final

Card = int
Face = str

PUBLIC: Final = 7
"""The viewer who holds no seat: a spectator.  Seats are 0 to 5."""
EVERYONE: Final = 0xFF
NOBODY: Final = 0


class Sight(Enum):
    """Who sees a card that arrives."""

    FACE_UP = "face up"
    STACK = "face up, each card covering the last"
    FACE_DOWN = "face down"
    OWN_HAND = "own hand"


FACE_UP: Final = Sight.FACE_UP
STACK: Final = Sight.STACK
FACE_DOWN: Final = Sight.FACE_DOWN
OWN_HAND: Final = Sight.OWN_HAND


class Zone:
    """A heap of cards; the last one is the top.

    `sees` is the set of viewers (one bit each) who see what arrives, `placed` an upper bound of the
    viewers who can place any card in it: it spares `view` a look at every card of a face-down deck.
    `look` is how the zone looked to `lookers` when last seen, `packed` how it looked in bytes to `readers`.
    Every verb that touches the zone clears both, and those of its `row`, which is a place in the table's.
    `body` is the bytes of the lowest `kept` cards where all lie open: what is put on top leaves them as they are.
    """

    __slots__ = (
        *("back", "cards", "label", "placed", "row", "sees", "sight"),
        *("look", "lookers", "packed", "readers", "body", "kept"),
    )

    def __init__(
        self, label: str, sight: Sight, sees: int, back: str, cards: list[Card], placed: int = NOBODY, row: int = 0
    ) -> None:
        self.back = back
        self.label = label
        self.sight = sight
        self.sees = sees
        self.placed = placed
        self.cards = cards
        self.row = row
        self.look: tuple[Face | None, ...] = ()
        self.lookers = NOBODY
        self.packed = b""
        self.readers = NOBODY
        self.body = b""
        self.kept = 0

    def __len__(self) -> int:
        return len(self.cards)

    def __repr__(self) -> str:
        return f"<{self.label}: {len(self.cards)} cards, {self.sight.value}>"  # never the cards themselves


class Row:
    """What a rulebook declared under one name: a row of zones, or a single one.

    `packed` is how all of it looked to `readers` when last seen, in bytes; `parts` are its name and its zones.
    """

    __slots__ = ("heaps", "name", "packed", "parts", "readers", "single")

    def __init__(self, name: str, heaps: list[Zone], single: bool) -> None:
        self.name = name
        self.heaps = heaps
        self.single = single
        self.packed = b""
        self.parts: list[bytes] = []
        self.readers = NOBODY

    def copy(self) -> Row:
        """The same heaps in another world."""
        twins = [Zone(it.label, it.sight, it.sees, it.back, it.cards[:], it.placed, it.row) for it in self.heaps]
        return Row(self.name, twins, self.single)

    @property
    def held(self) -> Zone | list[Zone]:
        """As the rulebook holds it."""
        return self.heaps[0] if self.single else self.heaps


class Declared:
    """A zone, or a row of zones, as written in the body of a rulebook."""

    def __init__(self, sight: Sight, row: bool, count: Callable[[Any], int] | int | None, back: str) -> None:
        self.sight = sight
        self.back = back
        self.row = row
        self.count = count

    def lay(self, name: str, game: Any, row: int = 0) -> Row:
        """Make the real zones of one game; `row` is their place in the table's rows."""
        if not self.row:
            heap = Zone(name, self.sight, _sees(self.sight, None), self.back, [], row=row)
            return Row(name, [heap], single=True)
        count = self.count(game) if callable(self.count) else self.count
        per_seat = count is None
        heaps = []
        for index in range(game.seats if count is None else count):
            sees = _sees(self.sight, index if per_seat else None)
            heaps.append(Zone(f"{name}.{index}", self.sight, sees, self.back, [], row=row))
        return Row(name, heaps, single=False)


def zone(sight: Sight, *, back: str = "") -> Any:
    """Declare one zone; in a game with several kinds of backs, `back` says which kind lies in it."""
    return Declared(sight, row=False, count=None, back=back)


def zones(sight: Sight, count: Callable[[Any], int] | int | None = None, *, back: str = "") -> Any:
    """Declare a row of zones: one per seat, or `count` of them."""
    return Declared(sight, row=True, count=count, back=back)


def _sees(sight: Sight, owner: int | None) -> int:
    if sight is OWN_HAND:
        if owner is None:
            raise TypeError("a hand belongs to a seat: declare it with zones(OWN_HAND)")
        return 1 << owner
    return NOBODY if sight is FACE_DOWN else EVERYONE
