"""A runner: blocks are handed in, and come back whole or void.  Here is what all of them have in common."""

from __future__ import annotations

from typing import Protocol

import trio

from arena.runner.orders import BlockOrder, Report, Terms


class Runner(Protocol):
    """Plays blocks on this machine or on many; a tournament drives it."""

    terms: Terms
    lag_ms: float
    """The longest delay of a worker's loop lately."""

    reports: trio.MemoryReceiveChannel[Report]
    """What became of the blocks.  After a lost connection, one may be told twice."""

    @property
    def jobs(self) -> int:
        """So many times `terms.tables` matches are wanted to begin soon."""

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Play until `close` and the last report; cancel it to stop now."""

    async def submit(self, order: BlockOrder) -> None:
        """Take a block as soon as it will be begun soon."""

    async def close(self) -> None:
        """Nothing more will come."""
