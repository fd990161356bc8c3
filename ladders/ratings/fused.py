"""The fused view: places and points together.  On the Elo scale, using points as far as they agree with places."""

from __future__ import annotations

import numpy as np

from ladders.ledger import Floats, Ledger
from ladders.ratings import Rating, bradley_terry, points
from ladders.ratings.bradley_terry import ELO
from ladders.ratings.clustered import meat
from ladders.ratings.settings import RatingSettings
from ladders.ratings.tiles import sandwich


def rate(ledger: Ledger, settings: RatingSettings) -> Rating:
    """Elo of places, drawn towards what the points say; the Bradley-Terry numbers where points cannot help."""
    places, by_points = bradley_terry.fit(ledger, settings), points.fit(ledger)
    count = len(places.theta)
    if count < 3 or places.covariance is None or by_points.covariance is None:
        return bradley_terry.rate(ledger, settings)
    both = meat(count, list(places.scores_by_block()), list(by_points.scores_by_block()))
    tt, pp = _centred(places.covariance), _centred(by_points.covariance)
    tp = _centred(sandwich(places.model_covariance, both, by_points.inverse))

    t = places.theta - places.theta.mean()
    p = by_points.values - by_points.values.mean()
    signal = (p * p).sum() - pp.sum()
    if signal <= 0:  # points are all noise
        return bradley_terry.rate(ledger, settings)
    logits_per_point = ((t * p).sum() - tp.sum()) / signal
    from_points = logits_per_point * p
    pp, tp = logits_per_point**2 * pp, logits_per_point * tp
    disagreement = max(0.0, float(((t - from_points) ** 2 - (tt + pp - 2 * tp)).sum()) / (count - 2))
    pp = pp + disagreement
    share = _share_of_places(tt, pp, tp)
    fused = share * t + (1 - share) * from_points
    variance = share**2 * tt + (1 - share) ** 2 * pp + 2 * share * (1 - share) * tp

    shift = places.elo - ELO * t  # the scale of the settings
    errors = ELO * np.sqrt(np.maximum(0.0, variance))
    values = (shift + ELO * fused).tolist()
    return Rating.of(ledger.bots, places.rated.tolist(), values, errors.tolist(), places.blocks.tolist())


def _centred(covariance: Floats) -> Floats:
    """The diagonal, relative to the mean of the pool."""
    lines, columns = covariance.mean(axis=1), covariance.mean(axis=0)
    return np.asarray(covariance.diagonal() - lines - columns + lines.mean())


def _share_of_places(tt: Floats, pp: Floats, tp: Floats) -> Floats:
    """The weight of places that leaves the least variance."""
    spread = tt + pp - 2 * tp
    best = np.divide(pp - tp, spread, out=np.ones_like(spread), where=spread > 0)
    return np.clip(best, 0.0, 1.0)
