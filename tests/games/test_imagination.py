"""Imagined worlds: all that could stand behind a view, and none that could not.

On small positions the worlds that come up are exactly those found by trying everything; in the midst of games ten
thousand worlds are looked at, a million with `ARENA_SOAK=100`.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations_with_replacement
from math import comb, prod
from random import Random
from typing import Any

import msgpack
import pytest

from arena.chance import FastChance
from arena.events import seen_by
from arena.game import Game, Option
from arena.games import GAMES
from arena.games.wolfpack import LEFT, Wolfpack
from arena.variants import Variant
from arena.zones import FACE_DOWN, Zone
from tests.games.wolfpack_table import STEAL, SWAP, answer, position

SOAK = int(os.environ.get("ARENA_SOAK", "1"))
WORLDS = 10_000 * SOAK
MANY = 300
"""Different worlds; a position with more is not small."""

World = tuple[tuple[str, ...], ...]
"""What lies hidden in every hand and flock, sorted; the rest is in the face-down heaps."""
View = dict[str, Any]


def as_sent(game: Game, viewer: int) -> View:
    view: View = msgpack.unpackb(msgpack.packb(game.view(viewer)))
    return view


def heaps_of(game: Game, view: View) -> Iterator[tuple[Zone, Counter[str | None]]]:
    """Every zone and what the view shows of it."""
    for row in game._rows:
        shown = [view[row.name]] if row.single else view[row.name]
        yield from zip(row.heaps, map(Counter, shown), strict=True)


def hidden_in(world: Game, view: View) -> World:
    hidden = []
    for zone, shown in heaps_of(world, view):
        if zone.sight is not FACE_DOWN and shown[None]:
            faces = Counter(world.faces[card] for card in zone.cards)
            hidden.append(tuple(sorted((faces - shown).elements())))
    return tuple(hidden)


def may_hide(game: Game, view: View, zone: Zone, face: str) -> bool:
    """What the rules pages say of hidden cards, written without the kernel's help."""
    if game.name == "volle-wolle":
        return face not in ("dog", "bone")  # a flock is sheep
    if game.name == "herr-der-ziegen" and face[:4] != "milk":
        if face == "dog":
            return False  # laid aside before the first turn
        owner = view["owners"]["ABCDEFGHIJKLMNOPQR".index(face[0])]
        in_front = (
            [] if owner is None else [int(other[1]) for other in view["fronts"][owner] if other[0] == face[0]]
        )
        return owner is None or sum(in_front) >= 8  # else it was shown when the fourth card decided
    return game.back(face) == zone.back


def every_world(game: Game, view: View) -> dict[World, float]:
    """All that could be, and how likely each is if every card is equally likely in every place."""
    heaps = list(heaps_of(game, view))
    free = Counter(game.faces)
    for _, shown in heaps:
        free -= Counter({face: count for face, count in shown.items() if face is not None})
    private = [(zone, shown[None]) for zone, shown in heaps if zone.sight is not FACE_DOWN and shown[None]]
    ways: dict[World, int] = {}

    def fill(world: World, left: Counter[str]) -> None:
        if len(ways) > MANY:
            return
        if len(world) == len(private):
            ways[world] = ways.get(world, 0) + ways_of(world, free)
            return
        zone, count = private[len(world)]
        fitting = sorted(face for face in left if left[face] and may_hide(game, view, zone, face))
        for chosen in combinations_with_replacement(fitting, count):
            taken = Counter(chosen)
            if all(taken[face] <= left[face] for face in taken):
                fill((*world, chosen), left - taken)

    fill((), free)
    return {world: count / sum(ways.values()) for world, count in ways.items()}


def ways_of(world: World, free: Counter[str]) -> int:
    """In how many ways single cards make this world."""
    left, count = free.copy(), 1
    for chosen in world:
        taken = Counter(chosen)
        count *= prod(comb(left[face], taken[face]) for face in taken)
        left -= taken
    return count


def positions(game: type[Game], seats: int, variant: Variant | None, seed: int) -> Iterator[Game]:
    """Every position of one random game."""
    chooser = Random(seed)
    table = game(seats, variant, FastChance(seed))
    while table.question is not None:
        yield table
        table.answer(*[chooser.randrange(len(table.options(seat))) for seat in table.question.seats])


FEW_KINDS = " ".join(
    ["white/5/-/52"] * 20 + ["white/6/-/50"] * 20 + ["black/-3/+2/51"] * 11
)  # so that few worlds are different
TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("sheepzzz", 2, {}),
    ("sheepzzz", 3, {}),
    ("herr-der-ziegen", 2, {}),
    ("herr-der-ziegen", 3, {}),
    ("volle-wolle", 2, {"strict_memory": True, "cards": FEW_KINDS}),
    ("wolfpack", 2, {}),
    ("wolfpack", 3, {}),
]


def small_positions(
    name: str, seats: int, options: dict[str, Any], wanted: int
) -> Iterator[tuple[View, dict[World, float]]]:
    game = GAMES[name]
    variant = game.variant_type.read(options)
    for seed in range(1_000):
        for table in positions(game, seats, variant, seed):
            view = as_sent(table, seed % seats)
            hidden = [shown[None] for zone, shown in heaps_of(table, view) if zone.sight is not FACE_DOWN]
            unseen = sum(shown[None] for _, shown in heaps_of(table, view))
            if not 0 < sum(hidden) <= 5 or (unseen > 10 and name == "sheepzzz"):
                continue
            worlds = every_world(table, view)
            if 5 < len(worlds) <= MANY and min(worlds.values()) > 1 / MANY:
                yield view, worlds
                wanted -= 1
                break
        if not wanted:
            return
    raise AssertionError("no small position turned up")


