"""The house: a runner with a door.  Blocks that seat a remote bot are refereed in the arena's own process.

A remote bot has one connection and plays one match at a time.  A match waits for it a while; if it does not come,
it forfeits.  All other blocks go to worker processes as ever.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

import trio

from arena.bots.live import LiveBot
from arena.bots.manifest import Bot
from arena.bots.starting import starter_at
from arena.door.door import Door
from arena.door.guest import Guest
from arena.door.terms import DoorTerms
from arena.gallery import Gallery
from arena.referee import GRACE_S
from arena.runner.local import COMMAND, LocalRunner
from arena.runner.orders import Beat, BlockOrder, BlockVoid, Glimpse, Terms
from arena.runner.worker import BEAT_S, Worker, expect_progress, watch_rulebooks
from arena.transports import Ending, Hub, Link, Owner, StartError
from arena.transports.websocket import CREDIT_A_MATCH_NS, CREDIT_NS, WebsocketLink

HERE: Final = -1
"""The number of our own worker; the others count from 0."""

TABLES: Final = 256
"""Matches at once: remote bots mostly keep us waiting."""

BLOCKS_A_BOT: Final = 2
"""One that it plays and one that is next; more are not planned ahead for somebody who may leave."""

TOGETHER_NS: Final = 5_000_000_000
LEAST_DROPS: Final = 3
"""When more than half of the bots are cut off within five seconds, and at least so many, our network failed."""


def remotes(order: BlockOrder) -> set[str]:
    """The names of those who come through the door."""
    return {bot.name for row in order.rows for _, bot in row if bot.remote}


class _Nobody:
    """Owns a bot that is sent away because its match is void."""

    def received(self, link: Link, data: bytes, now_ns: int, lag_ns: int) -> None:
        """Nothing counts any more."""

    def handed_over(self, link: Link, now_ns: int) -> None:
        """Nothing counts any more."""

    def lost(self, link: Link, ending: Ending) -> None:
        """Nothing counts any more."""


class House(LocalRunner):
    """A `LocalRunner` that also lets bots come in."""

    def __init__(
        self,
        terms: Terms,
        jobs: int,
        door: DoorTerms,
        say: Callable[[str], None],
        command: Sequence[str] = COMMAND,
    ) -> None:
        super().__init__(terms, jobs, command)
        self.hub = Hub()
        self.door = Door(self.hub, door, say=say)
        self.door.dropped = self._count_drops
        self._say = say
        self._start_here = starter_at(terms.sandbox, terms.limits, self.hub)
        self._orders: dict[int, BlockOrder] = {}
        self._busy: set[str] = set()
        self._drops: dict[str, int] = {}
        self._told_the_way: set[str] = set()
        self._worker: Worker
        self._ushers: trio.Nursery
        self._freed = trio.Event()

    # --- As a runner --------------------------------------------------------------------------------

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Open the door, then do what every runner does; raises DoorError if it cannot be opened."""
        try:
            async with trio.open_nursery() as nursery:
                await nursery.start(self.hub.run)
                await nursery.start(self.door.run)
                self._say(f"the door is open at {self.door.url}")
                await nursery.start(self._keep_house)
                await super().run(task_status)
                self._worker.referee.close()
                with trio.move_on_after(2 * GRACE_S):
                    await self._freed.wait()
                nursery.cancel_scope.cancel()
        finally:
            expect_progress(0)  # nobody is watched any more

    async def submit(self, order: BlockOrder) -> None:
        """A block without remote bots goes to a worker; others wait here for their bots."""
        names = remotes(order)
        if not names:
            await super().submit(order)
            return
        while self._ushers.cancel_scope.cancel_called or any(
            self._blocks_of(name) >= BLOCKS_A_BOT for name in names
        ):
            await self._freed.wait()
        self._orders[order.number] = order
        self._ushers.start_soon(self._usher, order)

    @property
    def under_way(self) -> int:
        """Blocks handed out and not reported."""
        return super().under_way + len(self._orders)

    # --- Inside -------------------------------------------------------------------------------------

    def _blocks_of(self, name: str) -> int:
        return sum(name in remotes(order) for order in self._orders.values())

    async def _keep_house(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        watch_rulebooks()
        self._expect_progress(0, 0)
        self.hub.every(min(BEAT_S, self.terms.step_s / 10), self._expect_progress)
        if self.gallery is not None:
            self.hub.every(BEAT_S, self._list_tables)
        terms = replace(self.terms, tables=max(TABLES, self.terms.tables))
        over = False
        while not over:  # a void of all matches ends one worker, and the next begins
            self._worker = worker = Worker(terms, self.hub, self._start)
            if self.gallery is not None:
                self.gallery.tell_all()
            async with trio.open_nursery() as self._ushers:
                self._ushers.start_soon(self._pass_on, worker)
                self._wake()
                task_status.started()
                task_status = trio.TASK_STATUS_IGNORED
                await worker.referee.run(worker.feed, closing=False)
                over = True
                self._ushers.cancel_scope.cancel()
            worker.window.show(frozenset())
            for live in worker.referee.live:
                if live.link is not None:
                    live.link.owner = _Nobody()
                    live.link.kill()
        self._wake()

    def _expect_progress(self, now_ns: int, lag_ns: int) -> None:  # noqa: ARG002
        expect_progress(self.terms.step_s)

    def _list_tables(self, now_ns: int, lag_ns: int) -> None:  # noqa: ARG002
        playing = tuple(match.id for match in self._worker.referee.playing())
        self._pass_to_gallery(HERE, self._orders, Beat(0, playing))

    async def _usher(self, order: BlockOrder) -> None:
        """See that the bots of a block are here and free, then have it played."""
        names = remotes(order)
        while self._busy & names:
            await self._freed.wait()
        self._busy |= names
        for name in names:
            live = self._playing(name)
            if live is not None and live.prepared_for != (order.game, order.variant):
                self._worker.referee.send_home(live)  # it comes in again, for another game
        with trio.move_on_after(self.door.terms.absent_s):
            await self.door.until(lambda: all(map(self._is_here, names)))
        self._worker.take(replace(order, rows=tuple(tuple(map(self._dressed, row)) for row in order.rows)))

    def _is_here(self, name: str) -> bool:
        live = self._playing(name)
        if live is None:
            return self.door.here(name) is not None
        return isinstance(live.link, WebsocketLink) and live.link.connected

    def _playing(self, name: str) -> LiveBot | None:
        """The bot as it sits here since its last match."""
        lives = (live for live in self._worker.referee.live if live.bot.remote and live.bot.name == name)
        return next((live for live in lives if live.free), None)

    def _dressed(self, entry: tuple[str, Bot]) -> tuple[str, Bot]:
        """With the encoding it came in with."""
        label, bot = entry
        if not bot.remote:
            return entry
        live, guest = self._playing(bot.name), self.door.here(bot.name)
        if live is not None:
            return label, live.bot
        return label, bot if guest is None else replace(bot, encoding=guest.encoding)

    def _start(self, bot: Bot, owner: Owner) -> Link:
        if not bot.remote:
            return self._start_here(bot, owner)
        try:
            return self.door.take(bot, owner)
        except StartError as error:
            raise StartError(f"{error}, and did not come within {self.door.terms.absent_s:g} s") from None

    async def _pass_on(self, worker: Worker) -> None:
        async for report in worker.reports:
            if isinstance(report, (Beat, Glimpse)):
                self._pass_to_gallery(HERE, self._orders, report)
                continue
            if isinstance(report, BlockVoid):
                self._lose(self._orders[report.number])
            self._settle(report.number)
            self._send.send_nowait(report)

    async def _show(self, gallery: Gallery) -> None:
        """Tell our own worker, too, what is watched."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(super()._show, gallery)
            while True:
                changed = gallery.changed
                self._worker.window.show(gallery.wanted)
                await changed.wait()

    def _settle(self, number: int) -> None:
        for name in remotes(self._orders.pop(number)):
            self._busy.discard(name)
            guest = self.door.guests.get(name)
            if guest is not None:
                self._say_what_is_forgiven(guest)
                guest.link.renew_credit()
                self.door.may_stay(name)
        self._wake()

    def _say_what_is_forgiven(self, guest: Guest) -> None:
        """Once a bot has played over a way that can be felt."""
        way_ms = guest.link.round_trip_ns / 1e6
        if guest.name not in self._told_the_way and way_ms >= 1:
            self._told_the_way.add(guest.name)
            self._say(
                f"{guest.name} is {way_ms:.0f} ms away: so much of its thinking time is forgiven, "
                f"up to {CREDIT_NS / 1e6:.0f} ms a move and {CREDIT_A_MATCH_NS / 1e9:.0f} s a match"
            )

    def _wake(self) -> None:
        super()._wake()
        self._freed.set()
        self._freed = trio.Event()

    # --- Our own network ----------------------------------------------------------------------------

    def _count_drops(self, link: WebsocketLink) -> None:
        """Nobody forfeits because our cable was pulled."""
        now_ns = self.hub.now_ns()
        self._drops[link.name] = now_ns
        self._drops = {name: then for name, then in self._drops.items() if now_ns - then < TOGETHER_NS}
        known = sum(guest.link.alive for guest in self.door.guests.values())
        guests = [guest for name, guest in self.door.guests.items() if name in self._drops]
        if len({guest.token.owner or guest.name for guest in guests}) < 2:
            return  # one owner's network, or one owner's trick: no bot can make a match void
        if len(self._drops) >= LEAST_DROPS and 2 * len(self._drops) > known:
            self._void_all(f"our network failed: {len(self._drops)} of {known} remote bots were cut off in 5 s")

    def _void_all(self, why: str) -> None:
        self._drops.clear()
        for number in list(self._orders):
            self._lose(self._orders.pop(number))
            with suppress(trio.BrokenResourceError):
                self._send.send_nowait(BlockVoid(number, why))
        self._busy.clear()
        self._ushers.cancel_scope.cancel()
        self._wake()
