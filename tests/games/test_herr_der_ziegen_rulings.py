"""Herr der Ziegen: corner cases under the numbers of its rules page, and who may know which card."""

from __future__ import annotations

import msgpack
import pytest

from arena.chance import FastChance
from arena.events import Onlooker, seen_by
from arena.game import Game
from arena.games.herr_der_ziegen import HerrDerZiegen
from arena.zones import PUBLIC
from tests.games.goat_table import answer, asked, at, deal, faces_in, mark_at, options_of, table, take_any


def with_dog_out(**position) -> HerrDerZiegen:
    """Seat 0 has played a dog and taken a card."""
    game = table(hands={0: ["dog", "B1"]}, **position)
    answer(game, ("play", "dog"))
    if game.question and game.question.options == "takes":
        take_any(game)
    return game


AUTUMN = {
    "bare": True,
    "deck": [],
    "pasture": {(3, 3): "A4", (4, 0): "C2", (5, 0): "C1", (4, 6): "D1"},
    "marks": {(3, 3): 0},
}


# --- §5.3 Corner cases --------------------------------------------------------------------------------


def test_ruling_1_eight_points_with_the_fourth_card_are_case_a():
    game = table(
        hands={0: ["A3", "B1"], 2: ["A1", "C1"]}, fronts={0: ["A5"], 1: ["A4"], 3: ["A2"]}
    )  # fmt: skip
    answer(game, ("play", "A3"))
    take_any(game)
    assert game.owners[0] == 0
    assert "A1" not in game.view(3)["hands"][2], "only case B shows the fifth card"


def test_ruling_2_another_player_may_win_and_choose():
    game = table(active=1, hands={1: ["A1", "B1"]}, fronts={0: ["A2", "A5"], 2: ["A3"]}, pasture={(3, 3): "A4"})
    answer(game, ("play", "A1"))
    take_any(game)
    assert (game.owners[0], mark_at(game, 3, 3), asked(game)) == (0, 0, ("plays", 2))


def test_ruling_2_the_turn_goes_on_from_who_played_after_the_winner_has_chosen():
    game = table(
        active=1, supplies=[1, 10, 10, 10], fronts={0: ["A3", "A5"]}, pasture={(3, 3): "A1", (3, 4): "A2"}
    )
    game.question = game.ask(0, game.markings, game.marks_chosen, 0, 1)
    answer(game, ("mark", "A2"))
    assert (mark_at(game, 3, 3), mark_at(game, 3, 4), asked(game)) == (None, 0, ("plays", 2))


def test_ruling_3_a_breed_whose_other_cards_are_in_hands_is_closed_without_marks():
    game = table(hands={0: ["A3", "B1"], 1: ["A1", "A2"], 2: ["A4", "C1"]}, fronts={0: ["A5"]})
    answer(game, ("play", "A3"))
    take_any(game)
    assert game.owners[0] == 0
    assert set(game.marks) == {None}


def test_ruling_4_a_card_of_a_closed_breed_goes_to_the_box():
    game = table(hands={0: ["A4", "B1"]}, owners={"A": 0}, fronts={0: ["A5", "A3"]})
    answer(game, ("play", "A4"))
    assert (faces_in(game, game.box), game.positions[0]) == (["A4"], 4)


def test_ruling_5_two_small_goats_for_three_cards_are_three_choices():
    game = table(
        hands={0: ["A5", "B1"]},
        fronts={0: ["A4"]},
        pasture={(3, 3): "A1", (3, 2): "A2", (3, 5): "A3"},
        supplies=[2, 10, 10, 10],
    )
    answer(game, ("play", "A5"))
    answer(game, next(option for option in options_of(game) if option[1][0] != "A"))
    assert asked(game) == ("markings", 0)
    assert options_of(game) == [("mark", "A1", "A2"), ("mark", "A1", "A3"), ("mark", "A2", "A3")]


def test_ruling_5_without_any_small_goat_there_is_no_choice():
    game = table(hands={0: ["A5", "B1"]}, fronts={0: ["A4"]}, pasture={(3, 3): "A1"}, supplies=[0, 10, 10, 10])
    answer(game, ("play", "A5"))
    take_any(game)
    assert (game.owners[0], set(game.marks), asked(game)) == (0, {None}, ("plays", 1))


