"""How long something may have waited because the loop was busy.  Measures our own delay, never a bot's."""

from __future__ import annotations

from collections.abc import Callable

import trio

SLEPT_NS = 50_000
"""A wait shorter than this did not sleep: something was ready when it began."""


class LoopWatch(trio.abc.Instrument):
    """Remembers the last moment at which nothing was waiting for us: what is ready now came later."""

    def __init__(self, now_ns: Callable[[], int]) -> None:
        self.now_ns = now_ns
        self.quiet_ns = now_ns()
        self._asleep_ns = self._looked_ns = self.quiet_ns

    def before_io_wait(self, timeout: float) -> None:  # noqa: ARG002
        """Trio is about to look for events; its look before this one found nothing for us."""
        if self._looked_ns > self.quiet_ns:
            self.quiet_ns = self._looked_ns
        self._asleep_ns = self.now_ns()

    def after_io_wait(self, timeout: float) -> None:
        """Trio has looked; if it slept, whatever is ready came just now."""
        now_ns = self._looked_ns = self.now_ns()
        # Who was not going to wait did not sleep, however long the look took on a crowded machine.
        if timeout > 0 and now_ns - self._asleep_ns > SLEPT_NS:
            self.quiet_ns = now_ns
