"""What a match costs the store, the ratings and the matchmaker as a ladder grows tenfold, from synthetic results.

    python -m bench.scale [--matches N] [--bots N] [--store URL]

store       writing plans and results in batches as the writer does, at that size
matchmaker  a table of the open format, its fit from time to time included
ratings     the whole standings computed anew from the stored rows, for each match in them
resume      reading every block back and telling the format, for each match
Microseconds of processor time per match, and P18, what the sum has grown by from the first size to the last.
Nobody plays: records are real in size, not in content.
"""

from __future__ import annotations

import argparse
import resource
import secrets
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from arena.boards import boards_of
from arena.store import Division, Finished, Planned, Played, Seat, open_store
from arena.store.roster import NewEntry
from arena.store.store import Store
from bench.goals import tell
from ladders.formats import Entry
from ladders.formats.format import Format
from ladders.ladder_file import read_ladder
from ladders.results import Block, Result

DIVISION = Division.of("sheepzzz", {}, 2)
LADDER = 'game = "sheepzzz"\nbots = ["random"]\nseats = 2\nname = "scale"\n[schedule]\nformat = "open"\n'
BATCH = 100
"""Blocks in a transaction, as the writer gathers them."""

SAMPLE = 2000
"""Blocks that are timed at each size; those between are only written."""

PARTS = ("store", "matchmaker", "ratings", "resume")
SECRET = bytes(32)


class Growing:
    """One ladder that gets longer and longer."""

    def __init__(self, store: Store, bots: int) -> None:
        self.definition = read_ladder(LADDER, "scale")
        self.store = store
        self.ladder = store.create_ladder("scale", seed_commitment="", settings=self.definition.settings())
        self.names = [f"bot-{number:05}" for number in range(bots)]
        for name in self.names:
            store.add_bot(self.ladder, NewEntry(name, name))
        self.skill = dict(zip(self.names, np.linspace(-1, 1, bots).tolist(), strict=True))
        self.luck = np.random.RandomState(0)
        self.blob = secrets.token_bytes(800)
        self.number = 0
        self.format = self.begin()

    def begin(self) -> Format:
        return self.definition.begin([Entry(name) for name in self.names], 2, SECRET)

    @property
    def matches(self) -> int:
        return 2 * self.number

    def grow(self, matches: int) -> None:
        """Tables at random: only what is timed asks the matchmaker."""
        while self.matches < matches:
            blocks = [self.played(self.any_table()) for _ in range(min(SAMPLE, (matches - self.matches + 1) // 2))]
            planned, finished = map(self.planned, blocks), map(self.finished, blocks)
            self.store.write(self.ladder, list(planned), list(finished))
            for block in blocks:
                self.format.played(block)

    def measure(self) -> dict[str, float]:
        """Processor microseconds per match, of each part."""
        self.format = self.begin()
        resuming = seconds(self.resume)
        # The fit is made anew whenever a twentieth was added: what it costs is shared by the blocks until then.
        until_next_fit = self.number // 20
        fitting = seconds(self.format.next_table)
        asked = min(SAMPLE, until_next_fit)
        asking = seconds(lambda: [self.format.next_table() for _ in range(asked)])
        blocks = [self.played(self.any_table()) for _ in range(SAMPLE)]
        writing = seconds(lambda: self.write(blocks))
        for block in blocks:
            self.format.played(block)
        rating = seconds(lambda: boards_of(self.store, self.ladder))
        return {
            "store": 1e6 * writing / (2 * SAMPLE),
            "matchmaker": 1e6 * (asking / asked + fitting / until_next_fit) / 2,
            "ratings": 1e6 * rating / self.matches,
            "resume": 1e6 * resuming / self.matches,
        }

    def resume(self) -> None:
        for block in self.store.blocks_of(self.ladder, DIVISION):
            self.format.played(block)

    def any_table(self) -> tuple[str, str]:
        one = self.luck.randint(len(self.names))
        other = (one + 1 + self.luck.randint(len(self.names) - 1)) % len(self.names)
        first, second = sorted((self.names[one], self.names[other]))
        return first, second

    def played(self, table: tuple[str, str]) -> Block:
        rows = []
        for row, pair in enumerate((table, table[::-1])):
            ahead = self.skill[pair[0]] - self.skill[pair[1]] + self.luck.normal() > 0
            places = (1, 2) if ahead else (2, 1)
            rows.append(
                Result(f"m-{self.number}-{row}", pair, places, (50 * places[0], 50 * places[1]), (False, False))
            )
        self.number += 1
        return Block(self.number - 1, tuple(rows))

    def write(self, blocks: list[Block]) -> None:
        for at in range(0, len(blocks), BATCH):
            some = blocks[at : at + BATCH]
            self.store.write(self.ladder, [self.planned(block) for block in some])
            self.store.write(self.ladder, [], [self.finished(block) for block in some])

    def planned(self, block: Block) -> Planned:
        promised = tuple((match.match, secrets.token_hex(32)) for match in block.matches)
        return Planned(block.number, DIVISION, block.table, promised)

    def finished(self, block: Block) -> Finished:
        rows = tuple(
            Played(
                match.match,
                tuple(
                    Seat(bot, place, points, False, 0, 45, 4500, "")
                    for bot, place, points in zip(match.bots, match.places, match.points, strict=True)
                ),
                self.blob,
                20,
            )
            for match in block.matches
        )
        return Finished(block.number, rows)


def seconds(job: Callable[[], object]) -> float:
    before = time.process_time()
    job()
    return time.process_time() - before


@contextmanager
def store_at(url: str | None) -> Iterator[Store]:
    with tempfile.TemporaryDirectory() as folder, open_store(url or Path(folder) / "arena.db") as store:
        yield store


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=1_000_000)
    parser.add_argument("--bots", type=int, default=200)
    parser.add_argument("--store", help="an empty PostgreSQL database; its own processor time is not counted")
    asked = parser.parse_args()
    sizes = [size for size in (10_000, 100_000, 1_000_000, 10_000_000) if size <= asked.matches]
    print(f"{asked.bots:,} bots, two seats; microseconds of processor time per match")
    print(f"{'matches':>12}" + "".join(f"{part:>13}" for part in (*PARTS, "sum")) + f"{'peak memory':>15}")
    sums = []
    with store_at(asked.store) as store:
        growing = Growing(store, asked.bots)
        for size in sizes:
            growing.grow(size - 2 * SAMPLE)
            costs = growing.measure()
            sums.append(sum(costs.values()))
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            told = "".join(f"{costs[part]:>13.0f}" for part in PARTS)
            print(f"{growing.matches:>12,}{told}{sums[-1]:>13.0f}{peak:>12,.0f} MB", flush=True)
    tell("P18", sums[-1] / sums[0], f"{sizes[-1]:,} matches")


if __name__ == "__main__":
    main()
