"""Rating systems.  A new one is a file with a `rate`, a line in `RATINGS`, and the rating contract.

Reading this list loads no system, and no numpy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Final, cast

from ladders.ratings.distributions import margin
from ladders.ratings.settings import RatingSettings

if TYPE_CHECKING:
    from ladders.ledger import Ledger

__all__ = ["RATINGS", "Rating", "RatingSettings", "RatingSystem"]


@dataclass(frozen=True, slots=True)
class Rating:
    """One number per bot of a ledger, in the ledger's order; None where nothing can be said."""

    bots: tuple[str, ...]
    values: tuple[float | None, ...]
    errors: tuple[float | None, ...]
    """Standard errors."""

    margins: tuple[float | None, ...]
    """Half the widths of 95 % intervals."""

    @classmethod
    def of(
        cls,
        bots: tuple[str, ...],
        rated: Sequence[int],
        values: Sequence[float],
        errors: Sequence[float | None],
        blocks: Sequence[int],
    ) -> Rating:
        """From numbers of the rated bots alone, given as indices into all bots."""
        lines = dict(zip(rated, zip(values, errors, blocks, strict=True), strict=True))
        found = [lines.get(bot, (None, None, 0)) for bot in range(len(bots))]
        return cls(
            bots,
            tuple(value for value, _, _ in found),
            tuple(error for _, error, _ in found),
            tuple(margin(error, played) for _, error, played in found),
        )


@dataclass(frozen=True, slots=True)
class RatingSystem:
    """How results become numbers."""

    module: str
    method: str
    """In words, for the head of a table."""

    unit: str = "Elo"
    settles: bool = True
    """Whether more games make the numbers more exact."""

    def rate(self, ledger: Ledger, settings: RatingSettings | None = None) -> Rating:
        """The numbers; they depend on what is in the ledger and on nothing else."""
        system = import_module(f"ladders.ratings.{self.module}")
        return cast(Rating, system.rate(ledger, settings or RatingSettings()))


RATINGS: Final[dict[str, RatingSystem]] = {
    "bradley-terry": RatingSystem(
        "bradley_terry", "batch Bradley-Terry on the pairs of every game, errors from the spread between blocks"
    ),
    "live-elo": RatingSystem("live_elo", "Elo after every block, with steps that shrink as games are played"),
    "constant-k": RatingSystem(
        "constant_k", "Elo with a constant K: not convergent, it wanders for ever", settles=False
    ),
    "points": RatingSystem("points", "least squares on points above the table's mean", unit="points"),
    "fused": RatingSystem("fused", "Bradley-Terry, sharpened by points as far as they agree with places"),
}
