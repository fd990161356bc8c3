"""The table: cards, and who can place each of them.  Its verbs are the only way a card travels.

No rules here and no questions: `arena.game` adds those.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.chance import Chance
from arena.zones import EVERYONE, NOBODY, Card, Face, Row, Zone

Event = tuple[Any, ...]
"""(witnesses, verb, ..., what): a viewer who is no witness sees the same event with None for `what`."""


class Table:
    """Zones full of cards; `knowers` says, per card, which viewers can place it (one bit each)."""

    faces: tuple[Face, ...]
    knowers: list[int]
    _rows: list[Row]
    chance: Chance
    events: list[Event] | None
    """What happened, with its witnesses; None when nobody keeps a log, as in search."""

    def fill(self, zone: Zone, cards: Sequence[Card] | None = None) -> None:
        """Bring cards from the box, unseen; all of them unless said otherwise."""
        brought = range(len(self.faces)) if cards is None else cards
        zone.cards.extend(brought)
        self._touch(zone)
        if self.events is not None:
            self.events.append((EVERYONE, "fill", zone.label, len(brought)))
        self._arrive(zone, brought)

    def draw(self, source: Zone, target: Zone) -> Card:
        """Take the top card; whoever sees the target learns it, whoever could place it still can."""
        card = source.cards.pop()
        self._touch(source)
        self._cover(target)
        if source.placed & ~source.sees:
            self._mix_up(card, source.cards, target.sees)
        target.cards.append(card)
        knowers = self.knowers[card] = self.knowers[card] | target.sees
        target.placed |= knowers
        if self.events is not None:
            self.events.append((knowers, "draw", source.label, target.label, self.faces[card]))
        return card

    def move(self, card: Card, source: Zone, target: Zone) -> None:
        """Move a card in plain sight: everybody sees its face."""
        self._leave("move", card, source, target, EVERYONE)
        target.cards.append(card)
        self._cover(target)
        self.knowers[card] = target.placed = EVERYONE

    def tuck(self, card: Card, source: Zone, target: Zone) -> None:
        """Put a card under a heap, in plain sight."""
        self._leave("tuck", card, source, target, EVERYONE)
        target.cards.insert(0, card)
        self._touch(target)
        self.knowers[card] = target.placed = EVERYONE

    def slip(self, card: Card, source: Zone, target: Zone) -> None:
        """Move a card unseen: owners of both ends know it, for others any card of the source may be gone."""
        insiders = source.sees | target.sees
        self._lose_track(card, source, EVERYONE & ~insiders)
        self._leave("slip", card, source, target, insiders)
        target.cards.append(card)
        self._learn(card, target, insiders)

    def pour(self, source: Zone, target: Zone) -> None:
        """Move a whole heap; whoever could place its cards still can, whoever sees the target learns them."""
        poured, source.cards = source.cards, []
        target.cards.extend(poured)
        self._touch(source)
        self._touch(target)
        target.placed |= source.placed
        source.placed = source.sees
        if self.events is not None:
            turned_up = target.sees == EVERYONE != source.sees  # then the order shows, which nobody knew
            what = tuple(self.faces[card] for card in poured) if turned_up else len(poured)
            self.events.append((EVERYONE, "pour", source.label, target.label, what))
            if turned_up:
                for card in poured:
                    self.knowers[card] = EVERYONE
        self._arrive(target, poured)

    def cut(self, source: Zone, row: Sequence[Zone]) -> None:
        """Share a heap out over a row as evenly as can be, the first ones first, unseen."""
        cards, source.cards = source.cards, []
        source.placed = source.sees
        self._touch(source)
        for card in cards:
            self.knowers[card] = NOBODY
        least, over = divmod(len(cards), len(row))
        sizes = tuple(least + (place < over) for place in range(len(row)))
        if self.events is not None:
            self.events.append((EVERYONE, "cut", source.label, tuple(target.label for target in row), sizes))
        start = 0
        for target, size in zip(row, sizes, strict=True):
            part = cards[start : start + size]
            start += size
            target.cards.extend(part)
            self._touch(target)
            self._arrive(target, part)

    def pass_on(self, row: Sequence[Zone], *, step: int = 1) -> None:
        """Every heap of the row goes to the zone `step` further on, all at once; givers remember."""
        heaps = [(heap.cards, heap.placed) for heap in row]
        for index, target in enumerate(row):
            target.cards, target.placed = heaps[(index - step) % len(row)]
            self._touch(target)
        if self.events is not None:
            self.events.append((EVERYONE, "pass", tuple(target.label for target in row), step))
        for target in row:
            self._arrive(target, target.cards)

    def surface(self, card: Card, zone: Zone) -> None:
        """Bring a card to the top of its heap, in plain sight."""
        self._leave("surface", card, zone, None, EVERYONE)
        zone.cards.append(card)
        self._learn(card, zone, EVERYONE)

    def show(self, zone: Zone, cards: Sequence[Card] | None = None, *, to: int = EVERYONE) -> None:
        """Let viewers look at cards where they lie; at the whole zone unless said otherwise."""
        if not to & ~zone.sees:
            return
        shown = sorted(zone.cards if cards is None else cards)
        covered = [] if cards is None else [card for card in zone.cards if card not in shown]
        for card in shown:
            if covered:
                self._mix_up(card, covered, to)
            self._tell_face(card, zone, to)
            self._learn(card, zone, to)

    def judge(self, zone: Zone) -> None:
        """Say that the rules now look into a hidden zone for all: what follows tells something of its cards.

        Nothing moves.  It marks the one place where that is no leak, so that it is one everywhere else.
        """

    def shuffle(self, zone: Zone, *key: str | int) -> None:
        """Rearrange a heap; nobody but who sees into it can place its cards any more."""
        cards = zone.cards
        zone.cards = [cards[place] for place in self.chance.order(len(cards), key)]
        zone.placed = NOBODY
        self._touch(zone)
        for card in cards:
            self.knowers[card] = NOBODY
        if self.events is not None:
            self.events.append((EVERYONE, "shuffle", zone.label, len(cards)))
        self._arrive(zone, zone.cards)

    def roll(self, sides: int, *key: str | int) -> int:
        """Throw a die in plain sight."""
        thrown = 1 + self.chance.pick(sides, key)
        if self.events is not None:
            self.events.append((EVERYONE, "roll", sides, thrown))
        return thrown

    def pick(self, size: int, *key: str | int) -> int:
        """A number below `size`, told to nobody: only what is done with it shows."""
        return self.chance.pick(size, key)

    def _lose_track(self, gone: Card, source: Zone, outsiders: int) -> None:
        """Of each face they knew in the heap one card less is certain, unless they knew all and all are alike."""
        knowers, faces, cards = self.knowers, self.faces, source.cards
        for viewer in range(outsiders.bit_length() if source.placed & outsiders else 0):
            bit = outsiders & 1 << viewer
            certain: dict[Face, Card] = {}
            count = 0
            for card in cards:
                if knowers[card] & bit:
                    count += 1
                    if card == gone or faces[card] not in certain:
                        certain[faces[card]] = card
            if len(certain) == 1 and count == len(cards):
                continue
            for card in certain.values():
                knowers[card] &= ~bit
        self._touch(source)

    def _touch(self, zone: Zone) -> None:
        """How it looked does not count any more."""
        zone.lookers = zone.readers = zone.kept = self._rows[zone.row].readers = NOBODY

    def _cover(self, zone: Zone) -> None:
        """The same where a card only came on top."""
        zone.lookers = zone.readers = self._rows[zone.row].readers = NOBODY

    def _learn(self, card: Card, zone: Zone, viewers: int) -> None:
        self.knowers[card] |= viewers
        zone.placed |= self.knowers[card]
        self._touch(zone)

    def _leave(self, verb: str, card: Card, source: Zone, target: Zone | None, witnesses: int) -> None:
        if self.events is not None:
            face = self.faces[card]
            place = source.cards.index(card) if source.sees == EVERYONE else None  # places in a hand tell nothing
            if target is None:
                self.events.append((witnesses, verb, source.label, place, face))
            else:
                self.events.append((witnesses, verb, source.label, target.label, place, face))
        source.cards.remove(card)
        self._touch(source)
        if source.placed & ~source.sees:
            self._mix_up(card, source.cards, witnesses)

    def _arrive(self, zone: Zone, cards: Sequence[Card]) -> None:
        if not zone.sees:
            return
        zone.placed |= zone.sees
        if self.events is not None:
            for card in cards if zone.sees == EVERYONE else sorted(cards):
                self._tell_face(card, zone, zone.sees)
        for card in cards:
            self.knowers[card] |= zone.sees

    def _tell_face(self, card: Card, zone: Zone, viewers: int) -> None:
        # Told even when nobody learns anything: how many of these cards the viewers knew is their secret.
        if self.events is not None and self.knowers[card] != EVERYONE:
            self.events.append((viewers & ~self.knowers[card], "show", zone.label, self.faces[card]))

    def _mix_up(self, card: Card, others: Sequence[Card], viewers: int) -> None:
        """Equal cards look alike: who could place another such card beside it takes this one for it."""
        face = self.faces[card]
        for other in others:
            if self.faces[other] == face:
                misled = viewers & self.knowers[other] & ~self.knowers[card]
                if misled:
                    self.knowers[other] ^= misled
                    self.knowers[card] |= misled

    def find(self, zone: Zone, face: Face) -> Card:
        """A card with this face."""
        for card in zone.cards:
            if self.faces[card] == face:
                return card
        raise LookupError(f"no {face} in {zone.label}")
