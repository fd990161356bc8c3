"""Volle Wolle by its rules page: the rulings of §5."""

from __future__ import annotations

from arena.games.volle_wolle_cards import BONE, DOG, score_dogs, score_flock, sheep_on
from tests.games.wool_table import BLACK, PLAIN, answer, asked, bid, faces, fail, lay, offered, owns_bone, sheep

MALUS_2, BONUS_1, BONE_SHEEP = sheep(27), sheep(12), sheep(7)


def test_ruling_1_fewer_cards_than_due() -> None:
    game = bid(lay(table=PLAIN[:1], rolls=[8, 10, 12]), 18, 14, 14)
    assert (game.round, faces(game, game.flocks[0])) == (4, PLAIN[:1])


def test_ruling_2_an_empty_table_ends_the_round() -> None:
    game = bid(lay(4, table=PLAIN[:1], rolls=[8, 10, 12]), 18, 17, 16, 15)
    assert (game.round, game.chips) == (4, (2, 2, 2, 2))


def test_ruling_3_forced_black_sheep_may_empty_the_table() -> None:
    game = fail(bid(lay(table=BLACK, chips=[0, 2, 2]), 18, 17, 16))
    answer(game, ("top", BLACK[0]))
    assert (game.round, game.chips) == (4, (1, 2, 2))


def test_ruling_4_the_last_chip_of_the_reserve() -> None:
    game = fail(fail(bid(lay(4, reserve=1), 18, 17, 16, 15)))
    assert (game.chips, game.reserve) == ((3, 2, 2, 2), 0)


def test_ruling_5_everybody_says_26_plus() -> None:
    game = bid(lay(), "26+", "26+", "26+")
    assert (game.chips, game.order) == ((1, 1, 1), (0, 1, 2))
    fail(fail(game))
    assert (asked(game), game.chips) == ((2, "tops"), (2, 2, 1))


def test_ruling_6_the_only_chip_may_buy_26_plus_and_is_gone_before_the_roll() -> None:
    game = bid(lay(chips=[1, 2, 2], rolls=[8, 10, 7]), "26+", 14, 14)
    assert (game.chips[0], asked(game)) == (0, (0, "keeps"))


def test_26_plus_must_reach_26() -> None:
    game = bid(lay(rolls=[8, 10, 8]), "26+", 14, 14)
    assert asked(game) == (0, "picks")


def test_ruling_7_below_14_without_black_sheep_is_just_a_chip() -> None:
    game = fail(bid(lay(), 18, 17, 14))
    assert (game.chips[0], len(game.flocks[0]), asked(game)[0]) == (3, 0, 1)


def test_ruling_8_below_14_counts_at_the_third_attempt_only() -> None:
    game = bid(lay(table=[*BLACK, *PLAIN[:2]], rolls=[8, 1, 1, 5, 1, 2]), 18, 17, 14)
    assert sum(game.dice) == 10
    answer(game, ("keep", 8))
    assert len(game.table) == 4
    answer(game, ("keep", 10))
    assert (sum(game.dice), len(game.table), game.chips[0]) == (3, 4, 3)


def test_ruling_9_no_contract_is_below_14() -> None:
    assert min(option[1] for option in lay(chips=[0] * 3).options(0)) == 14


def test_ruling_10_a_bonus_at_no_cost_is_optional() -> None:
    game = bid(lay(flocks={0: BONUS_1}, rolls=[2, 10, 5]), 18, 14, 14)
    answer(game, ("continue",))
    assert (asked(game), game.chips[0]) == ((0, "keeps"), 2)


def test_ruling_11_nobody_takes_fewer_than_due() -> None:
    game = bid(lay(rolls=[8, 10, 12]), 18, 14, 14)
    assert {len(option) for option in offered(game)} == {4}


def test_ruling_12_symbol_and_bone_won_together() -> None:
    game = bid(lay(table=[*BONE_SHEEP, BONE], rolls=[8, 10, 12]), 18, 14, 14)
    assert owns_bone(game) == [True, False, False]


def test_ruling_13_the_owner_wins_another_symbol() -> None:
    game = bid(lay(table=BONE_SHEEP, beside={0: [BONE]}, rolls=[8, 10, 12]), 18, 14, 14)
    assert owns_bone(game) == [True, False, False]


def test_ruling_14_two_symbols_move_the_bone_once() -> None:
    game = bid(lay(table=sheep(7, 11), beside={2: [BONE]}, rolls=[8, 10, 12]), 18, 14, 14)
    assert owns_bone(game) == [True, False, False]


def test_ruling_15_dogs_alone_leave_the_top() -> None:
    game = bid(lay(table=[DOG, DOG, BONE], flocks={0: MALUS_2}, rolls=[8, 10, 12]), 18, 14, 14)
    assert (game.round, game.mod(0), faces(game, game.beside[0])) == (4, -2, [BONE, DOG, DOG])


def test_ruling_16_fewer_than_two_white_sheep_to_return() -> None:
    assert [score_flock([sheep_on(face) for face in sheep(*ids)], 0) for ids in ([], [30], [30, 31, 1])] == [
        0,
        0,
        9,
    ]


def test_ruling_17_trios_and_black_sheep_are_not_returned() -> None:
    flock = [sheep_on(face) for face in sheep(32, 33, 38, 39, 40, 48, 1, 2)]
    assert score_flock(flock, 0) == 14 + 21 - 5
    assert score_flock(flock, 1) == 14 + 21 - 5 + 2


def test_ruling_18_a_single_dog_with_the_bone() -> None:
    assert score_dogs(1, most=False, bone=True) == 13


def test_ruling_19_a_rescue_reaches_14_not_the_contract() -> None:
    game = fail(bid(lay(table=[*BLACK, *PLAIN[:2]], rolls=[3, 1, 1, 4, 1, 5]), 16, 15, 14))
    assert asked(game) == (0, "rescues")  # 12 rolled: 16 was out of reach with two chips, 14 is not
    assert offered(game) == [("pay", 2), ("take",)]
    paid = answer(game.copy(), ("pay", 2))
    assert (paid.chips[0], len(paid.table), len(paid.flocks[0])) == (1, 4, 0)
    answer(game, ("take",))
    assert (asked(game), game.chips[0], len(game.received)) == ((0, "tops"), 3, 2)


def test_ruling_20_four_cards_for_six_players() -> None:
    game = lay(6, table=PLAIN, deck=[], rolls=[8, 10, 12, 8, 10, 12])
    bid(game, 18, 17, 16, 15, 15, 14)
    answer(game, offered(game)[0])
    answer(game, offered(game)[0])
    assert game.outcome is not None
    assert [len(flock) for flock in game.flocks[:5]] == [3, 1, 0, 0, 0]


def test_the_last_chip_won_cannot_pay_for_the_same_rescue() -> None:
    game = fail(bid(lay(table=[*BLACK, *PLAIN[:2]], chips=[0, 2, 2], rolls=[3, 1, 1, 4, 1, 6]), 16, 15, 14))
    assert asked(game) == (0, "tops")  # 13 rolled: one chip would do
