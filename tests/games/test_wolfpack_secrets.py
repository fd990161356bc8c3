"""Wolfpack: who can place which card (§3.4 and §4 of the rules page), one test per hidden movement."""

from __future__ import annotations

from typing import Any

import pytest

from arena.chance import FastChance
from arena.events import Onlooker, seen_by
from arena.game import Option
from arena.games.wolfpack import LEFT, Wolfpack
from arena.zones import PUBLIC
from tests.games.wolfpack_table import SHEEP, STEAL, SWAP, WOLVES, answer, asked, mover, position

DRAW, TAKE, KEEP, EXCHANGE = ("draw",), ("take",), ("keep",), ("exchange",)


def seen(game: Wolfpack, viewer: int, zone: str, seat: int | None = None) -> list[Any]:
    heap = game.view(viewer)[zone]
    return list(heap if seat is None else heap[seat])


def test_a_drawn_play_card_is_seen_by_the_drawer_only() -> None:
    game = position("", "", piles="BBBBBBB")
    answer(game, DRAW)
    assert seen(game, 0, "play_hands", 0) == ["B"]
    assert seen(game, 1, "play_hands", 0) == [None]


def test_nobody_sees_into_piles_and_action_deck() -> None:
    game = Wolfpack(3, None, FastChance(1))
    for viewer in (0, 1, 2, PUBLIC):
        view = game.view(viewer)
        assert not any(face for heap in (*view["piles"], view["action_deck"]) for face in heap)


def test_a_taken_action_card_that_is_kept_is_seen_by_the_taker_only() -> None:
    game = position("", "", actions=["SHEEP"], deck="SWAP WOLVES")
    answer(game, TAKE)
    assert game.question is not None and game.question.context == ()
    assert (seen(game, 0, "taken", 0), seen(game, 1, "taken", 0)) == (["WOLVES"], [None])
    answer(game, KEEP)
    assert seen(game, 0, "action_hands", 0) == ["SHEEP", "WOLVES"]
    assert seen(game, 1, "action_hands", 0) == [None, None]


def test_a_taken_action_card_that_is_used_is_seen_by_all() -> None:
    game = position("", "", deck="SWAP WOLVES")
    answer(game, TAKE, WOLVES)
    assert seen(game, 1, "action_discard") == ["WOLVES"]


def test_used_action_cards_are_remembered_until_the_reshuffle() -> None:
    game = position("", "", actions=["SHEEP", "WOLVES"], deck="")
    answer(game, SHEEP, WOLVES)
    assert seen(game, 1, "action_discard") == ["SHEEP", "WOLVES"]
    answer(game, TAKE)
    assert seen(game, 1, "action_discard") == []
    assert seen(game, 1, "action_deck") == [None]


def test_exchanged_cards_are_known_to_the_player_who_returned_them_only() -> None:
    game = position("", "", actions=["STEAL SWAP"], deck="SHEEP SHEEP WOLVES", discard="")
    answer(game, EXCHANGE)
    assert seen(game, 0, "action_discard") == ["STEAL", "SWAP"]
    assert seen(game, 1, "action_discard") == [None, None]
    assert (seen(game, 0, "action_hands", 0), seen(game, 1, "action_hands", 0)) == (["WOLVES"], [None])


def test_a_reshuffle_makes_the_returner_forget_too() -> None:
    game = position("", "", actions=["STEAL SWAP"], deck="WOLVES")
    answer(game, EXCHANGE, TAKE)
    assert seen(game, 0, "action_deck") == [None]
    assert seen(game, 0, "taken", 1) == [None]


def test_who_remembers_a_hand_knows_what_was_exchanged() -> None:
    game = position("", "", actions=["SWAP", "STEAL WOLVES"])
    answer(game, SWAP, LEFT)  # seat 1 passed STEAL and WOLVES on and remembers them
    assert seen(game, 1, "action_hands", 0) == ["WOLVES", "STEAL"]
    answer(game, DRAW, EXCHANGE)
    assert seen(game, 1, "action_discard") == ["WOLVES", "STEAL", "SWAP"]
    assert seen(game, 1, "action_hands", 0) == [None]


def test_a_stolen_play_card_is_known_to_thief_and_victim_only() -> None:
    game = position("", "BC", "", actions=["STEAL"], picks=[1])
    answer(game, STEAL, ("steal", 1, "play"))
    assert seen(game, 0, "play_hands", 0) == seen(game, 1, "play_hands", 0) == ["C"]
    assert seen(game, 2, "play_hands", 0) == [None]
    assert seen(game, 0, "play_hands", 1) == [None]


def test_a_stolen_action_card_is_known_to_thief_and_victim_only() -> None:
    game = position("", "", "", actions=["STEAL", "SHEEP SWAP"], picks=[0])
    answer(game, STEAL, ("steal", 1, "action"))
    assert seen(game, 0, "action_hands", 0) == seen(game, 1, "action_hands", 0) == ["SHEEP"]
    assert seen(game, 2, "action_hands", 0) == [None]


