"""Seatings and block means."""

from __future__ import annotations

from itertools import pairwise

import pytest

from ladders.blocks import beaten, estimate, seatings

PRINTED = {2: [0, 1], 3: [0, 1, 2], 4: [0, 1, 3, 2], 5: [0, 1, 4, 2, 3], 6: [0, 1, 5, 2, 4, 3]}


@pytest.mark.parametrize("players", range(2, 7))
def test_every_player_has_every_seat_once(players: int) -> None:
    for block in (0, 1):
        square = seatings(players, block)
        assert len(square) == players
        for seat in range(players):
            assert sorted(row[seat] for row in square) == list(range(players))
        for row in square:
            assert sorted(row) == list(range(players))


@pytest.mark.parametrize("players", [2, 4, 6])
def test_with_an_even_number_everybody_follows_everybody_once(players: int) -> None:
    followed = [pair for row in seatings(players) for pair in pairwise(row)]
    assert len(followed) == len(set(followed)) == players * (players - 1)


@pytest.mark.parametrize("players", [3, 5])
def test_with_an_odd_number_two_blocks_together_are_balanced(players: int) -> None:
    followed = [pair for block in (0, 1) for row in seatings(players, block) for pair in pairwise(row)]
    assert all(followed.count(pair) == 2 for pair in followed)


@pytest.mark.parametrize("players", range(2, 7))
def test_the_first_row_is_the_williams_row(players: int) -> None:
    assert seatings(players)[0] == PRINTED[players]


def test_a_tie_is_half_a_win() -> None:
    assert beaten([1, 2]) == [1.0, 0.0]
    assert beaten([1, 1]) == [0.5, 0.5]
    assert beaten([1, 1, 3]) == pytest.approx([0.75, 0.75, 0.0])


def test_the_interval_comes_from_the_spread_between_blocks() -> None:
    assert estimate([0.5]).margin is None
    known = estimate([0.0, 1.0])
    assert known.mean == 0.5
    assert known.margin == pytest.approx(12.7062 * 0.5)
    many = estimate([0.0, 1.0] * 50)
    assert many.margin == pytest.approx(1.9842 * 0.50252 / 10, rel=1e-4)


def test_blocks_that_all_agree_do_not_make_us_certain() -> None:
    assert estimate([1.0, 1.0]).margin == 1.0
    assert estimate([1.0] * 30).margin == pytest.approx(0.1)
