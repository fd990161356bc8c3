"""What a cluster costs on top of the local runner: the same series on this machine, with and without Dask.

    python -m bench.cluster [--seconds N] [--rounds N]

P17a  matches per second of two workers beside one, each on a core of its own, as if they were machines
P17b  processor time of a match on two of them, beside two local worker processes on the same cores
Everything is stored.  Processor time is that of all processes together, and is told for each kind of them.
What is measured runs already, and goes on afterwards: neither starting nor ending counts.  All in turns.
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
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
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
from bench.goals import tell
from bench.ladder import DIVISION, Silent
from bench.referee import build
from ladders.results import Block
from tests.cluster.machines import Cluster

TICKS = os.sysconf("SC_CLK_TCK")
WARM_S = 8.0
"""So long after the first result bots are started, and batches have found their size."""

KINDS = {"dask scheduler": "scheduler", "dask worker": "Dask worker", "arena.runner.worker": "referee"}
ROLES = ("coordinator", *KINDS.values(), "bots")


class Sample(NamedTuple):
    """So far."""

    matches: int
    wall_s: float
    cpu_s: Counter[str]
    """By role."""

    idle_s: float


class Cost(NamedTuple):
    """Of one match, in milliseconds."""

    wall: float
    cpu: dict[str, float]
    idle: float
    """What no processor did in that time."""

    @classmethod
    def median(cls, costs: Sequence[Cost]) -> Cost:
        """Figure by figure."""
        cpu = {role: statistics.median(cost.cpu[role] for cost in costs) for role in ROLES}
        wall = statistics.median(cost.wall for cost in costs)
        return cls(wall, cpu, statistics.median(cost.idle for cost in costs))

    @property
    def processor(self) -> float:
        """Of all together."""
        return sum(self.cpu.values())

    @property
    def others(self) -> float:
        """What the machine did besides: without it the figures would be better."""
        return (os.cpu_count() or 1) * self.wall - self.processor - self.idle

    @classmethod
    def of(cls, samples: Sequence[Sample]) -> Cost:
        """Results come in by batches, so it is the slope of all samples, not the difference of two."""
        matches = [sample.matches for sample in samples]

        def slope(values: list[float]) -> float:
            return 1000 * float(np.polyfit(matches, values, 1)[0])

        cpu = {role: slope([sample.cpu_s[role] for sample in samples]) for role in ROLES}
        return cls(slope([sample.wall_s for sample in samples]), cpu, slope([sample.idle_s for sample in samples]))


class Meter(Silent):
    """Looks at the clocks about once a second when everybody is warm, and says when it has seen enough."""

    def __init__(self, seconds: float) -> None:
        super().__init__(1)
        self.seconds = seconds
        self.samples: list[Sample] = []
        self.enough: Callable[[], object]

    def stored(self, contest: Contest, block: Block, report: BlockReport) -> None:
        super().stored(contest, block, report)
        now = time.perf_counter()
        first = self.began + WARM_S
        if now < (self.samples[-1].wall_s + 1 if self.samples else first):
            return
        self.samples.append(Sample(2 * self.count, now, processor_seconds(), idle_seconds()))
        if now > first + self.seconds:
            self.enough()


def processor_seconds() -> Counter[str]:
    """Of this process and all below it, those that ended included, by role."""
    children: dict[int, list[int]] = {}
    spent: dict[int, int] = {}
    for folder in os.listdir("/proc"):
        if folder.isdecimal():
            try:
                fields = Path("/proc", folder, "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            children.setdefault(int(fields[1]), []).append(int(folder))
            spent[int(folder)] = sum(map(int, fields[11:15]))
    total: Counter[str] = Counter({"coordinator": spent[os.getpid()]})
    below = list(children.get(os.getpid(), ()))
    while below:
        pid = below.pop()
        total[role_of(pid)] += spent[pid]
        below += children.get(pid, ())
    return Counter({role: ticks / TICKS for role, ticks in total.items()})


def idle_seconds() -> float:
    """Of all processors, waiting for a disk included."""
    fields = Path("/proc/stat").read_text().split(maxsplit=6)
    return (int(fields[4]) + int(fields[5])) / TICKS


@cache
def role_of(pid: int) -> str:
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return "bots"
    return next((role for part, role in KINDS.items() if part in command), "bots")


def series(bots: dict[str, Bot], runner: Runner, seconds: float) -> Cost:
    role_of.cache_clear()  # numbers of processes come again
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "arena.db") as store:
        ladder = store.create_ladder("bench", seed_commitment="")
        for label in bots:
            store.add_bot(ladder, NewEntry(label, label))
        with LadderLock(store, ladder) as lock:
            meter = Meter(seconds)
            writer = Writer(store, ladder, lock, print, gather_s=0.2)
            contest = Contest(DIVISION, {}, SeriesDraw(list(bots), 1_000_000))
            tournament = Tournament("bench", secrets.token_bytes(32), [contest], bots, runner, writer, meter, 0)
            trio.run(until_enough, tournament, meter)
    return Cost.of(meter.samples)


async def until_enough(tournament: Tournament, meter: Meter) -> None:
    """What is under way then is given up."""
    with trio.CancelScope() as scope:
        meter.enough = scope.cancel
        await tournament.run()


def on_cluster(bots: dict[str, Bot], workers: int, seconds: float) -> Cost:
    with tempfile.TemporaryDirectory() as folder, pinned_cluster(Path(folder), workers) as address:
        return series(bots, ClusterRunner(Terms(), Access(address), 2, lambda _: None), seconds)


@contextmanager
def pinned_cluster(folder: Path, workers: int) -> Iterator[str]:
    """Each worker has a core of its own; coordinator and scheduler run where there is room."""
    cluster = Cluster(folder)
    cores = sorted(os.sched_getaffinity(0))
    try:
        cluster.start_scheduler()
        for number in range(workers):
            cluster.start_worker(f"worker-{number}", "--memory-limit", "0")
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


def show(costs: dict[str, Cost]) -> None:
    """Where the time goes."""
    columns = (*ROLES, "processor", "idle", "others", "clock")
    print("ms of a match" + "".join(f"{column:>13}" for column in columns))
    for form, cost in costs.items():
        figures = (*cost.cpu.values(), cost.processor, cost.idle, cost.others, cost.wall)
        print(f"{form:<13}" + "".join(f"{figure:>13.2f}" for figure in figures))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    rounds: dict[str, list[Cost]] = {"local": [], "two workers": [], "one worker": []}
    with tempfile.TemporaryDirectory() as folder:
        bots = travelling_bots(Path(folder))
        if bots is None:
            return
        for _ in range(asked.rounds):
            rounds["local"].append(series(bots, LocalRunner(Terms(), 2, one_core_each=True), asked.seconds))
            rounds["two workers"].append(on_cluster(bots, 2, asked.seconds))
            rounds["one worker"].append(on_cluster(bots, 1, asked.seconds))
    costs = {form: Cost.median(found) for form, found in rounds.items()}
    local, two, one = costs.values()
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}, C bots, SheepZzz, 2 seats, 8 tables a worker")
    show(costs)
    tell("P17a", one.wall / two.wall, f"{1000 / two.wall:.0f} /s, {1000 / one.wall:.0f} /s")
    tell("P17b", two.processor / local.processor, f"by the clock {100 * (two.wall / local.wall - 1):+.1f} %")


if __name__ == "__main__":
    main()