def test_ruling_6_a_refill_stays_neutral_when_its_owner_has_no_small_goat():
    game = table(owners={"A": 2}, supplies=[10, 10, 0, 10], deck=["A4"], hands={0: ["B2", "B1"]})
    answer(game, ("play", "B2"))
    row, column = options_of(game)[0][2:]
    take_any(game)
    assert (at(game, row, column), mark_at(game, row, column)) == ("A4", None)


def test_ruling_7_the_supply_shrinks_only_by_goats_on_the_pasture():
    game = table(hands={0: ["A3", "B1"]}, fronts={0: ["A5"]}, pasture={(3, 4): "A1"})
    answer(game, ("play", "A3"))
    take_any(game)
    assert game.supplies == (9, 10, 10, 10)
    assert faces_in(game, game.fronts[0]) == ["A5", "A3"]


def test_ruling_8_a_card_of_the_breed_taken_in_the_same_turn_is_not_marked():
    game = table(hands={0: ["A3", "B1"]}, fronts={0: ["A5"]}, pasture={(2, 3): "A4", (2, 5): "A2"})
    answer(game, ("play", "A3"), ("take", "A4", 2, 3))
    assert (mark_at(game, 2, 3), mark_at(game, 2, 5)) == (None, 0)
    assert "A4" in faces_in(game, game.hands[0])


def test_ruling_9_a_refill_of_the_breed_in_the_same_turn_is_marked():
    game = table(hands={0: ["A3", "B1"]}, fronts={0: ["A5"]}, pasture={(2, 3): "C4"}, deck=["A4"])
    answer(game, ("play", "A3"), ("take", "C4", 2, 3))
    assert (at(game, 2, 3), mark_at(game, 2, 3)) == ("A4", 0)


def test_ruling_10_a_dog_without_own_marks_has_nothing_to_do():
    game = with_dog_out(marks={(3, 3): 1})
    assert asked(game) == ("plays", 1)
    assert faces_in(game, game.fronts[0]) == ["dog"]


def test_ruling_11_a_dog_in_a_blocked_line_brings_the_end_but_still_runs():
    blocked = {(row, 0): 0 for row in range(1, 6)}
    game = with_dog_out(marks=blocked)
    assert game.ending and asked(game) == ("dog_moves", 0)
    answer(game, ("none",))
    assert game.outcome is not None


def test_ruling_12_a_dog_that_empties_a_line_does_not_end_the_game():
    game = with_dog_out(**AUTUMN)
    answer(game, ("lead", "A4", 5, 3))
    assert at(game, 3, 3) is None
    assert not game.ending and asked(game) == ("plays", 1)


def test_ruling_13_a_dog_never_runs_diagonally_or_onto_a_stable():
    game = with_dog_out(pasture={(0, 3): "A4"}, marks={(0, 3): 0})
    targets = {option[2:] for option in options_of(game)[1:]}
    assert targets == {(0, 1), (0, 2), (0, 4), (0, 5), *((row, 3) for row in range(1, 7))}


def test_ruling_14_after_a_refusal_the_dog_asks_nobody_again():
    game = with_dog_out(pasture={(3, 3): "A4", (3, 4): "C2"}, marks={(3, 3): 0, (3, 4): 2})
    answer(game, ("ask", "A4", 3, 4))
    assert asked(game) == ("consents", 2)
    answer(game, ("no",))
    assert asked(game) == ("dog_moves", 0)
    assert "ask" not in {option[0] for option in options_of(game)}
    answer(game, ("none",))
    assert asked(game) == ("plays", 1)


def test_ruling_14_consent_swaps_the_cards_with_their_small_goats():
    game = with_dog_out(pasture={(3, 3): "A4", (3, 4): "C2"}, marks={(3, 3): 0, (3, 4): 2})
    answer(game, ("ask", "A4", 3, 4), ("yes",))
    assert [(at(game, 3, column), mark_at(game, 3, column)) for column in (3, 4)] == [("C2", 2), ("A4", 0)]
    assert asked(game) == ("plays", 1)


def test_dog_swaps_two_own_goats_and_offers_it_once():
    game = with_dog_out(pasture={(3, 3): "A4", (3, 4): "C2"}, marks={(3, 3): 0, (3, 4): 0})
    options = options_of(game)
    assert ("lead", "A4", 3, 4) in options and ("lead", "C2", 3, 3) not in options
    answer(game, ("lead", "A4", 3, 4))
    assert (at(game, 3, 3), at(game, 3, 4)) == ("C2", "A4")