@pytest.mark.parametrize(
    ("name", "seats", "options"), TABLES, ids=[f"{name}-{seats}" for name, seats, _ in TABLES]
)
def test_small_positions_have_all_their_worlds_as_often_as_they_should_and_no_other(
    name: str, seats: int, options: dict[str, Any]
) -> None:
    game, chance = GAMES[name], FastChance("imagination")
    for view, worlds in small_positions(name, seats, options, wanted=3):
        samples = round(15 / min(worlds.values()))
        found = Counter(hidden_in(game.imagine(view, chance), view) for _ in range(samples))
        assert set(found) == set(worlds)
        surprise = sum((found[world] - samples * odds) ** 2 / (samples * odds) for world, odds in worlds.items())
        freedom = len(worlds) - 1
        assert surprise < freedom + 6 * (2 * freedom) ** 0.5, "some worlds come up too often"


@pytest.mark.parametrize("name", GAMES)
def test_no_world_contradicts_the_view_in_the_midst_of_games(name: str) -> None:
    game, chance, seen, seed = GAMES[name], FastChance(name), 0, 0
    while seen < WORLDS // len(GAMES):
        seats = game.seats_allowed[seed % len(game.seats_allowed)]
        for table in positions(game, seats, None, seed):
            view = as_sent(table, seed % seats)
            world = game.imagine(view, chance)
            assert as_sent(world, seed % seats) == view
            world.count_cards()
            for zone, shown in heaps_of(world, view):
                if zone.sight is not FACE_DOWN and shown[None]:
                    faces = Counter(world.faces[card] for card in zone.cards) - shown
                    assert all(may_hide(world, view, zone, face) for face in faces)
            seen += 1
        seed += 1


# --- What an attentive player knows beyond the cards that he sees -------------------------------------


def ways_it_could_have_gone(
    start: Callable[[int], Wolfpack], heap: Callable[[Wolfpack], Zone], moves: Sequence[Option]
) -> Iterator[Wolfpack]:
    """Every game that looked the same to seat 0: with each card that may have been on top, and each pick."""
    seen_first = None
    for pick in range(4):
        for face in sorted(set(start(pick).faces)):
            table = start(pick)
            top, below = (
                heap(table),
                [zone for zone, _ in heaps_of(table, as_sent(table, 0)) if zone.sight is FACE_DOWN],
            )
            for zone in below:
                for place, card in enumerate(zone.cards):
                    if table.faces[card] == face and zone.back == top.back and not table.knowers[card] & 1:
                        zone.cards[place], top.cards[-1] = top.cards[-1], card
                        break
            if not top.cards or table.faces[top.cards[-1]] != face:
                continue
            table.events = []
            answer(table, *moves)
            seen = seen_by(0, table.events)
            seen_first = seen_first or seen
            if seen == seen_first:
                yield table


def imagined_by_seat_0(table: Game, samples: int = 4_000) -> set[World]:
    view, chance = as_sent(table, 0), FastChance("attentive")
    return {hidden_in(type(table).imagine(view, chance), view) for _ in range(samples)}


def test_what_must_be_left_after_a_theft_is_there_in_every_world_and_no_possible_world_is_missing() -> None:
    moves = [SWAP, LEFT, ("draw",), STEAL, ("steal", 0, "play"), ("steal", 1, "play")]
    tables = list(
        ways_it_could_have_gone(
            lambda pick: position("BSS", "", "C", actions=["SWAP", "STEAL"], picks=[0, pick]),
            lambda table: table.fullest_pile(),
            moves,
        )
    )
    view = as_sent(tables[0], 0)
    assert view["play_hands"][1:] == [["S", None, None], ["C", None]], "seat 0 passed BSS on, and lost C itself"
    possible = {hidden_in(table, view) for table in tables}
    assert len(possible) > 5
    assert possible <= imagined_by_seat_0(tables[0])


def test_a_stolen_card_is_followed_when_there_was_no_other() -> None:
    game = position("B", "", "C", actions=["SWAP", "STEAL"])
    answer(game, SWAP, LEFT, ("take",), ("keep",), STEAL, ("steal", 0, "play"), ("steal", 1, "play"))
    assert as_sent(game, 0)["play_hands"][2] == ["B", "C"]


def test_after_an_exchange_the_worlds_are_those_that_can_be_by_all_that_was_seen() -> None:
    """Seat 0 passed both action cards on; when they are exchanged it knows what lies in the discard."""
    tables = list(
        ways_it_could_have_gone(
            lambda pick: position("", "", actions=["SWAP SHEEP", "SWAP"], turn=1, picks=[pick]),
            lambda table: table.action_deck,
            [SWAP, LEFT, ("draw",), ("exchange",)],
        )
    )
    view = as_sent(tables[0], 0)
    assert sorted(view["action_discard"]) == ["SHEEP", "SWAP", "SWAP"]
    assert {hidden_in(table, view) for table in tables} == imagined_by_seat_0(tables[0])
