"""The rating of record: one batch fit of all blocks, with errors that know that games of a block belong together.

All sums run in one order: over blocks by number, never over a set or over threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ladders.labels import goes_by
from ladders.ledger import Bools, Floats, Ints, Ledger, Tables
from ladders.ratings import Rating
from ladders.ratings.clustered import Scores, meat
from ladders.ratings.distributions import t_cdf, t_quantile
from ladders.ratings.groups import groups, largest
from ladders.ratings.settings import RatingSettings
from ladders.ratings.tiles import inverse, sandwich, times

ELO = 400 / np.log(10)
"""Elo points per logit."""

_LONGEST_STEP = 2.0
_CLOSE_ENOUGH = 1e-10
_QUICK = 0.1
_ROUNDS = 100
_SEPARATED = 5.0
"""Weighted wins or losses below which residuals vanish and the model's error is the honest one."""

_NEVER = 1e100
"""Standard errors a single block would have to be off; infinity times no error would not be a number."""


class NoFit(ValueError):
    """What was asked for has no answer."""


def rate(ledger: Ledger, settings: RatingSettings) -> Rating:
    """Elo with standard errors and 95 % margins, relative to the pool."""
    fitted = fit(ledger, settings)
    return Rating.of(
        ledger.bots, fitted.rated.tolist(), fitted.elo.tolist(), fitted.errors(), fitted.blocks.tolist()
    )


@dataclass(frozen=True, eq=False)
class Fit:
    """The fitted pool.  All arrays have one entry (or line and column) per rated bot, in alphabetical order."""

    ledger: Ledger
    settings: RatingSettings
    rated: Ints
    """Where each stands among the ledger's bots."""

    theta: Floats
    """Strengths in logits."""

    scores: Floats
    """Of line against column, ties being half."""

    wins: Floats
    """The same, weighted by table size."""

    blocks: Ints
    group: Ints
    """Bots of different groups are compared by the prior alone."""

    @cached_property
    def provisional(self) -> Bools:
        """Whose number does not stand on its own yet."""
        few = self.blocks < self.settings.provisional_blocks
        return np.asarray(few | self._one_sided(self.settings.provisional_wins) | ~self.connected)

    @cached_property
    def connected(self) -> Bools:
        """Who belongs to the main group."""
        return np.asarray(self.group == largest(self.group))

    @cached_property
    def near_separation(self) -> Bools:
        """Who has hardly won or hardly lost: there the spread between blocks says too little (ratings §5.3)."""
        return self._one_sided(_SEPARATED)

    def _one_sided(self, least: float) -> Bools:
        return np.asarray((self.wins.sum(axis=1) < least) | (self.wins.sum(axis=0) < least))

    @cached_property
    def elo(self) -> Floats:
        """On the scale of the settings: the anchor's number, or the mean of the established bots, is fixed."""
        anchor = self.anchor
        if anchor is not None:
            return np.asarray(self.settings.anchor_elo + ELO * (self.theta - self.theta[anchor]))
        pool = self.theta if self.provisional.all() else self.theta[~self.provisional]
        return np.asarray(self.settings.base + ELO * (self.theta - pool.sum() / max(1, len(pool))))

    @property
    def games(self) -> Floats:
        """In which line met column."""
        return self.scores + self.scores.T

    @property
    def anchor(self) -> int | None:
        """Its line, of several versions the first's; None also when it has not played yet."""
        named = self.settings.anchor
        if named is None:
            return None
        labels = [self.ledger.bots[bot] for bot in self.rated.tolist()]
        return next((line for line, label in enumerate(labels) if goes_by(label, named)), None)

    @cached_property
    def model_covariance(self) -> Floats:
        """The inverse curvature: what the errors would be if every game stood alone and the model were true."""
        expected = _expected(self.theta)
        games = self.wins + self.wins.T
        return inverse(_curvature(self.theta, games * expected, expected, self.settings.prior))

    @cached_property
    def covariance(self) -> Floats | None:
        """The sandwich clustered by block; None with a single block, which has no spread."""
        if self.ledger.blocks < 2:
            return None
        scores = list(self.scores_by_block())
        return sandwich(self.model_covariance, meat(len(self.theta), scores, scores), self.model_covariance)

    def scores_by_block(self) -> Iterator[Scores]:
        """Per table size: each player's weighted surprise in the block."""
        line = np.zeros(len(self.ledger.bots), dtype=np.int64)
        line[self.rated] = np.arange(len(self.rated))
        for tables in self.ledger.tables:
            lines = line[tables.bots]
            surprise = np.zeros(lines.shape)
            for pair, residual in enumerate(pair_residuals(tables, self.theta[lines])):
                one, other = tables.pairs[pair]
                surprise[one] += residual
                surprise[other] -= residual
            yield lines, pair_weight(tables.size) * surprise

    @cached_property
    def variances(self) -> Floats | None:
        """Per bot, relative to the mean of the pool, in squared logits."""
        if self.covariance is None:
            return None
        robust = _centred_diagonal(self.covariance)
        model = _centred_diagonal(self.model_covariance)
        return np.where(self.near_separation | (robust < 1e-9 * model), np.maximum(robust, model), robust)

    @cached_property
    def variances_of_differences(self) -> Floats | None:
        """Var(theta_i - theta_j), the only right way to an error of a difference."""
        if self.covariance is None:
            return None
        robust = _of_differences(self.covariance)
        model = _of_differences(self.model_covariance)
        near = self.near_separation[:, None] | self.near_separation | (robust < 1e-9 * model)
        return np.where(near, np.maximum(robust, model), robust)

    def errors(self) -> list[float | None]:
        """Standard errors in Elo, relative to the mean of the pool."""
        if self.variances is None:
            return [None] * len(self.theta)
        return [float(error) for error in ELO * np.sqrt(self.variances)]

    def los(self, one: int, other: int) -> float | None:
        """The chance that one is better than the other; None across groups and where errors are unknown."""
        df = int(min(self.blocks[one], self.blocks[other])) - 1
        if self.variances_of_differences is None or df < 1 or self.group[one] != self.group[other]:
            return None
        spread = float(np.sqrt(self.variances_of_differences[one, other]))
        return t_cdf(float(self.theta[one] - self.theta[other]) / spread, df)

    def surely_better(self) -> Bools:
        """Line over column with a chance above 97.5 %, never across groups."""
        count = len(self.theta)
        if self.variances_of_differences is None:
            return np.zeros((count, count), dtype=np.bool_)
        # Quantiles are looked up per number of blocks: far cheaper than a chance per pair.
        counts, which = np.unique(self.blocks, return_inverse=True)
        quantile = np.array([t_quantile(0.975, n - 1) if n > 1 else _NEVER for n in counts.tolist()])[which]
        needed = np.maximum(quantile[:, None], quantile)
        ahead = self.theta[:, None] - self.theta > needed * np.sqrt(self.variances_of_differences)
        return np.asarray(ahead & (self.group[:, None] == self.group))


