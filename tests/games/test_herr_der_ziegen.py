"""Herr der Ziegen: the vectors of its rules page under their own ids, and every option."""

from __future__ import annotations

import pytest

from arena.chance import FastChance
from arena.games.herr_der_ziegen import GoatVariant, HerrDerZiegen, milk_points
from arena.games.herr_der_ziegen_components import track
from arena.variants import VariantError
from tests.games.goat_table import answer, asked, at, deal, faces_in, mark_at, options_of, table, take_any

RED, YELLOW, BLUE = 0, 1, 2


def scores(game: HerrDerZiegen) -> tuple[int, ...]:
    return game.score().scores


# --- From the rulebook --------------------------------------------------------------------------------


def test_r1_a_five_walks_five_positions_clockwise():
    game = table(hands={RED: ["A5", "B1"]})
    answer(game, ("play", "A5"))
    assert game.positions == (5, 7, 14, 21)


def test_r2_a_border_line_between_two_corner_stables_offers_five_cards():
    game = table(hands={RED: ["A5", "B1"]}, positions=[23, 7, 14, 21])
    answer(game, ("play", "A5"))
    assert game.positions[RED] == 0
    assert [option[2:] for option in options_of(game)] == [(1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]


def test_r3_five_and_three_win_a_breed():
    game = table(hands={RED: ["A3", "B1"]}, fronts={RED: ["A5"]}, pasture={(3, 3): "A1"})
    answer(game, ("play", "A3"))
    take_any(game)
    assert game.owners[0] == RED
    assert mark_at(game, 3, 3) == RED


FRONTS_OF_R4 = {RED: ["A2"], YELLOW: ["A5"], BLUE: ["A4"]}


def test_r4_the_fourth_card_decides_and_more_cards_break_the_tie():
    game = table(hands={RED: ["A3", "B1"]}, fronts=FRONTS_OF_R4, pasture={(3, 5): "A1"})
    answer(game, ("play", "A3"))
    take_any(game)
    assert game.owners[0] == RED
    assert mark_at(game, 3, 5) == RED
    assert faces_in(game, game.fronts[RED]) == ["A2", "A3"]
    assert sorted(faces_in(game, game.box)) == ["A4", "A5"]


def test_r5_the_fifth_card_in_a_hand_is_shown_and_kept_and_marks_nothing():
    game = table(hands={RED: ["A3", "B1"], BLUE: ["A1", "C1"]}, fronts=FRONTS_OF_R4)
    answer(game, ("play", "A3"))
    take_any(game)
    assert game.owners[0] == RED
    assert "A1" in faces_in(game, game.hands[BLUE])
    assert "A1" in game.view(3)["hands"][BLUE] and "C1" not in game.view(3)["hands"][BLUE]
    assert set(game.marks) == {None}


def test_r6_and_t4_connected_goats_count_twice_and_the_most_milk_in_full():
    herd = {(0, 1): "A4", (1, 1): "B1", (2, 1): "C1", (5, 5): "D1", (3, 4): "E2", (6, 3): "F4"}
    game = table(pasture=herd, bare=True, marks=dict.fromkeys(herd, RED), milk=[8, 3, 2, 0])
    assert game.goat_points(RED) == 12 + 7
    assert scores(game) == (27, 2, 0, 0)


def test_r7_a_dog_leads_a_goat_to_the_stable_where_it_counts_twice():
    game = table(
        hands={RED: ["dog", "B1"]},
        pasture={(0, 5): "A4", (0, 1): "C2"},
        marks={(0, 5): RED},
        positions=[3, 7, 14, 21],
    )
    assert game.goat_points(RED) == 4
    answer(game, ("play", "dog"))
    take_any(game)
    answer(game, ("lead", "A4", 0, 1))
    assert (at(game, 0, 1), at(game, 0, 5)) == ("A4", "C2")
    assert (mark_at(game, 0, 1), mark_at(game, 0, 5)) == (RED, None)
    assert game.goat_points(RED) == 8


# --- Own vectors --------------------------------------------------------------------------------------


def line(side: int, position: int) -> str:
    cells = track(side)[position]
    return f"row {cells[0] // side}" if cells[1] == cells[0] + 1 else f"column {cells[0]}"


def test_t1_what_the_corners_of_the_large_track_face():
    faced = "column 0, column 6, row 0, row 6, column 6, column 0, row 6, row 0"
    assert ", ".join(line(7, position) for position in (0, 6, 7, 13, 14, 20, 21, 27)) == faced
    assert len(track(7)) == 28


def test_t2_what_the_corners_of_the_small_track_face():
    faced = "column 0, column 5, row 0, row 5, column 5, column 0, row 5, row 0"
    assert ", ".join(line(6, position) for position in (0, 5, 6, 11, 12, 17, 18, 23)) == faced
    assert len(track(6)) == 24


@pytest.mark.parametrize(("card", "position"), [("A5", 2), ("A4", 1), ("milk2", 27), ("dog", 25)])
def test_t3_steps_go_round_the_corner(card: str, position: int):
    game = table(hands={RED: [card, "B1"]}, positions=[25, 7, 14, 21])
    answer(game, ("play", card))
    assert game.positions[RED] == position


def test_t5_diagonals_and_opponents_do_not_connect():
    herd = {(1, 1): "A5", (2, 0): "B3", (0, 2): "C4", (1, 0): "D2"}
    marks = {(1, 1): RED, (2, 0): RED, (0, 2): RED, (1, 0): YELLOW}
    game = table(pasture=herd, bare=True, marks=marks)
    assert game.goat_points(RED) == 12


def test_t7_every_second_in_milk_gets_half():
    assert milk_points((8, 5, 5, 2), GoatVariant()) == [8, 3, 3, 0]
    assert milk_points((8, 5, 5, 2), GoatVariant(milk_rounding="down")) == [8, 2, 2, 0]


@pytest.mark.parametrize(
    ("sums", "points"), [((7, 3), [7, 2]), ((4, 0), [4, 0]), ((5, 5), [5, 5]), ((0, 0, 0), [0, 0, 0])]
)
def test_t9_milk(sums: tuple[int, ...], points: list[int]):
    assert milk_points(sums, GoatVariant()) == points


def test_t10_equal_sums_of_equally_many_cards_go_to_who_played():
    game = table(active=1, hands={1: ["A2", "B1"]}, fronts={0: ["A1", "A4"], 1: ["A3"]}, pasture={(3, 3): "A5"})
    answer(game, ("play", "A2"))
    take_any(game)
    assert game.owners[0] == 1
    assert mark_at(game, 3, 3) == 1


def test_t12_eight_points_with_three_cards_mark_the_two_others():
    game = table(hands={0: ["A1", "B1"]}, fronts={0: ["A2", "A5"]}, pasture={(3, 3): "A3", (4, 5): "A4"})
    answer(game, ("play", "A1"))
    take_any(game)
    assert (mark_at(game, 3, 3), mark_at(game, 4, 5)) == (0, 0)
    assert game.supplies == (8, 10, 10, 10)


def test_t13_a_card_of_a_decided_breed_only_walks():
    game = table(active=1, hands={1: ["A4", "B1"]}, fronts={0: ["A5", "A3"]}, owners={"A": 0})
    answer(game, ("play", "A4"))
    assert game.positions[1] == 7 + 4
    assert faces_in(game, game.box) == ["A4"]
    take_any(game)
    assert faces_in(game, game.fronts[1]) == []
    assert asked(game) == ("plays", 2)


def test_t14_a_winner_short_of_small_goats_chooses_and_the_other_card_stays_free():
    game = table(
        hands={0: ["A4", "B1"], 1: ["dog", "C1"]},
        fronts={0: ["A3", "A1"]},
        pasture={(3, 3): "A2", (3, 4): "A5"},
        supplies=[1, 10, 10, 10],
        positions=[0, 10, 14, 21],
    )
    answer(game, ("play", "A4"))
    take_any(game)
    assert options_of(game) == [("mark", "A2"), ("mark", "A5")]
    answer(game, ("mark", "A5"))
    assert (mark_at(game, 3, 3), mark_at(game, 3, 4), game.supplies[0]) == (None, 0, 0)
    answer(game, ("play", "dog"))
    assert ("take", "A2", 3, 3) in options_of(game) and ("take", "A5", 3, 4) not in options_of(game)


def test_t15_five_players_a_milk_of_one_leads_seat_1_to_row_3():
    game = table(5, active=1, hands={1: ["milk1", "B1"]})
    answer(game, ("play", "milk1"))
    assert game.positions[1] == 10
    assert line(7, 10) == "row 3"
    assert game.milk == (0, 1, 0, 0, 0)


def test_t16_the_last_card_of_a_row_ends_the_game_after_the_evaluation():
    game = table(
        hands={0: ["A3", "B1"]},
        fronts={0: ["A5"]},
        pasture={(4, 3): "C1", (0, 3): "D1", (1, 1): "A4"},
        positions=[0, 7, 14, 21],
        bare=True,
        deck=[],
    )
    answer(game, ("play", "A3"), ("take", "C1", 4, 3))
    assert game.outcome is not None
    assert game.owners[0] == 0
    assert game.outcome.scores == (4, 0, 0, 0)


def test_t17_a_line_of_marked_cards_ends_the_game_and_nothing_is_taken():
    marks = {(row, 0): 1 for row in range(1, 6)}
    game = table(hands={0: ["A5", "B1"]}, marks=marks, positions=[23, 7, 14, 21])
    answer(game, ("play", "A5"))
    assert game.outcome is not None
    assert faces_in(game, game.hands[0]) == ["B1"]


def test_t18_a_dog_has_thirteen_options_for_a_goat_in_the_middle():
    game = table(hands={0: ["dog", "B1"]}, pasture={(3, 3): "A4"}, marks={(3, 3): 0})
    answer(game, ("play", "dog"))
    take_any(game)
    options = options_of(game)
    assert len(options) == 13 and options[0] == ("none",)
    assert {option[2:] for option in options[1:]} == {
        *((3, column) for column in range(7) if column != 3),
        *((row, 3) for row in range(7) if row != 3),
    }


def test_t20_a_refill_of_a_won_breed_is_marked_at_once():
    game = table(hands={0: ["B2", "B1"]}, owners={"A": 2}, supplies=[10, 10, 3, 10], deck=["A4"])
    answer(game, ("play", "B2"))
    row, column = options_of(game)[0][2:]
    take_any(game)
    assert at(game, row, column) == "A4"
    assert mark_at(game, row, column) == 2
    assert game.supplies == (10, 10, 2, 10)


@pytest.mark.parametrize(
    ("seats", "cards", "grazing", "deck"), [(2, 65, 34, 27), (3, 86, 46, 34), (4, 107, 45, 54), (5, 121, 44, 67)]
)
def test_t21_cards_in_play(seats: int, cards: int, grazing: int, deck: int):
    game = HerrDerZiegen(seats, None, FastChance(1))
    assert len(game.faces) == cards
    assert sum(len(cell) for cell in game.pasture) == grazing
    assert [len(hand) for hand in game.hands] == [2] * seats
    assert len(game.deck) == deck


# --- Options ------------------------------------------------------------------------------------------


def test_option_layout_takes_a_name_or_stables_written_out():
    corners = HerrDerZiegen(5, GoatVariant(layout="corners"), FastChance(1))
    assert corners.positions == (0, 3, 7, 14, 21)
    turned = HerrDerZiegen(2, GoatVariant.read({"layout": "0,5@6 5,0@18"}), FastChance(1))
    assert turned.positions == (6, 18)
    assert turned.doors == ((4, 11), (24, 31))
    assert [cell for cell, heap in enumerate(turned.pasture) if not heap.cards] == [5, 30]


@pytest.mark.parametrize("layout", ["ring", "0,0@0", "0,0", "0,0@0 5,5@x"])
def test_option_layout_says_how_to_write_it(layout: str):
    with pytest.raises(VariantError, match="layout"):
        GoatVariant.read({"layout": layout})


@pytest.mark.parametrize("layout", ["0,0@0 5,5@13", "0,0@0 0,0@23", "0,0@0 5,5@24", "0,0@0 0,6@7 6,6@14"])
def test_option_layout_must_fit_the_table(layout: str):
    with pytest.raises(VariantError, match="layout"):
        HerrDerZiegen(2, GoatVariant.read({"layout": layout}), FastChance(1))


def test_option_stables_outside_leave_every_cell_to_cards_and_one_door_each():
    game = HerrDerZiegen(4, GoatVariant(stables="outside"), FastChance(1))
    assert all(heap.cards for heap in game.pasture)
    assert game.doors == ((0,), (6,), (48,), (42,))


@pytest.mark.parametrize(("split", "seats", "milk"), [("5/11", 3, (0, 11)), ("12/4", 2, (8, 0))])
def test_option_milk_split(split: str, seats: int, milk: tuple[int, int]):
    faces = HerrDerZiegen.pack(seats, GoatVariant.read({"milk_split": split}))
    assert (faces.count("milk1"), faces.count("milk2")) == milk


@pytest.mark.parametrize("split", ["8", "8/9", "4/12", "13/3", "a/b"])
def test_option_milk_split_refuses_what_cannot_be_removed_from(split: str):
    with pytest.raises(VariantError, match="milk_split"):
        GoatVariant.read({"milk_split": split})


def test_option_milk_second_may_be_nobody_below_a_shared_first_place():
    strict = GoatVariant(milk_second="none_if_first_tied")
    assert milk_points((5, 5, 4), GoatVariant()) == [5, 5, 2]
    assert milk_points((5, 5, 4), strict) == [5, 5, 0]
    assert milk_points((5, 4, 4), strict) == [5, 2, 2]


def test_option_dog_targets_goats_only_leaves_dogs_and_milk_alone():
    pasture = {(3, 3): "A4", (3, 4): "milk1", (3, 5): "dog"}
    for word, count in (("any", 13), ("goats_only", 11)):
        game = table(hands={0: ["dog", "B1"]}, pasture=pasture, marks={(3, 3): 0}, variant={"dog_targets": word})
        answer(game, ("play", "dog"))
        take_any(game)
        assert len(options_of(game)) == count


def test_option_consent_swaps_off_asks_no_opponent():
    marks = {(3, 3): 0, (3, 4): 1}
    for consent_swaps, words in ((True, {"none", "lead", "ask"}), (False, {"none", "lead"})):
        game = table(hands={0: ["dog", "B1"]}, marks=marks, variant={"consent_swaps": consent_swaps})
        answer(game, ("play", "dog"))
        take_any(game)
        assert {option[0] for option in options_of(game)} == words


def test_option_finish_turn_off_ends_at_once():
    marks = {(row, 3): 1 for row in range(7)}
    for finish_turn, owner in ((True, 0), (False, None)):
        game = table(
            hands={0: ["A3", "B1"]}, fronts={0: ["A5"]}, marks=marks, variant={"finish_turn": finish_turn}
        )
        answer(game, ("play", "A3"))
        assert game.outcome is not None
        assert game.owners[0] == owner


def test_option_small_goats():
    assert HerrDerZiegen(3, GoatVariant(small_goats=4), FastChance(1)).supplies == (4, 4, 4)


@pytest.mark.parametrize(("start_seat", "seat"), [("0", 0), ("1", 1), ("4", 1)])
def test_option_start_seat(start_seat: str, seat: int):
    game = HerrDerZiegen(3, GoatVariant.read({"start_seat": start_seat}), FastChance(1))
    assert asked(game) == ("plays", seat)


@pytest.mark.parametrize("start_seat", ["youngest", "-1", "6"])
def test_option_start_seat_is_a_seat_or_random(start_seat: str):
    with pytest.raises(VariantError, match="start_seat"):
        GoatVariant.read({"start_seat": start_seat})


def test_option_start_seat_random_draws_it():
    starters = {asked(HerrDerZiegen(3, GoatVariant(start_seat="random"), FastChance(seed))) for seed in range(40)}
    assert starters == {("plays", 0), ("plays", 1), ("plays", 2)}


def test_words():
    assert HerrDerZiegen.say(("take", "milk2", 3, 0)) == "take milk worth 2 from row 3, column 0"
    assert HerrDerZiegen.say(("mark", "A2", "A5")) == "mark goat A2 and goat A5"
    assert HerrDerZiegen.say(("none",)) == "leave all goats where they are"
    assert deal(2, ["A1", "A2", "B1", "B2"]).stand_in(0, [("no",), ("yes",)]) == 0
