"""How long something may have waited because the loop was busy.  Measures our own delay, never a bot's."""

from __future__ import annotations

from collections.abc import Callable
from resource import RUSAGE_THREAD, getrusage

import trio

SLEPT_NS = 50_000
"""A wait shorter than this did not sleep: something was ready when it began."""

OVERSLEPT_NS = 5_000_000
"""A wait so much longer than asked for was no sleep of ours."""


def times_slept() -> int:
    """How often this thread gave its processor back of its own will."""
    return getrusage(RUSAGE_THREAD).ru_nvcsw


class LoopWatch(trio.abc.Instrument):
    """Remembers the last moment at which nothing was waiting for us: what is ready now came later."""

    def __init__(self, now_ns: Callable[[], int], times_slept: Callable[[], int] = times_slept) -> None:
        self.now_ns = now_ns
        self._times_slept = times_slept
        self._slept_before = 0
        self.quiet_ns = now_ns()
        self._asleep_ns = self._looked_ns = self.quiet_ns

    def before_io_wait(self, timeout: float) -> None:
        """Trio is about to look for events; its look before this one found nothing for us."""
        if self._looked_ns > self.quiet_ns:
            self.quiet_ns = self._looked_ns
        if timeout > 0:
            self._slept_before = self._times_slept()
        self._asleep_ns = self.now_ns()

    def after_io_wait(self, timeout: float) -> None:
        """Trio has looked; if it slept, whatever is ready came just now."""
        now_ns = self._looked_ns = self.now_ns()
        slept_ns = now_ns - self._asleep_ns
        # Who was not going to wait, or found something at once, did not sleep, however long the look took on a
        # crowded machine: its processor was taken from it.
        if timeout <= 0 or slept_ns <= SLEPT_NS or self._times_slept() == self._slept_before:
            return
        # Who slept beyond its time was held up, by a stopped process or machine: all may have come since then.
        held_up = slept_ns - timeout * 1e9 > OVERSLEPT_NS
        self.quiet_ns = max(self.quiet_ns, self._asleep_ns) if held_up else now_ns
