"""The one writer of a running ladder: takes what is planned, finished or void, and writes it in batches.

What cannot be written stays in memory and is tried again; nothing is told before it is on disk.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import trio

from arena.store.block import Finished, Planned, Voided
from arena.store.errors import Unavailable
from arena.store.lock import LadderLock
from arena.store.roster import Ladder
from arena.store.store import Store

BATCH: Final = 100
ROOM: Final = 400
RETRY_S: Final = 5.0

Item = Planned | Finished | Voided
Told = Callable[[str], None]
"""Called after the commit, with what a finished block came to (nothing for others)."""


@dataclass
class _Waiting:
    item: Item
    told: Told


class Writer:
    """Run `run` in a nursery; hand in from the same trio thread.

    `hand_in` never waits and refuses nothing, for it is called when a match has ended.  Back-pressure is
    `room`: await it before a new block is begun, and what waits is bounded by what is under way.
    """

    def __init__(
        self,
        store: Store,
        ladder: Ladder,
        lock: LadderLock,
        say: Callable[[str], None],
        *,
        retry_s: float = RETRY_S,
        gather_s: float = 0.0,
    ) -> None:
        """Results wait up to `gather_s` for others: a transaction costs more than the rows in it."""
        self._store = store
        self._ladder = ladder
        self._lock = lock
        self._say = say
        self._retry_s = retry_s
        self._gather_s = gather_s
        self._draining = False
        self._waiting: deque[_Waiting] = deque()
        self._changed = trio.Event()
        self._said = ""
        self.stuck = ""
        """Why nothing can be written just now, or empty."""

    @property
    def results_waiting(self) -> int:
        """Matches that are over but not on disk."""
        return sum(len(waiting.item.matches) for waiting in self._waiting if isinstance(waiting.item, Finished))

    def hand_in(self, item: Item, told: Told = lambda _: None) -> None:
        """Take a block; `told` is called when it is on disk."""
        self._waiting.append(_Waiting(item, told))
        self._wake()

    async def write(self, item: Item) -> str:
        """Hand in and wait until it is on disk."""
        done = trio.Event()
        outcomes: list[str] = []

        def told(outcome: str) -> None:
            outcomes.append(outcome)
            done.set()

        self.hand_in(item, told)
        await done.wait()
        return outcomes[0]

    async def room(self) -> None:
        """Wait until new blocks may be begun: the disk takes what it is given, and not too much waits."""
        while self.stuck or len(self._waiting) >= ROOM:
            await self._changed.wait()

    async def drained(self) -> None:
        """Wait until everything handed in is on disk."""
        self._draining = True
        self._wake()
        while self._waiting:
            await self._changed.wait()
        self._draining = False

    async def run(self) -> None:
        """Write until cancelled; even then what waits is tried once more."""
        try:
            while True:
                while not self._waiting:
                    await self._changed.wait()
                with trio.move_on_after(self._gather_s):
                    while not self._urgent():
                        await self._changed.wait()
                if not await self._write_some():
                    await trio.sleep(self._retry_s)
        except trio.Cancelled:
            with trio.CancelScope(shield=True):
                while self._waiting and await self._write_some():
                    pass
            if self._waiting:
                self._say(f"{self.stuck}: {_count(self.results_waiting)} could not be stored and will be void")
            raise

    def _urgent(self) -> bool:
        """Somebody waits for a plan before a card is dealt, or enough has come together."""
        planned = any(isinstance(waiting.item, Planned) for waiting in self._waiting)
        return planned or self._draining or len(self._waiting) >= BATCH

    async def _write_some(self) -> bool:
        batch = [self._waiting[at] for at in range(min(BATCH, len(self._waiting)))]
        try:
            outcomes = await trio.to_thread.run_sync(self._commit, [waiting.item for waiting in batch])
        except Unavailable as error:
            self._tell_stuck(error.reason)
            return False
        if self.stuck:
            self.stuck = self._said = ""
            self._say("results are stored again")
        for waiting, outcome in zip(batch, outcomes, strict=True):
            self._waiting.popleft()
            waiting.told(outcome)
        self._wake()
        return True

    def _commit(self, items: list[Item]) -> list[str]:
        """In a thread.  Whatever a failed try may have left is written again, never taken for stored."""
        if self.stuck:
            self._lock.renew()
            self._store.database.make_durable()
        outcomes = iter(
            self._store.write(
                self._ladder,
                [item for item in items if isinstance(item, Planned)],
                [item for item in items if isinstance(item, Finished)],
                [item for item in items if isinstance(item, Voided)],
            )
        )
        return [next(outcomes) if isinstance(item, Finished) else "" for item in items]

    def _tell_stuck(self, reason: str) -> None:
        self.stuck = reason
        count = self.results_waiting
        waiting = f"{_count(count)} {'waits' if count == 1 else 'wait'} in memory, " if count else ""
        told = f"{reason}: {waiting}retrying every {self._retry_s:g} s"
        if told != self._said:
            self._said = told
            self._say(told)

    def _wake(self) -> None:
        self._changed.set()
        self._changed = trio.Event()


def _count(results: int) -> str:
    return f"{results} result{'' if results == 1 else 's'}"
