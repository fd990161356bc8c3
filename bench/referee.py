"""What refereeing costs: decisions per second and the arena's own processor time, beside their limits and peers.

    python -m bench.referee [--seconds S] [--rounds N] [--plain]

P1  arena CPU per decision, everything on, 32 matches of SheepZzz between C bots
P2  of which hub, pipes and framing: the same frames through our links with no game behind them
P3  decisions per second of one worker, beside the python-chess engine driver with an instant C engine
P4  growth of P1 from 8 matches to 256
The limit is a bare Python epoll loop that exchanges the very same frames with the same bots, as many at once.

The goals are read with the bots on any core, as the limits and peers they were set by ran: a hundred thousand
bare exchanges a second leave no room for the bots on the core that makes them.  Beside each stands the same with
all on one core, as a worker has its bots where cores are scarce.  All in short turns in one run: read the ratios.
A ratio is taken within every round, where both sides had the same neighbours, and the median of these is told; a
busy neighbour makes much code dearer than little, so what the best rounds say stands by.
"""

from __future__ import annotations

import argparse
import os
import select
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import trio

from arena import record
from arena.bots.live import LiveBot
from arena.bots.manifest import Bot
from arena.chance import derive
from arena.clock import TimeControl
from arena.games import GAMES
from arena.match import Ask, Entrant, Match
from arena.referee import Fixture, Referee
from arena.runner.worker import collect_garbage_rarely
from arena.transports import Ending, Hub, Link, Owner, stdio
from bench.forms import FORM, in_its_form, offer_both
from bench.goals import tell
from protocol.codec import CODECS
from protocol.framing import LengthPrefixed
from protocol.messages import PROTOCOL_VERSION, Limits, Prepare, Welcome
from protocol.session import Session

HERE = Path(__file__).parent
GAME = GAMES["sheepzzz"]
SECRET = bytes(32)


@dataclass(frozen=True)
class Figure:
    """One measurement: round trips, wall and processor seconds of this process."""

    decisions: int
    wall_s: float
    cpu_s: float

    @property
    def rate(self) -> float:
        return self.decisions / self.wall_s

    @property
    def cpu_us(self) -> float:
        return self.cpu_s / self.decisions * 1e6


