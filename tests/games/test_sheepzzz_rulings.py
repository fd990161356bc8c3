"""SheepZzz where the rulebook is silent: the corner cases of the rules page (§5.5), by their numbers."""

from __future__ import annotations

from random import Random

import pytest

from arena.chance import FastChance
from arena.events import seen_by
from arena.games.sheepzzz import SheepVariant, SheepZzz
from arena.zones import PUBLIC
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

OTHERS = [["7/0"], ["8/0"]]


def test_ruling_1_wolves_alone_cannot_open_a_pile() -> None:
    game = table([["W", "W"], *OTHERS], deck=5)
    assert options(game) == [("play", "W", 0), ("play", "W", 1), ("play", "W", 2)]


def test_ruling_2_without_a_deck_wolves_alone_may_take() -> None:
    game = table([["W"], *OTHERS], deck=[])
    assert options(game)[3:] == [("take", 0), ("take", 1), ("take", 2)]


def test_ruling_3_where_nothing_fits_the_imposed_pile_must_be_taken_or_given_a_wolf() -> None:
    game = table([["4/0", "W"], *OTHERS], ["9/1", "5/0", "12/2"], imposed=1)
    assert options(game) == [("play", "W", 1), ("take", 1, "4/0")]
    game = table([["4/0", "6/1"], *OTHERS], ["9/1", "18/3", "12/2"], imposed=1)
    assert options(game) == [("take", 1, "4/0"), ("take", 1, "6/1")]


def test_ruling_4_an_imposed_pile_never_vanishes_before_its_turn() -> None:
    bound = 0
    for seed in range(30):
        game, chooser = SheepZzz(4, SheepVariant(reverse_power="designate"), FastChance(seed)), Random(seed)
        while game.question is not None:
            if asks(game) == "moves" and imposed(game) is not None:
                bound += 1
                assert game.piles[imposed(game) or 0].cards
            game.answer(chooser.randrange(len(options(game))))
    assert bound > 100


@pytest.mark.parametrize(("drawn", "stays"), [(0, True), (1, False)])
def test_ruling_5_a_wolf_on_a_single_card_is_drawn_every_other_time(drawn: int, stays: bool) -> None:
    tape = Tape(drawn)
    game = table([["W", "6/1"], *OTHERS], tape=tape)
    choose(game, "play", "W", 0)
    assert tape.asked[-1][0] == 2
    assert tops(game) == (["5/0", "9/1", "12/2"] if stays else ["9/1", "12/2"])


@pytest.mark.parametrize("piles", [["5/0", "9/1"], ["5/0"]])
def test_ruling_6_fewer_piles_mean_fewer_choices(piles: list[str]) -> None:
    game = table([["19/5", "W", "6/1"], *OTHERS], piles)
    assert len([option for option in options(game) if option[0] == "take"]) == 2 * len(piles)
    assert len([option for option in options(game) if option[1] == "W"]) == len(piles)
    choose(game, "play", "19/5", 0)
    assert len(options(game)) == 1 + 2 * len(piles)


def test_ruling_7_eating_the_last_pile_ends_the_round_without_a_draw() -> None:
    game = table([["W", "2/3"], ["1/5"], ["8/0"]], [["7/1"]], deck=20, tape=Tape(1))
    choose(game, "play", "W", 0)
    assert game.round == 2
    assert game.totals == (1 + 3 + 3, 5, 0), "the eaten pile and the hands, and no drawn card"


def test_ruling_8_a_take_while_there_was_a_deck_ends_nothing() -> None:
    game = table([["6/0"], *OTHERS], deck=["4/0"])
    choose(game, "take", 1, "6/0")
    assert (game.round, asked(game)) == (1, 1)
    assert hand(game, 0) == ["4/0"]


def test_ruling_9_who_has_played_the_last_card_is_skipped() -> None:
    game = table([["6/0"], ["7/0", "8/1"], ["8/0", "9/0"]], ["5/0"], deck=[], turn=0)
    choose(game, "play", "6/0", 0)
    assert asked(game) == 1
    choose(game, "play", "7/0", 0)
    choose(game, "play", "8/0", 0)
    assert asked(game) == 1, "seat 0 holds nothing"


def test_ruling_9_a_player_goes_again_when_all_others_ran_dry() -> None:
    game = table([["6/0", "7/0"], [], []], ["5/0"], deck=[])
    choose(game, "play", "6/0", 0)
    assert (asked(game), imposed(game)) == (0, None)


