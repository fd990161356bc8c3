"""What it costs a ladder to be watched, and what its pages weigh.

    python -m bench.spectators [--spectators N] [--seconds S] [--rounds N]

One ladder runs throughout, with its pages beside it; spectators come and go, so that both rates are of one run.
They are sockets in a process of their own, which shares the cores with the ladder.
"""

from __future__ import annotations

import argparse
import os
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import trio
from starlette.testclient import TestClient

from arena.bots.manifest import Bot
from arena.gallery import Gallery
from arena.runner.draws import SeriesDraw
from arena.runner.local import LocalRunner
from arena.runner.orders import Terms
from arena.runner.tournament import Contest, Tournament
from arena.store import open_store
from arena.store.lock import LadderLock
from arena.store.roster import NewEntry
from arena.store.writer import Writer
from arena.web.application import make_app
from arena.web.rendering import HERE
from arena.web.serving import listen, serve
from bench.goals import HEADING
from bench.ladder import DIVISION, Silent
from bench.referee import bot_of, build
from tests.web.crowd import crowd

ONLOOKERS = Path(__file__).with_name("onlookers.py")
WARM_UP_S = 4.0
SETTLE_S = 1.0


async def rates(bot: Bot, spectators: int, seconds: float, rounds: int) -> tuple[list[float], list[float], str]:
    """Matches per second alone and watched, in turns."""
    bots = {"a": bot, "b": Bot(**{**vars(bot), "name": "other"})}
    alone: list[float] = []
    watched: list[float] = []
    told = ""
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "arena.db") as store:
        ladder = store.create_ladder("bench", seed_commitment="")
        for label in bots:
            store.add_bot(ladder, NewEntry(label, label))
        with LadderLock(store, ladder) as lock, listen("127.0.0.1", 0) as opened:
            watcher = Silent(0)
            writer = Writer(store, ladder, lock, watcher.trouble, gather_s=0.2)
            runner = LocalRunner(Terms(), 2, one_core_each=True)
            runner.gallery = gallery = Gallery("bench")
            contest = Contest(DIVISION, {}, SeriesDraw(list(bots), 1 << 30))
            tournament = Tournament("bench", secrets.token_bytes(32), [contest], bots, runner, writer, watcher, 0)
            async with trio.open_nursery() as nursery:
                await nursery.start(serve, make_app(store, gallery=gallery), opened)
                nursery.start_soon(tournament.run)
                await trio.sleep(WARM_UP_S)
                for _ in range(rounds):
                    alone.append(await _rate(watcher, seconds))
                    watching = await trio.to_thread.run_sync(_spectators, opened.getsockname()[1], spectators)
                    watched.append(await _rate(watcher, seconds))
                    told = await trio.to_thread.run_sync(lambda one=watching: one.communicate()[0])
                    await trio.sleep(SETTLE_S)
                nursery.cancel_scope.cancel()
    return alone, watched, told


def _spectators(port: int, count: int) -> subprocess.Popen[str]:
    """A process of them, as soon as all are being told something."""
    command = [sys.executable, str(ONLOOKERS), str(port), "/l/bench/live/news", str(count)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    if process.stdout.readline() != "ready\n":
        raise RuntimeError("the spectators were sent away")
    return process


async def _rate(watcher: Silent, seconds: float) -> float:
    before, began = watcher.count, time.perf_counter()
    await trio.sleep(seconds)
    return 2 * (watcher.count - before) / (time.perf_counter() - began)


def pages() -> None:
    """A crowded board beside an empty one, and the script of a replay."""
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "arena.db") as store:
        crowd(store)
        with TestClient(make_app(store), base_url="http://localhost", backend="trio") as client:
            size = len(client.get("/l/crowd").content)
            took = {name: [] for name in ("crowd", "nobody")}
            for _ in range(9):
                for name, times in took.items():
                    began = time.perf_counter()
                    client.get(f"/l/{name}")
                    times.append(time.perf_counter() - began)
    full, empty = (statistics.median(times) for times in took.values())
    script = sum((HERE / "static" / name).stat().st_size for name in ("replay.js", "table.js", "cards.js"))
    print(f"{'board of 100 bots and 100,000 matches':<52}{'< 100 kB':>10}{size / 1000:>11.1f} kB")
    print(f"{'  its time on the server / that of an empty board':<52}{'<= 10 x':>10}{full / empty:>12.1f} x")
    print(f"{'':<52}{'':>10}{1000 * full:>11.1f} ms   ({1000 * empty:.1f} ms)")
    print(f"{'script of a replay':<52}{'< 40 kB':>10}{script / 1000:>11.1f} kB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spectators", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--rounds", type=int, default=6)
    asked = parser.parse_args()
    program = build("trivial.c")
    if program is None:
        return
    bot = bot_of("trivial", program)
    alone, watched, told = trio.run(rates, bot, asked.spectators, asked.seconds, asked.rounds)
    ratios = [one / other for one, other in zip(watched, alone, strict=True)]
    messages, size, cpu = told.split()
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}, C bots, SheepZzz, 2 seats, everything stored")
    print(HEADING)
    words = f"matches/s with {asked.spectators} spectators / without"
    print(f"{words:<52}{'>= 95 %':>10}{100 * statistics.median(ratios):>12.0f} %")
    print(f"{'':<52}{'':>10}{statistics.median(watched):>10.0f} /s   ({statistics.median(alone):.0f} /s)")
    print(f"{'  what they got in a round':<52}{'':>10}{int(messages):>10} messages, {int(size) / 1e6:.1f} MB")
    print(f"{'  and read them in':<52}{'':>10}{float(cpu):>11.2f} s of our cores")
    pages()


if __name__ == "__main__":
    main()
