"""What was played, as far as statistics must know: who sat where, and how they placed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    """One finished match.  Everything is in seat order."""

    match: str
    bots: tuple[str, ...]
    places: tuple[int, ...]
    """1 is best; equal places are ties; whoever forfeited shares the last place."""

    points: tuple[int, ...]
    forfeited: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """All matches of one deal by one table of bots: it is complete, or it does not count."""

    number: int
    """Given when it was scheduled; whatever depends on an order depends on this one."""

    matches: tuple[Result, ...]

    @property
    def table(self) -> tuple[str, ...]:
        """Who played it, in alphabetical order."""
        return tuple(sorted(self.matches[0].bots))
