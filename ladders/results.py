"""What was played, as far as statistics must know: who sat where, and how they placed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

Row = Sequence[int]
"""(block_number, match_row, seat, bot_id, place, points, forfeited)"""


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

    def rows(self, ids: Mapping[str, int]) -> Iterator[Row]:
        """Everything, seat by seat in numbers; ids gives each bot its own."""
        for row, match in enumerate(self.matches):
            sizes = {len(match.bots), len(match.places), len(match.points), len(match.forfeited)}
            if len(sizes) > 1:
                raise ValueError(
                    f"match {match.match} of block {self.number} does not say the same number of seats throughout"
                )
            for seat, bot in enumerate(match.bots):
                place, points, forfeited = match.places[seat], match.points[seat], match.forfeited[seat]
                yield self.number, row, seat, ids[bot], place, points, forfeited