def test_dog_leads_a_goat_to_a_free_place():
    game = with_dog_out(**AUTUMN)
    answer(game, ("lead", "A4", 3, 6))
    assert (at(game, 3, 3), at(game, 3, 6), mark_at(game, 3, 3), mark_at(game, 3, 6)) == (None, "A4", None, 0)
    assert asked(game) == ("plays", 1)


def test_ruling_15_large_goats_may_share_an_edge():
    game = table(hands={0: ["A5", "B1"]}, positions=[2, 7, 14, 21])
    answer(game, ("play", "A5"))
    assert game.positions[:2] == (7, 7)


@pytest.mark.parametrize("hand", [["dog", "dog"], ["milk1", "milk1"]])
def test_ruling_16_two_equal_cards_are_one_option(hand: list[str]):
    assert options_of(table(hands={0: hand})) == [("play", hand[0])]


def test_ruling_17_dogs_in_a_starting_hand_are_replaced_until_there_are_none():
    game = deal(2, ["dog", "A1", "dog", "dog", "A2", "B1", "B2"])
    assert faces_in(game, game.hands[0]) == ["A1", "A2"]
    assert faces_in(game, game.hands[1]) == ["B1", "B2"]
    assert not game.box.cards
    assert faces_in(game, game.deck).count("dog") == 7


def test_ruling_18_without_a_deck_holes_stay():
    game = table(hands={0: ["B2", "B1"]}, deck=[])
    answer(game, ("play", "B2"))
    row, column = options_of(game)[0][2:]
    take_any(game)
    assert at(game, row, column) is None
    assert not game.ending


@pytest.mark.parametrize("rest", [(1, 3), (4, 5)])
def test_ruling_19_an_empty_row_or_an_empty_column_is_the_end(rest: tuple[int, int]):
    pasture = {(4, 3): "C1", rest: "D1"}
    game = table(hands={0: ["B3", "B1"]}, pasture=pasture, bare=True, deck=[])
    answer(game, ("play", "B3"), ("take", "C1", 4, 3))
    assert game.outcome is not None


def test_ruling_20_and_21_milk_ties_pay_in_full_and_nothing_pays_nothing():
    assert table(milk=[4, 4, 3, 0], bare=True).score().scores == (4, 4, 2, 0)


def test_ruling_22_the_turn_of_the_end_is_still_evaluated():
    marks = {(row, 3): 1 for row in range(7)}
    game = table(hands={0: ["A3", "B1"]}, fronts={0: ["A5"]}, pasture={(5, 5): "A4"}, marks=marks)
    answer(game, ("play", "A3"))
    assert game.outcome is not None
    assert mark_at(game, 5, 5) == 0


def test_ruling_22_the_winner_may_have_to_choose_in_the_last_turn():
    marks = {(row, 3): 1 for row in range(7)}
    game = table(
        hands={0: ["A3", "B1"]},
        fronts={0: ["A5"]},
        pasture={(5, 5): "A4", (4, 4): "A2"},
        marks=marks,
        supplies=[1, 3, 10, 10],
    )
    answer(game, ("play", "A3"), ("mark", "A4"))
    assert game.outcome is not None and game.outcome.scores[0] == 4


def test_ruling_23_an_undecided_breed_scores_nothing():
    game = table(fronts={0: ["A5", "A2"]}, pasture={(1, 1): "A4"}, bare=True)
    assert game.score().scores == (0, 0, 0, 0)


def test_ruling_24_only_the_own_stable_doubles():
    game = table(pasture={(0, 5): "A4", (0, 1): "C3"}, marks={(0, 5): 0, (0, 1): 1}, bare=True)
    assert game.score().scores == (4, 3, 0, 0)


# --- §4 Information -----------------------------------------------------------------------------------

STARTING = ["A1", "A2", "B1", "B2"]


def hands_seen(game: Game, viewer: int) -> list[list[str | None]]:
    return [list(hand) for hand in game.view(viewer)["hands"]]


def test_knowledge_starting_cards_are_their_owners_alone():
    game = deal(2, STARTING)
    assert hands_seen(game, 0) == [["A1", "A2"], [None, None]]
    assert hands_seen(game, 1) == [[None, None], ["B1", "B2"]]
    assert hands_seen(game, PUBLIC) == [[None, None], [None, None]]


