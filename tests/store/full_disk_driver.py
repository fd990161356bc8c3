"""A ladder on a disk that gets full, then free again; then read-only, then writable again."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import trio

from arena.store import open_store
from arena.store.lock import LadderLock
from arena.store.writer import Writer
from tests.store.sheep_blocks import SHEEP, finished, planned, spring


class SmallDisk:
    """A file system of two megabytes, in a mount namespace of our own."""

    def __init__(self, folder: Path) -> None:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "none", str(folder)], check=True)
        self.folder = folder

    def fill(self) -> None:
        with (self.folder / "ballast").open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while file.write(bytes(4096)):
                pass

    def make_room(self) -> None:
        (self.folder / "ballast").unlink()

    def forbid(self) -> None:
        subprocess.run(["mount", "-o", "remount,ro", str(self.folder)], check=True)

    def allow(self) -> None:
        subprocess.run(["mount", "-o", "remount,rw", str(self.folder)], check=True)


class PretendedDisk:
    """The same by the shim."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.shim = ctypes.CDLL(None)

    def fill(self) -> None:
        self.shim.fail(str(self.folder).encode(), 1, 10**9, errno.ENOSPC)

    def forbid(self) -> None:
        self.shim.fail(str(self.folder).encode(), 1, 10**9, errno.EROFS)

    def make_room(self) -> None:
        self.shim.fail(b"", 0, 0, 0)

    allow = make_room


def open_databases() -> list[str]:
    """Also: a file that is open for writing would keep the disk writable."""
    names = [os.path.realpath(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd")]
    return [name for name in names if "arena.db" in name and not name.endswith(".lock")]


async def run(disk: SmallDisk | PretendedDisk) -> dict:
    said: list[str] = []
    stored: list[int] = []
    with open_store(disk.folder / "arena.db") as store:
        ladder = spring(store)
        plans = [planned(number) for number in range(12)]
        store.plan_blocks(ladder, plans)
        with LadderLock(store, ladder) as lock:
            writer = Writer(store, ladder, lock, said.append, retry_s=0.01)

            async def store_six(numbers: range, breaks, mends) -> None:
                breaks()
                for plan in (plans[number] for number in numbers):
                    writer.hand_in(finished(plan), lambda _, number=plan.number: stored.append(number))
                with trio.fail_after(30):
                    while not writer.stuck:
                        await trio.sleep(0.01)
                    assert not set(numbers) & set(stored)
                    await trio.sleep(0.05)
                    mends()
                    await writer.drained()

            async with trio.open_nursery() as nursery:
                nursery.start_soon(writer.run)
                await store_six(range(6), disk.fill, disk.make_room)
                store.close()
                assert not open_databases(), "failed tries leave files open"
                await store_six(range(6, 12), disk.forbid, disk.allow)
                nursery.cancel_scope.cancel()
        assert [block.number for block in store.blocks_of(ladder, SHEEP)] == stored
        assert store.verify_chain(ladder) == (12, 24, "")
    return {"said": said, "stored": stored}


if __name__ == "__main__":
    kind, folder = sys.argv[1:]
    print(json.dumps(trio.run(run, {"tmpfs": SmallDisk, "shim": PretendedDisk}[kind](Path(folder)))))
