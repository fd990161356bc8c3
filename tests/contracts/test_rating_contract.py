"""The rating contract on every registered system."""

from __future__ import annotations

from ladders.ratings import RATINGS
from tests.contracts.rating_contract import RatingContract


class TestBradleyTerry(RatingContract):
    name = "bradley-terry"


class TestLiveElo(RatingContract):
    name = "live-elo"


class TestConstantK(RatingContract):
    name = "constant-k"


class TestPoints(RatingContract):
    name = "points"


class TestFused(RatingContract):
    name = "fused"


def test_every_rating_is_under_contract() -> None:
    assert {suite.name for suite in RatingContract.__subclasses__()} == set(RATINGS)
