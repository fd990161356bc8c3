"""The points view and the fused view, and one number across several games."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ladders.ledger import Ledger
from ladders.ratings import RATINGS, Rating, RatingSettings
from ladders.ratings.overall import overall
from ladders.results import Block, Result
from tests.ladders.luck import World


def points_block(number: int, bots: str, *points: tuple[int, ...]) -> Block:
    """Places are all tied: only the points say something."""
    ones = (1,) * len(bots)
    return Block(number, tuple(Result("m", tuple(bots), ones, line, (False,) * len(bots)) for line in points))


def test_points_are_relative_to_the_table() -> None:
    found = RATINGS["points"].rate(
        Ledger.of([points_block(0, "AB", (10, 4), (8, 4)), points_block(1, "BC", (3, 1))])
    )
    assert found.values == pytest.approx((4, -1, -3))  # A is 5 above B in the mean, B 2 above C


def test_a_rich_table_makes_nobody_better() -> None:
    found = RATINGS["points"].rate(Ledger.of([points_block(0, "AB", (100, 90)), points_block(1, "CD", (5, 1))]))
    assert found.values == pytest.approx((5, -5, 2, -2))


def test_points_errors_follow_the_spread_of_blocks() -> None:
    blocks = [points_block(n, "AB", (5 + n % 2, 3 - n % 2)) for n in range(10)]
    found = RATINGS["points"].rate(Ledger.of(blocks))
    assert found.values == pytest.approx((1.5, -1.5))
    # Half the difference is 1 or 2, five times each.
    assert found.errors[0] == pytest.approx(math.sqrt(10 / 9 * 10 * 0.25) / 10)


def far_off(world: World, system: str, repetitions: int) -> float:
    truth = world.truth()
    errors = []
    for _ in range(repetitions):
        values = np.array(RATINGS[system].rate(world.ledger(60)).values, dtype=float)
        errors.append(np.sqrt(np.mean((values - values.mean() - truth) ** 2)))
    return float(np.mean(errors))


def test_fused_is_sharper_where_points_agree_with_places() -> None:
    plain = far_off(World(bots=12, seed=6), "bradley-terry", 12)
    fused = far_off(World(bots=12, seed=6), "fused", 12)
    assert fused < 0.8 * plain


def test_fused_does_no_harm_where_points_are_noise() -> None:
    world = World(bots=12, seed=6)
    rows = world.williams(100)
    rows[:, 5] = world.chance.randint(0, 1000, len(rows))
    ledger = Ledger.from_rows(rows, world.names)
    plain = np.array(RATINGS["bradley-terry"].rate(ledger).values, dtype=float)
    fused = np.array(RATINGS["fused"].rate(ledger).values, dtype=float)
    assert np.abs(plain - fused).max() < 0.35 * np.std(plain)


def test_fused_works_where_few_points_are_good() -> None:
    world = World(bots=8, seed=6)
    rows = world.williams(100)
    usual = RATINGS["fused"].rate(Ledger.from_rows(rows, world.names)).values
    rows[:, 5] *= -1
    assert RATINGS["fused"].rate(Ledger.from_rows(rows, world.names)).values == pytest.approx(usual)


def test_the_scale_of_points_does_not_matter_to_fused() -> None:
    world = World(bots=8, seed=6)
    rows = world.williams(100)
    usual = RATINGS["fused"].rate(Ledger.from_rows(rows, world.names), RatingSettings(base=0)).values
    rows[:, 5] *= 1000
    scaled = RATINGS["fused"].rate(Ledger.from_rows(rows, world.names), RatingSettings(base=0)).values
    assert scaled == pytest.approx(usual)


def test_an_overall_rating_adds_up_what_is_above_the_base() -> None:
    sheep = Rating(("A", "B"), (1600.0, 1400.0), (30.0, 40.0), (60.0, 80.0))
    goats = Rating(("A", "B", "C"), (1550.0, 1500.0, 1450.0), (40.0, 30.0, None), (80.0, 60.0, None))
    found = overall({"sheep": sheep, "goats": goats})
    assert found.bots == ("A", "B", "C")
    assert found.values == pytest.approx((75, -50, None))
    assert found.errors == pytest.approx((25, 25, None))
    assert overall({"sheep": sheep, "goats": goats}, {"sheep": 1, "goats": 0}).values[0] == pytest.approx(100)


def test_weights_must_name_the_games() -> None:
    with pytest.raises(ValueError, match="differ in goats"):
        overall({"sheep": Rating((), (), (), ())}, {"sheep": 1, "goats": 1})
    with pytest.raises(ValueError, match="at least one game"):
        overall({})
