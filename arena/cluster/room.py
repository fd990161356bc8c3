"""A room: worker processes on one machine of a cluster, kept warm between batches, in a thread of its own.

The workers are those of the local runner, so whatever holds for one machine holds here.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from typing import Final

import trio

from arena.cluster.batch import Batch, Played
from arena.runner.local import LocalRunner, WorkersFail
from arena.runner.orders import BlockVoid, Report, Terms

IDLE_S: Final = 60.0
"""So long bots are kept warm with nothing to do."""


@dataclass
class _Asked:
    """A batch in play."""

    left: set[int]
    """Tickets without a report."""

    reports: list[Report] = field(default_factory=list)
    done: trio.Event = field(default_factory=trio.Event)


class Room:
    """Plays batches under the same terms, each called from its own thread.

    One after the other, but the next begins as soon as a table gets free: none waits for the last match.
    """

    def __init__(self, terms: Terms, jobs: int) -> None:
        self._runner = LocalRunner(terms, jobs)
        self._tickets = 0
        self._numbers: dict[int, tuple[int, _Asked]] = {}  # blocks of two ladders may have the same number
        self._turn = trio.StrictFIFOLock()
        self._guard = threading.Lock()
        self._batches = 0
        self._idle_since = 0.0
        self.went_home = False
        """Nothing was left to play; whoever wants to play here opens another room."""
        self._failed = ""
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._live, name="arena room", daemon=True)
        self._thread.start()
        self._ready.wait()

    def play(self, batch: Batch) -> Played | None:
        """Wait until every block is whole or void; None if all have gone home.  Raises WorkersFail."""
        with self._guard:
            if self.went_home:
                return None
            if self._failed:
                raise WorkersFail(self._failed)
            self._batches += 1
        try:
            return trio.from_thread.run(self._play, batch, trio_token=self._token)
        except (trio.RunFinishedError, trio.Cancelled):
            self._thread.join()
            raise WorkersFail(self._failed) from None
        finally:
            with self._guard:
                self._batches -= 1

    def close(self) -> None:
        """Send everybody home, unless they play."""
        with self._guard:
            if self._batches or self.went_home or self._failed:
                return
            self.went_home = True
        trio.from_thread.run(self._runner.close, trio_token=self._token)

    # --- In its own thread --------------------------------------------------------------------------

    def _live(self) -> None:
        failures: BaseExceptionGroup[WorkersFail] | None = None
        try:
            trio.run(self._run)
        except* WorkersFail as failed:
            failures = failed
        finally:
            self._failed = _first(failures) or "its workers ended"
            self._ready.set()

    async def _run(self) -> None:
        async with trio.open_nursery() as nursery:
            await nursery.start(self._runner.run)
            self._token = trio.lowlevel.current_trio_token()
            self._idle_since = trio.current_time()
            self._ready.set()
            nursery.start_soon(self._close_when_idle)
            async for report in self._runner.reports:
                self._hear(report)
            nursery.cancel_scope.cancel()

    async def _play(self, batch: Batch) -> Played:
        asked = _Asked(set())
        numbers: dict[int, int] = {}
        for order in batch.orders:
            self._tickets += 1
            numbers[self._tickets] = order.number
            self._numbers[self._tickets] = (order.number, asked)
            asked.left.add(self._tickets)
        with trio.move_on_after(batch.deadline_s):
            async with self._turn:
                for ticket, order in zip(numbers, batch.orders, strict=True):
                    await self._runner.submit(replace(order, number=ticket))
            await asked.done.wait()
        for ticket in asked.left:
            del self._numbers[ticket]
            late = f"its batch was not finished within {batch.deadline_s:.0f} s"
            asked.reports.append(BlockVoid(numbers[ticket], late))
        self._idle_since = trio.current_time()
        return Played(tuple(asked.reports), self._runner.lag_ms)

    def _hear(self, report: Report) -> None:
        if report.number not in self._numbers:
            return  # too late
        number, asked = self._numbers.pop(report.number)
        asked.left.discard(report.number)
        asked.reports.append(replace(report, number=number))
        if not asked.left:
            asked.done.set()

    async def _close_when_idle(self) -> None:
        while True:
            await trio.sleep(IDLE_S / 4)
            if self._batches == 0 and trio.current_time() - self._idle_since > IDLE_S:
                with self._guard:
                    if self._batches:
                        continue
                    self.went_home = True
                await self._runner.close()
                return


def _first(errors: BaseException | None) -> str:
    """What went wrong, without the nurseries it passed."""
    while isinstance(errors, BaseExceptionGroup):
        errors = errors.exceptions[0]
    return "" if errors is None else str(errors)
