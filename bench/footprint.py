"""What the arena weighs: the time to say --help, and the memory of a running match.

    python -m bench.footprint [--rounds N]

P13  `arena --help` beside `python -c pass`
P16  memory of this process per match under way, between 32 and 256 of them
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import count
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
    """How long a command takes."""
    began = time.perf_counter()
    subprocess.run([sys.executable, *words], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def resident_kb() -> int:
    """What this process holds now."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * 4


def held_kb(bot: Bot, at_once: int) -> int:
    """Resident memory while so many matches are under way."""

    def fixtures() -> Iterator[Fixture]:
        for number in count():
            deal = derive(SECRET, "deal", number)
            yield Fixture(GAME, GAME.variant_type(), (bot, bot), deal, derive(SECRET, "table", number))

    def finished(match: Match, fixture: Fixture, bots: list[LiveBot]) -> None: ...

    async def run() -> int:
        hub = Hub()

        def starter(bot: Bot, owner: Owner) -> Link:
            environment = bot.environment()
            return stdio.start(hub, list(bot.run), cwd=str(HERE), env=environment, owner=owner, name=bot.name)

        referee = Referee(hub, starter, finished, TimeControl(), at_once=at_once)
        async with trio.open_nursery() as nursery:
            await nursery.start(hub.run)
            nursery.start_soon(referee.run, fixtures())
            while len(referee.playing()) < at_once:
                await trio.sleep(0.01)
            await trio.sleep(2)  # as long as they are when they are in full swing
            held = resident_kb()
            nursery.cancel_scope.cancel()
        return held

    return trio.run(run)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    bare, ours = [], []
    for _ in range(rounds):
        bare.append(seconds("-c", "pass"))
        ours.append(seconds("-m", "arena", "--help"))
    least, spent = statistics.median(bare), statistics.median(ours)
    tell("P13", spent / least, f"{1000 * spent:.0f} ms, {1000 * least:.0f} ms")
    program = build("trivial.c")
    if program is not None:
        bot = bot_of("trivial", program)
        few = held_kb(bot, FEW)
        tell("P16a", (held_kb(bot, MANY) - few) / (MANY - FEW))


if __name__ == "__main__":
    main()
