"""Elo with a constant K, for those who expect it.  It forgets at the rate K and never settles."""

from __future__ import annotations

from dataclasses import replace

from ladders.ledger import Ledger
from ladders.ratings import Rating, live_elo
from ladders.ratings.settings import RatingSettings

USUAL = 32.0


def rate(ledger: Ledger, settings: RatingSettings) -> Rating:
    """Where the bots stand after the last block without a gap."""
    return live_elo.rate(ledger, replace(settings, constant_k=settings.constant_k or USUAL))
