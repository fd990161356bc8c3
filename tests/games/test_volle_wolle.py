"""Volle Wolle by its rules page: the card table of §1 and the vectors of §6."""

from __future__ import annotations

import pytest

from arena.chance import FastChance
from arena.games.volle_wolle import VolleWolle
from arena.games.volle_wolle_cards import (
    BONE,
    DOG,
    cards_of,
    score_007,
    score_370,
    sheep_on,
)
from tests.games.wool_table import BLACK, PLAIN, answer, asked, bid, faces, fail, lay, offered, owns_bone, sheep

MALUS_3, MALUS_2, BONUS_1, BONUS_2 = sheep(31), sheep(27), sheep(12), sheep(8)
BONE_SHEEP = sheep(7)


def play_out(game: VolleWolle) -> VolleWolle:
    while game.question is not None:
        game.answer(*[0] * len(game.question.seats))
    return game


# --- §1.2 the card table


def test_card_table_adds_up() -> None:
    cards = [sheep_on(face) for face in cards_of("rebuilt")[:51]]
    assert [card.level for card in cards] == [7 + 20 * row % 51 for row in range(51)]
    white = [card.points for card in cards if card.kind == "white"]
    black = [card.points for card in cards if card.kind == "black"]
    assert (len(white), sum(white), len(black), sum(black)) == (31, 146, 8, -37)
    mods = [card.mod for card in cards]
    assert [mods.count(mod) for mod in (3, 2, 1, -1, -2, -3)] == [3, 5, 8, 6, 5, 3]
    assert sum(card.bone for card in cards) == 6
    assert cards_of("rebuilt")[51:] == (*[DOG] * 8, BONE)


# --- §6 from the booklets


def test_r1_helene_reaches_24_at_the_third_attempt_with_her_only_chip() -> None:
    game = lay(flocks={0: MALUS_3}, chips=[1, 2, 2], rolls=[3, 10, 12, 3, 7, 7])
    bid(game, 24, 14, 14)
    assert asked(game) == (0, "keeps")
    answer(game, ("keep", 12))
    assert (sum(game.dice), asked(game)) == (22, (0, "keeps"))
    answer(game, ("keep", 10))
    assert sum(game.dice) == 26
    assert offered(game) == [("claim", 1), ("continue",)]
    answer(game, ("claim", 1))
    assert game.chips[0] == 0
    assert [len(option) - 1 for option in offered(game)] == [1] * 4


def test_r2_charlene_may_claim_or_continue_twice() -> None:
    game = lay(flocks={0: BONUS_1}, rolls=[5, 8, 8, 5, 8])
    bid(game, 24, 14, 14)
    assert offered(game) == [("claim", 2), ("continue",)]
    claimed = answer(game.copy(), ("claim", 2))
    assert all(len(option) == 1 + 3 for option in offered(claimed))
    answer(game, ("continue",), ("keep", 12))
    assert (sum(game.dice), offered(game)) == (21, [("claim", 2), ("continue",)])
    answer(game, ("claim", 2))
    assert all(len(option) == 1 + 2 for option in offered(game))


def test_r3_ben_takes_both_black_sheep_and_a_chip() -> None:
    game = lay(
        table=[*BLACK, *PLAIN[:2]], flocks={0: MALUS_2}, chips=[0, 2, 2], rolls=[4, 1, 1, 5, 1, 6], reserve=10
    )
    fail(bid(game, 20, 14, 14))
    assert game.dice == (4, 5, 6)
    assert asked(game) == (0, "tops")
    assert faces(game, game.received) == sorted(BLACK)
    assert (game.chips[0], game.reserve) == (1, 9)


def test_r4_the_score_example_is_42() -> None:
    game = lay(
        table=[],
        flocks={0: sheep(48, 49, 30, 27, 20, 14, 32, 33)},
        beside={0: [DOG] * 4 + [BONE], 1: [DOG] * 2, 2: [DOG] * 2},
        chips=[0, 2, 2],
    )
    assert game.score(0) == 42


def test_r5_five_players_see_six_cards() -> None:
    assert len(VolleWolle(5, None, FastChance(0)).table) == 6


