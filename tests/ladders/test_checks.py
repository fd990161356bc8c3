"""What is shown so that numbers can be doubted: each check sees what it is for, and is silent otherwise."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import numpy as np
import pytest

from ladders.ledger import Ints, Ledger
from ladders.ratings import checks
from ladders.ratings.bradley_terry import fit
from tests.ladders.luck import World
from tests.ladders.results_of import block


def test_replayed_deals_are_worth_more_than_their_number() -> None:
    found = checks.design_effect(fit(World(share=0.8).ledger(300)))
    assert found.value == pytest.approx(0.38, abs=0.08)
    assert not found.replaying_hurts


def test_games_of_one_match_blocks_are_worth_themselves() -> None:
    world = World(share=0.8)
    found = checks.design_effect(fit(Ledger.from_rows(world.random_seats(300), world.names)))
    assert found.value == pytest.approx(1)


def same_seats(world: World, blocks: int) -> Ints:
    """The mistake: a deal replayed with everybody in the same seat."""
    rows = world.random_seats(blocks).repeat(4, axis=0)
    rows[:, 1] = np.tile(np.arange(4), len(rows) // 4)
    return rows


def test_the_same_seats_over_and_over_are_found_out() -> None:
    world = World(share=0.8)
    found = checks.design_effect(fit(Ledger.from_rows(same_seats(world, 250), world.names)))
    assert found.value == pytest.approx(4, rel=0.01)
    assert found.replaying_hurts


def test_below_two_hundred_blocks_nothing_is_decided() -> None:
    world = World(share=0.8)
    found = checks.design_effect(fit(Ledger.from_rows(same_seats(world, 199), world.names)))
    assert found.limit is None
    assert not found.replaying_hurts


def test_the_limit_is_below_the_value_and_always_the_same() -> None:
    fitted = fit(World(seed=3).ledger(1500))
    found = checks.design_effect(fitted)
    assert found == checks.design_effect(fitted)
    assert found.limit is not None and found.value is not None
    assert 0.9 * found.value < found.limit < found.value


def test_games_without_a_surprise_have_no_design_effect() -> None:
    assert checks.design_effect(fit(Ledger.of([block(n, "AB->11") for n in range(5)]))).value is None


def test_seats_are_measured() -> None:
    table = checks.seat_table(World(seat_effect=0.5, seed=1).ledger(400))
    assert [line.seat for line in table] == [0, 1, 2, 3]
    assert sum(line.mean for line in table) == pytest.approx(2)
    assert all(line.mean < after.mean for line, after in pairwise(table))
    assert all(line.margin is not None and 0.005 < line.margin < 0.04 for line in table)


def test_seats_are_told_apart_by_table_size() -> None:
    table = checks.seat_table(Ledger.of([block(0, "AB->12"), block(1, "ABC->123")]))
    assert [(line.size, line.seat) for line in table] == [(2, 0), (2, 1), (3, 0), (3, 1), (3, 2)]
    assert [line.mean for line in table] == [1, 0, 1, 0.5, 0]
    assert {line.margin for line in table} == {None}


def test_bots_that_beat_each_other_in_circles_are_found_out() -> None:
    chance = Random(1)
    blocks = []
    for number in range(240):
        winner, loser = ("RS", "SP", "PR")[number % 3]
        matches = [f"{winner}{loser}->{'12' if chance.random() < 0.8 else '21'}" for _ in range(2)]
        blocks.append(block(number, *matches))
    found = checks.cycle_check(fit(Ledger.of(blocks)))
    assert found.chance is not None and found.chance < 1e-6
    assert {(pair.one, pair.other) for pair in found.odd_pairs} == {("P", "R"), ("P", "S"), ("R", "S")}
    assert found.triples == (("P", "R", "S"),)


def test_a_circle_without_any_luck_is_found_out_too() -> None:
    circle = ["AB->12", "BC->12", "CA->12"]
    found = checks.cycle_check(fit(Ledger.of([block(n, circle[n % 3]) for n in range(90)])))
    assert found.triples == (("A", "B", "C"),)
    assert [round(pair.score, 6) for pair in found.odd_pairs] == [1, 0, 1]


def test_a_pool_that_fits_on_one_line_raises_no_alarm() -> None:
    alarms = [checks.cycle_check(fit(World(bots=8, seed=seed).ledger(120))) for seed in range(30)]
    assert sum(bool(check.odd_pairs) for check in alarms) <= 1
    assert sum((check.chance or 0) < 0.05 for check in alarms) <= 4
    assert all(check.pairs == 28 for check in alarms)


def test_few_blocks_raise_no_alarm() -> None:
    found = checks.cycle_check(
        fit(Ledger.of([block(n, ["AB->12", "BC->12", "CA->12"][n % 3]) for n in range(27)]))
    )
    assert (found.pairs, found.chance, found.odd_pairs) == (0, None, ())


def test_predictions_come_true() -> None:
    world = World(bots=12, spread=1.0, seed=2)
    bins = checks.calibration(fit(world.ledger(800)))
    assert len(bins) >= 8
    assert sum(line.games for line in bins) == 2 * 6 * 4 * 800
    assert all(abs(line.predicted - line.observed) < 0.04 for line in bins)


def test_a_bot_that_remembers_deals_is_found_out() -> None:
    world = World(bots=8, seed=5)
    rows = world.williams(400)
    honest = checks.replay_audit(Ledger.from_rows(rows, world.names))
    assert not any(memory.suspicious for memory in honest)
    cheating = (rows[:, 3] == 2) & (rows[:, 1] > 0) & (rows[:, 4] > 1)
    rows[cheating, 4] -= 1  # one place better in every game but the first
    found = checks.replay_audit(Ledger.from_rows(rows, world.names))
    assert [memory.bot for memory in found if memory.suspicious] == ["bot0002"]
    assert found[2].gain > 0.1


def test_blocks_of_one_match_cannot_be_audited() -> None:
    assert checks.replay_audit(Ledger.of([block(0, "AB->12")])) == []
    assert checks.replay_audit(Ledger.of([])) == []
