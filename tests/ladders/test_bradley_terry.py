"""The rating of record beyond its vectors: odd ladders, honest errors, and a second opinion."""

from __future__ import annotations

import numpy as np
import pytest

from ladders.ledger import Floats, Ledger
from ladders.ratings import RATINGS, RatingSettings
from ladders.ratings.bradley_terry import NoFit, fit, strengths
from ladders.ratings.distributions import margin
from ladders.results import Block
from tests.ladders.luck import World
from tests.ladders.results_of import block, counted, games, result

RECORD = RATINGS["bradley-terry"]


def slow_strengths(wins: Floats, rounds: int = 20_000) -> Floats:
    """Zermelo's iteration on many ladders at once, the phantom being a bot of strength one."""
    won = wins.sum(axis=2) + 0.5
    games = wins + wins.transpose(0, 2, 1)
    strength = np.ones(won.shape)
    for _ in range(rounds):
        share = (games / (strength[:, :, None] + strength[:, None, :])).sum(axis=2) + 1 / (strength + 1)
        moved = won / share
        if np.abs(np.log(moved / strength)).max() < 1e-13:
            break
        strength = moved
    return np.log(strength)


def test_five_hundred_random_ladders_agree_with_a_slow_optimiser() -> None:
    chance = np.random.RandomState(5)
    wins = np.zeros((500, 6, 6))
    for ladder in wins:
        bots = chance.randint(2, 7)
        met = chance.rand(bots, bots) < chance.choice([0.3, 0.6, 1.0])
        ladder[:bots, :bots] = met * chance.randint(0, chance.choice([2, 5, 20]), (bots, bots))
        ladder *= chance.choice([0.5, 0.6, 1.0])
        np.fill_diagonal(ladder, 0)
    slow = slow_strengths(wins)
    quick = np.array([strengths(ladder, 1.0) for ladder in wins])
    assert np.abs(slow - quick).max() < 1e-6
    assert np.abs(quick).max() > 2  # they were not all alike


def test_ninety_five_percent_intervals_cover_the_truth_that_often() -> None:
    world = World(bots=12, share=0.8, seed=1)
    truth = world.truth()
    covered = []
    for _ in range(150):
        fitted = fit(world.ledger(60))
        margins = [
            margin(error, blocks) for error, blocks in zip(fitted.errors(), fitted.blocks.tolist(), strict=True)
        ]
        covered.append(np.abs(fitted.elo - fitted.elo.mean() - truth) <= np.array(margins, dtype=float))
    assert 0.93 <= np.mean(covered) <= 0.97


def test_errors_know_that_replayed_games_belong_together() -> None:
    """The same deal with the same seats four times over is one observation, not four."""
    rows = World(bots=8, share=0.8, seed=2).random_seats(150)
    four = np.repeat(rows, 4, axis=0)
    four[:, 1] = np.tile(np.arange(4), len(rows))
    names = World(bots=8).names
    once = RECORD.rate(Ledger.from_rows(rows, names), RatingSettings(prior=0))
    again = RECORD.rate(Ledger.from_rows(four, names), RatingSettings(prior=0))
    assert again.values == pytest.approx(once.values, abs=1e-6)
    assert again.errors == pytest.approx(once.errors, rel=1e-6)


def test_nobody_has_played() -> None:
    assert RECORD.rate(Ledger.of([])).values == ()
    found = RECORD.rate(Ledger.from_rows([], {1: "alone"}))
    assert (found.values, found.margins) == ((None,), (None,))


def test_two_bots_with_one_game() -> None:
    found = RECORD.rate(Ledger.of([block(0, "AB->12")]))
    assert found.values == pytest.approx((1631.4, 1368.6), abs=0.1)
    assert found.errors == found.margins == (None, None)


def test_a_bot_with_one_block_has_no_margin() -> None:
    found = RECORD.rate(Ledger.of(games("AB->12", "BA->12", "AC->12")))
    assert found.margins[0] is not None
    assert found.margins[2] is None
    assert fit(Ledger.of(games("AB->12", "BA->12", "AC->12"))).los(0, 2) is None


