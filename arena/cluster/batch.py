"""What a coordinator and the machines of a cluster say to each other.  Plain values; nothing is done here."""

from __future__ import annotations

from dataclasses import dataclass

from arena.runner.orders import BlockOrder, Report, Terms


@dataclass(frozen=True, repr=False)
class Batch:
    """Blocks for one machine; the secrets of their deals travel here and nowhere else."""

    terms: Terms
    jobs: int
    """Worker processes that play it."""

    orders: tuple[BlockOrder, ...]
    deadline_s: float
    """What is not finished by then is void."""

    def __repr__(self) -> str:  # Dask writes the arguments of whatever fails into its log
        return f"Batch({len(self.orders)} blocks)"


@dataclass(frozen=True)
class Played:
    """A batch that came back."""

    reports: tuple[Report, ...]
    lag_ms: float
    """The longest delay of a worker's loop lately."""


@dataclass(frozen=True)
class Refused:
    """A machine that must not play, and why."""

    reason: str
