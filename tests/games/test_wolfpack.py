"""Wolfpack: the vectors (R, T) and the corner cases (ruling) of the rules page, and every option."""

from __future__ import annotations

import pytest

from arena.chance import FastChance
from arena.games.wolfpack import KINDS, LEFT, RIGHT, Wolfpack, WolfpackVariant
from arena.variants import VariantError
from tests.games.wolfpack_table import (
    SHEEP,
    STEAL,
    SWAP,
    WOLVES,
    Tape,
    actions,
    answer,
    asked,
    final,
    hand,
    laid,
    mover,
    position,
)

DRAW, TAKE, KEEP, EXCHANGE = ("draw",), ("take",), ("keep",), ("exchange",)


def fresh(seats: int, **variant: object) -> Wolfpack:
    return Wolfpack(seats, WolfpackVariant.read(variant), FastChance(0))


# --- From the leaflet


def test_r1_sheep_with_two_own_wolves_against_one_lays_all_three_sheep() -> None:
    game = position("AABSSS", "", actions=["SHEEP"])
    answer(game, SHEEP)
    assert (laid(game, 0), hand(game, 0), game.base(0)) == ("SSS", "AAB", 3)


def test_r2_wolves_lays_all_foreign_wolves_for_three_points_each() -> None:
    game = position("ABBCS", "", "", actions=["WOLVES"])
    answer(game, WOLVES)
    assert (laid(game, 0), hand(game, 0), game.base(0)) == ("BBC", "AS", 9)


def test_r3_two_packs_share_the_sheep_of_a_hand_and_the_odd_one_is_lost() -> None:
    assert final("BCSSSSS", "", "") == (0, 2, 2)


def test_r4_without_a_wolf_in_hand_its_sheep_are_worth_nothing() -> None:
    assert final("SSSSSS", "", "") == (0, 0, 0)


def test_r5_the_strongest_pack_gets_the_sheep() -> None:
    assert final("BBCSSSS", "", "") == (0, 4, 0)


def test_r6_with_two_action_cards_none_may_be_taken_but_both_exchanged() -> None:
    options = asked(position("A", "", actions=["SHEEP SWAP"]))
    assert TAKE not in options and EXCHANGE in options


# --- Own vectors


def test_t2_sheep_without_own_wolves_does_nothing() -> None:
    game = position("BSSSS", "", actions=["SHEEP"])
    answer(game, SHEEP)
    assert (laid(game, 0), hand(game, 0), actions(game, 0)) == ("", "BSSSS", [])


def test_t4_own_wolves_keep_the_sheep_of_the_hand() -> None:
    assert final("AABSSSSS", "") == (5, 0)
    assert final("AABSSSSS", "", own_wolves_count=False) == (0, 5)


def test_t5_a_tie_with_the_own_pack_is_shared() -> None:
    assert final("ABSSSSS", "") == (2, 2)


def test_t6_three_packs_share() -> None:
    assert final("ABCSSSSS", "", "") == (1, 1, 1)
    assert final("ABCSS", "", "") == (0, 0, 0)


@pytest.mark.parametrize(
    ("held", "options"),
    [
        pytest.param("", [DRAW, TAKE], id="T7"),
        pytest.param("SHEEP", [DRAW, TAKE, SHEEP], id="T8"),
        pytest.param("SWAP STEAL", [DRAW, STEAL, SWAP, EXCHANGE], id="T9"),
        pytest.param("WOLVES WOLVES", [DRAW, WOLVES, EXCHANGE], id="T10"),
    ],
)
def test_t7_to_t10_the_options_of_a_turn(held: str, options: list[tuple[str, ...]]) -> None:
    assert asked(position("", "", actions=[held])) == options


def test_t12_hands_go_clockwise_with_their_action_cards() -> None:
    game = position("AS", "BBS", "C", actions=["SWAP SHEEP", "STEAL WOLVES", ""])
    answer(game, SWAP, LEFT)
    assert [hand(game, seat) for seat in range(3)] == ["C", "AS", "BBS"]
    assert [actions(game, seat) for seat in range(3)] == [[], ["SHEEP"], ["STEAL", "WOLVES"]]


def test_t12_hands_go_anticlockwise_to_the_right() -> None:
    game = position("AS", "BBS", "C", actions=["SWAP"])
    answer(game, SWAP, RIGHT)
    assert [hand(game, seat) for seat in range(3)] == ["BBS", "C", "AS"]