def test_games_that_are_all_tied_leave_all_equal_and_uncertain() -> None:
    found = RECORD.rate(Ledger.of(games(*["AB->11", "BC->11", "CA->11"] * 40)))
    assert found.values == pytest.approx((1500, 1500, 1500))
    assert all(error is not None and 15 < error < 40 for error in found.errors)


def test_bots_that_never_met_are_not_compared() -> None:
    fitted = fit(Ledger.of(games("AB->12", "BA->12", "CD->12", "DC->12", "AB->11")))
    assert fitted.group.tolist() == [0, 0, 1, 1]
    assert fitted.los(0, 1) is not None
    assert fitted.los(0, 2) is None
    assert fitted.connected.tolist() == [True, True, False, False]


def test_whoever_only_wins_is_a_group_of_its_own() -> None:
    fitted = fit(Ledger.of(games(*counted("A", "B", 40, 0, 0), *counted("B", "C", 20, 0, 20))))
    assert fitted.group.tolist() == [0, 1, 1]
    assert fitted.provisional.tolist() == [True, False, False]


def test_without_a_prior_the_pool_must_be_connected() -> None:
    with pytest.raises(NoFit, match="without a prior"):
        fit(Ledger.of(games("AB->12")), RatingSettings(prior=0))


def test_near_separation_takes_the_larger_error() -> None:
    """Thirty wins and a tie leave hardly any residuals: the spread between blocks would claim to be sure."""
    fitted = fit(Ledger.of(games(*counted("A", "B", 60, 1, 0))))
    assert fitted.near_separation.tolist() == [True, True]
    assert fitted.errors()[0] == pytest.approx(
        173.7178 * np.sqrt(np.ptp(fitted.model_covariance[0]) / 2), rel=1e-3
    )


def test_very_long_ladders_stay_stable() -> None:
    rungs = [f"{a}{b}->12" for a, b in zip("ABCDEFGHIJ", "BCDEFGHIJK", strict=True)] * 200
    fitted = fit(Ledger.of(games(*rungs)))
    assert fitted.elo.max() - fitted.elo.min() > 5000
    assert (np.diff(fitted.elo) < 0).all()


def test_an_anchor_moves_numbers_and_nothing_else() -> None:
    ledger = World(bots=5, size=2).ledger(50)
    free = RECORD.rate(ledger)
    held = RECORD.rate(ledger, RatingSettings(anchor="bot0002", anchor_elo=1000))
    assert held.values[2] == 1000
    assert held.margins == free.margins
    shift = {
        round(a - b, 6) for a, b in zip(held.values, free.values, strict=True) if a is not None and b is not None
    }
    assert len(shift) == 1


def test_an_anchor_that_has_not_played_yet_is_waited_for() -> None:
    ledger = World(bots=5, size=2).ledger(50)
    assert RECORD.rate(ledger, RatingSettings(anchor="later")) == RECORD.rate(ledger)


def test_the_mean_is_that_of_the_established_bots() -> None:
    settings = RatingSettings(provisional_blocks=10)
    fitted = fit(Ledger.of(games(*["AB->12", "BA->12"] * 20, "CA->12")), settings)
    assert fitted.provisional.tolist() == [False, False, True]
    assert fitted.elo[:2].mean() == pytest.approx(1500)


def test_tables_of_different_sizes_mix() -> None:
    ledger = Ledger.of([block(0, "AB->12"), block(1, "ABC->123", "BCA->132"), block(2, "CAB->213")])
    fitted = fit(ledger)
    assert fitted.wins[0, 1] == pytest.approx(1 + 2 * 3 / 4)
    assert fitted.scores[0, 1] == 3


def test_a_forfeit_is_a_loss_to_everybody_who_stayed() -> None:
    stayed = Block(0, (result("ABC", [1, 2, 3], forfeited=[2]), result("BCA", [2, 3, 1], forfeited=[1])))
    assert fit(Ledger.of([stayed])).scores[2].tolist() == [0, 0, 0]


def test_settings_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="prior is -1"):
        RatingSettings(prior=-1)
    with pytest.raises(ValueError, match="above zero"):
        RatingSettings(constant_k=0)
