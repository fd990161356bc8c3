"""What the arena weighs: the time to its first words and its first match, the memory of a match and of a warm bot.

    python -m bench.footprint [--rounds N]

P13  `arena --help` beside `python -c pass`
P16  memory of this process per match under way, between 32 and 256 of them
and  a first match from nothing beside `python -c pass`, and the memory of a bot that waits for its next match
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import repeat
from pathlib import Path

import trio

from arena.bots.live import LiveBot
from arena.bots.manifest import Bot
from arena.chance import derive
from arena.clock import TimeControl
from arena.games import GAMES
from arena.match import Match
from arena.referee import Fixture, Referee
from arena.transports import Hub, Link, Owner, stdio
from bench.goals import tell
from bench.referee import HERE, SECRET, bot_of, build

GAME = GAMES["sheepzzz"]
FEW, MANY = 32, 256


def seconds(*words: str) -> float:
    """How long a command takes in an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        subprocess.run([sys.executable, *words], cwd=folder, stdout=subprocess.DEVNULL, check=True)
        return time.perf_counter() - began


def resident_kb() -> int:
    """What this process holds now."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * 4


def fixtures(bots: Iterable[Bot]) -> Iterator[Fixture]:
    """Every bot against itself, each on a deal of its own."""
    for number, bot in enumerate(bots):
        deal = derive(SECRET, "deal", number)
        yield Fixture(GAME, GAME.variant_type(), (bot, bot), deal, derive(SECRET, "table", number))


def held_kb(bots: Iterable[Bot], at_once: int, until: Callable[[Referee], bool]) -> int:
    """Resident memory a while after it has come so far."""

    def finished(match: Match, fixture: Fixture, bots: list[LiveBot]) -> None: ...

    async def run() -> int:
        hub = Hub()

        def starter(bot: Bot, owner: Owner) -> Link:
            environment = bot.environment()
            return stdio.start(hub, list(bot.run), cwd=str(HERE), env=environment, owner=owner, name=bot.name)

        referee = Referee(hub, starter, finished, TimeControl(), at_once=at_once)
        async with trio.open_nursery() as nursery:
            await nursery.start(hub.run)
            nursery.start_soon(partial(referee.run, fixtures(bots), closing=False))
            while not until(referee):
                await trio.sleep(0.01)
            await trio.sleep(2)  # matches are as long as they are when they are in full swing
            held = resident_kb()
            nursery.cancel_scope.cancel()
        return held

    return trio.run(run)


def match_kb(program: list[str]) -> float:
    """Of one match under way, its two bots and their pipes included."""
    bot = bot_of("trivial", program)
    few, many = (held_kb(repeat(bot), n, lambda referee, n=n: len(referee.playing()) == n) for n in (FEW, MANY))
    return (many - few) / (MANY - FEW)


def warm_kb(program: list[str]) -> float:
    """Of one bot that waits for its next match."""

    def held(bots: int) -> int:
        names = [bot_of(f"trivial {number}", program) for number in range(bots // 2)]
        return held_kb(names, 1, lambda referee: sum(live.idle for live in referee.live) == bots)

    return (held(MANY) - held(FEW)) / (MANY - FEW)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    commands = {
        "bare": ("-c", "pass"),
        "help": ("-m", "arena", "--help"),
        "match": ("-m", "arena", "play", "sheepzzz", "first", "random", "--deals", "1"),
    }
    spent: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, words in commands.items():
            spent[name].append(seconds(*words))
    least, greeting, first = (statistics.median(times) for times in spent.values())
    tell("P13", greeting / least, f"{1000 * greeting:.0f} ms, {1000 * least:.0f} ms")
    print(
        f"a first match of two seatings, from nothing to its result: {first / least:.1f} x, {1000 * first:.0f} ms"
    )
    program = build("trivial.c")
    if program is not None:
        tell("P16a", match_kb(program))
        print(f"memory of a warm bot: {warm_kb(program):.1f} kB")


if __name__ == "__main__":
    main()
