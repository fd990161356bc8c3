"""Kill a writing arena at random moments, resume, and so on; then look what is there.

Writers are forked from this process, which has everything loaded, so that a round takes milliseconds.
"""

from __future__ import annotations

import json
import os
import random
import select
import signal
import sys
import time

import trio

from arena.store import open_store
from arena.store.lock import LadderLock
from arena.store.writer import Writer
from tests.store.sheep_blocks import SHEEP, as_block, finished, planned, spring

AT_ONCE = 4


def write_until_killed(where: str, told: int) -> None:
    """An arena: resumes, then plans and finishes blocks; says every number after it is stored."""
    with open_store(where) as store:
        ladder = store.find_ladder("spring")
        with LadderLock(store, ladder) as lock:
            store.void_unfinished(ladder)

            async def run() -> None:
                writer = Writer(store, ladder, lock, print)
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(writer.run)
                    for first in range(store.next_number(ladder), 10**9, AT_ONCE):
                        for plan in (planned(number) for number in range(first, first + AT_ONCE)):
                            writer.hand_in(plan)
                        await writer.drained()
                        for number in range(first, first + AT_ONCE):
                            line = f"{number}\n".encode()
                            writer.hand_in(finished(planned(number)), lambda _, line=line: os.write(told, line))
                        await writer.drained()

            trio.run(run)


def one_round(where: str, patience_s: float) -> list[int]:
    """Numbers that were said before the kill."""
    hear, told = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(hear)
        try:
            write_until_killed(where, told)
        finally:
            os._exit(1)
    os.close(told)
    assert select.select([hear], [], [], 60)[0], "the writer says nothing"
    time.sleep(patience_s)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(hear) as file:
        said = file.read()
    return [int(line) for line in said.splitlines()]


def main() -> None:
    where, rounds, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    chosen = random.Random(seed)
    with open_store(where) as store:
        spring(store)
    said = [number for _ in range(rounds) for number in one_round(where, chosen.random() * 0.03)]
    with open_store(where) as store:
        ladder = store.find_ladder("spring")
        store.void_unfinished(ladder)
        there = list(store.blocks_of(ladder, SHEEP))
        assert there == [as_block(finished(planned(block.number))) for block in there]
        print(
            json.dumps(
                {
                    "said": len(said),
                    "said_twice": len(said) - len(set(said)),
                    "lost": sorted(set(said) - {block.number for block in there}),
                    "there": len(there),
                    "void": store.counts(ladder).void,
                    "damage": store.verify_chain(ladder).damage,
                }
            )
        )


if __name__ == "__main__":
    main()
