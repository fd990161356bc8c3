"""The table: cards, and who can place each of them.  Its verbs are the only way a card travels.

No rules here and no questions: `arena.game` adds those.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.chance import Chance
from arena.zones import EVERYONE, Card, Face, Zone

Event = tuple[Any, ...]
"""(witnesses, verb, ..., what): a viewer who is no witness sees the same event with None for `what`."""


class Table:
    """Zones full of cards; `knowers` says, per card, which viewers can place it (one bit each)."""

    faces: tuple[Face, ...]
    knowers: list[int]
    chance: Chance
    events: list[Event] | None
    """What happened, with its witnesses; None when nobody keeps a log, as in search."""

    def fill(self, zone: Zone, cards: Sequence[Card] | None = None) -> None:
        """Bring cards from the box, unseen; all of them unless said otherwise."""
        brought = range(len(self.faces)) if cards is None else cards
        zone.cards.extend(brought)
        for card in brought:
            self._learn(card, zone, zone.sees)
        if self.events is not None:
            self.events.append((EVERYONE, "fill", zone.label, len(brought)))
            self._show_arrivals(zone, brought)

    def draw(self, source: Zone, target: Zone) -> Card:
        """Take the top card; whoever sees the target learns it, whoever could place it still can."""
        card = source.cards.pop()
        target.cards.append(card)
        knowers = self.knowers[card] = self.knowers[card] | target.sees
        target.placed |= knowers
        if self.events is not None:
            self.events.append((knowers, "draw", source.label, target.label, self.faces[card]))
        return card

    def move(self, card: Card, source: Zone, target: Zone) -> None:
        """Move a card in plain sight: everybody sees its face."""
        source.cards.remove(card)
        target.cards.append(card)
        self.knowers[card] = target.placed = EVERYONE
        if self.events is not None:
            self.events.append((EVERYONE, "move", source.label, target.label, self.faces[card]))

    def tuck(self, card: Card, source: Zone, target: Zone) -> None:
        """Put a card under a heap, in plain sight."""
        source.cards.remove(card)
        target.cards.insert(0, card)
        self.knowers[card] = target.placed = EVERYONE
        if self.events is not None:
            self.events.append((EVERYONE, "tuck", source.label, target.label, self.faces[card]))

    def slip(self, card: Card, source: Zone, target: Zone) -> None:
        """Move a card unseen: owners of both ends know it, third parties lose track of the whole source."""
        insiders = source.sees | target.sees
        for other in source.cards:
            self.knowers[other] &= insiders
        source.cards.remove(card)
        target.cards.append(card)
        self._learn(card, target, insiders)
        if self.events is not None:
            self.events.append((insiders, "slip", source.label, target.label, self.faces[card]))

    def pour(self, source: Zone, target: Zone) -> None:
        """Move a whole heap; whoever could place its cards still can, whoever sees the target learns them."""
        poured, source.cards = source.cards, []
        start = len(target.cards)
        target.cards.extend(poured)
        target.placed |= source.placed | target.sees
        source.placed = source.sees
        if self.events is not None:
            self.events.append((EVERYONE, "pour", source.label, target.label, len(poured)))
            self._show_arrivals(target, target.cards[start:])
        if target.sees:
            for card in poured:
                self.knowers[card] |= target.sees

    def pass_on(self, row: Sequence[Zone], *, step: int = 1) -> None:
        """Every heap of the row goes to the zone `step` further on, all at once; givers remember."""
        heaps = [(heap.cards, heap.placed) for heap in row]
        for index, target in enumerate(row):
            target.cards, target.placed = heaps[(index - step) % len(row)]
            target.placed |= target.sees
        if self.events is not None:
            self.events.append((EVERYONE, "pass", tuple(target.label for target in row), step))
            for target in row:
                self._show_arrivals(target, target.cards)
        for target in row:
            for card in target.cards:
                self.knowers[card] |= target.sees

    def surface(self, card: Card, zone: Zone) -> None:
        """Bring a card to the top of its heap, in plain sight."""
        zone.cards.remove(card)
        zone.cards.append(card)
        self._learn(card, zone, EVERYONE)
        if self.events is not None:
            self.events.append((EVERYONE, "surface", zone.label, self.faces[card]))

    def show(self, zone: Zone, cards: Sequence[Card] | None = None, *, to: int = EVERYONE) -> None:
        """Let viewers look at cards where they lie; at the whole zone unless said otherwise."""
        shown = list(zone.cards if cards is None else cards)
        for card in shown:
            learners = to & ~self.knowers[card]
            if learners:
                self._learn(card, zone, to)
                if self.events is not None:
                    self.events.append((learners, "show", zone.label, self.faces[card]))

    def shuffle(self, zone: Zone, *key: str | int) -> None:
        """Rearrange a heap; nobody but who sees into it can place its cards any more."""
        cards = zone.cards
        zone.cards = [cards[place] for place in self.chance.order(len(cards), key)]
        zone.placed = zone.sees
        for card in cards:
            self.knowers[card] = zone.sees
        if self.events is not None:
            self.events.append((EVERYONE, "shuffle", zone.label, len(cards)))

    def roll(self, sides: int, *key: str | int) -> int:
        """Throw a die in plain sight."""
        thrown = 1 + self.chance.pick(sides, key)
        if self.events is not None:
            self.events.append((EVERYONE, "roll", sides, thrown))
        return thrown

    def pick(self, size: int, *key: str | int) -> int:
        """A number below `size`, told to nobody: only what is done with it shows."""
        return self.chance.pick(size, key)

    def _learn(self, card: Card, zone: Zone, viewers: int) -> None:
        self.knowers[card] |= viewers
        zone.placed |= self.knowers[card]

    def _show_arrivals(self, zone: Zone, cards: Sequence[Card]) -> None:
        assert self.events is not None
        for card in cards:
            learners = zone.sees & ~self.knowers[card]
            if learners:
                self.events.append((learners, "show", zone.label, self.faces[card]))

    def find(self, zone: Zone, face: Face) -> Card:
        """A card with this face."""
        for card in zone.cards:
            if self.faces[card] == face:
                return card
        raise LookupError(f"no {face} in {zone.label}")
