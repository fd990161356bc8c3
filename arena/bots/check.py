"""May a bot enter a ladder?  Its conformance, step by step, with real processes and the real referee.

How a process is started is handed in, so that a bot is checked as it will be run.  Nothing is printed here.
"""

from __future__ import annotations

import difflib
import secrets
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from arena.bots.live import LiveBot
from arena.bots.manifest import Bot, BotError
from arena.bots.sparring import DESERTER, PARTNER, SPARRING
from arena.bots.tapping import Tap
from arena.clock import TimeControl
from arena.game import Game
from arena.games import GAMES
from arena.match import Match
from arena.referee import GRACE_S, Fixture, Referee, Starter
from arena.transports import Hub, Link, Owner, memory
from arena.verdicts import Verdict
from protocol.errors import RemoteProtocolError, printable
from protocol.messages import PROTOCOL_VERSION
from protocol.session import agree

USUAL: Final = TimeControl()
TINY_MS: Final = 100
BRIEF_MS: Final = 500
"""Waited for an answer that was lost on purpose; a bot on a busy machine may need as much for its next."""

MOST_TABLES: Final = 16
"""So many tables at once are tried of those a bot claims."""

LONG_NS: Final = 10_000_000_000
"""A bot that needs longer than this for one game is not asked to play from every seat."""

REMEDY: Final = {
    "START": "A bot says hello as soon as it runs, and ready when it has prepared; it must flush its output.",
    "IDLE": "Answer every request of an ask, and flush the output after each message.",
    "TIMEOUT": "A request says in time_ms how long the bot may think; answer before that.",
    "CRASH": "The process was killed by a signal; its last words may say where.",
    "EXIT": 'A bot leaves only when it reads type "bye" or the end of its input.',
    "PROTOCOL": "Compare what came with the examples in protocol/vectors/vectors.json.",
    "ILLEGAL": "An answer is the index of an option: 0 for the first, never the number of options.",
    "MEMORY": "Load less, or ask whoever runs the ladder for a higher limit.",
    "OUTPUT": "stdout carries messages only, each below 64 KiB; print to stderr.",
}
LEAVE: Final = 'A bot should leave its loop when it reads type "bye" or the end of its input.'

Result = Literal["ok", "FAILED"]
Builder = Callable[[Bot], Awaitable[Bot]]
"""Makes the program of a bot; raises BotError with what the build said."""


@dataclass(frozen=True)
class Step:
    """What was tried, how it went, and what to know if it failed."""

    number: int
    title: str
    result: Result
    detail: str = ""
    told: tuple[str, ...] = ()
    warning: bool = False
    """It failed, but may enter a ladder all the same."""


class _Failed(Exception):
    """A step failed; the lines say what, and what to do."""

    def __init__(self, *told: str) -> None:
        super().__init__(*told)
        self.told = told


def may_enter(steps: Iterable[Step]) -> bool:
    """Whether nothing failed but warnings."""
    return not any(step.result == "FAILED" and not step.warning for step in steps)


@dataclass
class _Run:
    """What one referee saw of the bot."""

    taps: list[Tap] = field(default_factory=list)
    matches: list[tuple[Match, int]] = field(default_factory=list)

    def verdicts(self) -> list[Verdict]:
        """What the bot was charged with."""
        return [verdict for match, seat in self.matches for verdict in match.verdicts if verdict.seat == seat]

    def answers_us(self) -> list[int]:
        """How long it thought, answer by answer."""
        return [
            entry[3]
            for match, seat in self.matches
            for entry in match.inputs
            if entry[0] == seat and entry[1] == "answer"
        ]


