"""What running a ladder costs on top of refereeing: workers beside each other, the store, and a long history.

    python -m bench.ladder [--blocks N] [--rounds N] [--history MATCHES]

P5   matches per second of two workers beside one
P11  with everything stored, beside a store that forgets
and  `arena ladder show` over a long history beside `arena --help`, and the arena's memory while it runs
All of them are measured in turns in one run; read the ratios.
"""

from __future__ import annotations

import argparse
import os
import resource
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import trio

from arena.bots.manifest import Bot
from arena.runner.draws import SeriesDraw
from arena.runner.local import LocalRunner
from arena.runner.orders import BlockReport, BlockVoid, Terms
from arena.runner.tournament import Contest, Tournament
from arena.store import STORED, Division, Finished, Planned, Played, Seat, open_store
from arena.store.lock import LadderLock
from arena.store.roster import NewEntry
from arena.store.writer import Writer
from bench.goals import tell
from bench.referee import bot_of, build
from ladders.results import Block

DIVISION = Division.of("sheepzzz", {}, 2)


class Forgets:
    """A writer that keeps nothing."""

    results_waiting = 0

    async def run(self) -> None:
        await trio.sleep_forever()

    async def room(self) -> None:
        await trio.lowlevel.checkpoint()

    async def drained(self) -> None:
        await trio.lowlevel.checkpoint()

    def hand_in(self, item: object, told: Callable[[str], None] = lambda _: None) -> None:  # noqa: ARG002
        told(STORED)

    async def write(self, item: object) -> str:  # noqa: ARG002
        await trio.lowlevel.checkpoint()
        return STORED


class Silent:
    """A watcher that only looks at the clock: the first blocks pay for starting bots."""

    def __init__(self, warm_up: int) -> None:
        self.warm_up = warm_up
        self.count = 0
        self.began = 0.0

    def stored(self, contest: Contest, block: Block, report: BlockReport) -> None:  # noqa: ARG002
        self.count += 1
        if self.count == self.warm_up:
            self.began = time.perf_counter()

    def void(self, number: int, why: str) -> None:
        raise RuntimeError(f"block {number}: {why}")

    def broken(self, void: BlockVoid) -> None:
        raise RuntimeError(void.reason)

    def trouble(self, text: str) -> None:
        raise RuntimeError(text)


def matches_per_second(bot: Bot, jobs: int, blocks: int, keeping: bool) -> float:
    """A series of deals, everything on."""
    bots = {"a": bot, "b": Bot(**{**vars(bot), "name": "other"})}
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "arena.db") as store:
        ladder = store.create_ladder("bench", seed_commitment="")
        for label in bots:
            store.add_bot(ladder, NewEntry(label, label))
        with LadderLock(store, ladder) as lock:
            watcher = Silent(blocks // 4)
            writer: Any = Writer(store, ladder, lock, watcher.trouble, gather_s=0.2) if keeping else Forgets()
            contest = Contest(DIVISION, {}, SeriesDraw(list(bots), blocks))
            runner = LocalRunner(Terms(), jobs, one_core_each=True)
            tournament = Tournament("bench", secrets.token_bytes(32), [contest], bots, runner, writer, watcher, 0)
            trio.run(tournament.run)
    return 2 * (watcher.count - watcher.warm_up) / (time.perf_counter() - watcher.began)


# --- A long history ---------------------------------------------------------------------------------------


def make_history(folder: Path, matches: int) -> None:
    """A ladder of twenty bots with so many stored matches; the records are real in size, not in content."""
    text = 'game = "sheepzzz"\nbots = ["random"]\nseats = 2\nname = "long"\n[schedule]\nformat = "open"\n'
    from ladders.ladder_file import read_ladder

    with open_store(folder / "arena.db") as store:
        ladder = store.create_ladder("long", seed_commitment="", settings=read_ladder(text, "long").settings())
        labels = [f"bot-{number:02}" for number in range(20)]
        for label in labels:
            store.add_bot(ladder, NewEntry(label, label))
        blob = secrets.token_bytes(800)
        for first in range(0, matches // 2, 500):
            planned, finished = [], []
            for number in range(first, min(first + 500, matches // 2)):
                pair = (labels[number % 20], labels[(number * 7 + number // 20 + 1) % 20])
                if pair[0] == pair[1]:
                    pair = (pair[0], labels[(number + 1) % 20])
                ids = [(f"m-{number}-{row}", secrets.token_hex(32)) for row in range(2)]
                planned.append(Planned(number, DIVISION, tuple(sorted(pair)), tuple(ids)))
                won = int(pair[0] > pair[1]) if number % 3 else number % 2
                rows = []
                for row, (match, _) in enumerate(ids):
                    seated = pair if row == 0 else pair[::-1]
                    places = [1 + (won == (at ^ row)) for at in range(2)]
                    seats = tuple(
                        Seat(seated[at], places[at], 50 * places[at], False, 0, 45, 4500, "") for at in (0, 1)
                    )
                    rows.append(Played(match, seats, blob, 20))
                finished.append(Finished(number, tuple(rows)))
            store.write(ladder, planned, finished)


def seconds(words: list[str], folder: Path) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-m", "arena", *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def long_history(matches: int, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / ".arena").mkdir()
        make_history(folder / ".arena", matches)
        times: dict[str, list[float]] = {"show": [], "help": []}
        for _ in range(rounds):
            times["help"].append(seconds(["--help"], folder))
            times["show"].append(seconds(["ladder", "show", "long"], folder))
        show, help_ = statistics.median(times["show"]), statistics.median(times["help"])
        size = (folder / ".arena/arena.db").stat().st_size / matches
        print(
            f"{f'ladder show over {matches:,} matches / arena --help':<52}{'<= 10 x':>10}{show / help_:>12.1f} x"
        )
        print(f"{'':<52}{'':>10}{show:>12.2f} s   ({help_:.2f} s, {size:,.0f} bytes a match in the database)")


def memory_growth(bot: Bot, blocks: int) -> None:
    """This process is the arena: what it holds after four times as many matches."""
    matches_per_second(bot, 2, blocks, keeping=True)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    matches_per_second(bot, 2, 4 * blocks, keeping=True)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    tell("P16b", (after - before) / 1024, f"{8 * blocks:,} more matches")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blocks", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--history", type=int, default=100_000)
    asked = parser.parse_args()
    program = build("trivial.c")
    if program is None:
        return
    bot = bot_of("trivial", program)
    rates: dict[str, list[float]] = {"one": [], "two": [], "two, kept": []}
    for _ in range(asked.rounds):
        rates["one"].append(matches_per_second(bot, 1, asked.blocks, keeping=True))
        rates["two"].append(matches_per_second(bot, 2, asked.blocks, keeping=False))
        rates["two, kept"].append(matches_per_second(bot, 2, asked.blocks, keeping=True))
    one, two, kept = (statistics.median(values) for values in rates.values())
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}, C bots, SheepZzz, 2 seats, 8 tables a worker")
    tell("P5", kept / one, f"{kept:.0f} /s, {one:.0f} /s")
    tell("P11", 100 * kept / two)
    memory_growth(bot, asked.blocks)
    long_history(asked.history, asked.rounds)


if __name__ == "__main__":
    main()
