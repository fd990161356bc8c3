"""The runner for many machines: batches of blocks go to the workers of a Dask cluster, and reports come back.

It is driven like the local runner.  Dask only carries: what is lost with a worker or with the scheduler is handed
out again with the same deal, for whoever saw it is gone; which result counts is decided by the store.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, ParamSpec, TypeVar

import trio

from arena.bots.manifest import Bot
from arena.cluster.access import Access, ClusterError
from arena.cluster.batch import Batch, Played, Refused
from arena.cluster.carrier import Carrier, Lost
from arena.cluster.muster import Machine, refusal, share
from arena.cluster.parcel import pack
from arena.match import match_id
from arena.runner.local import WorkersFail
from arena.runner.orders import BlockOrder, BlockReport, BlockVoid, Report, Terms

Params = ParamSpec("Params")
Answer = TypeVar("Answer")

POLL_S: Final = 0.5
GATHER_S: Final = 0.02
"""So long a batch that is not full waits for more blocks."""

AHEAD: Final = 2
"""Batches at once on a machine: one that is played, and one whose blocks take the tables that get free."""

BRISK_S: Final = 2.0
SLOW_S: Final = 8.0
"""Batches that come back sooner are made larger, those that come later smaller."""

MOST_MATCHES: Final = 2000
MOST_LOSSES: Final = 3
"""A batch that was lost so often is void: it may be the reason itself."""

LATE_S: Final = 60.0
"""What a machine may need beyond the time for the blocks themselves."""


@dataclass(eq=False)
class _Load:
    """Blocks that travel together, however often they set out."""

    orders: list[BlockOrder]
    attempts: int = 0
    losses: int = 0
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)

    @property
    def matches(self) -> int:
        return sum(len(order.rows) for order in self.orders)

    @property
    def key(self) -> str:
        return f"play-{match_id(self.orders[0].salts[0])}-{self.attempts}"

    def bots(self) -> dict[str, Bot]:
        return {bot.content: bot for order in self.orders for row in order.rows for _, bot in row}


@dataclass(eq=False)
class _Hand:
    """A machine that may play."""

    address: str
    name: str
    jobs: int
    terms: Terms
    size: int
    """Matches in its next batch."""

    loads: set[_Load] = field(default_factory=set)
    has: set[str] = field(default_factory=set)
    """Contents of bots that it has."""

    delivery: trio.Lock = field(default_factory=trio.Lock)


class ClusterRunner:
    """`submit` blocks, take `reports` as they come, `close` at the end; machines may come and go meanwhile."""

    def __init__(self, terms: Terms, access: Access, seats: int, say: Callable[[str], None]) -> None:
        """Tables have up to `seats` seats; `say` tells the operator who comes, goes or is refused."""
        self.terms = terms
        self.lag_ms = 0.0
        """The longest delay of a worker's loop lately."""
        self._access = access
        self._seats = seats
        self._say = say
        self._hands: dict[str, _Hand] = {}
        self._met: set[str] = set()
        self._waiting: deque[BlockOrder] = deque()
        self._flying: set[_Load] = set()
        self._again: deque[_Load] = deque()
        self._closing = False
        self._lonely = False
        self._send, self.reports = trio.open_memory_channel[Report](math.inf)
        self._changed = trio.Event()
        self._carrier: Carrier
        self._nursery: trio.Nursery

    @property
    def jobs(self) -> int:
        """So many times `terms.tables` matches are wanted to begin soon."""
        return max(1, self._room() // self.terms.tables)

    @property
    def under_way(self) -> int:
        """Blocks handed in and not reported."""
        return len(self._waiting) + sum(len(load.orders) for load in (*self._again, *self._flying))

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Until `close` and the last report.  Raises WorkersFail when no scheduler answers at the beginning."""
        try:
            self._carrier = await _in_thread(Carrier, self._access)
        except ClusterError as error:
            raise WorkersFail(f"{error}; start one: dask scheduler") from None
        try:
            async with trio.open_nursery() as self._nursery:
                self._nursery.start_soon(self._watch)
                self._nursery.start_soon(self._hand_out)
                task_status.started()
                while not self._closing or self.under_way:
                    await self._changed.wait()
                self._nursery.cancel_scope.cancel()
        finally:
            self._send.close()
            with trio.move_on_after(5, shield=True):
                await _in_thread(self._carrier.close)

    async def submit(self, order: BlockOrder) -> None:
        """Take a block as soon as some machine will play it soon."""
        await trio.lowlevel.checkpoint()
        while self._waiting and self._matches_waiting() >= self._room():
            await self._changed.wait()
        self._waiting.append(order)
        self._wake()

    async def close(self) -> None:
        """Nothing more will come."""
        await trio.lowlevel.checkpoint()
        self._closing = True
        self._wake()

    def _room(self) -> int:
        """Matches that may wait here: a batch for each machine."""
        return sum(hand.size for hand in self._hands.values())

    def _matches_waiting(self) -> int:
        return sum(len(order.rows) for order in self._waiting)

    def _wake(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    # --- Handing out --------------------------------------------------------------------------------

    async def _hand_out(self) -> None:
        while True:
            hand = self._least_busy()
            if hand is None or not (self._again or self._waiting):
                await self._changed.wait()
                continue
            with trio.move_on_after(GATHER_S):
                while not self._again and self._matches_waiting() < hand.size:
                    await self._changed.wait()
            hand = self._least_busy()
            if hand is not None:
                load = self._again.popleft() if self._again else self._gathered(hand.size)
                load.attempts += 1
                load.scope = trio.CancelScope()
                hand.loads.add(load)
                self._flying.add(load)
                self._nursery.start_soon(self._carry, hand, load)
                self._wake()

    def _least_busy(self) -> _Hand | None:
        free = (hand for hand in self._hands.values() if len(hand.loads) < AHEAD)
        return min(free, key=lambda hand: len(hand.loads), default=None)

    def _gathered(self, matches: int) -> _Load:
        orders: list[BlockOrder] = []
        while self._waiting and matches > 0:
            orders.append(self._waiting.popleft())
            matches -= len(orders[-1].rows)
        return _Load(orders)

    async def _carry(self, hand: _Hand, load: _Load) -> None:
        """See one batch through: played, or handed out again."""
        began = trio.current_time()
        deadline_s = self.terms.block_s * (1 + AHEAD * math.ceil(load.matches / (hand.jobs * hand.terms.tables)))
        load.scope.deadline = began + deadline_s + LATE_S
        came: Played | Refused | None = None
        lost = f"{hand.name} was lost"
        with load.scope:
            try:
                came = await self._bring_bots(hand, load) or await self._play(hand, load, deadline_s)
            except Lost as error:
                lost = f"{hand.name} was lost ({error})"
        hand.loads.discard(load)
        self._flying.discard(load)
        if isinstance(came, Played):
            self._suit_size(hand, load, trio.current_time() - began)
            self._take_in(hand, load, came)
        elif came is not None:
            self._say(f"{hand.name} is refused: {came.reason}")
            self._lose(hand)
            self._again.append(load)
        else:
            if self._hands.get(hand.address) is hand:
                self._lose(hand)
                self._met.discard(hand.address)  # if it is still there, it is looked at again
            self._hand_out_again(load, lost)
        self._wake()

    async def _bring_bots(self, hand: _Hand, load: _Load) -> Refused | None:
        async with hand.delivery:
            new = {content: bot for content, bot in load.bots().items() if content not in hand.has}
            if not new:
                return None
            missing = await _in_thread(self._carrier.missing, hand.address, list(new.values()))
            if isinstance(missing, Refused):
                return missing
            for content in missing:
                parcel = await _in_thread(pack, new[content].folder)
                refused = await _in_thread(self._carrier.bring, hand.address, content, parcel)
                if refused is not None:
                    return refused
            hand.has |= new.keys()
            return None

    async def _play(self, hand: _Hand, load: _Load, deadline_s: float) -> Played | Refused:
        done = trio.Event()
        carrier, token = self._carrier, trio.lowlevel.current_trio_token()

        def tell() -> None:
            try:
                token.run_sync_soon(done.set)
            except trio.RunFinishedError:
                return  # nobody wants to know any more

        batch = Batch(hand.terms, hand.jobs, tuple(load.orders), deadline_s)
        future = await _in_thread(carrier.hand_over, hand.address, load.key, batch, tell)
        try:
            await done.wait()
            return await _in_thread(carrier.result, future)
        finally:
            future.release()

    def _suit_size(self, hand: _Hand, load: _Load, took_s: float) -> None:
        least = hand.jobs * hand.terms.tables
        if took_s < BRISK_S and load.matches >= hand.size:
            hand.size = min(2 * hand.size, max(least, MOST_MATCHES))
        elif took_s > SLOW_S:
            hand.size = max(hand.size // 2, least)

    def _take_in(self, hand: _Hand, load: _Load, played: Played) -> None:
        self.lag_ms = played.lag_ms
        reports = {report.number: report for report in played.reports}
        for order in load.orders:
            report: Report | None = reports.get(order.number)
            if not isinstance(report, BlockReport | BlockVoid):
                report = BlockVoid(order.number, f"{hand.name} said nothing about it")
            self._send.send_nowait(report)

    def _hand_out_again(self, load: _Load, why: str) -> None:
        load.losses += 1
        if load.losses < MOST_LOSSES:
            self._again.append(load)
            return
        for order in load.orders:
            self._send.send_nowait(BlockVoid(order.number, f"{why}; that was the last of {load.losses} tries"))

    # --- Who is there -------------------------------------------------------------------------------

    async def _watch(self) -> None:
        while True:
            try:
                self._compare(await _in_thread(self._carrier.machines))
            except Lost as error:
                for hand in list(self._hands.values()):
                    self._lose(hand)
                self._met.clear()
                self._say(f"the scheduler at {self._access.address} was lost ({error}); trying to reach it again")
                await self._connect_again()
            await trio.sleep(POLL_S)

    async def _connect_again(self) -> None:
        with trio.move_on_after(5):
            await _in_thread(self._carrier.close)
        while True:
            try:
                self._carrier = await _in_thread(Carrier, self._access)
            except ClusterError:
                await trio.sleep(POLL_S)
                continue
            self._say(f"the scheduler at {self._access.address} is back")
            return

    def _compare(self, there: dict[str, dict[str, Any]]) -> None:
        for hand in [hand for hand in self._hands.values() if hand.address not in there]:
            self._say(f"{hand.name} is gone; what it played is played elsewhere")
            self._lose(hand)
        self._met &= there.keys()
        for address in there.keys() - self._met:
            self._met.add(address)
            self._nursery.start_soon(self._meet, address)
        if not there and not self._lonely:
            self._say(f"no worker has come yet; start one: dask worker {self._access.address}")
        self._lonely = not there

    def _lose(self, hand: _Hand) -> None:
        """Give it nothing more, and wait for nothing that it has."""
        if self._hands.get(hand.address) is hand:
            del self._hands[hand.address]
        for load in hand.loads:
            load.scope.cancel()

    async def _meet(self, address: str) -> None:
        try:
            machine = Machine.read(await _in_thread(self._carrier.look, address))
        except Lost:
            self._met.discard(address)  # if it is still there, it is asked again
            return
        name = f"{machine.host} ({address.partition('://')[2]})"
        reason = refusal(machine, self.terms, self._seats)
        if reason:
            self._say(f"{name} is refused: {reason}")
            return
        jobs, tables = share(machine, self.terms, self._seats)
        terms = replace(self.terms, tables=tables)
        self._hands[address] = _Hand(address, name, jobs, terms, jobs * tables)
        self._wake()


async def _in_thread(call: Callable[Params, Answer], *args: Params.args, **options: Params.kwargs) -> Answer:
    """Dask's calls block; when nobody waits for the answer any more, the thread is left to itself."""
    return await trio.to_thread.run_sync(partial(call, *args, **options), abandon_on_cancel=True)
