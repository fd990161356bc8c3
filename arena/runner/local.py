"""Worker processes on this machine: blocks are handed to the least busy one, and come back whole or void."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import trio

from arena.gallery import ANY, Gallery
from arena.runner.orders import (
    Beat,
    BlockOrder,
    BlockReport,
    BlockVoid,
    Glimpse,
    Helpless,
    Report,
    Terms,
    Watch,
)
from arena.runner.pipe import Pipe

SILENT_S = 30.0
"""A worker that gives no sign of life for so long is ended; what it played is void."""

LEAVING_S = 1.0
"""A worker whose pipe is closed ends its bots and goes; it is not waited for any longer than this."""

TICK_S = 1.0
MOST_DEATHS = 5
"""So many workers in a row may die without finishing a block; then it is no accident."""

COMMAND = (sys.executable, "-m", "arena.runner.worker")


class WorkersFail(Exception):
    """Workers cannot do their work here; the text says why."""


@dataclass
class _Hand:
    """One worker as the arena sees it."""

    number: int
    process: subprocess.Popen[bytes]
    pipe: Pipe
    blocks: dict[int, BlockOrder] = field(default_factory=dict)
    due: dict[int, float] = field(default_factory=dict)
    heard: float = 0.0
    lag_ms: float = 0.0
    shows: frozenset[str] = frozenset()
    """What it was told is watched."""

    helpless: str = ""
    stuck: str = ""
    """Why it is being ended."""

    @property
    def matches(self) -> int:
        return sum(len(order.rows) for order in self.blocks.values())


class LocalRunner:
    """`jobs` workers.  `submit` while there is `room`, take `reports` as they come, `close` at the end."""

    def __init__(
        self, terms: Terms, jobs: int, command: Sequence[str] = COMMAND, one_core_each: bool | None = None
    ) -> None:
        """Where cores are scarce, a worker and its bots, who take turns anyway, share one, unless told."""
        self.terms = terms
        self.jobs = jobs
        self.command = command
        self.lag_ms = 0.0
        """The longest delay of a worker's loop lately."""
        self.gallery: Gallery | None = None
        """Where spectators sit, if there may be any."""
        self._cores = sorted(os.sched_getaffinity(0))
        self._one_core_each = jobs >= len(self._cores) if one_core_each is None else one_core_each
        self._hands: list[_Hand] = []
        self._deaths = 0
        self._closing = False
        self._send, self.reports = trio.open_memory_channel[Report](math.inf)
        self._changed = trio.Event()

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Keep the workers until `close` and the last report; cancel it to stop them now."""
        try:
            async with trio.open_nursery() as watch:
                watch.start_soon(self._watch)
                if self.gallery is not None:
                    watch.start_soon(self._show, self.gallery)
                async with trio.open_nursery() as nursery:
                    for number in range(self.jobs):
                        nursery.start_soon(self._keep, number)
                    task_status.started()
                watch.cancel_scope.cancel()
        finally:
            self._send.close()

    def room(self, matches: int) -> bool:
        """Whether some worker would begin a block of so many matches soon."""
        return any(self._free(hand, matches) for hand in self._hands)

    def _free(self, hand: _Hand, matches: int) -> bool:
        # One block more than there are tables: the next is there when a table gets free.
        return not hand.stuck and hand.matches < self.terms.tables + matches

    async def wait_for_room(self, matches: int) -> None:
        """Return when there is room."""
        while not self.room(matches):
            await self._changed.wait()

    async def submit(self, order: BlockOrder) -> None:
        """Give a block to the least busy worker."""
        await self.wait_for_room(len(order.rows))
        hand = min((hand for hand in self._hands if not hand.stuck), key=lambda hand: hand.matches)
        hand.blocks[order.number] = order
        hand.due[order.number] = trio.current_time() + self.terms.block_s
        try:
            await hand.pipe.send(order)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return  # it is dying; whoever keeps it will say that the block is void

    @property
    def under_way(self) -> int:
        """Blocks handed out and not reported."""
        return sum(len(hand.blocks) for hand in self._hands)

    async def close(self) -> None:
        """Nothing more will come: workers finish what they have and go."""
        self._closing = True
        for hand in self._hands:
            try:
                await hand.pipe.send(None)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                continue
        self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    async def _keep(self, number: int) -> None:
        """Have a worker for as long as one is needed; a dead one is replaced."""
        while not self._closing:
            hand = self._begin(number)
            reason = ""
            try:
                await hand.pipe.send(self.terms)
                while True:
                    self._hear(hand, await hand.pipe.receive())
            except (EOFError, trio.BrokenResourceError):
                reason = await self._ending_of(hand)
            finally:
                self._hands.remove(hand)
                with trio.CancelScope(shield=True):
                    await hand.pipe.aclose()
                    with trio.move_on_after(LEAVING_S):
                        await self._ending_of(hand)
                hand.process.kill()
                hand.process.wait()
            self._bury(hand, reason)

    def _begin(self, number: int) -> _Hand:
        # Its own process group: Ctrl-C is the arena's to hear.
        process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, process_group=0
        )
        if self._one_core_each:
            with suppress(OSError):
                os.sched_setaffinity(process.pid, {self._cores[number % len(self._cores)]})
        assert process.stdin is not None and process.stdout is not None
        with process.stdin, process.stdout:
            pipe = Pipe(os.dup(process.stdout.fileno()), os.dup(process.stdin.fileno()))
        hand = _Hand(number, process, pipe, heard=trio.current_time())
        self._hands.append(hand)
        self._wake()
        if self.gallery is not None:
            self.gallery.tell_all()
        return hand

    def _hear(self, hand: _Hand, said: Report | Beat | Glimpse | Helpless) -> None:
        hand.heard = trio.current_time()
        if isinstance(said, Helpless):
            hand.helpless = said.reason
            return
        if isinstance(said, Beat):
            hand.lag_ms = said.lag_ms
            self.lag_ms = max(each.lag_ms for each in self._hands)
        if isinstance(said, (Beat, Glimpse)):
            self._pass_to_gallery(hand.number, hand.blocks, said)
            return
        order = hand.blocks.pop(said.number, None)
        if order is None:
            return
        if isinstance(said, BlockVoid):
            self._lose(order)
        del hand.due[said.number]
        self._deaths = 0 if isinstance(said, BlockReport) else self._deaths
        self._send.send_nowait(said)
        self._wake()

    async def _ending_of(self, hand: _Hand) -> str:
        while hand.process.poll() is None:
            await trio.sleep(0.01)
        code = hand.process.returncode
        if hand.helpless:
            return hand.helpless
        if hand.stuck:
            return f"worker {hand.number} {hand.stuck} and was stopped"
        return f"worker {hand.number} died ({'signal ' + str(-code) if code < 0 else 'exit code ' + str(code)})"

    def _bury(self, hand: _Hand, reason: str) -> None:
        self._pass_to_gallery(hand.number, {}, Beat(0, ()))
        for number, order in hand.blocks.items():
            self._lose(order)
            self._send.send_nowait(BlockVoid(number, reason, by_rulebook=bool(hand.stuck)))
        if self._closing and hand.process.returncode == 0:
            return
        self._deaths += 1
        if self._deaths >= MOST_DEATHS:
            raise WorkersFail(
                f"{self._deaths} workers died one after the other without finishing a block: {reason}"
            )

    # --- Spectators ---------------------------------------------------------------------------------

    async def _show(self, gallery: Gallery) -> None:
        """Tell workers what is watched, whenever that changes; whoever watches any match looks at the first."""
        while True:
            changed, wanted = gallery.changed, gallery.wanted
            for hand in self._hands.copy():
                here = wanted if hand is self._hands[0] else wanted - {ANY}
                if here != hand.shows:
                    hand.shows = here
                    with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                        await hand.pipe.send(Watch(here))
            await changed.wait()

    def _pass_to_gallery(self, source: int, orders: Mapping[int, BlockOrder], said: Beat | Glimpse) -> None:
        if self.gallery is None:
            return
        known = {running.match: running for order in orders.values() for running in order.tables()}
        if isinstance(said, Beat):
            self.gallery.on_tables(source, tuple(known[match] for match in said.playing if match in known))
            return
        shown = self.gallery.shown.get(said.match)
        running = known.get(said.match) if shown is None else shown.running
        if running is not None:
            self.gallery.see(running, said.first, said.events, said.featured)

    def _lose(self, order: BlockOrder) -> None:
        if self.gallery is not None:
            self.gallery.lose(running.match for running in order.tables())

    # --- Health -------------------------------------------------------------------------------------

    async def _watch(self) -> None:
        """End whoever is silent; but when the arena itself was stopped, silence proves nothing."""
        last = trio.current_time()
        while True:
            await trio.sleep(TICK_S)
            now = trio.current_time()
            stopped = now - last > 3 * TICK_S
            last = now
            for hand in self._hands:
                if stopped:
                    hand.heard = now
                    hand.due = dict.fromkeys(hand.due, now + self.terms.block_s)
                elif now - hand.heard > SILENT_S:
                    hand.stuck = f"gave no sign of life for {SILENT_S:.0f} s"
                elif any(due < now for due in hand.due.values()):
                    hand.stuck = f"did not finish a block within {self.terms.block_s:.0f} s"
                if hand.stuck:
                    hand.process.kill()