def test_knowledge_a_card_taken_stays_known_to_all_in_the_hand():
    game = deal(2, STARTING)
    answer(game, ("play", "A1"))
    taken = options_of(game)[0][1]
    take_any(game)
    for viewer in (1, PUBLIC):
        assert hands_seen(game, viewer)[0] == [taken, None]
    assert sorted(hands_seen(game, 0)[0]) == sorted(["A2", taken])


def test_knowledge_a_starting_card_is_seen_when_it_is_played():
    game = deal(2, STARTING)
    answer(game, ("play", "A1"))
    assert game.view(1)["fronts"][0] == ("A1",)
    assert hands_seen(game, 1)[0] == [None]


def test_knowledge_case_b_shows_the_fifth_card_only():
    game = table(active=0, hands={0: ["A3", "B1"], 2: ["A1", "C1"]}, fronts={0: ["A2"], 1: ["A5"], 2: ["A4"]})
    assert hands_seen(game, 3)[2] == [None, None]
    answer(game, ("play", "A3"))
    assert hands_seen(game, 3)[2] == [None, None], "nothing is shown before the evaluation"
    take_any(game)
    assert hands_seen(game, 3)[2] == ["A1", None]


def test_knowledge_case_a_shows_nothing():
    game = table(hands={0: ["A3", "B1"], 2: ["A1", "A2"]}, fronts={0: ["A5"]})
    answer(game, ("play", "A3"))
    take_any(game)
    assert hands_seen(game, 3)[2] == [None, None]


def test_knowledge_dogs_laid_aside_are_seen_and_then_lost_in_the_deck():
    game = deal(2, ["dog", *STARTING], log=True)
    assert game.events is not None
    assert any(event[:3] == ["move", "hands.0", "box"] and event[-1] == "dog" for event in seen_by(1, game.events))
    for viewer in (0, 1, PUBLIC):
        assert set(game.view(viewer)["deck"]) == {None}


def test_knowledge_refills_are_open_and_the_deck_is_not():
    game = deal(2, STARTING, refills=["C5"])
    answer(game, ("play", "A1"))
    row, column = options_of(game)[0][2:]
    take_any(game)
    for viewer in (0, 1, PUBLIC):
        assert game.view(viewer)["pasture"][row * 6 + column] == ("C5",)
        assert set(game.view(viewer)["deck"]) == {None}


def test_knowledge_imagined_hands_hold_no_dog():
    view = deal(3, ["A1", "A2", "B1", "B2", "C1", "C2"]).view(0)
    for seed in range(200):
        world = HerrDerZiegen.imagine(view, FastChance(seed))
        assert not any("dog" in faces_in(world, hand) for hand in world.hands)


def test_knowledge_imagined_hands_hold_no_fifth_card_that_case_b_did_not_show():
    game = table(hands={0: ["A3", "B1"], 2: ["C5", "C1"]}, fronts={0: ["A2"], 1: ["A5"], 2: ["A4"]})
    answer(game, ("play", "A3"))
    take_any(game)
    view = game.view(3)
    assert not any("A1" in heap for heap in (*view["hands"], *view["pasture"]))
    for seed in range(200):
        world = HerrDerZiegen.imagine(view, FastChance(seed))
        assert "A1" in faces_in(world, world.deck)


def test_who_folds_the_events_knows_what_the_view_shows():
    game = HerrDerZiegen(3, None, FastChance(5), log=True)
    onlookers = [Onlooker(viewer) for viewer in (0, 1, 2, PUBLIC)]
    since = 0
    while game.question is not None and game.events is not None:
        for onlooker in onlookers:
            for event in msgpack.unpackb(msgpack.packb(seen_by(onlooker.viewer, game.events[since:]))):
                onlooker.see(event)
            view = msgpack.unpackb(msgpack.packb(game.view(onlooker.viewer)))
            assert [onlooker.zones.get(f"pasture.{cell}", []) for cell in range(49)] == view["pasture"]
            assert [sorted(map(str, onlooker.zones[f"hands.{seat}"])) for seat in range(3)] == [
                sorted(map(str, hand)) for hand in view["hands"]
            ]
        since = len(game.events)
        game.answer(len(options_of(game)) // 2)