def test_ruling_10_without_anybody_to_hand_over_to_there_is_no_power() -> None:
    game = table([["19/5", "7/0"], [], []], ["5/0", "6/0", "4/0"], deck=[])
    choose(game, "play", "19/5", 0)
    assert (asks(game), asked(game)) == ("moves", 0)


def test_ruling_10_a_power_that_ends_the_round_is_not_asked_for() -> None:
    game = table([["19/5"], *OTHERS], deck=[], rest_under=2, round_end="first_hand_empty")
    choose(game, "play", "19/5", 0)
    assert (game.round, asks(game)) == (2, "flocks")


def test_ruling_11_and_12_nobody_names_oneself_or_a_player_without_cards() -> None:
    game = table([["19/5", "7/0"], [], ["8/0"]], deck=[])
    choose(game, "play", "19/5", 0)
    assert {option[1] for option in options(game)[1:]} == {2}


def test_ruling_13_with_two_players_a_reverse_still_imposes_a_pile() -> None:
    game = table([["17/3", "6/0"], ["7/0"]])
    choose(game, "play", "17/3", 0)
    choose(game, "reverse", 1)
    assert (game.direction, asked(game), imposed(game)) == (-1, 1, 1)


@pytest.mark.parametrize("start", ["1/5", "2/3", "3/3", "17/3", "18/3", "19/5"])
def test_ruling_14_a_start_card_with_a_power_fires(start: str) -> None:
    game = table([[start, "6/0"], *OTHERS])
    choose(game, "take", 0, start)
    assert asks(game) == "powers"


@pytest.mark.parametrize("start", ["4/0", "5/1", "16/0"])
def test_ruling_15_any_sheep_may_open_a_pile(start: str) -> None:
    game = table([[start, "6/0"], *OTHERS])
    choose(game, "take", 0, start)
    assert pile(game, 0) == [start]
    assert (asks(game), asked(game)) == ("moves", 1), "and a plain one has no power"


def test_ruling_16_a_sheep_drawn_by_the_wolf_has_no_power() -> None:
    game = table([["W", "6/0"], *OTHERS], [["19/5", "9/2"], "5/0"], tape=Tape(0))
    choose(game, "play", "W", 0)
    assert tops(game)[0] == "19/5"
    assert (asks(game), asked(game)) == ("moves", 1)


def test_ruling_17_passing_the_target_in_mid_round_ends_nothing() -> None:
    game = table([["6/0", "7/1"], *OTHERS], [["1/5", "19/5"], "9/1"], totals=(70, 0, 0), deck=10)
    choose(game, "take", 0, "6/0")
    assert taken_pillows(game, 0) == 10
    assert (game.totals, game.round, asked(game)) == ((70, 0, 0), 1, 1)


@pytest.mark.parametrize("drawn", [1, 2, 4])
def test_ruling_18_every_wolf_in_a_pile_adds_to_the_danger_and_goes_to_the_eater(drawn: int) -> None:
    tape = Tape(drawn)
    game = table([["W", "6/0"], *OTHERS], [["7/1", "W", "W", "9/0"], "5/0"], tape=tape)
    choose(game, "play", "W", 0)
    assert tape.asked[-1][0] == 5
    assert taken_pillows(game, 0) == 1 + 3 * 3
    assert tops(game) == ["5/0"]


def test_ruling_19_the_game_stops_after_max_rounds() -> None:
    game = table([["6/0"], *OTHERS], ["5/0"], deck=[], round=50, totals=(3, 1, 2))
    choose(game, "take", 0)
    assert game.outcome is not None
    assert game.outcome.ranks == (3, 1, 2)
    game = table([["6/0"], *OTHERS], ["5/0", "9/1"], deck=[], rest_under=1, round=49, totals=(3, 1, 2))
    choose(game, "take", 0)
    assert (game.outcome, game.round) == (None, 50)


def test_ruling_20_a_wolf_shown_at_the_start_was_seen_by_all_and_lies_nobody_knows_where() -> None:
    faces = SheepZzz.pack(2, SheepVariant())
    wolf = faces.index("W")
    deck = [*[card for card in range(47, -1, -1) if card != wolf], wolf]
    game = SheepZzz(2, None, Tape(orders={("deal", 1): deck}), log=True)
    told = [event for event in seen_by(PUBLIC, game.events or []) if event[-1] == "W"]
    assert [event[0] for event in told] == ["draw", "tuck"]
    assert all(face is None for face in game.view(PUBLIC)["deck"])
    assert all(game.numbers[heap.cards[0]] for heap in game.piles)
