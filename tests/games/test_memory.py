"""Memory: worlds that fit all a seat has seen, every one of them, and no other.

Small tables of Wolfpack, the game with thefts, are played on at random.  Then every way in which it could have
gone is tried: each hidden card in each place, each card stolen, each order of a new deck.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import msgpack
import pytest

from arena.chance import FastChance
from arena.events import seen_by
from arena.game import Game
from arena.games import GAMES
from arena.games.wolfpack import Wolfpack
from arena.memory import Memory
from arena.variants import Variant
from arena.zones import OWN_HAND, Zone
from tests.games.test_imagination import View, as_sent, heaps_of, hidden_in

SOAK = int(os.environ.get("ARENA_SOAK", "1"))
WORLDS = 10_000 * SOAK
SCENES = 6 * min(SOAK, 20)
MOVES = 7


class FewCards(Wolfpack):
    """Wolfpack with so few cards that everything can be tried."""

    name = "few cards"

    @classmethod
    def pack(cls, seats: int, variant: Variant) -> tuple[str, ...]:
        wolves = "AABBCC" if seats == 3 else "AAABBB"
        return (*wolves, *"SSS", *["SHEEP", "WOLVES", "STEAL", "STEAL", "SWAP"])

    def prepare(self) -> None:
        super().prepare()
        self.play_cards = 9
        self.idle_limit = 1_000


class Undecided(Exception):
    """Chance is asked for more than the tape says; the argument is how many answers there are."""


class Tape:
    """Chance as written down; at its end it asks for more."""

    def __init__(self, *picks: int) -> None:
        self.picks = list(picks)

    def pick(self, size: int, key: tuple[str | int, ...]) -> int:
        if not self.picks:
            raise Undecided(size)
        return self.picks.pop(0)

    def order(self, size: int, key: tuple[str | int, ...]) -> list[int]:
        rest, order = list(range(size)), []
        while rest:
            order.append(rest.pop(self.pick(len(rest), key) if len(rest) > 1 else 0))
        return order


class Scene:
    """A small table that was played on for a while, and what seat 0 saw of it."""

    def __init__(self, seed: int) -> None:
        self.random = random = Random(seed)
        seats = 2 if seed % 6 == 5 else 3  # between two everybody sees what is stolen
        faces = list(FewCards.pack(seats, Wolfpack.variant_type()))
        play, actions = faces[:9], faces[9:]
        random.shuffle(play)
        random.shuffle(actions)
        self.start = self.at_the_start(seats, play, actions)
        self.first_view = as_sent(self.start, 0)
        self.table = self.start.copy()
        self.table.chance = FastChance(seed)
        self.table.events = []
        self.script: list[Any] = []
        for _ in range(MOVES):
            assert self.table.question is not None
            seat = self.table.question.seats[0]
            options = self.table.options(seat)
            going_on = [option for option in options if self.goes_on(option)]
            self.script.append(random.choice(going_on or options))
            self.table.answer(options.index(self.script[-1]))
            if self.table.question is None:
                break
        self.seen = seen_by(0, self.table.events)
        self.view = as_sent(self.table, 0)

    def goes_on(self, option: Any) -> bool:
        """Whether the few cards last for it."""
        if option[0] == "draw":
            return len(self.table.piles[0]) > 1
        return option[0] != "take" or len(self.table.action_deck) + len(self.table.action_discard) > 0

    @staticmethod
    def at_the_start(seats: int, play: list[str], actions: list[str]) -> FewCards:
        view = {
            "seat": None,
            "seats": seats,
            "piles": [play[2 * seats :], *[[]] * 5],
            "action_deck": actions[seats:],
            "action_discard": [],
            "play_hands": [play[2 * seat : 2 * seat + 2] for seat in range(seats)],
            "action_hands": [[actions[seat]] for seat in range(seats)],
            "taken": [[]] * seats,
            "laid": [[]] * seats,
            "out": [False] * seats,
            "idle": 0,
            "turn": 0,
            "reshuffles": 0,
            "question": {"seats": [0], "options": "moves", "then": "play", "context": [], "together": False},
        }
        table = FewCards.imagine(view, Tape())
        for row in table._rows:
            for heap in row.heaps:  # nobody but its owner knows a card
                for card in heap.cards:
                    table.knowers[card] = heap.sees
                heap.placed = heap.sees
        return table

    def every_way(self) -> Iterator[Wolfpack]:
        """Every game that would have looked the same to seat 0."""
        for world in self.every_start():
            yield from self.play_on(world, ())

    def play_on(self, world: FewCards, tape: tuple[int, ...]) -> Iterator[Wolfpack]:
        table = world.copy()
        table.chance, table.events = Tape(*tape), []
        looked_at = 0
        try:
            for option in self.script:
                assert table.question is not None
                options = table.options(table.question.seats[0])
                if option not in options:
                    return
                table.answer(options.index(option))
                so_far = seen_by(0, table.events)
                if so_far[looked_at:] != self.seen[looked_at : len(so_far)]:
                    return
                looked_at = len(so_far)
        except Undecided as fork:
            for choice in range(fork.args[0]):
                yield from self.play_on(world, (*tape, choice))
            return
        yield table

    def every_start(self) -> Iterator[FewCards]:
        """The first position with the cards that seat 0 did not see in every order."""
        for world in arranged(self.start, self.first_view, ""):
            yield from arranged(world, self.first_view, "action")


def arranged(table: Any, view: View, back: str) -> Iterator[Any]:
    """The hidden cards of one back in every arrangement; in hands the order does not count."""
    slots: list[tuple[Zone, int]] = []
    for zone, shown in heaps_of(table, view):
        if zone.back == back and shown[None]:
            slots += [(zone, place) for place in range(len(zone.cards))]
    cards = [zone.cards[place] for zone, place in slots]
    of_face: dict[str, list[int]] = {}
    for card in cards:
        of_face.setdefault(table.faces[card], []).append(card)

    def place(index: int, chosen: list[str], left: Counter[str]) -> Iterator[list[str]]:
        if index == len(slots):
            yield chosen
            return
        zone, at = slots[index]
        least = chosen[-1] if zone.sight is OWN_HAND and at else ""
        for face in sorted(left):
            if left[face] and face >= least:
                yield from place(index + 1, [*chosen, face], left - Counter([face]))

    for faces in place(0, [], Counter({face: len(its) for face, its in of_face.items()})):
        world = table.copy()
        stock = {face: its[:] for face, its in of_face.items()}
        heaps = {heap.label: heap for row in world._rows for heap in row.heaps}
        for (zone, at), face in zip(slots, faces, strict=True):
            heaps[zone.label].cards[at] = card = stock[face].pop()
            world.knowers[card] = zone.sees
        yield world


SHUFFLED_APART = {60, 103}
"""Some of the cards that nobody saw were shuffled among themselves: what is there is not in the hands."""


@pytest.mark.parametrize("seed", sorted({*range(SCENES), *SHUFFLED_APART}))
def test_the_worlds_that_are_imagined_are_all_those_that_can_be_by_all_that_was_seen(seed: int) -> None:
    scene = Scene(seed)
    possible = {hidden_in(table, scene.view) for table in scene.every_way()}
    assert hidden_in(scene.table, scene.view) in possible
    memory = Memory.of_view(FewCards, scene.first_view)
    memory.see(msgpack.unpackb(msgpack.packb(scene.seen)))
    chance = FastChance(seed)
    found = Counter(
        hidden_in(memory.imagine(scene.view, chance), scene.view) for _ in range(60 * len(possible) + 200)
    )
    assert set(found) <= possible, "a world that cannot be"
    assert set(found) == possible, "a world is missing"


def watched(
    game: type[Game], seats: int, seat: int, seed: int, **variant: Any
) -> Iterator[tuple[Game, Any, View]]:
    """Every position of a random game, with the memory and the view of a seat."""
    chooser = Random(seed)
    table = game(seats, game.variant_type.read(variant), FastChance(seed), log=True)
    memory, told = Memory(game, seats, variant), 0
    while table.question is not None:
        assert table.events is not None
        memory.see(msgpack.unpackb(msgpack.packb(seen_by(seat, table.events[told:]))))
        told = len(table.events)
        yield table, memory, as_sent(table, seat)
        table.answer(*[chooser.randrange(len(table.options(asked))) for asked in table.question.seats])


@pytest.mark.parametrize("name", GAMES)
def test_no_world_contradicts_the_view_in_the_midst_of_games(name: str) -> None:
    game, chance, seen, seed = GAMES[name], FastChance(name), 0, 0
    while seen < WORLDS // 10:
        seats = game.seats_allowed[seed % len(game.seats_allowed)]
        for _, memory, view in watched(game, seats, seed % seats, seed):
            world = memory.imagine(view, chance)
            world.count_cards()
            assert as_sent(world, seed % seats) == view
            seen += 1
        seed += 1


def test_there_is_always_a_story_to_go_on_with() -> None:
    """Where stories were too many, memory goes on with what is certain; it never ends without a story."""
    again = 0
    for table, memory, _ in watched(GAMES["wolfpack"], 5, 0, 3):
        assert memory.ways
        again += memory.gave_up
        lying = {heap.label: len(heap) for row in table._rows for heap in row.heaps if heap.cards}
        for story, _ in memory.ways:
            assert {label: len(items) for label, items in story.heaps.items() if items} == lying
    assert again, "else this test shows nothing"


def test_what_a_strict_view_forgets_is_remembered() -> None:
    """In Volle Wolle everything is seen once: who paid attention knows every flock."""
    chance = FastChance(1)
    for table, memory, view in watched(GAMES["volle-wolle"], 2, 0, 3, strict_memory=True):
        world = memory.imagine(view, chance)
        assert [hidden_in(world, view)] == [hidden_in(table, view)]
    assert any(hidden_in(table, view)), "else nothing was forgotten"


def test_events_of_another_game_are_refused_with_a_sentence() -> None:
    scene = Scene(0)
    memory = Memory.of_view(FewCards, scene.first_view)
    with pytest.raises(ValueError, match="this cannot have happened"):
        memory.see([["move", "play_hands.0", "laid.0", None, "E"]])