def test_t14_the_tenth_wolf_puts_its_leader_out_and_freezes_his_hand() -> None:
    game = position("A", "S", "C", "BD", actions=["", "", "", "WOLVES"], laid=["BBBBBB", "", "BBB"], turn=3)
    answer(game, WOLVES)
    assert game.out == (False, True, False, False)
    assert hand(game, 1) == "S"
    answer(game, DRAW)
    assert mover(game) == 2


def test_t15_with_two_players_the_tenth_wolf_ends_the_game() -> None:
    game = position("B", "S", actions=["WOLVES"], laid=["BBBBBBBBB"])
    answer(game, WOLVES)
    assert game.out == (False, True)
    assert game.outcome is not None and game.outcome.scores == (30, 0)


def test_t16_the_last_play_card_ends_the_game_and_counts_in_hand() -> None:
    game = position("AS", "", piles="S")
    answer(game, DRAW)
    assert hand(game, 0) == "ASS"
    assert game.outcome is not None and game.outcome.scores == (2, 0)


def test_t17_an_empty_action_deck_is_made_of_the_discard() -> None:
    game = position("", "", deck="", discard=" ".join(KINDS * 5))
    answer(game, TAKE)
    assert (len(game.action_deck), len(game.action_discard), game.reshuffles) == (19, 0, 1)
    assert len(game.taken[0]) == 1


def test_t18_thirty_idle_turns_of_three_players_end_the_game_with_normal_scoring() -> None:
    game = position("BSS", "", "", laid=["", "S"], idle=29)
    answer(game, TAKE, KEEP)
    assert game.outcome is not None and game.outcome.scores == (0, 3, 0)


@pytest.mark.parametrize(
    ("seats", "sheep", "sizes"),
    [
        pytest.param(5, 28, [32, 32, 32, 32, 31, 31], id="T19"),
        pytest.param(2, 14, [8, 8, 8, 8, 8, 8], id="T20"),
    ],
)
def test_t19_t20_six_piles_as_equal_as_can_be(seats: int, sheep: int, sizes: list[int]) -> None:
    game = Wolfpack(seats, WolfpackVariant(sheep_per_player=sheep), FastChance(0), log=True)
    assert game.events is not None
    cut = next(event for event in game.events if event[1] == "cut")
    assert list(cut[-1]) == sizes


@pytest.mark.parametrize(
    ("seats", "sheep", "left"), [(2, 14, 42), (3, 14, 63), (4, 14, 84), (5, 14, 105), (2, 28, 70), (5, 28, 175)]
)
def test_cards_left_after_the_deal(seats: int, sheep: int, left: int) -> None:
    game = fresh(seats, sheep_per_player=sheep)
    assert sum(len(pile) for pile in game.piles) == left
    assert len(game.action_deck) == 56


# --- Corner cases


@pytest.mark.parametrize("cards", ["ABSS", "SSS", "AABBSS"])
def test_ruling_1_sheep_needs_more_own_wolves_than_others(cards: str) -> None:
    game = position(cards, "", actions=["SHEEP"])
    answer(game, SHEEP)
    assert (laid(game, 0), hand(game, 0), game.idle) == ("", cards, 1)
    assert game.view(1)["play_hands"][0] == (None,) * len(cards)  # and no reveal
    assert game.view(1)["action_discard"] == ("SHEEP",)


def test_ruling_2_sheep_without_a_sheep_is_spent() -> None:
    game = position("AAB", "", actions=["SHEEP"])
    answer(game, SHEEP)
    assert (laid(game, 0), game.idle) == ("", 1)
    assert game.view(1)["play_hands"][0] == (None,) * 3  # nothing was claimed, so there is nothing to check


def test_ruling_3_nobody_is_asked_how_many_to_lay() -> None:
    game = position("AASSSS", "", actions=["SHEEP"])
    answer(game, SHEEP)
    assert (laid(game, 0), mover(game)) == ("SSSS", 1)


def test_ruling_4_wolves_without_foreign_wolves_is_spent() -> None:
    game = position("AAS", "", actions=["WOLVES"])
    answer(game, WOLVES)
    assert (laid(game, 0), hand(game, 0), actions(game, 0), game.idle) == ("", "AAS", [], 1)


def test_ruling_5_own_wolves_are_never_laid() -> None:
    game = position("AAABC", "", "", actions=["WOLVES"])
    answer(game, WOLVES)
    assert (laid(game, 0), hand(game, 0)) == ("BC", "AAA")


