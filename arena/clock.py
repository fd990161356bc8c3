"""How long a seat may think.  Pure: it is told how much time passed and never looks at a clock."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TimeControl:
    """Limits in milliseconds: a cap per decision, a bank per match (0: none), start-up and `prepare` apart."""

    move_ms: int = 1_000
    bank_ms: int = 0
    start_ms: int = 10_000
    prepare_ms: int = 10_000


class Clock:
    """One seat's clock; microseconds throughout."""

    __slots__ = ("_bank_us", "_move_us", "used_us")

    def __init__(self, control: TimeControl) -> None:
        self._move_us = control.move_ms * 1_000
        self._bank_us = control.bank_ms * 1_000
        self.used_us = 0

    def allowance_us(self) -> int:
        """What the next decision may take; an answer after exactly this long is still in time."""
        if not self._bank_us:
            return self._move_us
        return min(self._move_us, max(0, self._bank_us - self.used_us))

    def charge(self, elapsed_us: int) -> None:
        """Count thinking time; the cap bounds what one decision can cost, whenever its end was noticed."""
        self.used_us += elapsed_us if elapsed_us < self._move_us else self._move_us

    @property
    def bank_is_empty(self) -> bool:
        """No time is left for any further decision."""
        return bool(self._bank_us) and self.used_us >= self._bank_us
