"""The goatherd plays Herr der Ziegen decently, from views and options alone."""

from __future__ import annotations

import random

import pytest

from sample_bots.goatherd.bot import choose, gain_of_swap, neighbours, takeable
from sample_bots.random.bot import choose as choose_randomly
from tests.games.goat_table import answer, options_of, table, take_any
from tests.sample_bots.play_in_process import as_sent, wins

NAMED = 0.945
"""What the rules page says of a greedy bot against one to four random ones."""


def chosen(game):
    random.seed(1)
    return options_of(game)[choose(*as_sent(game, game.question.seats[0]))]


@pytest.mark.parametrize("opponents", [1, 2, 3, 4])
def test_it_wins_as_often_as_the_rules_page_promises(opponents: int):
    won = wins(choose, choose_randomly, opponents, deals=40 // (opponents + 1), game="herr-der-ziegen")
    assert won.rate >= NAMED - 3 * won.standard_error
    assert won.rate >= 0.85


def test_it_wins_a_breed_when_it_can():
    game = table(hands={0: ["A3", "B1"]}, fronts={0: ["A5"]}, pasture={(5, 5): "A4", (4, 4): "A2"})
    assert chosen(game) == ("play", "A3")


def test_it_does_not_play_a_fourth_card_for_another():
    game = table(
        hands={0: ["A1", "B1"]}, fronts={1: ["A2", "A5"], 2: ["A3"]}, pasture={(5, 5): "A4"}, marks={(2, 1): 3}
    )
    assert chosen(game) == ("play", "B1")


def test_it_takes_the_card_that_makes_eight():
    game = table(hands={0: ["B2", "A5"]}, pasture={(3, 2): "A3", (1, 0): "A4", (4, 4): "A2"})
    answer(game, ("play", "B2"))
    assert chosen(game) == ("take", "A3", 3, 2)


def test_it_swings_its_best_goat_to_the_stable():
    game = table(hands={0: ["dog", "B1"]}, pasture={(0, 5): "A4", (5, 0): "C2"}, marks={(0, 5): 0, (5, 0): 0})
    answer(game, ("play", "dog"))
    take_any(game)
    assert chosen(game) == ("lead", "A4", 0, 1)


def test_it_refuses_a_swap_that_costs_points():
    game = table(
        hands={1: ["dog", "B1"]}, active=1, pasture={(0, 1): "A4", (0, 5): "C2"}, marks={(0, 1): 0, (0, 5): 1}
    )
    answer(game, ("play", "dog"))
    take_any(game)
    answer(game, ("ask", "C2", 0, 1))
    assert chosen(game) == ("no",)


def test_it_ends_the_game_in_a_blocked_line_only_with_a_lead():
    blocked = {(row, 3): 1 for row in range(7)}
    behind = table(hands={0: ["A3", "B4"]}, marks=blocked)
    assert chosen(behind) == ("play", "B4")
    ahead = table(hands={0: ["A3", "B4"]}, marks=blocked, milk=[99, 0, 0, 0])
    assert chosen(ahead) == ("play", "A3")


def test_it_knows_the_land_as_the_rulebook_does():
    game = table()
    view, _ = as_sent(game, 0)
    for position in range(28):
        cells = [cell for cell, _, _ in game.land.lines[position]]
        assert takeable(view, position) == cells
    assert [sorted(neighbours(view, cell)) for cell in range(49)] == [
        list(cells) for cells in game.land.neighbours
    ]
    assert gain_of_swap(view, 8, 9) == 0