class Checker:
    """Checks one bot; `heard` is told each step when it is done."""

    def __init__(
        self,
        bot: Bot,
        hub: Hub,
        starter: Starter,
        heard: Callable[[Step], None],
        control: TimeControl = USUAL,
        before: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """`before` is awaited whenever the bot is about to be started."""
        self.bot = bot
        self.control = control
        self.steps: list[Step] = []
        self._hub, self._starter, self._heard, self._before = hub, starter, heard, before
        self._first = _Run()
        self._slowest_us = 0
        self._stays = True

    async def check(self, only: str | None = None, build: Builder | None = None) -> list[Step]:
        """Every step, as far as they make sense; `only` names one game, else it is checked in all it claims.

        What `build` makes of the bot is what is checked, and is `self.bot` afterwards.
        """
        wanted = [only] if only else list(self.bot.games or GAMES)
        known = [GAMES[name] for name in wanted if name in GAMES]
        if self.bot.build and build is not None and not await self._step("build", self._build(build)):
            return self.steps
        if known and not await self._begin(known[0]):
            return self.steps
        for name in wanted:
            await self._step(_title(name), self._play_game(name))
        if known:
            await self._go_further(known[0])
        return self.steps

    async def _begin(self, game: type[Game]) -> bool:
        """One match, looked at from six sides; after the first that fails there is nothing to see."""
        self._first = await self._play(_table(self.bot, game, game.seats_allowed[0], 0))
        for title, tried in (
            ("start the process", self._starts),
            (f"hello, protocol {PROTOCOL_VERSION}", self._greets),
            ("hello agrees with bot.toml", lambda: self._agrees(game)),
            (f"prepare for {game.name}, ready", self._gets_ready),
            ("answer the first question", self._answers),
            ("answer by the id of the request", self._echoes),
        ):
            if not await self._step(title, tried()):
                return False
        return True

    async def _go_further(self, game: type[Game]) -> None:
        hello = self._first.taps[0].hello
        assert hello is not None
        await self._step("stay for the next match", self._stays_seated(), warning=True)
        await self._step(f"decide within {TINY_MS} ms", self._keeps_tiny_budget(game), warning=True)
        tables = min(MOST_TABLES, max(self.bot.tables, hello.tables))
        if tables > 1:
            await self._step(f"play {tables} tables at once", self._plays_many(game, tables))
        await self._step("survive an opponent's forfeit", self._survives(game))
        await self._step("go on after a forced move", self._goes_on(game))
        await self._step(f"leave within {GRACE_S:.0f} s when told", self._leaves(), warning=True)

    async def _step(self, title: str, trying: Awaitable[str], *, warning: bool = False) -> bool:
        number = len(self.steps) + 1
        try:
            step = Step(number, title, "ok", printable(await trying))
        except _Failed as failed:
            step = Step(number, title, "FAILED", "", tuple(map(printable, failed.told)), warning)
        self.steps.append(step)
        self._heard(step)
        return step.result == "ok"

    # --- The beginning ------------------------------------------------------------------------------

    async def _build(self, build: Builder) -> str:
        command = " ".join(self.bot.build)
        try:
            self.bot = await build(self.bot)
        except BotError as error:
            raise _Failed(
                *str(error).splitlines(), "Run the build line of bot.toml by hand in its folder."
            ) from None
        return command

    async def _starts(self) -> str:
        if self._first.taps[0].link is None:
            raise self._failure(self._first, "Check run in bot.toml: it is a list, the program first.")
        return ""

    async def _greets(self) -> str:
        tap = self._first.taps[0]
        if tap.hello is None or PROTOCOL_VERSION not in tap.hello.protocol:
            raise self._failure(
                self._first, f'The first message is {{"type":"hello","protocol":[{PROTOCOL_VERSION}],"name":"…"}}.'
            )
        return _ms(tap.hello_ns - tap.started_ns)

    async def _agrees(self, game: type[Game]) -> str:
        tap = self._first.taps[0]
        hello = tap.hello
        assert hello is not None
        for name in self.bot.games or (game.name,):
            try:
                agree(hello, name)
            except RemoteProtocolError as error:
                told = (f"{error.text}.", *tap.exchange(), "Name the same games in hello as in bot.toml.")
                raise _Failed(*told) from None
        if self.bot.tables > hello.tables:
            raise _Failed(
                f"bot.toml says tables = {self.bot.tables}, hello says {hello.tables}.", "Say the same in both."
            )
        return " ".join((hello.name, hello.version)).strip()

    async def _gets_ready(self) -> str:
        if not self._first.taps[0].ready:
            raise self._failure(self._first, REMEDY["START"])
        return ""

    async def _answers(self) -> str:
        tap, verdicts = self._first.taps[0], self._first.verdicts()
        if tap.answers == 0 or (verdicts and verdicts[0].move <= 1 and not tap.strange_ids):
            raise self._failure(self._first)
        return _ms(1000 * (self._first.answers_us() or [0])[0])

    async def _echoes(self) -> str:
        tap = self._first.taps[0]
        if tap.strange_ids:
            raise self._failure(
                self._first, "An answer carries the id of the request it answers, character by character."
            )
        return ""

    # --- Playing ------------------------------------------------------------------------------------

    async def _play_game(self, name: str) -> str:
        if name not in GAMES:
            near = difflib.get_close_matches(name, GAMES, 1)
            hint = f'did you mean "{near[0]}"?' if near else f"known: {', '.join(GAMES)}"
            raise _Failed(f'There is no game "{name}"; {hint}', "Mend games in bot.toml.")
        game = GAMES[name]
        # Every number of seats first; of a bot that thinks long, not every seat of each is tried.
        places = sorted((seat, seats) for seats in game.seats_allowed for seat in range(seats))
        tables = [_table(self.bot, game, seats, seat) for seat, seats in places]
        run = await self._play(*tables, enough=len(game.seats_allowed))
        self._demand_no_verdict(run)
        self._stays &= len(run.taps) == 1
        times = run.answers_us()
        self._slowest_us = max(self._slowest_us, *times)
        return f"{len(run.matches)} matches, {len(times)} answers, slowest {_ms(1000 * max(times))}"

    async def _stays_seated(self) -> str:
        if not self._stays:
            raise _Failed(
                f"{self.bot.name} left when a match was over; it was started again for the next.",
                "One process plays match after match: go on reading after end, until bye.",
            )
        return ""

    async def _keeps_tiny_budget(self, game: type[Game]) -> str:
        run = await self._play(_table(self.bot, game, game.seats_allowed[0], 0), move_ms=TINY_MS)
        self._demand_no_verdict(
            run, "It may enter ladders that give more time; the request says how much there is."
        )
        return f"slowest {_ms(1000 * max(run.answers_us()))}"

    async def _plays_many(self, game: type[Game], tables: int) -> str:
        fixtures = [_table(self.bot, game, game.seats_allowed[0], 0) for _ in range(tables)]
        run = await self._play(*fixtures, tables=tables)
        self._demand_no_verdict(run, "Keep what a bot remembers apart by the match named in start, ask and end.")
        return f"{len(run.answers_us())} answers"

    async def _survives(self, game: type[Game]) -> str:
        seats = min(3, game.seats_allowed[-1])
        run = await self._play(
            _table(self.bot, game, seats, 0, DESERTER), _table(self.bot, game, game.seats_allowed[0], 0)
        )
        self._demand_no_verdict(run)
        if self._stays and len(run.taps) > 1:
            raise _Failed(
                f"{self.bot.name} left after a match in which an opponent had forfeited.",
                "Ranks in end need not follow scores: who forfeits is last.",
                *_stderr(run.taps[0]),
            )
        return ""

    async def _goes_on(self, game: type[Game]) -> str:
        """One of its answers is lost on the way: as if its time had been up."""
        move_ms = max(BRIEF_MS, min(self.control.move_ms, self._slowest_us * 4 // 1000))
        table = _table(self.bot, game, game.seats_allowed[0], 0)
        run = await self._play(table, move_ms=move_ms, swallow=True)
        verdicts = run.verdicts()
        if len(verdicts) != 1:
            raise self._failure(run, 'After "forced" the match goes on: answer the next request.', at=-1)
        return verdicts[0].code

    async def _leaves(self) -> str:
        seconds = self._first.taps[0].leaving_s()
        if seconds >= GRACE_S:
            raise _Failed(f'{self.bot.name} was still running {GRACE_S:.1f} s after "bye"; it was killed.', LEAVE)
        return f"{1000 * seconds:.0f} ms"

    # --- Inside -------------------------------------------------------------------------------------

    async def _play(
        self,
        *fixtures: Fixture,
        move_ms: int | None = None,
        tables: int = 1,
        swallow: bool = False,
        enough: int | None = None,
    ) -> _Run:
        """Have these matches refereed, until the bot has lost a seat, or takes long and has played `enough`."""
        run = _Run()
        until_ns = self._hub.now_ns() + LONG_NS

        def as_long_as_it_goes_well() -> Iterator[Fixture]:
            for number, fixture in enumerate(fixtures):
                long = enough is not None and number >= enough and self._hub.now_ns() > until_ns
                if not long and not any(verdict.forfeit for verdict in run.verdicts()):
                    yield fixture

        def finished(match: Match, fixture: Fixture, bots: list[LiveBot]) -> None:  # noqa: ARG001
            run.matches.append((match, fixture.bots.index(self.bot)))

        def starter(bot: Bot, owner: Owner) -> Link:
            if bot.name in SPARRING and bot is not self.bot:
                return memory.start(self._hub, SPARRING[bot.name], owner=owner, name=bot.name)
            assert isinstance(owner, LiveBot)
            owner.capacity = tables
            tap = Tap(owner, self._hub, swallow=swallow)
            run.taps.append(tap)
            return tap.attach(self._starter(bot, tap))

        if self._before is not None:
            await self._before()
        control = replace(self.control, move_ms=move_ms or self.control.move_ms)
        await Referee(self._hub, starter, finished, control, at_once=tables).run(as_long_as_it_goes_well())
        return run

    def _demand_no_verdict(self, run: _Run, *more: str) -> None:
        if run.verdicts():
            raise self._failure(run, *more)

    def _failure(self, run: _Run, *more: str, at: int = 0) -> _Failed:
        """What happened, what was said just before, its last words, and what to do."""
        verdicts = run.verdicts()
        text = [f"{verdicts[at].code}: {verdicts[at].text}."] if verdicts else []
        remedy = [REMEDY[verdicts[at].code]] if verdicts and not more and verdicts[at].code in REMEDY else []
        tap = run.taps[-1]
        said = [] if tap.link is None else tap.exchange()
        return _Failed(*text, *said, *_stderr(tap), *more, *remedy)


def _stderr(tap: Tap) -> list[str]:
    return [f"stderr: {line}" for line in tap.last_words()]


def _table(bot: Bot, game: type[Game], seats: int, seat: int, first_opponent: Bot = PARTNER) -> Fixture:
    """The bot in this seat, partners in the others."""
    others = [first_opponent, *[PARTNER] * (seats - 2)]
    bots = (*others[:seat], bot, *others[seat:])
    return Fixture(game, game.variant_type(), bots, secrets.token_bytes(32), secrets.token_bytes(32))


def _title(game: str) -> str:
    if game not in GAMES:
        return f"play {game}"
    seats = GAMES[game].seats_allowed
    return f"play {game}, {seats[0]} to {seats[-1]} seats"


def _ms(ns: int) -> str:
    return f"{ns / 1e6:.1f} ms"
