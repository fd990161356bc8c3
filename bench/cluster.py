"""What a cluster costs on top of the local runner: the same series on this machine, with and without Dask.

    python -m bench.cluster [--blocks N] [--rounds N]

Two workers beside one (each on a core of its own, as if they were machines), and two of them beside two local
worker processes.  Everything is stored.  Processor time is that of all processes together: coordinator, scheduler,
workers and bots.  All are measured in turns in one run; read the ratios.
"""

from __future__ import annotations

import argparse
import os
import secrets
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import trio

from arena.bots.manifest import Bot, read_bot
from arena.cluster.access import Access
from arena.cluster.runner import ClusterRunner
from arena.runner.draws import SeriesDraw
from arena.runner.local import LocalRunner
from arena.runner.orders import BlockReport, Terms
from arena.runner.runner import Runner
from arena.runner.tournament import Contest, Tournament
from arena.store import open_store
from arena.store.lock import LadderLock
from arena.store.roster import NewEntry
from arena.store.writer import Writer
from bench.goals import HEADING
from bench.ladder import DIVISION, Silent
from bench.referee import build
from ladders.results import Block
from tests.cluster.machines import Cluster
from tests.runner.test_local_runner import descendants

TICKS = os.sysconf("SC_CLK_TCK")


class Cost(NamedTuple):
    """Of one match, warm."""

    wall_ms: float
    cpu_ms: float


class Meter(Silent):
    """A clock that begins when everybody is warm."""

    def __init__(self, warm_up: int, last: int) -> None:
        super().__init__(warm_up)
        self.last = last
        self.cpu_s = 0.0

    def stored(self, contest: Contest, block: Block, report: BlockReport) -> None:
        super().stored(contest, block, report)
        if self.count == self.warm_up:
            self.cpu_s = processor_seconds()
        if self.count == self.last:
            matches = 2 * (self.last - self.warm_up)
            wall_s, cpu_s = time.perf_counter() - self.began, processor_seconds() - self.cpu_s
            self.cost = Cost(1000 * wall_s / matches, 1000 * cpu_s / matches)


def processor_seconds() -> float:
    """Of this process and all below it, those that ended included."""
    spent = 0
    for pid in [os.getpid(), *descendants(os.getpid())]:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        spent += sum(map(int, fields[11:15]))
    return spent / TICKS


def series(bots: dict[str, Bot], runner: Runner, blocks: int) -> Cost:
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "arena.db") as store:
        ladder = store.create_ladder("bench", seed_commitment="")
        for label in bots:
            store.add_bot(ladder, NewEntry(label, label))
        with LadderLock(store, ladder) as lock:
            meter = Meter(blocks // 2, blocks)
            writer = Writer(store, ladder, lock, print, gather_s=0.2)
            contest = Contest(DIVISION, {}, SeriesDraw(list(bots), blocks))
            tournament = Tournament("bench", secrets.token_bytes(32), [contest], bots, runner, writer, meter, 0)
            trio.run(tournament.run)
    return meter.cost


def on_cluster(bots: dict[str, Bot], workers: int, blocks: int) -> Cost:
    with tempfile.TemporaryDirectory() as folder, pinned_cluster(Path(folder), workers) as address:
        return series(bots, ClusterRunner(Terms(), Access(address), 2, lambda _: None), blocks)


@contextmanager
def pinned_cluster(folder: Path, workers: int) -> Iterator[str]:
    """Each worker has a core of its own; coordinator and scheduler run where there is room."""
    cluster = Cluster(folder)
    cores = sorted(os.sched_getaffinity(0))
    try:
        cluster.start_scheduler()
        for number in range(workers):
            cluster.start_worker(f"worker-{number}")
            os.sched_setaffinity(cluster.processes[f"worker-{number}"].pid, {cores[number % len(cores)]})
        yield cluster.address
    finally:
        cluster.stop()


def travelling_bots(folder: Path) -> dict[str, Bot] | None:
    """The quickest bot there is, twice, each in a folder of its own."""
    program = build("trivial.c")
    if program is None:
        return None
    bots = {}
    for label in ("a", "b"):
        place = folder / label
        place.mkdir()
        shutil.copy(program[0], place / "bot")
        (place / "bot.toml").write_text(f'name = "{label}"\nrun = ["./bot"]\nencoding = "msgpack"\n')
        bots[label] = read_bot(place)
    return bots


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blocks", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bots = travelling_bots(Path(folder))
        if bots is None:
            return
        costs: dict[str, list[Cost]] = {"local": [], "two": [], "one": []}
        for _ in range(asked.rounds):
            costs["local"].append(series(bots, LocalRunner(Terms(), 2, one_core_each=True), asked.blocks))
            costs["two"].append(on_cluster(bots, 2, asked.blocks))
            costs["one"].append(on_cluster(bots, 1, asked.blocks // 2))
    wall = {who: statistics.median(cost.wall_ms for cost in found) for who, found in costs.items()}
    cpu = {who: statistics.median(cost.cpu_ms for cost in found) for who, found in costs.items()}
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}, C bots, SheepZzz, 2 seats, 8 tables a worker")
    print(HEADING)
    print(
        f"{'two workers / one worker, matches per second':<52}{'>= 1.6 x':>10}{wall['one'] / wall['two']:>12.2f} x"
    )
    print(f"{'':<52}{'':>10}{1000 / wall['two']:>10.0f} /s   ({1000 / wall['one']:.0f} /s)")
    more = 100 * (cpu["two"] / cpu["local"] - 1)
    print(f"{'processor time of a match, Dask / local':<52}{'< + 10 %':>10}{more:>+12.1f} %")
    print(f"{'':<52}{'':>10}{cpu['two']:>11.2f} ms   ({cpu['local']:.2f} ms)")
    slower = 100 * (wall["two"] / wall["local"] - 1)
    print(f"{'wall time of a match, Dask / local':<52}{'< + 10 %':>10}{slower:>+12.1f} %")
    print(f"{'':<52}{'':>10}{1000 / wall['two']:>10.0f} /s   ({1000 / wall['local']:.0f} /s)")


if __name__ == "__main__":
    main()
