"""Random games beside the figures printed in section 8 of the rules pages: lengths, branching, no exceptions."""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

from arena.chance import FastChance
from arena.games import GAMES

GAMES_PLAYED = 200


class Page(NamedTuple):
    """What the page measured with uniform random play, and the longest game it allows."""

    decisions: float
    branching: float
    longest: int


# SheepZzz: at most 45 turns a round, each with a power, and the flock's face; 50 rounds.
# Herr der Ziegen: 61, 80, 99, 111 turns of at most five questions.  Volle Wolle: every round asks each seat for a
# contract, three claims, two keeps, a rescue, a pick and a top.  Wolfpack: idle turns between draws end it.
PAGES: dict[tuple[str, int], Page] = {
    ("sheepzzz", 2): Page(96, 14.0, 50 * 91),
    ("sheepzzz", 3): Page(115, 14.4, 50 * 91),
    ("sheepzzz", 4): Page(126, 14.8, 50 * 91),
    ("sheepzzz", 5): Page(127, 15.1, 50 * 91),
    ("herr-der-ziegen", 2): Page(88, 4.3, 61 * 6),
    ("herr-der-ziegen", 3): Page(116, 4.5, 80 * 6),
    ("herr-der-ziegen", 4): Page(153, 4.4, 99 * 6),
    ("herr-der-ziegen", 5): Page(178, 4.3, 111 * 6),
    ("volle-wolle", 2): Page(117, 6.4, 20 * 2 * 9),
    ("volle-wolle", 3): Page(122, 6.9, 15 * 3 * 9),
    ("volle-wolle", 4): Page(135, 7.0, 12 * 4 * 9),
    ("volle-wolle", 5): Page(142, 7.4, 10 * 5 * 9),
    ("volle-wolle", 6): Page(154, 7.7, 9 * 6 * 9),
    ("wolfpack", 2): Page(142, 2.4, 48 * 20 * 3),
    ("wolfpack", 3): Page(238, 2.3, 72 * 30 * 4),
    ("wolfpack", 4): Page(321, 2.3, 96 * 40 * 5),
    ("wolfpack", 5): Page(408, 2.3, 120 * 50 * 6),
}


def test_every_game_and_table_size_has_its_figures() -> None:
    assert set(PAGES) == {(name, seats) for name, game in GAMES.items() for seats in game.seats_allowed}


@pytest.mark.parametrize(("name", "seats"), PAGES)
def test_random_games_are_as_long_and_as_broad_as_the_page_says(name: str, seats: int) -> None:
    page = PAGES[name, seats]
    rng = random.Random(f"{name} {seats}")
    decisions = options = 0
    for number in range(GAMES_PLAYED):
        game = GAMES[name](seats, None, FastChance(f"{name} {seats} {number}"))
        asked = 0
        while game.question is not None:
            offered = [len(game.options(seat)) for seat in game.question.seats]
            real = [count for count in offered if count > 1]
            decisions += len(real)
            options += sum(real)
            asked += len(offered)
            game.answer(*[rng.randrange(count) for count in offered])
        assert asked <= page.longest
    print(f"\n{name:<16}{seats}  decisions {decisions / GAMES_PLAYED:6.1f} / {page.decisions:<6}", end="")
    print(f"  branching {options / decisions:5.2f} / {page.branching}", end="")
    assert decisions / GAMES_PLAYED == pytest.approx(page.decisions, rel=0.15)
    assert options / decisions == pytest.approx(page.branching, rel=0.15)