def pair_weight(size: int) -> float:
    """What a pair of a game of this size counts, so that games of all sizes mix (ratings §4)."""
    return 3 / (size + 1)


def pair_residuals(tables: Tables, theta: Floats) -> Iterator[Floats]:
    """Per pair of players, block by block: score minus expected score of the first; theta is player by block."""
    for (one, other), won in zip(tables.pairs, tables.half_wins, strict=True):
        yield 0.5 * won - tables.matches / (1 + np.exp(theta[other] - theta[one]))


def fit(ledger: Ledger, settings: RatingSettings | None = None) -> Fit:
    """Strengths of all bots that met somebody."""
    settings = settings or RatingSettings()
    scores = np.zeros((len(ledger.bots), len(ledger.bots)))
    wins = np.zeros_like(scores)
    for tables in ledger.tables:
        half_wins = ledger.half_wins(tables)
        scores += half_wins / 2
        wins += pair_weight(tables.size) / 2 * half_wins
    blocks = ledger.blocks_of_each_bot()
    rated = np.flatnonzero(blocks)
    scores, wins = scores[np.ix_(rated, rated)], wins[np.ix_(rated, rated)]
    group = groups(wins > 0)
    if settings.prior == 0 and group.max(initial=0) > 0:
        raise NoFit(
            "without a prior all bots must have scored against each other, directly or over others; set one"
        )
    return Fit(ledger, settings, rated, strengths(wins, settings.prior), scores, wins, blocks[rated], group)


def strengths(wins: Floats, prior: float) -> Floats:
    """The maximum of the likelihood in logits, by Newton's method from zero."""
    theta = np.zeros(len(wins))
    games = wins + wins.T
    won = wins.sum(axis=1)
    size = before = np.inf if len(wins) else 0.0
    downhill = games  # set in the first round
    for _ in range(_ROUNDS):
        if size < _CLOSE_ENOUGH:
            return theta - theta.mean() if prior == 0 and len(wins) else theta
        expected = _expected(theta)
        gradient = won - (games * expected).sum(axis=1) + prior * (0.5 - _against_phantom(theta))
        if not size < _QUICK * before:  # as long as steps shrink fast the last inverse serves
            downhill = inverse(_curvature(theta, games * expected, expected, prior))
        step = times(downhill, gradient)
        size, before = float(np.abs(step).max()), size
        theta += step * min(1.0, _LONGEST_STEP / max(size, _CLOSE_ENOUGH))
    raise NoFit(f"no strengths found in {_ROUNDS} rounds; are there scores that are not finite?")


def _expected(theta: Floats) -> Floats:
    """The score of line against column in one game."""
    odds = np.exp(theta)
    return np.asarray(odds[:, None] / (odds[:, None] + odds))


def _against_phantom(theta: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-theta)))


def _curvature(theta: Floats, expected_wins: Floats, expected: Floats, prior: float) -> Floats:
    curvature = expected_wins * -expected.T
    own = _against_phantom(theta)
    curvature.flat[:: len(theta) + 1] = prior * own * (1 - own) - curvature.sum(axis=1)
    if prior == 0:
        curvature += 1 / len(theta)  # fixes the mean, which the results leave open
    return curvature


def _centred_diagonal(covariance: Floats) -> Floats:
    """The diagonal of C V C, without rounding below zero."""
    means = covariance.mean(axis=0)
    return np.asarray(np.maximum(0.0, covariance.diagonal() - 2 * means + means.mean()))


def _of_differences(covariance: Floats) -> Floats:
    own = covariance.diagonal()
    return np.asarray(np.maximum(0.0, own[:, None] + own - 2 * covariance))
