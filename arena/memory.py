"""Memory: what an attentive player knows beyond what a view shows, kept up from the events that he sees.

A view shows the cards that can be placed for certain.  After an unseen theft, a reshuffle or a card used in vain
more is known than that: one of these went there, none of those is here.  Memory keeps every story that fits all
that was seen, and imagines worlds from them.  It runs no rulebook; `Game.lessons` says what a step taught.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Generic, Self, TypeVar

from arena.chance import Chance
from arena.events import Onlooker, Seen
from arena.game import Game, blank_table
from arena.stories import Back, Item, Items, Story, heaps_settled, learnt
from arena.zones import FACE_DOWN, OWN_HAND, PUBLIC, Card, Face, Row, Zone

STORIES_KEPT: Final = 64
"""The least likely beyond these are given up; should the true one be among them, what is certain remains."""
ATTEMPTS: Final = 100

G = TypeVar("G", bound=Game)
Way = tuple[Story, float]
"""How it may have gone, and how likely that is, roughly."""


class Memory(Generic[G]):
    """One seat's memory of one match: let it `see` every event, then `imagine`."""

    def __init__(self, game: type[G], seats: int, variant: dict[str, Any] | None = None) -> None:
        """Sit down at a table before anything lies on it."""
        self.game = game
        self.ways: list[Way] = [(Story({}, ()), 1.0)]
        self.gave_up = False
        """Whether some story was too unlikely to be followed."""
        self.onlooker = Onlooker(PUBLIC)
        self._step: list[Seen] = []
        self._table, box = blank_table(game, seats, variant)
        zones = [zone for row in self._table._rows for zone in row.heaps]
        self._hands = {zone.label for zone in zones if zone.sight is OWN_HAND}
        self._back_of = {zone.label: zone.back for zone in zones}
        faces = self._table.faces
        self._packs = {back: Counter([faces[card] for card in cards]) for back, cards in box.cards.items()}

    @classmethod
    def of_view(cls, game: type[G], view: dict[str, Any]) -> Self:
        """Begin in the midst of a game, with nothing but a view of it."""
        memory = cls(game, view["seats"], view.get("variant"))
        zones = memory.onlooker.zones
        for row in memory._table._rows:
            zones.update((label, list(heap)) for label, heap in _labelled(row, view))
        memory._begin_with(zones)
        return memory

    def _begin_with(self, known: Mapping[str, Sequence[Face | None]]) -> None:
        """Only these faces are certain; the other cards of each back may lie anywhere."""
        heaps: dict[str, Items] = {}
        pools: list[Counter[Item]] = []
        for back, faces in self._packs.items():
            pool: Counter[Item] = Counter(faces)
            for label, heap in known.items():
                if self._back_of[label] == back:
                    heaps[label] = tuple([Back(len(pools)) if face is None else face for face in heap])
                    pool.subtract([face for face in heap if face is not None])
            pools.append(+pool)
        self.ways = [(Story(heaps, tuple(pools)), 1.0)]

    # --- Seeing -----------------------------------------------------------------------------------

    def see(self, events: Iterable[Seen]) -> None:
        """Take in what happened since."""
        for event in events:
            verb = event[0]
            fits = verb not in STRUCTURAL or self._follow(getattr(self, f"_{verb}"), *event[1:])
            self.onlooker.see(event)
            if verb == "show" and event[2] is not None:
                fits = self._follow(self._shown, event[1])
            self._step.append(event)
            if verb == "ask":
                fits = self._learn()
            if not fits:  # the true story was one of those given up: go on with what is certain
                self.gave_up = False
                self._begin_with(self.onlooker.zones)

    def _learn(self) -> bool:
        """A step is over: what it says about hidden cards."""
        step, self._step = self._step, []
        return all(self._follow(learnt, lesson) for lesson in self._table.lessons(step))

    def _follow(self, tell: Callable[..., Iterator[Way]], *what: Any) -> bool:
        """Go on with every story in all ways that fit; False if there is none."""
        ways = [
            (after, weight * odds) for story, weight in self.ways for after, odds in tell(story, *what) if odds
        ]
        if len(ways) > 1 and len(ways) != len(self.ways):
            ways = self._merged(ways)
        if not ways and not self.gave_up:
            raise ValueError(f"{self.game.name}: this cannot have happened: {tell.__name__[1:]} {what}")
        self.ways = ways
        return bool(ways)

    def _merged(self, ways: list[Way]) -> list[Way]:
        found: dict[Any, Way] = {}
        for story, weight in ways:
            key = story.key(self._hands)
            before = found.get(key)
            found[key] = (story, weight if before is None else weight + before[1])
        self.gave_up = self.gave_up or len(found) > STORIES_KEPT
        kept = sorted(found.values(), key=lambda way: -way[1])[:STORIES_KEPT]
        total = sum([weight for _, weight in kept])
        return [(story, weight / total) for story, weight in kept]

    # --- The verbs of the table, as far as they move cards ------------------------------------------

    def _fill(self, story: Story, label: str, count: int) -> Iterator[Way]:
        faces: Counter[Item] = Counter(self._packs[self._back_of[label]])
        assert faces.total() == count, "a heap is filled with all cards of its back at once"
        yield story.poured(label, story.heaps.get(label, ()), faces), 1.0

    def _draw(self, story: Story, source: str, target: str, face: Face | None) -> Iterator[Way]:
        if source in self._hands:
            yield from self._slip(story, source, target, None, face)
            return
        for after, item, odds in story.without(source, len(story.heaps[source]) - 1, face):
            yield after.added(target, item), odds

    def _move(self, story: Story, source: str, target: str, place: int | None, face: Face | None) -> Iterator[Way]:
        for after, item, odds in story.without(source, place, face):
            yield after.added(target, item), odds

    _slip = _move

    def _tuck(self, story: Story, source: str, target: str, place: int | None, face: Face) -> Iterator[Way]:
        for after, item, odds in story.without(source, place, face):
            yield after.with_heap(target, (item, *after.heaps.get(target, ()))), odds

    def _surface(self, story: Story, label: str, place: int | None, face: Face) -> Iterator[Way]:
        for after, item, odds in story.without(label, place, face):
            yield after.added(label, item), odds

    def _pour(self, story: Story, source: str, target: str, poured: int | list[Face]) -> Iterator[Way]:
        items = story.heaps.get(source, ())
        before = story.heaps.get(target, ())
        if isinstance(poured, int):
            yield story.with_heap(source, ()).with_heap(target, before + items), 1.0
            return
        ways = [(story, 1.0)]
        for face in poured:  # turned up one by one
            ways = [
                (after.added(target, item), so_far * odds)
                for way, so_far in ways
                for after, item, odds in way.without(source, None if source in self._hands else 0, face)
            ]
        yield from ways

    def _cut(self, story: Story, source: str, row: list[str], sizes: list[int]) -> Iterator[Way]:
        mixed = story.mixed(source)
        items = mixed.heaps[source]
        mixed = mixed.with_heap(source, ())
        for label, size in zip(row, sizes, strict=True):
            mixed = mixed.with_heap(label, mixed.heaps.get(label, ()) + items[:size])
            items = items[size:]
        yield mixed, 1.0

    def _pass(self, story: Story, row: list[str], step: int) -> Iterator[Way]:
        heaps = [story.heaps.get(label, ()) for label in row]
        for index, label in enumerate(row):
            story = story.with_heap(label, heaps[(index - step) % len(row)])
        yield story, 1.0

    def _shuffle(self, story: Story, label: str, count: int) -> Iterator[Way]:  # noqa: ARG002
        yield story.mixed(label), 1.0

    def _shown(self, story: Story, label: str) -> Iterator[Way]:
        """What the onlooker now knows of a heap is there in every story."""
        known = Counter([face for face in self.onlooker.zones[label] if face is not None])
        missing = known - Counter([item for item in story.heaps[label] if isinstance(item, str)])
        ways = [(story, 1.0)]
        for face in missing.elements():
            ways = [
                (after.added(label, item), so_far * odds)
                for way, so_far in ways
                for after, item, odds in way.without(label, None, face, turned=True)
            ]
        yield from ways

    # --- Imagining --------------------------------------------------------------------------------

    def imagine(self, view: dict[str, Any], chance: Chance) -> G:
        """A whole game that could stand behind this view and behind all that was seen before."""
        world = self.game.imagine(view, chance)
        shown = {label: heap for row in world._rows for label, heap in _labelled(row, view)}
        if len(self.ways) == 1 and self.ways[0][0].says_no_more_than(shown, self._back_of):
            return world
        settled = self._settled(chance)
        if settled is None:
            return world
        free: dict[Face, list[Card]] = {}
        hidden: list[tuple[Zone, list[int], list[Face]]] = []
        for zone in [zone for row in world._rows for zone in row.heaps]:
            known, there = shown[zone.label], settled.get(zone.label, [])
            places = [place for place, face in enumerate(known) if face is None]
            if zone.sight in (OWN_HAND, FACE_DOWN):  # then what is known stands first, wherever it lies
                faces = list((Counter(there) - Counter([face for face in known if face is not None])).elements())
                there = [faces[index] for index in chance.order(len(places), ("memory", zone.label))]
            else:
                there = [there[place] for place in places]
            for place in places:
                free.setdefault(world.faces[zone.cards[place]], []).append(zone.cards[place])
            hidden.append((zone, places, there))
        for zone, places, there in hidden:
            for place, face in zip(places, there, strict=True):
                zone.cards[place] = card = free[face].pop()
                world.knowers[card] = zone.sees
        return world

    def _settled(self, chance: Chance) -> dict[str, list[Face]] | None:
        """The faces of all cards in one of the stories; None if the only true one was given up."""
        for _ in range(ATTEMPTS):
            place = self._pick(chance)
            heaps = heaps_settled(self.ways[place][0], chance)
            if heaps is not None:
                return heaps
            if len(self.ways) > 1 and self.ways[place][0].single:
                del self.ways[place]  # it cannot be: the cards it needs lie elsewhere
        assert self.gave_up, "one of the stories is true"
        return None

    def _pick(self, chance: Chance) -> int:
        if len(self.ways) == 1:
            return 0
        mark = sum([weight for _, weight in self.ways]) * chance.pick(1 << 20, ("story",)) / (1 << 20)
        for place, (_, weight) in enumerate(self.ways):
            mark -= weight
            if mark < 0:
                return place
        return len(self.ways) - 1


def _labelled(row: Row, view: Mapping[str, Any]) -> Iterator[tuple[str, Sequence[Face | None]]]:
    """What a view shows, zone by zone."""
    return zip([zone.label for zone in row.heaps], [view[row.name]] if row.single else view[row.name], strict=True)


STRUCTURAL: Final = frozenset(
    ("fill", "draw", "move", "slip", "tuck", "surface", "pour", "cut", "pass", "shuffle")
)