def test_ruling_6_who_has_no_cards_is_not_robbed() -> None:
    game = position("", "", "CS", actions=["STEAL"])
    answer(game, STEAL)
    assert asked(game) == [("steal", 2, "play")]


def test_ruling_7_a_full_thief_passes_by_who_has_action_cards_only() -> None:
    game = position("", "", "", actions=["STEAL STEAL", "SHEEP SWAP", "WOLVES"])
    answer(game, STEAL, ("steal", 1, "action"))
    assert len(actions(game, 0)) == 2 and mover(game) == 1
    assert actions(game, 2) == ["WOLVES"]


def test_ruling_8_with_two_players_there_is_one_victim() -> None:
    game = position("", "BS", actions=["STEAL", "SWAP"], picks=[1])
    answer(game, STEAL)
    assert asked(game) == [("steal", 1, "play"), ("steal", 1, "action")]
    answer(game, ("steal", 1, "play"))
    assert (hand(game, 0), hand(game, 1), mover(game)) == ("S", "B", 1)


def test_steal_goes_clockwise_from_the_thief() -> None:
    game = position("AS", "BS", "", "DS", actions=["", "", "STEAL"], turn=2)
    answer(game, STEAL, ("steal", 3, "play"), ("steal", 0, "play"), ("steal", 1, "play"))
    assert (hand(game, 2), mover(game)) == ("ABD", 3)


def test_ruling_9_and_10_swap_moves_at_most_two_action_cards_and_even_an_empty_hand() -> None:
    game = position("", "B", actions=["SWAP", "SHEEP WOLVES"])
    answer(game, SWAP, LEFT)
    assert (actions(game, 0), actions(game, 1)) == (["SHEEP", "WOLVES"], [])
    assert (hand(game, 0), hand(game, 1)) == ("B", "")


def test_with_two_players_left_swap_has_one_direction() -> None:
    game = position("A", "S", "C", actions=["SWAP"], out=[1], laid=["BBBBBBBBBB"])
    answer(game, SWAP)
    assert asked(game) == [LEFT]
    answer(game, LEFT)
    assert [hand(game, seat) for seat in range(3)] == ["C", "S", "A"]  # the frozen hand stays


def test_ruling_11_a_third_action_card_must_be_used_where_it_may_be_taken() -> None:
    game = position("", "", actions=["SHEEP SWAP"], deck="WOLVES", take_with_two="must_use")
    assert asked(game) == [DRAW, TAKE, SHEEP, SWAP, EXCHANGE]
    answer(game, TAKE)
    assert asked(game) == [WOLVES]
    answer(game, WOLVES)
    assert actions(game, 0) == ["SHEEP", "SWAP"]


def test_ruling_12_exchanged_cards_come_back_in_a_reshuffle() -> None:
    game = position("", "", actions=["SHEEP SWAP"], deck="", discard="STEAL")
    answer(game, EXCHANGE)
    assert (len(game.action_deck), len(game.action_discard), len(actions(game, 0))) == (2, 0, 1)
    assert mover(game) == 1  # the new card may not be used this turn


def test_ruling_13_several_players_may_go_out_at_once() -> None:
    nine = ["", "", "", "BBBBBBBBBCCCCCCCCC"]
    game = position("BC", "", "", "", actions=["WOLVES"], laid=nine)
    answer(game, WOLVES)
    assert game.out == (False, True, True, False)
    assert mover(game) == 3


def test_ruling_14_a_wolf_in_a_frozen_hand_cannot_be_laid() -> None:
    game = position("S", "C", "", "S", actions=["STEAL"], out=[1], laid=["BBBBBBBBBB", "", "", "CCCCCCCCC"])
    answer(game, STEAL)
    assert asked(game) == [("steal", 3, "play")]
    assert game.out == (False, True, False, False)


def test_ruling_15_and_16_who_is_out_is_skipped_and_never_by_his_own_action() -> None:
    game = position("AAAAAAAAAAB", "S", "", actions=["WOLVES"], laid=["", "", "BBBBBBBBB"])
    answer(game, WOLVES)
    assert game.out == (False, True, False)
    assert mover(game) == 2


def test_ruling_17_the_end_is_sudden_whatever_others_hold() -> None:
    game = position("", "BBSSS", actions=["", "SHEEP WOLVES"], piles="A")
    answer(game, DRAW)
    assert game.outcome is not None and game.outcome.scores == (0, 3)


def test_ruling_18_the_remainder_is_lost() -> None:
    assert sum(final("ABSSSSS", "BCSSS", "")) == 4 + 2


