"""Student's t and chi-squared against values from tables."""

from __future__ import annotations

import math

import pytest

from ladders.ratings.distributions import chi2_tail, margin, t_cdf, t_quantile


@pytest.mark.parametrize(
    ("p", "df", "t"),
    [
        (0.975, 1, 12.7062047),
        (0.975, 30, 2.0422725),
        (0.995, 4, 4.6040949),
        (0.9, 10, 1.3721836),
        (0.6, 3, 0.2766707),
    ],
)
def test_quantiles_of_t(p: float, df: int, t: float) -> None:
    assert t_quantile(p, df) == pytest.approx(t, abs=1e-7)
    assert t_quantile(1 - p, df) == pytest.approx(-t, abs=1e-7)
    assert t_cdf(t, df) == pytest.approx(p, abs=1e-7)


def test_t_of_one_degree_is_cauchy() -> None:
    for t in (-30.0, -1.0, 0.0, 0.3, 8.0):
        assert t_cdf(t, 1) == pytest.approx(0.5 + math.atan(t) / math.pi, abs=1e-14)
    assert (t_cdf(math.inf, 3), t_cdf(-math.inf, 3)) == (1, 0)


def test_t_of_many_degrees_is_normal() -> None:
    assert t_quantile(0.975, 10_000_000) == pytest.approx(1.959964, abs=1e-5)


@pytest.mark.parametrize(
    ("x", "df", "tail"), [(3.841459, 1, 0.05), (18.307038, 10, 0.05), (77.929, 100, 0.95), (124.342, 100, 0.05)]
)
def test_tails_of_chi_squared(x: float, df: int, tail: float) -> None:
    assert chi2_tail(x, df) == pytest.approx(tail, abs=1e-5)


def test_chi_squared_of_two_degrees_is_exponential() -> None:
    for x in (0.0, 0.5, 3.0, 4.5, 60.0):
        assert chi2_tail(x, 2) == pytest.approx(math.exp(-x / 2), rel=1e-12)


def test_one_block_has_no_margin() -> None:
    assert margin(1.0, 1) is None
    assert margin(None, 9) is None
    assert margin(1.0, 10) == pytest.approx(2.2621572)
