"""Events as each viewer saw them, and the picture that follows from folding them."""

from __future__ import annotations

import pytest

from arena.events import Onlooker, seen_by
from arena.zones import EVERYONE, PUBLIC


def onlooker(**zones: list[str | None]) -> Onlooker:
    one = Onlooker(0)
    one.zones = {label.replace("_", "."): heap for label, heap in zones.items()}
    return one


def test_who_is_no_witness_sees_the_same_event_without_what_it_was() -> None:
    events = [(0b01, "draw", "deck", "hands.0", "A"), (EVERYONE, "roll", 6, 4)]
    assert seen_by(0, events) == [["draw", "deck", "hands.0", "A"], ["roll", 6, 4]]
    assert seen_by(1, events) == [["draw", "deck", "hands.0", None], ["roll", 6, 4]]
    assert seen_by(PUBLIC, events) == [["draw", "deck", "hands.0", None], ["roll", 6, 4]]


def test_an_unknown_card_seen_leaving_was_one_of_the_unknown() -> None:
    one = onlooker(hands_1=["B", None])
    one.see(["move", "hands.1", "row", None, "A"])
    assert one.zones == {"hands.1": ["B"], "row": ["A"]}


def test_a_known_card_seen_leaving_is_the_known_one() -> None:
    one = onlooker(hands_1=["A", None])
    one.see(["move", "hands.1", "row", None, "A"])
    assert one.zones["hands.1"] == [None]


def test_a_card_leaves_an_open_row_from_its_place() -> None:
    one = onlooker(row=["A", "B", "A"])
    one.see(["move", "row", "box", 0, "A"])
    assert one.zones["row"] == ["B", "A"]


def test_a_card_slipped_away_unseen_may_have_been_any() -> None:
    one = onlooker(hands_1=["A", "B", None])
    one.see(["slip", "hands.1", "hands.2", None, None])
    assert one.zones == {"hands.1": [None, None], "hands.2": [None]}


def test_of_two_equal_cards_one_is_left_whatever_slipped_away() -> None:
    one = onlooker(hands_1=["A", "A", "B"])
    one.see(["slip", "hands.1", "hands.2", None, None])
    assert one.zones == {"hands.1": [None, "A"], "hands.2": [None]}


def test_the_only_kind_of_card_that_could_slip_away_is_followed() -> None:
    one = onlooker(hands_1=["A", "A"])
    one.see(["slip", "hands.1", "hands.2", None, None])
    assert one.zones == {"hands.1": ["A"], "hands.2": ["A"]}


def test_pouring_another_number_of_cards_than_lie_there_is_noticed() -> None:
    one = onlooker(deck=[None, None])
    with pytest.raises(AssertionError, match="deck holds 2 cards, 3 were poured"):
        one.see(["pour", "deck", "box", 3])


def test_heaps_passed_on_all_move_at_once() -> None:
    one = onlooker(hands_0=["A"], hands_1=["B"], hands_2=[None])
    one.see(["pass", ["hands.0", "hands.1", "hands.2"], 1])
    assert one.zones == {"hands.0": [None], "hands.1": ["A"], "hands.2": ["B"]}


def test_values_questions_and_the_end_are_kept() -> None:
    one = Onlooker(PUBLIC)
    one.see(["set", "round", 2])
    one.see(["ask", [1], "moves", "play", [3], False])
    asked = {"seats": [1], "options": "moves", "then": "play", "context": [3], "together": False}
    assert (one.values, one.question) == ({"round": 2}, asked)
    one.see(["end", [4, 2], [2, 1]])
    assert (one.question, one.scores, one.ranks) == (None, [4, 2], [2, 1])


def test_an_unknown_verb_is_an_error() -> None:
    with pytest.raises(AttributeError):
        Onlooker(0).see(["teleport", "deck"])
