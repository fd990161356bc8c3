"""The referee: drives many matches over live bots.  It knows no rulebook, no ranking and no database.

Matches are stepped by the hub as answers come in: no task each.  Deadlines are looked at every few
milliseconds; what the arena itself delayed is measured and never charged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import trio

from arena.bots.live import LiveBot
from arena.bots.manifest import Bot
from arena.clock import TimeControl
from arena.game import Game
from arena.match import Ask, Entrant, Match, Order
from arena.transports import Hub, Link, Owner, StartError, stop_all
from arena.variants import Variant
from arena.verdicts import Fault

TICK_S = 0.02
STALL_NS = 50_000_000
GRACE_S = 1.0
HUNG = frozenset({"IDLE", "TIMEOUT"})

Starter = Callable[[Bot, Owner], Link]
"""Starts a process for a bot and connects it to the hub; raises StartError."""


@dataclass(frozen=True)
class Fixture:
    """A match to be played: who sits where, and on which deal."""

    game: type[Game]
    variant: Variant
    bots: tuple[Bot, ...]
    deal: bytes
    salt: bytes


@dataclass
class _Table:
    fixture: Fixture
    bots: list[LiveBot]
    match: Match | None = None


@dataclass
class Referee:
    """Plays fixtures, `at_once` of them at a time; `finished` hears of every match when it is over."""

    hub: Hub
    starter: Starter
    finished: Callable[[Match, Fixture, list[LiveBot]], None]
    control: TimeControl = field(default_factory=TimeControl)
    strikes: int = 3
    at_once: int = 1
    seed: Callable[[], str] = lambda: ""

    def __post_init__(self) -> None:
        self.live: list[LiveBot] = []
        self._links: set[Link] = set()
        self._seating: list[_Table] = []
        self._playing: dict[str, _Table] = {}
        self._fixtures: Iterator[Fixture] = iter(())
        self._done = trio.Event()
        self._stopping = False

    async def run(self, fixtures: Iterable[Fixture]) -> None:
        """Play all fixtures, then let every process go.  The hub must be running."""
        self._fixtures = iter(fixtures)
        ticks = self.hub.every(TICK_S, self._tick)
        try:
            self._open_tables()
            await self._done.wait()
            await self._dismiss_all()
        finally:
            ticks.cancel()

    def stop_soon(self) -> None:
        """Start no further match; those that run are finished."""
        self._stopping = True
        self._open_tables()

    # --- Tables -------------------------------------------------------------------------------------

    def _open_tables(self) -> None:
        while len(self._seating) + len(self._playing) < self.at_once:
            fixture = None if self._stopping else next(self._fixtures, None)
            if fixture is None:
                if not self._seating and not self._playing:
                    self._done.set()
                return
            bots = []
            for bot in fixture.bots:
                bots.append(self._find(bot, fixture))
                bots[-1].reserve(fixture.deal)
            table = _Table(fixture, bots)
            self._seating.append(table)
            self._begin_if_complete(table)

    def _find(self, bot: Bot, fixture: Fixture) -> LiveBot:
        """A warm process that has not met this deal, or a new one."""
        for live in self.live:
            if live.bot is bot and live.free and fixture.deal not in live.met:
                return live
        live = LiveBot(
            bot, fixture.game.name, fixture.variant.changes(), self.control, bench=self, seed=self.seed()
        )
        try:
            link = self.starter(bot, live)
        except StartError as error:
            if error.our_fault:
                raise
            live.never_started(str(error))
            return live
        self._links.add(link)
        live.started(link, self.hub.now_ns())
        self.live.append(live)
        return live

    def _begin_if_complete(self, table: _Table) -> None:
        if not all(live.ready or live.gone for live in table.bots):
            return
        self._seating.remove(table)
        fixture = table.fixture
        table.match = match = Match(
            fixture.game,
            [_entrant(live) for live in table.bots],
            deal=fixture.deal,
            salt=fixture.salt,
            variant=fixture.variant,
            control=self.control,
            strikes=self.strikes,
        )
        self._playing[match.id] = table
        for seat, live in enumerate(table.bots):
            live.seat(match, seat)
        self._carry_out(table, match.begin())

    def _carry_out(self, table: _Table, orders: list[Order]) -> None:
        match = table.match
        assert match is not None
        for order in orders:  # grows while a process that is gone is asked
            live = table.bots[order.seat]
            if type(order) is not Ask:
                live.tell(order.message)  # type: ignore[union-attr]
            elif live.gone is None:
                live.ask(match, order, self.hub.now_ns())
            else:
                orders.extend(match.failed(order.seat, live.gone(match.seats[order.seat].moves)))
        if match.over:
            self._close(table, match)

    def _close(self, table: _Table, match: Match) -> None:
        if self._playing.pop(match.id, None) is None:
            return
        for live in table.bots:
            live.leave(match)
        self.finished(match, table.fixture, table.bots)
        self._open_tables()

    # --- What live bots say -------------------------------------------------------------------------

    def bot_is_ready(self, bot: LiveBot) -> None:
        """Tables that waited for it may begin."""
        for table in [table for table in self._seating if bot in table.bots]:
            self._begin_if_complete(table)

    def bot_answered(self, match: Match, seat: int, choice: int, elapsed_us: int, note: str) -> None:
        """Step the match."""
        self._carry_out(self._playing[match.id], match.answered(seat, choice, elapsed_us, note))

    def bot_failed(self, match: Match, seat: int, fault: Fault, elapsed_us: int) -> None:
        """Let the match judge; a process that lost its seat is not seated again."""
        table = self._playing[match.id]
        orders = match.failed(seat, fault, elapsed_us)
        if match.seats[seat].forfeited:
            table.bots[seat].soured = True
        self._carry_out(table, orders)
        if match.seats[seat].forfeited:
            self._send_away(table.bots[seat], match, hung=fault.code in HUNG)

    def bot_is_gone(self, bot: LiveBot) -> None:
        """Tables that waited for it begin without it, unless it died idle: that is no fault of its next match."""
        if bot in self.live:
            self.live.remove(bot)
        for table in [table for table in self._seating if bot in table.bots]:
            if bot.died_idle:
                seat = table.bots.index(bot)
                table.bots[seat] = self._find(bot.bot, table.fixture)
                table.bots[seat].reserve(table.fixture.deal)
            self._begin_if_complete(table)

    def _send_away(self, live: LiveBot, match: Match, hung: bool) -> None:
        """Let a process go that lost its last seat; one that hangs would not notice a goodbye."""
        live.leave(match)
        if live.tables or live.reserved or live not in self.live:
            return
        self.live.remove(live)
        live.dismiss()
        link = live.link
        if link is not None and hung:
            link.kill()
        elif link is not None:
            self.hub.later(GRACE_S, link.kill)

    # --- Time ---------------------------------------------------------------------------------------

    def _tick(self, now_ns: int, lag_ns: int) -> None:
        if lag_ns > STALL_NS:
            for live in self.live:
                live.forgive(lag_ns)
        if any(live.overdue(now_ns) for live in self.live):
            self.hub.turn()  # an answer may lie in the pipe already: read before judging
            for live in [live for live in self.live if live.overdue(now_ns)]:
                live.judge(now_ns)
        for live in self.live:
            live.sample_cpu()

    async def _dismiss_all(self) -> None:
        """Say goodbye to everybody; when this returns, no process of ours is left."""
        for live in self.live:
            live.dismiss()
        self.live.clear()
        await stop_all(self._links, GRACE_S)
        self._links.clear()


def _entrant(live: LiveBot) -> Entrant:
    bot = live.bot
    return Entrant(bot.name, bot.version, bot.content, bot.encoding, live.wants)
