"""The referee: drives many matches over live bots.  It knows no rulebook, no ranking and no database.

Matches are stepped by the hub as answers come in: no task each.  Deadlines are looked at every few
milliseconds; what the arena itself delayed is measured and never charged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import trio

from arena.bots.freezing import Freezer
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
RESTARTS = 3
"""How often a table waits for another process of bots that die before it begins."""

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


def _fail_loudly(fixture: Fixture, match: Match | None, error: Exception) -> None:  # noqa: ARG001
    raise error


@dataclass
class _Table:
    fixture: Fixture
    bots: list[LiveBot]
    match: Match | None = None
    starts: list[Order] = field(default_factory=list)
    held_back: dict[int, list[Order]] = field(default_factory=dict)  # for seats whose new process is not ready
    restarts: int = 0
    judged: int = 0


@dataclass
class Referee:
    """Plays fixtures, `at_once` of them at a time; `finished` hears of every match when it is over."""

    hub: Hub
    starter: Starter
    finished: Callable[[Match, Fixture, list[LiveBot]], None]
    control: TimeControl = field(default_factory=TimeControl)
    strikes: int = 3
    at_once: int = 1
    abandoned: Callable[[Fixture, Match | None, Exception], None] = _fail_loudly
    """Hears of a match that broke by the rulebook's fault; nobody is charged."""
    most_warm: int = 256
    """So many idle processes are kept for their next match."""
    ponder: bool = False
    """Whether a bot may compute while others decide."""
    seed: Callable[[], str] = lambda: ""

    def __post_init__(self) -> None:
        self.live: list[LiveBot] = []
        self.restarts = 0  # processes that died idle and were replaced
        self._links: set[Link] = set()
        self._seating: list[_Table] = []
        self._playing: dict[str, _Table] = {}
        self._fixtures: Iterator[Fixture] = iter(())
        self._closing = True
        self._done = trio.Event()
        self._freezer = Freezer()
        self._opening = False
        self._due: list[LiveBot] = []
        self.hub.after_batch = self._hand_over

    async def run(self, fixtures: Iterable[Fixture], *, closing: bool = True) -> None:
        """Play all fixtures, then let every process go.  The hub must be running.

        With `closing=False` the iterator may run dry and have more later: say so with `more`, and `close` at last.
        """
        self._fixtures = iter(fixtures)
        self._closing = closing
        ticks = self.hub.every(TICK_S, self._tick)
        try:
            self.more()
            await self._done.wait()
            await self._dismiss_all()
        finally:
            ticks.cancel()

    def more(self) -> None:
        """There may be fixtures again."""
        self._open_tables()
        self._hand_over(self.hub.now_ns())

    def close(self) -> None:
        """What is under way and what is still to come is played; then `run` ends."""
        self._closing = True
        self.more()

    def send_home(self, bot: LiveBot) -> None:
        """Say goodbye to one that waits for its next match."""
        assert bot.idle
        self._let_go(bot)

    def forget(self, deal: bytes) -> None:
        """A deal that never comes again need not be remembered by those who met it."""
        for live in self.live:
            live.met.discard(deal)

    def playing(self) -> list[Match]:
        """The matches under way."""
        return [table.match for table in self._playing.values() if table.match is not None]

    # --- Tables -------------------------------------------------------------------------------------

    def _open_tables(self) -> None:
        if self._opening:
            return  # a match of bots that cannot start is over while it is being opened: the loop below goes on
        self._opening = True
        while len(self._seating) + len(self._playing) < self.at_once:
            fixture = next(self._fixtures, None)
            if fixture is None:
                if self._closing and not self._seating and not self._playing:
                    self._done.set()
                break
            table = _Table(fixture, [self._find(bot, fixture) for bot in fixture.bots])
            self._seating.append(table)
            self._begin_if_complete(table)
        self._opening = False

    def _find(self, bot: Bot, fixture: Fixture) -> LiveBot:
        """A process promised to this table: a warm one that has not met its deal, or a new one."""
        deal, task = fixture.deal, (fixture.game.name, fixture.variant.changes())
        for live in self.live:
            if live.bot is bot and live.free and deal not in live.met and live.prepared_for == task:
                break
        else:
            live = self._start(bot, fixture)
        live.reserve(deal)
        return live

    def _start(self, bot: Bot, fixture: Fixture) -> LiveBot:
        idle = [live for live in self.live if live.idle and not live.bot.remote]
        if len(idle) >= self.most_warm:
            self._let_go(idle[0])  # the longest served: whoever plays now came later
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
        self._links = {link for link in self._links if not link.gone.is_set()} | {link}
        live.started(link, self.hub.now_ns())
        self.live.append(live)
        return live

    def _begin_if_complete(self, table: _Table) -> None:
        if not all(live.ready or live.gone for live in table.bots):
            return None
        self._seating.remove(table)
        fixture = table.fixture
        try:
            match = Match(
                fixture.game,
                [_entrant(live) for live in table.bots],
                deal=fixture.deal,
                salt=fixture.salt,
                variant=fixture.variant,
                control=self.control,
                strikes=self.strikes,
            )
            orders = match.begin()
        except Exception as error:  # the rulebook's mistake: it may be anything
            return self._abandon(table, error)
        table.match = match
        self._playing[match.id] = table
        for seat, live in enumerate(table.bots):
            live.seat(match, seat)
        table.starts = [order for order in orders if type(order) is not Ask]
        return self._carry_out(table, orders)

    def _abandon(self, table: _Table, error: Exception) -> None:
        """The match cannot go on, by nobody's fault; who sat there has seen its cards and is let go."""
        if table.match is not None:
            self._playing.pop(table.match.id, None)
        for seat, live in enumerate(table.bots):
            if table.match is None or seat in table.held_back:
                live.reserved -= 1
            else:
                live.leave(table.match)
            live.soured = True
            if live.idle:
                self._let_go(live)
        self.abandoned(table.fixture, table.match, error)
        self._open_tables()

    def _carry_out(self, table: _Table, orders: list[Order]) -> None:
        match = table.match
        assert match is not None
        if len(orders) == 1 and not table.held_back:  # the common case: one seat is asked next
            (order,) = orders
            live = table.bots[order.seat]
            if type(order) is Ask and live.gone is None:
                return live.ask(match, order, self.hub.now_ns())
        for order in orders:  # grows while a process that is gone is asked
            live = table.bots[order.seat]
            if order.seat in table.held_back:
                table.held_back[order.seat].append(order)
            elif type(order) is not Ask:
                live.tell(order.message)  # type: ignore[union-attr]
            elif live.gone is None:
                live.ask(match, order, self.hub.now_ns())
            else:
                try:
                    orders.extend(match.failed(order.seat, live.gone(match.seats[order.seat].moves)))
                except Exception as error:  # as in `bot_answered`
                    return self._abandon(table, error)
        while table.judged < len(match.verdicts):
            verdict = match.verdicts[table.judged]
            table.judged += 1
            if verdict.forfeit:
                self._send_away(table.bots[verdict.seat], match, hung=verdict.code in HUNG)
        if match.over:
            self._close(table, match)
        return None

    def _close(self, table: _Table, match: Match) -> None:
        if self._playing.pop(match.id, None) is None:
            return
        for seat in table.held_back:
            table.bots[seat].seat(match, seat)
        for live in table.bots:
            live.leave(match)
            if live.soured and live.idle:
                self._let_go(live)
        self.finished(match, table.fixture, table.bots)
        self._open_tables()

    # --- What live bots say -------------------------------------------------------------------------

    def now_ns(self) -> int:
        """The hub's time."""
        return self.hub.now_ns()

    def bot_is_ready(self, bot: LiveBot) -> None:
        """Tables that waited for it may begin."""
        for table in [table for table in self._seating if bot in table.bots]:
            self._begin_if_complete(table)
        self._catch_up(bot)

    def bot_answered(self, match: Match, seat: int, choice: int, elapsed_us: int, note: str) -> None:
        """Step the match."""
        table = self._playing[match.id]
        try:
            orders = match.answered(seat, choice, elapsed_us, note)
        except Exception as error:  # the rulebook's mistake: it may be anything
            return self._abandon(table, error)
        bot = table.bots[seat]
        self._carry_out(table, orders)
        if self._freezer.caught:
            self._freezer.turn_over(bot)
        return None

    def bot_failed(self, match: Match, seat: int, fault: Fault, elapsed_us: int) -> None:
        """Let the match judge."""
        table = self._playing[match.id]
        try:
            orders = match.failed(seat, fault, elapsed_us)
        except Exception as error:  # as in `bot_answered`
            return self._abandon(table, error)
        return self._carry_out(table, orders)

    def bot_is_due(self, bot: LiveBot) -> None:
        """It gets its requests at the end of this turn."""
        self._due.append(bot)

    def _hand_over(self, now_ns: int) -> None:
        while self._due:  # whoever is asked may answer at once
            due, self._due = self._due, []
            for bot in due:
                bot.hand_over(now_ns)

    def bot_is_gone(self, bot: LiveBot) -> None:
        """Tables that waited for it begin without it, unless it died idle: that is no fault of its next match."""
        self._let_go(bot)
        for table in [table for table in self._seating if bot in table.bots]:
            if bot.was_ready and table.restarts < RESTARTS:
                self._restart(table, bot)
            self._begin_if_complete(table)
        for table in [table for table in self._playing.values() if bot in table.bots]:
            assert table.match is not None
            asks = bot.untouched(table.match)
            if asks is not None:
                seat = table.bots.index(bot)
                table.held_back[seat] = [*(order for order in table.starts if order.seat == seat), *asks]
                self._catch_up(self._restart(table, bot))
        self._catch_up(bot)

    def _restart(self, table: _Table, bot: LiveBot) -> LiveBot:
        """Another process takes the place of one that died before it did anything there."""
        self.restarts += 1
        table.restarts += 1
        table.bots[table.bots.index(bot)] = live = self._find(bot.bot, table.fixture)
        return live

    def _catch_up(self, bot: LiveBot) -> None:
        """Hand over what was held back for a new process, or learn that it failed as well."""
        if not bot.ready and not bot.gone:
            return
        for table in [table for table in self._playing.values() if bot in table.bots]:
            seat = table.bots.index(bot)
            orders = table.held_back.pop(seat, None)
            if orders is not None and table.match is not None:
                bot.seat(table.match, seat)
                self._carry_out(table, orders)

    def _send_away(self, live: LiveBot, match: Match, hung: bool) -> None:
        """A process that lost a seat is not seated again, and goes when it has lost its last one."""
        live.soured = True
        live.leave(match)
        if live.idle:
            self._let_go(live, hung)

    def _let_go(self, live: LiveBot, hung: bool = False) -> None:
        """Say goodbye; one that hangs would not notice."""
        if live in self.live:
            self.live.remove(live)
        live.dismiss()
        if live.link is not None and hung:
            live.link.kill()
        elif live.link is not None:
            self.hub.later(GRACE_S, live.link.kill)

    # --- Time ---------------------------------------------------------------------------------------

    def _tick(self, now_ns: int, lag_ns: int) -> None:
        stalled = lag_ns > STALL_NS
        if stalled or any(live.overdue(now_ns) for live in self.live):
            self.hub.turn()  # an answer may lie in the pipe already: read before forgiving or judging
            for live in self.live.copy():
                if stalled:
                    live.forgive(now_ns, lag_ns)
                if live.overdue(now_ns):
                    live.judge(now_ns)
        for live in self.live:
            live.sample_cpu(now_ns)
        if not self.ponder:
            self._freezer.look(self.live, now_ns)

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
