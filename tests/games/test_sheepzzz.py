"""SheepZzz by the vectors of its rules page (§6): R from the rulebook and the author, T our own."""

from __future__ import annotations

import pytest

from arena.games.sheepzzz import SheepZzz
from arena.games.sheepzzz_cards import fitting
from tests.games.sheep_table import (
    Tape,
    asked,
    asks,
    choose,
    hand,
    imposed,
    options,
    pile,
    table,
    taken_pillows,
    tops,
)

T3_HAND = ["4/0", "9/2", "14/2", "16/1", "W"]
T3_PILES = ["5/0", "14/0", "19/5"]


def fits(ascending: bool, top: int) -> set[int]:
    """The numbers offered to a hand that holds every number; the rule itself must say the same."""
    every = [f"{n}/0" for n in range(1, 20)]
    game = table(
        [every, ["10/1"]], [f"{top}/0"], cards=" ".join([*every, *every, *["10/1"] * 6]), ascending=ascending
    )
    found = {int(option[1].split("/")[0]) for option in options(game) if option[0] == "play"}
    assert found == fitting(ascending, top)
    return found


def span(*parts: int | range) -> set[int]:
    return {n for part in parts for n in ([part] if isinstance(part, int) else part)}


@pytest.mark.parametrize(
    ("ascending", "top", "numbers"),
    [
        pytest.param(True, 14, span(4, range(15, 20)), id="R1"),
        pytest.param(False, 6, span(range(1, 6), 16), id="R2"),
        pytest.param(False, 3, {1, 2, 13}, id="R3"),
        pytest.param(True, 12, span(2, range(13, 20)), id="R4"),
        pytest.param(True, 19, {9}, id="T1-19"),
        pytest.param(True, 10, span(range(11, 20)), id="T1-10"),
        pytest.param(True, 1, span(range(2, 20)), id="T1-1"),
        pytest.param(True, 11, span(1, range(12, 20)), id="T1-11"),
        pytest.param(True, 9, span(range(10, 20)), id="T1-9"),
        pytest.param(False, 9, span(range(1, 9), 19), id="T2-9"),
        pytest.param(False, 10, span(range(1, 10)), id="T2-10"),
        pytest.param(False, 1, {11}, id="T2-1"),
        pytest.param(False, 19, span(range(1, 19)), id="T2-19"),
    ],
)
def test_r1_r4_t1_t2_numbers_that_fit(ascending: bool, top: int, numbers: set[int]) -> None:
    assert fits(ascending, top) == numbers


def test_t3_plays_that_fit_wolves_anywhere_and_every_take() -> None:
    game = table([T3_HAND, ["6/0"]], T3_PILES)
    assert options(game) == [
        ("play", "4/0", 1),
        *[("play", "9/2", k) for k in (0, 2)],
        ("play", "14/2", 0),
        *[("play", "16/1", k) for k in (0, 1)],
        *[("play", "W", k) for k in (0, 1, 2)],
        *[("take", k, start) for start in T3_HAND[:4] for k in (0, 1, 2)],
    ]
    assert len(options(game)) == 21


def test_t4_an_imposed_pile_binds_playing_and_taking() -> None:
    game = table([T3_HAND, ["6/0"]], T3_PILES, imposed=2)
    takes = [("take", 2, start) for start in T3_HAND[:4]]
    assert options(game) == [("play", "9/2", 2), ("play", "W", 2), *takes]


def test_t6_a_hand_of_wolves() -> None:
    wolves = [("play", "W", k) for k in (0, 1, 2)]
    assert options(table([["W", "W"], ["6/0"]])) == wolves
    assert options(table([["W", "W"], ["6/0"]], deck=[])) == [*wolves, ("take", 0), ("take", 1), ("take", 2)]


def test_t8_a_wolf_turns_the_flock_and_draws_from_the_whole_pile() -> None:
    tape = Tape(0)
    game = table([["W", "6/1"], ["6/0"]], [["7/0", "12/1"], "5/0"], tape=tape)
    choose(game, "play", "W", 0)
    assert game.ascending is False
    assert tape.asked[-1] == (3, ("wolf", 1, 1)), "one of three cards: eaten with 1/3"
    assert sorted(pile(game, 0)) == ["12/1", "7/0", "W"]
    assert tops(game) == ["7/0", "5/0"]