def test_after_a_theft_third_parties_know_what_must_be_left_of_the_robbed_hand() -> None:
    game = position("BSS", "", "C", actions=["SWAP", "STEAL"])
    answer(game, SWAP, LEFT)  # seat 0 passed BSS to seat 1, and remembers
    assert seen(game, 0, "play_hands", 1) == ["B", "S", "S"]
    assert mover(game) == 1
    answer(game, DRAW, STEAL)  # seat 2 got STEAL with seat 1's cards
    answer(game, ("steal", 0, "play"), ("steal", 1, "play"))
    assert seen(game, 0, "play_hands", 1) == ["S", None, None], "one of B and S may be gone, and one was drawn"
    assert seen(game, 1, "play_hands", 1).count(None) == 0


def test_passed_hands_are_seen_by_receivers_and_remembered_by_givers() -> None:
    game = position("AS", "B", "CC", actions=["SWAP", "SHEEP"])
    answer(game, SWAP, LEFT)
    assert [seen(game, viewer, "play_hands", 1) for viewer in range(3)] == [["A", "S"], ["A", "S"], [None] * 2]
    assert [seen(game, viewer, "play_hands", 2) for viewer in range(3)] == [[None], ["B"], ["B"]]
    assert [seen(game, viewer, "action_hands", 2) for viewer in range(3)] == [[None], ["SHEEP"], ["SHEEP"]]


def test_a_frozen_hand_is_seen_by_its_owner_only() -> None:
    game = position("B", "AS", "C", actions=["WOLVES"], laid=["BBBBBBBBB"])
    answer(game, WOLVES)
    assert game.out[1]
    assert seen(game, 1, "play_hands", 1) == ["A", "S"]
    assert seen(game, 0, "play_hands", 1) == seen(game, 2, "play_hands", 1) == [None, None]


def test_who_remembers_one_of_two_equal_cards_cannot_tell_which_was_used() -> None:
    """Seat 1 lost a WOLVES to seat 0; when seat 0 uses one, seat 1 cannot know that there is a second."""
    for second, left in (("WOLVES", [None]), ("SHEEP", [None])):
        game = position("", "", actions=[f"STEAL {second}", "WOLVES"])
        answer(game, STEAL, ("steal", 1, "action"))
        assert seen(game, 1, "action_hands", 0) == ["WOLVES", None]
        answer(game, DRAW, WOLVES)
        assert seen(game, 1, "action_hands", 0) == left


@pytest.mark.parametrize(
    ("reveal", "play", "action"),
    [
        ("play_cards", ["A", "A", "B"], [None]),
        ("none", [None] * 3, [None]),
        ("all_cards", ["A", "A", "B"], ["SWAP"]),
    ],
)
def test_reveal_on_sheep(reveal: str, play: list[str | None], action: list[str | None]) -> None:
    game = position("AABSS", "", actions=["SHEEP SWAP"], reveal_on_sheep=reveal)
    answer(game, SHEEP)
    assert seen(game, 1, "play_hands", 0) == play
    assert seen(game, 1, "action_hands", 0) == action
    assert seen(game, 1, "laid", 0) == ["S", "S"]


def test_cards_are_laid_in_an_order_that_tells_nothing_of_the_hand() -> None:
    orders = set()
    for cards in ("ABCB", "BBCA", "CABB"):
        game = position(cards, "", "", actions=["WOLVES"])
        answer(game, WOLVES)
        orders.add(tuple(seen(game, 1, "laid", 0)))
    assert orders == {("B", "B", "C")}


def test_play_hands_are_open_at_the_end() -> None:
    game = position("AS", "BS", actions=["SHEEP"], piles="S")
    answer(game, DRAW)
    assert seen(game, 1, "play_hands", 0) == ["A", "S", "S"]
    assert seen(game, 1, "action_hands", 0) == [None]


def test_an_imagined_world_keeps_the_two_kinds_of_cards_apart() -> None:
    game = Wolfpack(4, None, FastChance(2))
    for _ in range(60):
        answer(game, asked(game)[-1])
    for seed in range(20):
        world = Wolfpack.imagine(game.view(1), FastChance(seed))
        play = [card for heap in (*world.piles, *world.play_hands, *world.laid) for card in heap.cards]
        assert sorted(play) == list(range(world.play_cards))


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_who_folds_the_events_knows_what_the_view_shows(seats: int) -> None:
    game = Wolfpack(seats, None, FastChance(seats), log=True)
    chance = FastChance("answers")
    while game.question is not None:
        game.answer(chance.pick(len(asked(game)), ()))
    assert game.events is not None
    for viewer in (*range(seats), PUBLIC):
        onlooker = Onlooker(viewer)
        for event in seen_by(viewer, game.events):
            onlooker.see(event)
        view = game.view(viewer)
        for seat in range(seats):
            for zone in ("play_hands", "action_hands", "laid"):
                folded = onlooker.zones.get(f"{zone}.{seat}", [])
                assert sorted(map(str, folded)) == sorted(map(str, view[zone][seat]))
        assert sorted(map(str, onlooker.zones["action_discard"])) == sorted(map(str, view["action_discard"]))


def test_no_option_names_what_its_seat_cannot_see() -> None:
    """The options of a seat follow from its own view alone."""
    game = Wolfpack(3, None, FastChance(9))
    chance = FastChance("options")
    while game.question is not None:
        seat = mover(game)
        options: list[Option] = asked(game)
        assert Wolfpack.imagine(game.view(seat), chance).options(seat) == options
        game.answer(chance.pick(len(options), ()))
