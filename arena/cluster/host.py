"""What runs inside a Dask worker: it shows what it has, takes in bots, and plays batches.

A Dask worker stands for one machine, or a part of one; its threads say how many worker processes it keeps.
"""

from __future__ import annotations

import asyncio
import resource
import threading
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import distributed

from arena.bots.manifest import SAMPLES, Bot, BotError, read_bot
from arena.bots.shelf import Shelf
from arena.cluster.batch import Batch, Played, Refused
from arena.cluster.muster import this_machine
from arena.cluster.parcel import unpack
from arena.cluster.room import Room
from arena.runner.local import WorkersFail
from arena.runner.orders import BlockOrder, Terms

dask: Any = distributed  # half of it has no types

DESCRIPTORS: Final = 65_536
"""Many tables need many, and a worker process has no more than we have."""


class Host:
    """Bots by content, and rooms by the terms that hold in them."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self._bots: dict[str, Bot] = {}
        self._rooms: dict[tuple[Terms, int], Room] = {}
        self._guard = threading.Lock()
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, DESCRIPTORS)), hard))

    def missing(self, bots: Sequence[Bot]) -> list[str]:
        """The contents that have to be sent; raises BotError for what must not be played here."""
        lacking = [bot for bot in bots if not bot.sample and not (self.shelf.folder / bot.content).is_dir()]
        for bot in bots:
            if bot not in lacking:
                self._here(bot)
        return [bot.content for bot in lacking]

    def take_in(self, content: str, parcel: bytes) -> None:
        """A bot arrives."""
        unpack(parcel, content, self.shelf)

    def play(self, batch: Batch) -> Played | Refused:
        """Every block of it, whole or void."""
        try:
            orders = tuple(self._dressed(order) for order in batch.orders)
            played = None
            while played is None:
                played = self._room(batch.terms, batch.jobs).play(replace(batch, orders=orders))
            return played
        except BotError as error:
            return Refused(str(error))
        except WorkersFail as error:
            self._rooms.pop((batch.terms, batch.jobs), None)  # another coordinator may try again
            return Refused(str(error))

    def _room(self, terms: Terms, jobs: int) -> Room:
        with self._guard:
            room = self._rooms.get((terms, jobs))
            if room is None or room.went_home:
                for other in self._rooms.values():
                    other.close()
                self._rooms = {key: other for key, other in self._rooms.items() if not other.went_home}
                room = self._rooms[terms, jobs] = Room(terms, jobs)
            return room

    def _dressed(self, order: BlockOrder) -> BlockOrder:
        """With the programs as they lie here."""
        return replace(
            order, rows=tuple(tuple((label, self._here(bot)) for label, bot in row) for row in order.rows)
        )

    def _here(self, bot: Bot) -> Bot:
        found = self._bots.get(bot.content)
        if found is None:
            found = self._bots[bot.content] = self._looked_at(bot)
        return found

    def _looked_at(self, bot: Bot) -> Bot:
        found = read_bot(SAMPLES / bot.name) if bot.sample else self.shelf.find(bot.content)
        if found.content != bot.content:
            raise BotError(f"the sample bot {bot.name} is another one there; install the same arena")
        for need in found.needs:
            if not Path(need).exists():
                raise BotError(f"{bot.name} wants to read {need}, which is not there")
        return found


@cache
def host_in(folder: Path) -> Host:
    """The one in this process; bots are kept beside Dask's own files."""
    return Host(Shelf(folder.parent / "arena-bots"))


# --- What a coordinator calls -------------------------------------------------------------------------


async def look(dask_worker: Any) -> dict[str, Any]:
    """What there is; see `muster`."""
    seats = dask_worker.state.total_resources.get("seats")
    machine = await asyncio.to_thread(this_machine, dask_worker.state.nthreads, seats)
    return machine.told()


async def missing(bots: Sequence[Bot], dask_worker: Any) -> list[str] | Refused:
    """The contents that have to be sent."""
    try:
        return await asyncio.to_thread(host_in(Path(dask_worker.local_directory)).missing, bots)
    except BotError as error:
        return Refused(str(error))


async def take_in(content: str, parcel: bytes, dask_worker: Any) -> Refused | None:
    """A bot arrives."""
    try:
        await asyncio.to_thread(host_in(Path(dask_worker.local_directory)).take_in, content, parcel)
    except (BotError, OSError) as error:
        return Refused(str(error))
    return None


def play(batch: Batch) -> Played | Refused:
    """The task."""
    dask.secede()  # the next one may come in, and begins as soon as a table gets free
    return host_in(Path(dask.get_worker().local_directory)).play(batch)