def test_t8_the_wolf_drawing_a_wolf_eats_the_pile() -> None:
    game = table([["W", "6/1"], ["6/0"]], [["7/0", "12/1"], "5/0"], tape=Tape(2))
    choose(game, "play", "W", 0)
    assert game.ascending is False
    assert taken_pillows(game, 0) == 4
    assert tops(game) == ["5/0"], "one pile fewer"


def test_t10_the_outer_powers_name_the_next_shepherd_and_a_pile() -> None:
    game = table([["19/5", "6/1"], ["6/0", "7/1"], ["15/0", "8/0"], ["8/1"]])
    choose(game, "play", "19/5", 1)
    assert asks(game) == "powers"
    assert options(game) == [("none",), *[("name", q, k) for q in (1, 2, 3) for k in (0, 1, 2)]]
    choose(game, "name", 2, 0)
    assert (asked(game), imposed(game)) == (2, 0)
    assert game.direction == 1
    choose(game, "play", "15/0", 0)
    assert (asked(game), imposed(game)) == (3, None), "play goes on from the named seat, and the pile binds once"


def t11_table(**variant: str) -> SheepZzz:
    hands = [["16/0", "16/1"], ["3/3", "6/1"], ["6/0", "7/1"], ["15/0", "8/0"]]
    game = table(hands, ["5/0", "9/1", "2/3"], turn=1, **variant)
    choose(game, "play", "3/3", 2)
    return game


def test_t11_reversing_imposes_a_pile_on_who_thereby_comes_next() -> None:
    game = t11_table()
    assert options(game) == [("none",), ("reverse", 0), ("reverse", 1), ("reverse", 2)]
    choose(game, "reverse", 2)
    assert game.direction == -1
    assert (asked(game), imposed(game)) == (0, 2)
    choose(game, "play", "16/0", 2)
    assert (asked(game), imposed(game)) == (3, None)


def test_t11_a_power_left_unused_changes_nothing() -> None:
    game = t11_table()
    choose(game, "none")
    assert game.direction == 1
    assert (asked(game), imposed(game)) == (2, None)


def test_t12_split_allows_either_half_of_the_power() -> None:
    game = t11_table(reverse_power="split")
    assert len(options(game)) == 8
    assert options(game) == [
        ("none",), ("impose", 0), ("impose", 1), ("impose", 2),
        ("reverse",), ("reverse", 0), ("reverse", 1), ("reverse", 2),
    ]  # fmt: skip
    choose(game, "impose", 1)
    assert (game.direction, asked(game), imposed(game)) == (1, 2, 1)
    game = t11_table(reverse_power="split")
    choose(game, "reverse")
    assert (game.direction, asked(game), imposed(game)) == (-1, 0, None)


def test_t12_designate_names_a_shepherd_with_or_without_reversing() -> None:
    game = t11_table(reverse_power="designate")
    assert len(options(game)) == 2 * (1 + 3 * 3)
    choose(game, "reverse", 3, 1)
    assert (game.direction, asked(game), imposed(game)) == (-1, 3, 1)
    game = t11_table(reverse_power="designate")
    choose(game, "name", 3, 0)
    assert (game.direction, asked(game), imposed(game)) == (1, 3, 0)


T14_HANDS = [["6/0"], ["7/0", "8/0"], ["7/1", "8/1"]]


def test_t14_the_round_goes_on_until_all_hands_are_empty() -> None:
    game = table(T14_HANDS, ["5/0", "4/0", "4/1"], deck=[], rest_under=2)
    choose(game, "play", "6/0", 0)
    turns = []
    while game.round == 1:
        turns.append(asked(game))
        game.answer(0)
    assert turns == [1, 2, 1, 2]
    assert game.totals == (0, 0, 0)


def test_t14_or_until_the_first_hand_is_empty() -> None:
    game = table(T14_HANDS, ["5/0", "4/0", "4/1"], deck=[], rest_under=2, round_end="first_hand_empty")
    choose(game, "play", "6/0", 0)
    assert game.round == 2
    assert game.totals == (0, 0, 2), "players 1 and 2 add the cards they hold"


