"""Guessing: cards laid where a viewer sees only their backs.  What a viewer may know is decided elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final, NamedTuple

from arena.table import Table
from arena.zones import Card, Face, Zone

NOT_OUR_CARDS = "this view shows other cards than the game has"
HIDDEN: Final = -1
"""Stands for a card that is still to be guessed."""


class Lesson(NamedTuple):
    """What everybody learnt of a heap: its cards, sorted into kinds, are so many of each that it fits."""

    label: str
    kinds: Mapping[Face, str]
    fits: Callable[[Mapping[str, int]], bool]
    """Told how many cards there are of each kind; kinds that are missing count 0."""


class Box:
    """The cards of one kind of game, for many guesses: the first one of each face, and all of each back."""

    def __init__(self, faces: Sequence[Face], backs: Sequence[str]) -> None:
        self.first: dict[Face, Card] = {}
        self.cards: dict[str, list[Card]] = {}
        for card, face in enumerate(faces):
            self.first.setdefault(face, card)
            self.cards.setdefault(backs[card], []).append(card)


class GuessingTable(Table):
    """A table that can be laid from what one viewer sees of it."""

    _choosy: ClassVar[bool] = False
    """Whether the rulebook says what `could_hide` where."""

    @classmethod
    def back(cls, face: Face) -> str:  # noqa: ARG003  most games have one kind of back
        """How a card looks from behind; in an imagined world it lies where `zone(…, back=…)` says so."""
        return ""

    def could_hide(self, zone: Zone, face: Face) -> bool:  # noqa: ARG002
        """Whether a card that nobody saw in `zone` may have this face; asked when a world is imagined.

        Say no to what the table would have seen.  Public values and known cards are in place by then.
        """
        return True

    def lessons(self, step: Sequence[Sequence[Any]]) -> list[Lesson]:  # noqa: ARG002
        """What the events of a step, as anybody saw them, say about cards that were not shown.

        They begin with an answer and end with the next question.  Asked of a table on which nothing lies.
        """
        return []

    def _guess_from(self, view: Mapping[str, Any], viewer: int, box: Box) -> None:
        """Lay what the view shows, and something that fits wherever it shows a back."""
        following = box.first.copy()  # equal faces lie side by side
        free = [True] * len(self.faces)
        hiding: dict[str, list[Zone]] = {}
        for row in self._rows:
            looks = [view[row.name]] if row.single else view[row.name]
            for zone, faces in zip(row.heaps, looks, strict=True):
                if self._lay_known(zone, faces, viewer, following, free):
                    hiding.setdefault(zone.back, []).append(zone)
        for back, zones in hiding.items():
            rest = [card for card in box.cards[back] if free[card]]
            guesses = [rest[place] for place in self.chance.order(len(rest), ("imagine", back))]
            if self._choosy and len(zones) > 1:
                self._choose(zones, guesses)
                continue
            for zone in zones:
                self._take_any(zone, guesses)

    def _lay_known(
        self,
        zone: Zone,
        faces: Sequence[Face | None],
        viewer: int,
        following: dict[Face, Card],
        free: list[bool],
    ) -> bool:
        """Put the cards of these faces into the zone; whether any is hidden."""
        zone.placed = known_to = zone.sees | viewer
        unknown = faces.count(None)
        if unknown == len(faces):
            zone.cards = [HIDDEN] * unknown
            return unknown > 0
        knowers = self.knowers
        cards: list[Card] = []
        for face in faces:
            if face is None:
                cards.append(HIDDEN)
                continue
            card = following.get(face, len(free))
            if card == len(free) or self.faces[card] != face:
                raise ValueError(NOT_OUR_CARDS)
            following[face] = card + 1
            free[card] = False
            knowers[card] = known_to
            cards.append(card)
        zone.cards = cards
        return unknown > 0

    def _take_any(self, zone: Zone, guesses: list[Card]) -> None:
        """Hidden cards are the next guesses, whatever they are."""
        cards, sees, knowers = zone.cards, zone.sees, self.knowers
        if len(guesses) < cards.count(HIDDEN):
            raise ValueError(NOT_OUR_CARDS)
        for place, card in enumerate(cards):
            if card == HIDDEN:
                cards[place] = guess = guesses.pop()
                knowers[guess] = sees

    def _choose(self, zones: list[Zone], guesses: list[Card]) -> None:
        """Zones that could hide little choose before zones that could hide anything."""
        faces = [self.faces[card] for card in guesses]
        choices = [sum([self.could_hide(zone, face) for face in faces]) for zone in zones]
        for index in sorted(range(len(zones)), key=choices.__getitem__):
            if choices[index] == len(faces):
                self._take_any(zones[index], guesses)
            else:
                self._take_fitting(zones[index], guesses)

    def _take_fitting(self, zone: Zone, guesses: list[Card]) -> None:
        """Hidden cards are the next guesses that the rulebook allows there."""
        cards = zone.cards
        for place, card in enumerate(cards):
            if card == HIDDEN:
                cards[place] = guess = self._fitting(zone, guesses)
                self.knowers[guess] = zone.sees

    def _fitting(self, zone: Zone, guesses: list[Card]) -> Card:
        for place in range(len(guesses) - 1, -1, -1):
            if self.could_hide(zone, self.faces[guesses[place]]):
                return guesses.pop(place)
        raise ValueError(f"no card is left that {zone.label} could hide")
