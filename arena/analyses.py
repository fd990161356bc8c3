"""What `arena analyse` found, kept beside the store in a file per match, and what replays say of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec

from arena.game import Game, Option

Remarks = dict[tuple[int, int], str]
"""By seat and the number of its decision."""


@dataclass(frozen=True)
class Weighed:
    """One decision: what was chosen, what would have been best, and the difference."""

    number: int
    """The first decision of a seat is 1."""
    chosen: Option
    best: Option
    lost: float
    """Places in the final ranking, on average; 0 if nothing better was found."""
    doubt: float
    """The standard error of that."""
    playouts: int

    @property
    def sure(self) -> bool:
        """Whether it is beyond reasonable doubt."""
        return self.lost > 2 * self.doubt

    def remark(self, game: type[Game]) -> str:
        """What is said of a decision that lost something."""
        return f"seer: {game.say(self.best)} ({self.lost:.2f} ± {self.doubt:.2f} places lost)"


class Analyses:
    """Those of one arena, by match and seat."""

    def __init__(self, arena: Path) -> None:
        self._folder = arena / "analyses"

    def of(self, match: str) -> dict[int, list[Weighed]]:
        """What was found so far; a file that cannot be read is one that was never written."""
        try:
            return msgspec.json.decode(self._file(match).read_bytes(), type=dict[int, list[Weighed]])
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            return {}

    def keep(self, match: str, seat: int, found: list[Weighed]) -> None:
        """Beside what was found for other seats."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self._file(match).write_bytes(msgspec.json.encode({**self.of(match), seat: found}))

    def remarks(self, match: str, game: type[Game], viewer: int | None) -> Remarks:
        """What lost something beyond doubt.  It follows from what that seat knew, so no other seat is told."""
        return {
            (seat, decision.number): decision.remark(game)
            for seat, found in self.of(match).items()
            if viewer in (None, seat)
            for decision in found
            if decision.sure
        }

    def _file(self, match: str) -> Path:
        return self._folder / f"{match}.json"
