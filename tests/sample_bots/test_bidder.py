"""The bidder beats chance at every table size, and plays from views alone."""

from __future__ import annotations

import random

import pytest

from arena.chance import FastChance
from arena.games.volle_wolle import VolleWolle, WoolVariant
from sample_bots.bidder import bot
from sample_bots.random.bot import choose as choose_by_chance
from tests.games.wool_table import BLACK, PLAIN, bid, lay, sheep
from tests.sample_bots.play_in_process import as_sent, wins

# What a simple bot reaches against one to five random bots, by the strategy section of the rules page.
EXPECTED = {2: 0.92, 3: 0.93, 4: 0.89, 5: 0.81, 6: 0.72}


@pytest.mark.parametrize("seats", EXPECTED)
def test_bidder_wins_as_often_as_the_rules_page_says(seats: int) -> None:
    won = wins(bot.choose, choose_by_chance, seats - 1, deals=24 // seats, game="volle-wolle")
    assert won.rate >= EXPECTED[seats] - 3 * won.standard_error


def chosen(game: VolleWolle, seat: int = 0) -> tuple[object, ...]:
    random.seed(0)
    return game.options(seat)[bot.choose(*as_sent(game, seat))]


def test_it_keeps_the_best_die() -> None:
    game = bid(lay(rolls=[2, 10, 3]), 24, 14, 14)
    assert chosen(game) == ("keep", 10)


def test_it_takes_the_third_007() -> None:
    game = bid(lay(table=[*PLAIN, *sheep(40)], flocks={0: sheep(38, 39)}, rolls=[8, 10, 12]), 18, 14, 14)
    assert sheep(40)[0] in chosen(game)


def test_it_leaves_the_poisonous_third_370() -> None:
    game = bid(lay(table=[*PLAIN, *sheep(34)], flocks={0: sheep(32, 33)}, rolls=[8, 10, 12]), 18, 14, 14)
    assert sheep(34)[0] not in chosen(game)


def test_it_puts_a_bonus_on_top() -> None:
    game = bid(lay(table=sheep(24, 4), rolls=[8, 10, 12]), 18, 14, 14)
    assert chosen(game) == ("top", *sheep(4))


def test_it_lets_a_roll_go_that_would_bring_black_sheep() -> None:
    game = bid(lay(table=[*BLACK, PLAIN[0]], chips=[5, 0, 0], rolls=[5, 6, 7]), 20, 14, 14)
    assert chosen(game) == ("continue",)


def test_it_plays_without_a_memory_too() -> None:
    game = VolleWolle(3, WoolVariant(strict_memory=True), FastChance(1))
    while game.question is not None:
        game.answer(*[bot.choose(*as_sent(game, seat)) for seat in game.question.seats])
    assert game.outcome is not None