def test_r6_370_counts_again_after_a_full_trio() -> None:
    assert [score_370(count) for count in range(7)] == [0, 3, 14, 0, 3, 14, 0]


def test_r7_007_counts_full_trios() -> None:
    assert [score_007(count) for count in range(7)] == [0, 0, 0, 21, 21, 21, 42]


# --- §6 own vectors


def test_t1_26_plus_pays_goes_first_and_ties_go_by_level() -> None:
    game = lay(4, flocks={0: sheep(43), 1: sheep(14), 2: sheep(1), 3: sheep(46)}, table=sheep(16, 17, 20, 21, 18))
    assert [game.level(seat) for seat in range(4)] == [31, 12, 7, 40]
    bid(game, "26+", "26+", 26, 20)
    assert game.order == (1, 0, 2, 3)
    assert (game.chips, game.reserve) == ((1, 1, 2, 2), 12)
    for seat in (1, 0, 2):
        assert asked(game)[0] == seat
        fail(game)
    assert asked(game) == (3, "tops")
    assert len(game.received) == 5
    assert game.chips == (2, 2, 3, 2)


@pytest.mark.parametrize(
    ("rolled", "top", "chips", "question"),
    [
        pytest.param(20, MALUS_2, 0, "picks", id="T3"),
        pytest.param(20, MALUS_3, 1, "claim 1", id="T4 with a chip"),
        pytest.param(20, MALUS_3, 0, "keeps", id="T4 without"),
        pytest.param(17, BONUS_1, 0, "claim 0", id="T5"),
        pytest.param(18, BONUS_1, 0, "picks", id="T6"),
    ],
)
def test_t3_to_t6_what_a_roll_leads_to(rolled: int, top: list[str], chips: int, question: str) -> None:
    game = lay(flocks={0: top}, chips=[chips, 2, 2], rolls=[2, 10, rolled - 12])
    bid(game, 18, 14, 14)
    assert asked(game) == (0, question if "claim" not in question else "claims")
    if "claim" in question:
        assert offered(game) == [("claim", int(question[-1])), ("continue",)]


def test_t7_two_cards_are_taken_without_choice() -> None:
    game = lay(table=PLAIN[:2], rolls=[8, 10, 12])
    bid(game, 18, 14, 14)
    assert asked(game) == (0, "tops")
    assert (len(game.table), faces(game, game.received)) == (0, sorted(PLAIN[:2]))


def test_t8_three_of_five_cards() -> None:
    game = lay(4, table=sheep(16, 17, 20, 21, 18), rolls=[8, 10, 12])
    bid(game, 18, 14, 14, 14)
    assert len(offered(game)) == 10
    assert len(set(offered(game))) == 10


def test_t9_the_bonus_lifts_a_failed_roll_to_14() -> None:
    game = lay(table=[*BLACK, *PLAIN[:2]], flocks={0: BONUS_2}, rolls=[3, 1, 1, 4, 1, 5])
    fail(bid(game, 20, 18, 14))
    assert asked(game)[0] == 1
    assert (len(game.flocks[0]), len(game.table), game.chips[0]) == (1, 4, 3)


def test_t11_without_rescue_the_black_sheep_are_taken() -> None:
    game = lay(
        table=[*BLACK, *PLAIN[:2]],
        rolls=[3, 1, 1, 4, 1, 5],
        variant={"black_sheep_rescue": False},
        chips=[2, 2, 2],
    )
    fail(bid(game, 20, 18, 14))
    assert asked(game) == (0, "tops")
    assert game.chips[0] == 3


def test_t12_an_empty_reserve_gives_no_chip() -> None:
    game = fail(bid(lay(reserve=0), 20, 18, 14))
    assert (game.chips, game.reserve, asked(game)[0]) == ((2, 2, 2), 0, 1)