def test_ruling_19_only_the_colours_of_the_players_are_in_the_deck() -> None:
    assert set(Wolfpack.pack(3, WolfpackVariant())) == {"A", "B", "C", "S", *KINDS}


def test_ruling_20_a_pack_that_is_out_gets_no_sheep() -> None:
    scores = final("CSS", "CSS", "", out=[1], laid=["BBBBBBBBBB"])
    assert scores == (30, 0, 4)


# --- Options and turns


def test_long_and_short_games_differ_in_sheep_only() -> None:
    short, long = (Wolfpack.pack(2, WolfpackVariant(sheep_per_player=n)) for n in (14, 28))
    assert long.count("S") == 2 * short.count("S") == 56
    assert long.count("A") == short.count("A") == 10


def test_with_pile_choice_every_pile_that_is_not_empty_can_be_drawn_from() -> None:
    game = position("", "", piles="SAB", pile_choice=True)
    assert asked(game) == [("draw", 0), ("draw", 1), ("draw", 2), TAKE]
    answer(game, ("draw", 1))
    assert hand(game, 0) == "A"
    assert asked(game) == [("draw", 0), ("draw", 2), TAKE]


def test_without_pile_choice_the_fullest_pile_serves() -> None:
    game = position("", "", piles="ABBBBBSS")  # piles AS, BS, B, B, B, B
    answer(game, DRAW, DRAW, DRAW)
    assert [len(pile) for pile in game.piles] == [0, 1, 1, 1, 1, 1]


def test_sheep_may_fall_to_the_pack_of_which_most_was_laid() -> None:
    named = {"laid": ["BBC"], "hand_sheep_criterion": "wolves_laid"}
    assert final("CSSSS", "", "", **named) == (9, 4, 0)


def test_with_the_literal_ending_the_last_player_goes_on_alone() -> None:
    named = {"actions": ["WOLVES"], "laid": ["B" * 8 + "C" * 9, "C", "B"], "out": [2]}
    game = position("B", "", "S", **named, end_when_one_left=False)
    answer(game, WOLVES)
    assert game.out == (False, True, True)
    assert mover(game) == 0
    ended = position("B", "", "S", **named)
    answer(ended, WOLVES)
    assert ended.outcome is not None


def test_with_the_literal_ending_all_foreign_wolves_must_be_laid_by_one_player() -> None:
    game = position("C", "", "", actions=["WOLVES"], laid=["B" * 10 + "C" * 9], out=[1], end_when_one_left=False)
    answer(game, WOLVES)
    assert game.outcome is not None and game.outcome.scores == (60, 0, 0)


def test_idle_turns_are_counted_anew_after_a_draw_and_limited_by_choice() -> None:
    game = position("", "", idle_limit=3, idle=2)
    answer(game, DRAW)
    assert game.idle == 0
    answer(game, TAKE, KEEP, TAKE, KEEP)
    assert game.outcome is None
    answer(game, TAKE, KEEP)
    assert game.outcome is not None


def test_laying_counts_as_progress() -> None:
    game = position("AS", "", actions=["SHEEP"], idle=19)
    answer(game, SHEEP)
    assert (game.outcome, game.idle) == (None, 0)


def test_the_starter_is_a_seat_or_chance() -> None:
    assert mover(fresh(3, start_seat="2")) == 2
    assert mover(Wolfpack(3, WolfpackVariant(start_seat="random"), Tape(1))) == 1
    with pytest.raises(VariantError, match="seat"):
        WolfpackVariant.read({"start_seat": "7"})


def test_the_stand_in_draws_and_keeps() -> None:
    game = position("", "", actions=["SHEEP"])
    assert game.stand_in(0, asked(game)) == 0 and asked(game)[0] == DRAW
    answer(game, TAKE)
    assert asked(game)[game.stand_in(0, asked(game))] == KEEP


def test_cards_and_options_read_in_words() -> None:
    assert Wolfpack.say_face("B") == "a wolf of pack B (seat 1)"
    assert Wolfpack.say_face("S") == "a sheep"
    assert Wolfpack.say_face("SWAP") == "action SWAP"
    words = {
        Wolfpack.say(option)
        for option in (DRAW, ("draw", 3), TAKE, KEEP, EXCHANGE, SHEEP, WOLVES, STEAL, SWAP, LEFT, RIGHT)
    }
    assert len(words) == 11
    assert Wolfpack.say(("steal", 2, "action")) == "steal an action card from seat 2"
