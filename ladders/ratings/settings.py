"""What a ladder may choose about its ratings.  Every number a result depends on is here, none is global."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RatingSettings:
    """The choices of one ladder; the defaults suit every game."""

    base: float = 1500.0
    """Where the mean of the established bots lies when there is no anchor."""

    anchor: str | None = None
    """A bot that keeps a fixed number, as `name` or `name@version`; it moves all numbers and no distance."""

    anchor_elo: float = 1000.0

    prior: float = 1.0
    """Virtual draws of every bot against a phantom in the middle of the pool."""

    provisional_blocks: int = 30
    provisional_wins: float = 5.0
    """Weighted wins, and weighted losses, a bot needs before its number stands on its own."""

    first_block: int = 0
    """The number of the ladder's first block: live Elo goes on from there as far as there is no gap."""

    live_gain: float = 700.0
    live_offset: float = 8.0
    constant_k: float | None = None
    """A fixed step for live Elo, for those who expect one; it never settles."""

    def __post_init__(self) -> None:
        for name in ("prior", "provisional_blocks", "provisional_wins", "live_offset"):
            if getattr(self, name) < 0:
                raise ValueError(f"rating setting {name} is {getattr(self, name)}; it must not be negative")
        if self.live_gain <= 0 or (self.constant_k is not None and self.constant_k <= 0):
            raise ValueError("rating settings live_gain and constant_k must be above zero")