def test_t13_three_and_one_of_four_leave_nothing() -> None:
    game = lay(table=[*PLAIN[:3], DOG], rolls=[8, 10, 12, 1, 1, 1, 1, 1, 12])
    bid(game, 18, 14, 14)
    answer(game, ("pick", PLAIN[0], PLAIN[1], DOG), ("top", PLAIN[0]))
    assert asked(game)[0] == 1
    fail(game)  # or rather: 1 + 1 + 12 at the third attempt
    assert game.round == 4
    assert [len(flock) for flock in game.flocks] == [2, 1, 0]
    assert [len(pack) for pack in game.beside] == [1, 0, 0]
    assert game.chips == (2, 2, 2)


def test_t15_the_second_of_two_neither_rolls_nor_gets_a_chip() -> None:
    game = lay(2, table=PLAIN[:3], rolls=[8, 10, 12])
    bid(game, 18, 14)
    answer(game, ("top", PLAIN[0]))
    assert game.round == 4
    assert (len(game.flocks[0]), game.chips) == (3, (2, 2))


def test_t16_when_both_fail_the_first_gets_all() -> None:
    game = lay(2, table=PLAIN[:3])
    fail(fail(bid(game, 18, 20)))
    assert asked(game) == (1, "tops")
    assert (faces(game, game.received), game.chips) == (sorted(PLAIN[:3]), (3, 3))
    answer(game, ("top", PLAIN[1]))
    assert (len(game.flocks[1]), game.round) == (3, 4)


def test_t18_all_largest_packs_pay() -> None:
    game = lay(4, table=[], beside={seat: [DOG] * 2 for seat in range(4)}, chips=[0] * 4)
    assert [game.score(seat) for seat in range(4)] == [-5] * 4


def test_t19_single_dogs_score_and_the_bone_adds() -> None:
    packs = {seat: [DOG] * (1 + seat // 4) for seat in range(6)}
    packs[0] = [DOG, BONE]
    game = lay(6, table=[], beside=packs, chips=[0] * 6)
    assert [game.score(seat) for seat in range(6)] == [13, 9, 9, 9, -5, -5]


def test_t20_who_has_no_dog_returns_the_only_white_sheep() -> None:
    game = lay(2, table=[], flocks={0: sheep(14)}, beside={1: [DOG] * 8 + [BONE]}, chips=[0, 0])
    assert [game.score(0), game.score(1)] == [0, 27]


def test_a_chip_is_a_point() -> None:
    assert lay(table=[], beside={0: [DOG], 1: [DOG] * 7}, chips=[4, 0, 0]).score(0) == 9 + 4


def test_t22_a_bone_symbol_takes_the_bone_from_an_opponent() -> None:
    game = lay(table=BONE_SHEEP, beside={0: [BONE, DOG]}, rolls=[8, 10, 12])
    bid(game, 14, 18, 14)
    assert owns_bone(game) == [False, True, False]
    assert faces(game, game.beside[0]) == [DOG]


def test_t23_a_bone_on_the_table_does_not_follow_a_symbol() -> None:
    game = lay(table=[*BONE_SHEEP, BONE], rolls=[4, 1, 1, 1, 1, 12])
    fail(bid(game, 17, 14, 14))  # 4 + 1 + 12 at the third attempt
    answer(game, ("pick", *BONE_SHEEP))
    assert owns_bone(game) == [False] * 3
    assert faces(game, game.table) == [BONE]


def test_t25_without_a_chip_there_are_13_contracts() -> None:
    game = lay(chips=[0, 1, 2])
    assert [len(game.options(seat)) for seat in range(3)] == [13, 14, 14]
    assert ("bid", "26+") not in game.options(0)


def test_t26_six_players_see_eight_times_seven_cards_then_four() -> None:
    game = VolleWolle(6, None, FastChance(0))
    laid = []
    while game.question is not None:
        if game.question.together:
            laid.append(len(game.table))
        game.answer(*[0] * len(game.question.seats))
    assert laid == [7] * 8 + [4]


@pytest.mark.parametrize(("seats", "rounds"), [(2, 20), (3, 15), (4, 12), (5, 10), (6, 9)])
def test_a_game_lasts_a_fixed_number_of_rounds(seats: int, rounds: int) -> None:
    game = play_out(VolleWolle(seats, None, FastChance(seats)))
    assert (game.round, len(game.deck), len(game.table)) == (rounds, 0, 0)