def build(source: str) -> list[str] | None:
    """Compile a C program of the bench; None, with a word, where there is no compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        print(f"no C compiler: {source} is left out. Try: apt install gcc")
        return None
    target = HERE / "build" / Path(source).stem
    target.parent.mkdir(exist_ok=True)
    subprocess.run([compiler, "-O2", "-o", str(target), str(HERE / "bots" / source)], check=True)
    return [str(target)]


def bot_of(name: str, run: list[str]) -> Bot:
    return Bot(name, "1", "bench", (), tuple(run), "msgpack", HERE, "", sample=True)


# --- The arena, everything on ---------------------------------------------------------------------------


def refereed(bot: Bot, at_once: int, seconds: float) -> Figure:
    """Matches without end, stopped after a while; records are made and packed, and thrown away."""

    ended = 0

    def finished(match: Match, fixture: Fixture, bots: list[LiveBot]) -> None:  # noqa: ARG001
        nonlocal ended
        ended += len(match.inputs)
        record.pack(record.document_of(match, "none"))

    def fixtures() -> Iterator[Fixture]:
        for number in count():
            deal = derive(SECRET, "deal", number)
            yield Fixture(GAME, GAME.variant_type(), (bot, bot), deal, derive(SECRET, "table", number))

    def decisions(referee: Referee) -> int:
        return ended + sum(len(match.inputs) for match in referee.playing())

    async def run() -> Figure:
        hub = Hub()

        def starter(bot: Bot, owner: Owner) -> Link:
            return stdio.start(
                hub, list(bot.run), cwd=str(HERE), env=bot.environment(), owner=owner, name=bot.name
            )

        referee = Referee(hub, starter, finished, TimeControl(), at_once=at_once)
        async with trio.open_nursery() as nursery:
            await nursery.start(hub.run)
            nursery.start_soon(referee.run, fixtures())
            while len(referee.playing()) < at_once:  # starting the processes is not what is measured
                await trio.sleep(0.01)
            before, wall, cpu = decisions(referee), time.perf_counter(), time.process_time()
            await trio.sleep(seconds)
            played = decisions(referee) - before
            figure = Figure(played, time.perf_counter() - wall, time.process_time() - cpu)
            nursery.cancel_scope.cancel()
        return figure

    return trio.run(run)


# --- The very same frames, with no game behind them -------------------------------------------------------


def frames_of_a_match() -> tuple[bytes, list[bytes]]:
    """What a bot must hear before it answers, and the asks of one real match."""
    codec, frame = CODECS["msgpack"], LengthPrefixed().frame
    opening = frame(codec.encode(Welcome(PROTOCOL_VERSION, 1, Limits(), "")))
    opening += frame(codec.encode(Prepare(GAME.name, {}, 1000)))
    match = Match(GAME, [Entrant("a"), Entrant("b")], deal=SECRET, salt=SECRET)
    asks = []
    orders = match.begin()
    while orders:
        order = orders.pop(0)
        if isinstance(order, Ask):
            asks.append(frame(codec.ask([order.packed])))
            orders += match.answered(order.seat, match.seats[order.seat].default, 10)
    return opening, asks


class Sender:
    """The owner of a link that asks the other seat whenever an answer is complete: our transport and no more."""

    def __init__(self, asks: list[bytes]) -> None:
        self.asks = asks
        self.session = Session("arena", CODECS["msgpack"])
        self.heard = 0
        self.other: Link

    def received(self, link: Link, data: bytes, now_ns: int, lag_ns: int) -> None:  # noqa: ARG002
        for payload in self.session.frames(data):
            self.heard += 1
            if self.heard > 2:  # hello, ready, and then answers
                self.session.codec.decode_answer_fast(payload)
                self.other.send(self.asks[self.heard % len(self.asks)])

    def handed_over(self, link: Link, now_ns: int) -> None: ...

    def lost(self, link: Link, ending: Ending) -> None: ...


def carried(bot: Bot, matches: int, seconds: float) -> Figure:
    """Hub, links and framing, two processes per match of which one is asked at a time."""
    opening, asks = frames_of_a_match()

    async def run() -> Figure:
        hub = Hub()
        senders = [Sender(asks) for _ in range(2 * matches)]
        async with trio.open_nursery() as nursery:
            await nursery.start(hub.run)
            links = [
                stdio.start(hub, bot.run, cwd=str(HERE), env=bot.environment(), owner=sender, name=bot.name)
                for sender in senders
            ]
            for place, sender in enumerate(senders):
                links[place].send(opening)
                sender.other = links[place ^ 1]
            while any(sender.heard < 2 for sender in senders):
                await trio.sleep(0.01)
            for link in links[::2]:
                link.send(asks[0])
            before, wall, cpu = sum(s.heard for s in senders), time.perf_counter(), time.process_time()
            await trio.sleep(seconds)
            heard = sum(s.heard for s in senders) - before
            figure = Figure(heard, time.perf_counter() - wall, time.process_time() - cpu)
            nursery.cancel_scope.cancel()
        return figure

    return trio.run(run)


def blocking(bot: Bot, seconds: float) -> Figure:
    """The simplest exchange there is: one match, write a frame, block until the answer is there."""
    return bare(bot, 1, seconds, select_first=False)


def bare(bot: Bot, matches: int, seconds: float, *, select_first: bool = True) -> Figure:
    """The limit: one epoll, read an answer, write the next frame to the other seat; nothing is looked at."""
    opening, asks = frames_of_a_match()
    poll = select.epoll()
    processes = []
    write_to: dict[int, int] = {}
    read_from: list[int] = []
    for _ in range(2 * matches):
        process = subprocess.Popen(
            bot.run, cwd=HERE, env=bot.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert process.stdin is not None and process.stdout is not None
        processes.append(process)
        out, into = process.stdout.fileno(), process.stdin.fileno()
        reader = LengthPrefixed()
        os.write(into, opening)
        heard = 0
        while heard < 2:
            heard += len(reader.feed(os.read(out, 65536)))
        poll.register(out, select.EPOLLIN)
        read_from.append(out)
        write_to[out] = into
    for seat, other in zip(read_from[::2], read_from[1::2], strict=True):
        os.write(write_to[seat], asks[0])
        write_to[seat], write_to[other] = write_to[other], write_to[seat]
    trips, frames = 0, len(asks)
    wall, cpu = time.perf_counter(), time.process_time()
    while time.perf_counter() - wall < seconds:
        for ready, _ in poll.poll() if select_first else [(read_from[trips % 2], 0)]:
            os.read(ready, 65536)
            trips += 1
            os.write(write_to[ready], asks[trips % frames])
    figure = Figure(trips, time.perf_counter() - wall, time.process_time() - cpu)
    for process in processes:
        process.kill()
        process.communicate()
    poll.close()
    return figure


def chess_driver(engine: list[str], seconds: float) -> Figure | None:
    """The python-chess engine driver, one instant engine, sync calls."""
    try:
        import chess
        import chess.engine
    except ImportError:
        print("python-chess is not installed: P3 has no peer. Try: pip install -e '.[bench]'")
        return None
    moves = 0
    with chess.engine.SimpleEngine.popen_uci(engine) as driver:
        board = chess.Board()
        wall, cpu = time.perf_counter(), time.process_time()
        while time.perf_counter() - wall < seconds:
            driver.play(board, chess.engine.Limit(nodes=1))
            moves += 1
        return Figure(moves, time.perf_counter() - wall, time.process_time() - cpu)


# --- The report ------------------------------------------------------------------------------------------


Name = tuple[str, str]
"""A layout, and what is measured in it."""


@dataclass(frozen=True)
class Rounds:
    """What was seen of one measure, a figure for every round."""

    figures: list[Figure]

    @property
    def rate(self) -> float:
        return statistics.median(figure.rate for figure in self.figures)

    @property
    def cpu_us(self) -> float:
        return statistics.median(figure.cpu_us for figure in self.figures)

    @property
    def best_cpu_us(self) -> float:
        return min(figure.cpu_us for figure in self.figures)

    def cost_beside(self, other: Rounds) -> float:
        """How many times the other's processor time it takes, the two of a round compared."""
        pairs = zip(self.figures, other.figures, strict=True)
        return statistics.median(ours.cpu_us / theirs.cpu_us for ours, theirs in pairs)


