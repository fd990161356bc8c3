"""What a ladder shows beside its numbers, so that they can be doubted: is replaying deals worth it, do seats
matter, do bots beat each other in circles, do predictions come true, does a bot remember a deal?
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ladders.ledger import Bools, Floats, Ints, Ledger, add_up
from ladders.ratings.bradley_terry import Fit, pair_residuals, pair_weight
from ladders.ratings.clustered import means, normal_score
from ladders.ratings.distributions import chi2_tail

RESAMPLES = 400
BATCHES = 1000
ENOUGH_BLOCKS = 200
"""From here on the design effect may decide something."""

CYCLE_BLOCKS = 10
CYCLE_SCORE = 3.5
MEMORY_SCORE = 4.0
TRIPLES_LISTED = 20


@dataclass(frozen=True, slots=True)
class DesignEffect:
    """How many games of this ladder are worth one independent game."""

    value: float | None
    """None while nothing has surprised."""

    limit: float | None
    """It is above this with 90 % confidence; None below 200 blocks."""

    @property
    def replaying_hurts(self) -> bool:
        """Whether fresh deals for every game would now be the better choice."""
        return self.limit is not None and self.limit > 1


def design_effect(fit: Fit) -> DesignEffect:
    """The spread between blocks over what it would be if games of a block were independent (ratings §3.4)."""
    blocks, games = fit.ledger.blocks, fit.ledger.games
    if blocks < 2:
        return DesignEffect(None, None)
    by_block, by_game = _squares(fit)
    whole = by_game.sum()
    if whole <= 1e-9 * games:
        return DesignEffect(None, None)
    small_sample = blocks / (blocks - 1) * (games - 1) / games
    value = float(small_sample * by_block.sum() / whole)
    if blocks < ENOUGH_BLOCKS:
        return DesignEffect(value, None)
    # Many blocks are drawn in batches: the ratio of two sums is the same, at a hundredth of the cost.
    starts = np.linspace(0, blocks, min(blocks, BATCHES), endpoint=False).astype(np.int64)
    top, bottom = np.add.reduceat(by_block, starts), np.add.reduceat(by_game, starts)
    # RandomState is frozen: the same draws in every version of numpy.
    draws = np.random.RandomState(1).randint(0, len(starts), (RESAMPLES, len(starts)))
    ratios = top[draws].sum(axis=1) / bottom[draws].sum(axis=1)
    return DesignEffect(value, float(small_sample * np.quantile(ratios, 0.1)))


def _squares(fit: Fit) -> tuple[Floats, Floats]:
    """Per block: the squared length of its score, and the sum of those of its games."""
    by_block, by_game = [], []
    for tables, (_, scores) in zip(fit.ledger.tables, fit.scores_by_block(), strict=True):
        by_block.append((scores**2).sum(axis=0))
        # The bots expect the same in every game of a block, so a game's surprise follows from the block's.
        weight = pair_weight(tables.size)
        beaten = 0.5 * weight * tables.half_beaten
        expected = (tables.per_block(beaten) - scores) / tables.matches
        surprise = beaten - np.repeat(expected, tables.matches, axis=1)
        by_game.append(tables.per_block((surprise**2).sum(axis=0)))
    return np.concatenate(by_block), np.concatenate(by_game)


@dataclass(frozen=True, slots=True)
class SeatScore:
    """How one seat does at tables of one size: the share of the others that is beaten from there."""

    size: int
    seat: int
    mean: float
    margin: float | None


def seat_table(ledger: Ledger) -> list[SeatScore]:
    """Every seat of every table size."""
    found = []
    for tables in ledger.tables:
        size, blocks = tables.size, len(tables.numbers)
        at = (tables.seats + size * np.repeat(np.arange(blocks), tables.matches)).reshape(-1)
        beaten = add_up(at, tables.half_beaten.reshape(-1) / (2 * (size - 1)), blocks * size)
        counts = np.bincount(at, minlength=blocks * size).astype(np.float64)
        seats = means(np.tile(np.arange(size), blocks), beaten, counts, size)
        found += [SeatScore(size, seat, float(seats.mean[seat]), seats.margin(seat)) for seat in range(size)]
    return found


@dataclass(frozen=True, slots=True)
class OddPair:
    """Two bots whose games do not fit their ratings."""

    one: str
    other: str
    score: float
    expected: float
    surprise: float
    """In standard errors."""


@dataclass(frozen=True, slots=True)
class CycleCheck:
    """Whether one number per bot can tell who beats whom."""

    pairs: int
    """With enough blocks to look at."""

    chance: float | None
    """That so much disagreement comes about by luck; None where there are too few pairs."""

    odd_pairs: tuple[OddPair, ...]
    triples: tuple[tuple[str, str, str], ...]
    """First beats second beats third beats first, with an odd pair among them."""


def cycle_check(fit: Fit) -> CycleCheck:
    """Observed against expected scores of every pair that met in enough blocks (ratings §8.5)."""
    count = len(fit.theta)
    total, squares, blocks = (np.zeros(count * count) for _ in range(3))
    for pair_lines, residuals in _residuals_by_pair(fit):
        total += add_up(pair_lines, residuals, count * count)
        squares += add_up(pair_lines, residuals**2, count * count)
        blocks += np.bincount(pair_lines, minlength=count * count)
    seen = np.flatnonzero(blocks >= CYCLE_BLOCKS)
    total, squares, blocks = total[seen], squares[seen], blocks[seen]
    one, other = seen // max(1, count), seen % max(1, count)
    games = fit.games[one, other]
    expected = 1 / (1 + np.exp(fit.theta[other] - fit.theta[one]))
    spread = (squares - total**2 / blocks) * blocks / (blocks - 1)
    by_model = games * expected * (1 - expected)
    spread = np.where(spread > 1e-9 * by_model, spread, by_model)  # blocks that all agree are no proof
    surprise = normal_score(total / np.sqrt(spread), (blocks - 1).astype(np.int64))
    names = [fit.ledger.bots[bot] for bot in fit.rated.tolist()]
    odd = np.flatnonzero(np.abs(surprise) > CYCLE_SCORE)
    score = expected + total / games
    pairs = tuple(
        OddPair(names[one[at]], names[other[at]], float(score[at]), float(expected[at]), float(surprise[at]))
        for at in odd.tolist()
    )
    free = len(seen) - len(np.unique([one, other])) + 1
    chance = chi2_tail(float((surprise**2).sum()), free) if len(seen) and free > 0 else None
    ahead = fit.scores > fit.scores.T
    triples = _circles(ahead, list(zip(one[odd].tolist(), other[odd].tolist(), strict=True)))
    return CycleCheck(len(seen), chance, pairs, tuple((names[a], names[b], names[c]) for a, b, c in triples))


def _residuals_by_pair(fit: Fit) -> Iterator[tuple[Ints, Floats]]:
    """Score minus expected score per block, with the place of the pair in a flat matrix."""
    for tables, (lines, _) in zip(fit.ledger.tables, fit.scores_by_block(), strict=True):
        for (one, other), residuals in zip(tables.pairs, pair_residuals(tables, fit.theta[lines]), strict=True):
            yield lines[one] * len(fit.theta) + lines[other], residuals


def _circles(ahead: Bools, odd: list[tuple[int, int]]) -> list[tuple[int, int, int]]:
    found = set()
    for one, other in odd:
        first, second = (one, other) if ahead[one, other] else (other, one)
        for third in np.flatnonzero(ahead[second] & ahead[:, first]).tolist():
            turns = (first, second, third), (second, third, first), (third, first, second)
            found.add(min(turns))
    return sorted(found)[:TRIPLES_LISTED]


@dataclass(frozen=True, slots=True)
class Bin:
    """Pairs whose predicted score lay in one tenth of the scale."""

    predicted: float
    observed: float
    games: int


def calibration(fit: Fit) -> list[Bin]:
    """Predicted against observed pair scores; every pair counts from both sides."""
    predicted = 1 / (1 + np.exp(fit.theta[None, :] - fit.theta[:, None]))
    tenth = np.minimum(9, (10 * predicted).astype(np.int64)).reshape(-1)
    games = add_up(tenth, fit.games.reshape(-1), 10)
    expected = add_up(tenth, (fit.games * predicted).reshape(-1), 10)
    scored = add_up(tenth, fit.scores.reshape(-1), 10)
    return [
        Bin(float(expected[at] / games[at]), float(scored[at] / games[at]), int(games[at]))
        for at in np.flatnonzero(games).tolist()
    ]


@dataclass(frozen=True, slots=True)
class Memory:
    """How much better a bot does when it meets a deal again; it should not."""

    bot: str
    gain: float
    """Beaten share in the later games of a block minus that in the first."""

    surprise: float
    """In standard errors."""

    @property
    def suspicious(self) -> bool:
        """More than luck can explain."""
        return abs(self.surprise) > MEMORY_SCORE


def replay_audit(ledger: Ledger) -> list[Memory]:
    """Per bot that played blocks of several games (ratings §3.1)."""
    bots, gains = [], []
    for tables in ledger.tables:
        again = tables.matches > 1
        share = tables.half_beaten / (2 * (tables.size - 1))
        first = share[:, tables.starts]
        later = (tables.per_block(share) - first)[:, again] / (tables.matches[again] - 1)
        bots.append(tables.bots[:, again].T.reshape(-1))
        gains.append((later - first[:, again]).T.reshape(-1))
    if not bots:
        return []
    who, gained = np.concatenate(bots), np.concatenate(gains)
    found = means(who, gained, np.ones(len(who)), len(ledger.bots))
    spread = found.error > 0  # also false where it is unknown
    surprise = np.divide(found.mean, found.error, out=np.zeros(len(ledger.bots)), where=spread)
    surprise = normal_score(surprise, found.blocks - 1)
    return [
        Memory(bot, float(found.mean[at]), float(surprise[at]))
        for at, bot in enumerate(ledger.bots)
        if found.blocks[at]
    ]
