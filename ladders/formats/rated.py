"""Snapshots for matchmaking from the rating of record.  Loads numpy, so it is loaded when it is needed."""

from __future__ import annotations

import numpy as np

from ladders.formats.scoresheet import Scoresheet
from ladders.formats.snapshot import Rate, Snapshot
from ladders.ledger import Bools, Ledger
from ladders.ratings.bradley_terry import fit
from ladders.ratings.settings import RatingSettings


def rate_by(settings: RatingSettings) -> Rate:
    """Fit as this ladder's ratings are fitted."""

    def rate(sheet: Scoresheet, blocks: int) -> Snapshot:
        ledger = Ledger.from_rows(np.frombuffer(sheet.rows, np.int64, sheet.end(blocks)), sheet.names)
        fitted = fit(ledger, settings)
        bots = [ledger.bots[at] for at in fitted.rated.tolist()]
        line = {bot: at for at, bot in enumerate(bots)}
        # A single block has no spread; then the model alone says how uncertain it is.
        known = fitted.model_covariance if fitted.covariance is None else None
        differences = fitted.variances_of_differences
        new = fitted.blocks < settings.provisional_blocks

        def those(chosen: Bools) -> frozenset[str]:
            return frozenset(bot for bot, is_one in zip(bots, chosen.tolist(), strict=True) if is_one)

        def variance(one: str, other: str) -> float:
            i, j = line[one], line[other]
            if differences is not None:
                return float(differences[i, j])
            assert known is not None
            return float(known[i, i] + known[j, j] - 2 * known[i, j])

        return Snapshot(
            dict(zip(bots, fitted.theta.tolist(), strict=True)),
            variance,
            dict(zip(bots, fitted.blocks.tolist(), strict=True)),
            those(new),
            those(fitted.provisional & ~new),
        )

    return rate