def test_t15_taking_a_pile_without_a_deck_ends_the_round_and_hands_count() -> None:
    game = table(
        [["6/0"], ["2/3", "3/3", "4/1"], ["17/3", "5/1"]],
        [["18/3", "9/3"], "9/1", "12/2"],
        taken={0: ["10/3"], 2: ["14/2"]},
        deck=[],
        turn=2,
        rest_under=2,
    )
    choose(game, "take", 0)
    assert game.totals == (3, 7, 6 + 4 + 2)
    assert game.round == 2


def test_t16_the_last_card_drawn_after_a_take_does_not_end_the_round() -> None:
    game = table([["6/0", "7/0"], ["8/0"]], deck=["4/0"])
    choose(game, "take", 0, "6/0")
    assert game.round == 1
    assert not game.deck.cards
    assert hand(game, 0) == ["7/0", "4/0"]
    assert asked(game) == 1


def end_round(before: tuple[int, ...], points: dict[int, list[str]], **more: object) -> SheepZzz:
    """Seat 0 takes a bare pile without a deck; everybody scores what lies in front."""
    hands = [["6/0"], ["7/0"], ["8/0"]]
    game = table(hands, ["5/0", "9/1", "12/2"], taken=points, deck=[], rest_under=2, totals=before, **more)
    choose(game, "take", 0)
    return game


FOUR, EIGHT, NINE, TEN = ["4/1", "10/3"], ["2/3", "3/3", "6/2"], ["2/3", "3/3", "17/3"], ["1/5", "19/5"]


def test_t17_the_game_ends_after_the_round_that_reaches_the_target() -> None:
    game = end_round((70, 40, 66), {0: FOUR, 1: TEN, 2: NINE})
    assert game.question is None
    assert game.outcome is not None
    assert game.outcome.scores == (74, 50, 75)
    assert game.outcome.ranks == (2, 1, 3)


def test_t18_the_highest_total_starts_and_ties_go_clockwise_from_the_last_starter() -> None:
    game = end_round((70, 40, 66), {0: FOUR, 1: TEN, 2: EIGHT})
    assert game.totals == (74, 50, 74)
    assert (game.round, game.starter) == (2, 2)
    assert (asked(game), asks(game)) == (2, "flocks")


@pytest.mark.parametrize(("previous", "next_starter"), [(0, 2), (1, 2), (2, 0)])
def test_t18_whoever_started_last_is_asked_last_among_the_tied(previous: int, next_starter: int) -> None:
    game = end_round((70, 40, 66), {0: FOUR, 1: TEN, 2: EIGHT}, starter=previous)
    assert game.starter == next_starter


def test_t19_wolves_turned_up_at_the_start_are_shuffled_back() -> None:
    faces = SheepZzz.pack(3, SheepZzz.variant_type())
    wanted = [faces.index("W"), faces.index("5/0"), faces.index("W") + 1, faces.index("9/1"), faces.index("12/2")]
    deck = [card for card in range(48) if card not in wanted] + wanted[::-1]
    tape = Tape(orders={("deal", 1): deck})
    game = SheepZzz(3, None, tape)
    assert [pile(game, k) for k in range(3)] == [["5/0"], ["9/1"], ["12/2"]]
    assert tape.asked == [(48, ("deal", 1)), (45, ("wolves back", 1))]
    assert len(game.deck) + sum(map(len, game.hands)) == 45


def test_t21_opening_a_pile_with_a_power_card_fires_its_power() -> None:
    game = table([["18/3", "6/0"], ["7/0"], ["8/0"], ["6/1"]])
    choose(game, "take", 1, "18/3")
    assert pile(game, 1) == ["18/3"]
    assert asks(game) == "powers"
    assert len(options(game)) == 4


def test_t22_equal_totals_share_the_win() -> None:
    game = end_round((71, 65, 72), {0: FOUR, 1: TEN, 2: EIGHT})
    assert game.outcome is not None
    assert game.outcome.scores == (75, 75, 80)
    assert game.outcome.ranks == (1, 1, 3)
