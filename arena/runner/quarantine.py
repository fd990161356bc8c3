"""Quarantine: a bot that only fails is not asked again until somebody says so.  Pure counting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from arena.runner.orders import BlockReport

FAILURES: Final = frozenset({"START", "CRASH", "PROTOCOL"})
MOST_IN_A_ROW: Final = 5


class Quarantine:
    """Counts by label the matches in a row that ended with a failure of the program itself."""

    def __init__(self) -> None:
        self._in_a_row: Counter[str] = Counter()

    def begun_by(self, report: BlockReport) -> Iterator[tuple[str, str]]:
        """Who fails for the fifth time in a row with this block, and in which match."""
        for match, verdicts in zip(report.matches, report.verdicts, strict=True):
            failed = {verdict.seat for verdict in verdicts if verdict.code in FAILURES}
            for place, seat in enumerate(match.seats):
                if place not in failed:
                    self._in_a_row[seat.bot] = 0
                    continue
                self._in_a_row[seat.bot] += 1
                if self._in_a_row[seat.bot] == MOST_IN_A_ROW:
                    yield seat.bot, match.match
