"""The reference vectors of the rating page, under their names; each to one unit of the last digit given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pytest

from ladders import duel
from ladders.ledger import Ledger
from ladders.ratings import RATINGS, RatingSettings, live_elo
from ladders.ratings.bradley_terry import ELO, Fit, fit
from ladders.ratings.distributions import Z95, normal_cdf, t_quantile
from ladders.results import Block
from tests.ladders.results_of import block, counted, games

NO_PRIOR = RatingSettings(base=0, prior=0, provisional_blocks=0)
PRIOR = RatingSettings(base=0, prior=1, provisional_blocks=0)

PUDDING = """1 2 19 22 16; 1 3 16 19 12; 2 3 19 19 10; 1 4 18 23 13; 2 4 23 19 9; 3 4 19 20 15; 1 5 13 19 18;
2 5 16 20 12; 3 5 16 15 17; 4 5 17 14 16; 1 6 18 21 12; 2 6 22 20 12; 3 6 13 18 10; 4 6 14 19 18; 5 6 11 21 12"""

SIX_BOTS = [
    block(1, "0132->1243", "1203->3214", "2310->1423", "3021->4132"),
    block(2, "2354->2134", "3425->2314", "4532->4231", "5243->3241"),
    block(3, "0451->2341", "4105->2134", "1540->1342", "5014->4123"),
    block(4, "0253->1224", "2305->1324", "3520->3241", "5032->4132"),
    block(5, "1345->3124", "3514->2412", "5431->1243", "4153->3142"),
    block(6, "0124->2134", "1402->1423", "4210->3421", "2041->1243"),
]


def near(values: Iterable[float], digits: int) -> object:
    return pytest.approx(list(values), abs=1.01 * 10**-digits, rel=0)


def centred_elo(blocks: Sequence[Block], settings: RatingSettings) -> list[float]:
    """In Elo around the mean of all bots."""
    fitted = fit(Ledger.of(blocks), settings)
    return list(ELO * (fitted.theta - fitted.theta.mean()))


def model_errors(fitted: Fit) -> list[float]:
    centre = np.eye(len(fitted.theta)) - 1 / len(fitted.theta)
    return list(ELO * np.sqrt((centre @ fitted.model_covariance @ centre).diagonal()))


def test_v1_a_constant_k_step_at_a_table_of_four() -> None:
    start = {"a": 1600.0, "b": 1500.0, "c": 1450.0, "d": 1400.0}
    played = live_elo.play(
        Ledger.of([block(0, "abcd->2133")]), RatingSettings(constant_k=24), live_elo.Checkpoint(0, start)
    )
    changes = [played.checkpoint.ratings[bot] - start[bot] for bot in "abcd"]
    assert changes == near([-0.825575, 11.428295, -6.372920, -4.229800], 6)
    assert sum(changes) == pytest.approx(0, abs=1e-9)


def test_v2_wins_draws_and_losses() -> None:
    found = duel.tally([96, 111, 136])
    assert [found.score] == near([0.5583], 4)
    assert [found.elo, found.elo_margin, found.nelo, found.nelo_margin] == near([40.70, 30.43, 49.77, 36.77], 2)
    assert [100 * found.los] == near([99.60], 2)


def test_v3_pairs_of_games() -> None:
    found = duel.tally([34, 54, 63, 64, 75], games_per_block=2)
    assert [found.score] == near([0.5793], 4)
    assert [found.elo, found.elo_margin, found.nelo, found.nelo_margin] == near([55.58, 27.65, 57.94, 28.28], 2)
    found = duel.tally([334, 333, 498, 433, 332], games_per_block=2)
    assert [found.elo, found.elo_margin, found.nelo, found.nelo_margin] == near([8.64, 10.33, 9.17, 10.96], 2)
    assert [100 * found.los] == near([94.95], 2)


def test_v4_three_bots() -> None:
    played = [*counted("A", "B", 18, 9, 3), *counted("B", "C", 18, 9, 3), *counted("A", "C", 24, 6, 0)]
    fitted = fit(Ledger.of(games(*played)), NO_PRIOR)
    assert list(fitted.elo) == near([190.8485, 0, -190.8485], 4)
    assert [Z95 * error for error in model_errors(fitted)] == near([80.02, 67.67, 80.02], 2)
    assert [Z95 * error for error in fitted.errors() if error] == near([58.99, 52.71, 58.99], 2)


def test_v5_pudding() -> None:
    played: list[str] = []
    for line in PUDDING.split(";"):
        one, other, wins, losses, ties = line.split()
        played += counted(one, other, int(wins), int(ties), int(losses))
    expected = [-22.3243, 5.5242, -2.9820, -0.1787, -5.3990, 25.3599]
    assert centred_elo(games(*played), NO_PRIOR) == near(expected, 4)
    expected = [-22.2525, 5.5065, -2.9696, -0.1776, -5.3782, 25.2715]
    assert centred_elo(games(*played), PRIOR) == near(expected, 4)


def test_v6_six_bots_without_a_prior() -> None:
    fitted = fit(Ledger.of(SIX_BOTS), NO_PRIOR)
    assert list(fitted.elo) == near([256.8134, 190.4794, 83.2553, -100.8665, -198.2468, -231.4348], 4)
    assert model_errors(fitted) == near([74.709, 71.151, 64.835, 64.989, 71.064, 71.859], 3)
    assert fitted.errors() == near([55.482, 81.539, 41.331, 70.320, 95.929, 41.399], 3)
    assert fitted.variances_of_differences is not None
    steps = [
        normal_cdf((fitted.theta[at] - fitted.theta[at + 1]) / fitted.variances_of_differences[at, at + 1] ** 0.5)
        for at in range(5)
    ]
    assert steps == near([0.7502, 0.8772, 0.9852, 0.7656, 0.6298], 4)


def test_v6_six_bots_with_the_prior() -> None:
    fitted = fit(Ledger.of(SIX_BOTS), PRIOR)
    assert centred_elo(SIX_BOTS, PRIOR) == near([240.4141, 177.9194, 77.6421, -94.0179, -185.3992, -216.5585], 4)
    assert fitted.errors() == near([51.217, 73.080, 37.802, 67.964, 87.814, 36.940], 3)


def test_v7_a_perfect_score_stays_finite() -> None:
    fitted = fit(Ledger.of(games(*counted("A", "B", 10, 0, 0))), PRIOR)
    assert centred_elo(games(*counted("A", "B", 10, 0, 0)), PRIOR) == near([290.2544, -290.2544], 4)
    assert fitted.variances_of_differences is not None
    assert [ELO * fitted.variances_of_differences[0, 1] ** 0.5] == near([275.83], 2)


@pytest.mark.parametrize(
    ("wins", "difference"), [(1, 263), (2, 352), (5, 479), (10, 581), (20, 686), (50, 830), (100, 943)]
)
def test_a_clean_sweep_of_so_many_games_is_worth_so_much(wins: int, difference: int) -> None:
    one, other = centred_elo(games(*counted("A", "B", wins, 0, 0)), PRIOR)
    assert [one - other] == near([difference], 0)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "exact", "closed"),
    [
        ([223, 9863, 21279, 10037, 246], 0.5, 2.5, -3.0741, -3.0740),
        ([871, 26175, 55983, 26678, 821], 0, 2, -4.9787, -4.9779),
        ([13, 37, 50, 25, 3], 0, 2.716, -0.5378, -0.5220),
    ],
)
def test_v9_the_likelihood_ratio_of_pairs(
    counts: list[int], elo0: float, elo1: float, exact: float, closed: float
) -> None:
    settings = duel.DuelSettings(elo0, elo1)
    assert [duel.exact_llr(counts, settings), duel.tally_llr(counts, settings)] == near([exact, closed], 4)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "exact"),
    [([365, 16618, 36229, 16974, 390], 0, 2, 2.2504), ([127, 4883, 10712, 5150, 104], -1.75, 0.25, 3.0102)],
)
def test_v9_the_normalised_likelihood_ratio(counts: list[int], elo0: float, elo1: float, exact: float) -> None:
    settings = duel.DuelSettings(elo0, elo1, normalised=True)
    assert [duel.exact_llr(counts, settings)] == near([exact], 4)
    assert duel.tally_llr(counts, settings) == pytest.approx(exact, abs=4e-4)


def test_v10_conversions() -> None:
    expected = {10: 0.514387, 20: 0.528751, 50: 0.571463, 100: 0.640065, 200: 0.759747}
    assert [duel.expected_score(elo) for elo in expected] == near(expected.values(), 6)
    assert [float(ELO)] == near([173.717793], 6)
    assert duel.DuelSettings().bounds == pytest.approx((-2.944439, 2.944439), abs=1e-6)
    assert [t_quantile(0.975, df) for df in (2, 5, 9, 29)] == near([4.3027, 2.5706, 2.2622, 2.0452], 4)


def test_v11_live_elo_of_two_new_bots() -> None:
    found = RATINGS["live-elo"].rate(Ledger.of([block(0, "AB->12", "BA->21")]))
    assert found.values == (1570, 1430)


def test_v11_live_elo_of_four_new_bots() -> None:
    found = RATINGS["live-elo"].rate(Ledger.of([block(0, "abcd->1234", "abcd->1234", "abcd->2143", "abcd->1243")]))
    assert [value - 1500 for value in found.values if value is not None] == near(
        [97.2222, 58.3333, -77.7778, -77.7778], 4
    )
