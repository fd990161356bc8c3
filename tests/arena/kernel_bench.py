"""A table without rules, to try verbs on and to look at with every viewer's eyes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from arena.chance import Chance, FastChance
from arena.events import Onlooker, seen_by
from arena.game import Game, Option, Outcome, Question, public
from arena.variants import Variant, flag
from arena.zones import FACE_DOWN, FACE_UP, OWN_HAND, PUBLIC, STACK, Face, Zone, zone, zones

EVERYBODY = (0, 1, 2, PUBLIC)


@dataclass(frozen=True)
class BenchVariant(Variant):
    strict_memory: bool = flag(False)


class Bench(Game):
    """Three seats, all kinds of zones, and no rules."""

    name = "bench"
    title = "Bench"
    summary = "A table to try verbs on."
    seats_allowed = range(3, 4)
    variant_type = BenchVariant
    deck: Zone = zone(FACE_DOWN)
    hands: list[Zone] = zones(OWN_HAND)
    row: Zone = zone(FACE_UP)
    pile: Zone = zone(STACK)
    box: Zone = zone(FACE_DOWN)
    mood: str = public("calm")

    @classmethod
    def pack(cls, seats: int, variant: Variant) -> tuple[Face, ...]:
        return tuple("AABBCDEF")

    def set_up(self) -> Question:
        return self.ask(0, self.choices, self.chosen)

    def choices(self, seat: int, *context: object) -> list[Option]:
        return [("one",), ("many",), ("end",)]

    def chosen(self, seat: int, option: Option, *context: object) -> Question | Outcome:
        self.mood = option[0]
        if option == ("end",):
            return self.finish((3, 5, 3))
        if option == ("many",):
            return self.ask_all((2, 0), self.choices, self.all_chosen)
        return self.ask(1, self.choices, self.chosen, "again")

    def all_chosen(self, options: tuple[Option, ...], *context: object) -> Question:
        self.mood = f"{options[0][0]} {options[1][0]}"
        return self.set_up()


class Tables:
    """The same table twice, with a log and without: whatever is done is done at both."""

    def __init__(self, *, strict_memory: bool = False, chance: type[FastChance] = FastChance) -> None:
        variant = BenchVariant(strict_memory)
        sources: list[Chance] = [chance(1), chance(1)]
        self.both = [Bench(3, variant, sources[0], log=True), Bench(3, variant, sources[1])]
        self.logged = self.both[0]

    def lay(self, where: str, faces: str) -> None:
        """Bring these cards from the box, unseen but by who sees into the zone."""
        for table in self.both:
            lying = {card for heap in heaps(table).values() for card in heap.cards}
            cards = []
            for face in faces:
                cards.append(next(c for c, f in enumerate(table.faces) if f == face and c not in lying))
                lying.add(cards[-1])
            table.fill(heaps(table)[where], cards)

    def do(self, verb: str, *parts: Any, **options: Any) -> None:
        """Use a verb; cards are named by face ("A"), zones by label ("hands.0")."""
        for table in self.both:
            found = heaps(table)
            source = next(found[part] for part in parts if part in found)
            named = [found.get(part, part) for part in parts]
            if "cards" in options:
                cards = [table.find(source, face) for face in options["cards"]]
                getattr(table, verb)(*named, **{**options, "cards": cards})
            else:
                faces = [table.find(source, part) if part in table.faces else part for part in named]
                getattr(table, verb)(*faces, **options)

    def sees(self, viewer: int, where: str) -> str:
        """What a viewer sees in a zone, unknown cards as dots.

        Table with log, table without and the folded events must tell the same.
        """
        seen = [_spell(_shown(table, viewer, where)) for table in self.both]
        assert seen[0] == seen[1], "keeping a log changed what is known"
        if not self.logged._eyes_only:
            onlooker = Onlooker(viewer)
            for event in seen_by(viewer, self.logged.events or []):
                onlooker.see(event)
            folded = _spell(onlooker.zones.get(where, []))
            hidden = heaps(self.logged)[where].sight in (FACE_DOWN, OWN_HAND)
            assert (sorted(folded) == sorted(seen[0])) if hidden else folded == seen[0], (
                "events tell something else"
            )
        return seen[0]

    def everybody_sees(self, where: str) -> list[str]:
        """What seats 0, 1, 2 and the public see in a zone."""
        return [self.sees(viewer, where) for viewer in EVERYBODY]


def heaps(table: Game) -> dict[str, Zone]:
    """All zones by label."""
    found: dict[str, Zone] = {}
    for name, declared in table._zones.items():
        held = getattr(table, name)
        found.update({heap.label: heap for heap in (held if declared.row else [held])})
    return found


def _shown(table: Game, viewer: int, where: str) -> list[Face | None]:
    name, _, index = where.partition(".")
    shown = table.view(viewer)[name]
    return list(shown[int(index)] if index else shown)


def _spell(faces: list[Face | None]) -> str:
    return "".join(face or "." for face in faces)