def in_turns(measures: dict[Name, Callable[[], Figure | None]], rounds: int) -> dict[Name, Rounds]:
    """Every measure once in every round."""
    seen: dict[Name, list[Figure]] = {name: [] for name in measures}
    for _ in range(rounds):
        for name, measure in measures.items():
            figure = measure()
            if figure is not None:
                seen[name].append(figure)
    return {name: Rounds(figures) for name, figures in seen.items() if figures}


def on(cores: set[int], measure: Callable[[], Figure | None]) -> Callable[[], Figure | None]:
    """The measure with this process and all it starts on these cores."""

    def there() -> Figure | None:
        os.sched_setaffinity(0, cores)
        return measure()

    return there


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--rounds", type=int, default=10)
    offer_both(parser)
    options = parser.parse_args()
    in_its_form("referee", options.plain)
    collect_garbage_rarely()  # as a worker does
    seconds = options.seconds
    trivial, engine = build("trivial.c"), build("instant_uci.c")
    if trivial is None or engine is None:
        sys.exit("the goals are stated for C bots")
    c_bot = bot_of("trivial-c", trivial)
    py_bot = bot_of("trivial-python", [sys.executable, str(HERE / "bots" / "trivial.py")])
    measures: dict[str, Callable[[], Figure | None]] = {
        "blocking ping-pong": lambda: blocking(c_bot, seconds),
        "carried": lambda: carried(c_bot, 32, seconds),
        "epoll ping-pong": lambda: bare(c_bot, 32, seconds),
        "arena 32": lambda: refereed(c_bot, 32, seconds),
        "arena 8": lambda: refereed(c_bot, 8, seconds),
        "arena 256": lambda: refereed(c_bot, 256, seconds),
        "arena 8 python": lambda: refereed(py_bot, 8, seconds),
        "python-chess": lambda: chess_driver(engine, seconds),
    }
    every = os.sched_getaffinity(0)
    layouts = {"any core": every, "one core": {min(every)}}
    got = in_turns(
        {(layout, name): on(cores, measures[name]) for layout, cores in layouts.items() for name in measures},
        options.rounds,
    )
    print(f"\nThe referee, {FORM}")
    print(f"{'':<34}{'decisions/s':>12}{'arena CPU µs':>14}{'best':>8}")
    for (layout, name), seen in got.items():
        print(f"{name + ', ' + layout:<34}{seen.rate:>12,.0f}{seen.cpu_us:>14.1f}{seen.best_cpu_us:>8.1f}")
    judge(got)


def judge(got: dict[Name, Rounds]) -> None:
    """Every goal on any core, with its best rounds and the same on one core beside it."""

    def tell_costs(number: str, dear: str, cheap: str | None = None) -> None:
        def usual(layout: str) -> float:
            ours = got[layout, dear]
            return ours.cost_beside(got[layout, cheap]) if cheap else ours.cpu_us

        best = got["any core", dear].best_cpu_us / (got["any core", cheap].best_cpu_us if cheap else 1)
        tell(number, usual("any core"), f"{best:.2f} at best; {usual('one core'):.2f} with all on one core")

    tell_costs("P1", "arena 32")
    tell_costs("P1b", "arena 32", "epoll ping-pong")
    tell_costs("P2", "carried", "epoll ping-pong")
    if ("any core", "python-chess") in got:
        apart, together = (
            got[on, "arena 32"].rate / got[on, "python-chess"].rate for on in ("any core", "one core")
        )
        tell("P3", apart, f"{together:.2f} with all on one core")
    tell_costs("P4", "arena 256", "arena 8")


if __name__ == "__main__":
    main()
