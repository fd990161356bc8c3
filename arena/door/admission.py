"""How many may stand at the door, and how often the same bot may come in.  No socket and no clock."""

from __future__ import annotations

import math
from collections import Counter, deque
from typing import Final

STRANGERS: Final = 256
STRANGERS_AN_ADDRESS: Final = 16
"""Connections that have not shown a token."""

ENTRANCES: Final = 5
MINUTE: Final = 60.0


class Admission:
    """Counts; time is handed in, in seconds."""

    def __init__(self) -> None:
        self._strangers: Counter[str] = Counter()
        self._entered: dict[str, deque[float]] = {}

    @property
    def strangers(self) -> int:
        """All who have not shown a token yet."""
        return self._strangers.total()

    def may_stand_here(self, address: str) -> bool:
        """Whether there is room for one more from there; it is counted if so."""
        if self.strangers >= STRANGERS or self._strangers[address] >= STRANGERS_AN_ADDRESS:
            return False
        self._strangers[address] += 1
        return True

    def steps_aside(self, address: str) -> None:
        """It came in or went away."""
        self._strangers[address] -= 1
        if self._strangers[address] <= 0:
            del self._strangers[address]

    def seconds_to_wait(self, bot: str, now: float) -> int:
        """How long a bot that came in too often has to wait; 0 if it may enter."""
        entered = self._entered.get(bot)
        if entered is None or len(entered) < ENTRANCES:
            return 0
        return max(0, math.ceil(entered[0] + MINUTE - now))

    def enters(self, bot: str, now: float) -> None:
        """It came in."""
        self._entered.setdefault(bot, deque(maxlen=ENTRANCES)).append(now)

    def was_sent_out(self, bot: str) -> None:
        """It left because we said so: coming back is no fault."""
        entered = self._entered.get(bot)
        if entered:
            entered.pop()
