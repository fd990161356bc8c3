"""Run with `failing_disk.c` preloaded: makes one call after the other fail, and checks what is left each time.

Prints one JSON object: how many calls were failed, and every different sentence that was said.
"""

from __future__ import annotations

import ctypes
import errno
import json
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import trio

from arena.store import StoreError, open_store
from arena.store.lock import LadderLock
from arena.store.secrets import make_secret, read_secret
from arena.store.store import Store
from arena.store.writer import Writer
from tests.store.sheep_blocks import SHEEP, as_block, finished, planned, spring

shim = ctypes.CDLL(None)
PLANS = [planned(number) for number in range(2)]
SENTENCE = re.compile(
    r"(disk is full|the disk fails|the database cannot be opened|the database may not be written to"
    r"|the ladder cannot be locked|the ladder's secret cannot be (kept under \S+|read))( \(.*\)|: .*)?"
    r"|results are stored again"
)


def insist(act: Callable[[], object], said: list[str]) -> object:
    """As an operator would: read the sentence, try again."""
    for _ in range(4):
        try:
            return act()
        except StoreError as error:
            said.append(str(error))
    raise AssertionError(f"still failing: {said}")


def run_ladder(path: Path, said: list[str]) -> list[int]:
    """Resume a ladder and store two blocks; tells the numbers of those that were told to be stored."""
    store = insist(lambda: open_store(path), said)
    assert isinstance(store, Store)
    stored: list[int] = []
    with store:
        ladder = insist(lambda: store.find_ladder("spring"), said)
        insist(lambda: store.void_unfinished(ladder), said)
        with insist(lambda: LadderLock(store, ladder), said) as lock:

            async def write() -> None:
                writer = Writer(store, ladder, lock, said.append, retry_s=0)
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(writer.run)
                    for plan in PLANS[:-1]:
                        writer.hand_in(plan)
                    await writer.write(PLANS[-1])
                    for plan in PLANS:
                        outcome = await writer.write(finished(plan, record_bytes=3000))
                        assert outcome in ("stored", "known"), outcome
                        stored.append(plan.number)
                    nursery.cancel_scope.cancel()

            trio.run(write)
    return stored


def begin_ladder(path: Path, said: list[str]) -> list[int]:
    """From nothing to a ladder with a secret; then store as usual."""
    commitment = insist(lambda: make_secret(path.parent), said)

    def begin() -> None:
        with open_store(path) as store:
            if not store.list_ladders():
                spring(store)

    insist(begin, said)
    insist(lambda: read_secret(path.parent, str(commitment)), said)
    return []


def check(path: Path, stored: list[int]) -> None:
    with open_store(path) as store:
        ladder = store.find_ladder("spring")
        blocks = list(store.blocks_of(ladder, SHEEP))
        assert blocks == [as_block(finished(plan)) for plan in PLANS if plan.number in stored], blocks
        assert store.verify_chain(ladder).damage == ""


def fail_every_call(
    scene: Callable, template: Path | None, folder: Path, error: int, times: int, step: int
) -> tuple:
    at, said = 1, []
    while True:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        path = folder / "arena.db"
        if template:
            shutil.copy(template, path)
        shim.fail(str(folder).encode(), at, times, error)
        try:
            stored = scene(path, said)
        finally:
            seen = shim.calls()
            shim.fail(b"", 0, 0, 0)
        check(path, stored)
        if at > seen:
            return at, said
        at += step


def main() -> None:
    scene, error, times, step, work = sys.argv[1:]
    template = Path(work) / "template.db"
    with open_store(template) as store:
        spring(store)
    if scene == "run":
        failed, said = fail_every_call(
            run_ladder, template, Path(work) / "disk", _number(error), int(times), int(step)
        )
    else:
        failed, said = fail_every_call(
            begin_ladder, None, Path(work) / "disk", _number(error), int(times), int(step)
        )
    for sentence in said:
        assert SENTENCE.fullmatch(sentence), sentence
    print(json.dumps({"failed": failed, "said": sorted(set(said))}))


def _number(error: str) -> int:
    return 0 if error == "SHORT" else getattr(errno, error)


if __name__ == "__main__":
    try:
        main()
    except StoreError as error:
        sys.exit(f"this should have been tried again: {error!r}")
