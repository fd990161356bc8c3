"""A room keeps worker processes warm on one machine, and tells when they cannot work."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
import trio

from arena import record
from arena.bots.manifest import Bot, read_bot
from arena.bots.shelf import Shelf
from arena.cluster import room
from arena.cluster.batch import Batch, Played, Refused
from arena.cluster.host import Host
from arena.cluster.parcel import pack
from arena.cluster.room import Room
from arena.runner.local import MOST_DEATHS, LocalRunner
from arena.runner.orders import BlockOrder, BlockReport, BlockVoid, Terms
from tests.cluster.quick_bots import quick_bots
from tests.contracts.runner_contract import block
from tests.runner.test_local_runner import descendants


@pytest.fixture(scope="module")
def herd(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, Bot]]:
    return list(quick_bots(tmp_path_factory.mktemp("herd")).items())


@pytest.fixture
def open_room() -> Iterator[Room]:
    opened = Room(Terms(), 1)
    yield opened
    opened.close()


def batch(*orders: object, deadline_s: float = 600.0) -> Batch:
    return Batch(Terms(), 1, tuple(orders), deadline_s)


def test_blocks_of_two_ladders_may_have_the_same_number(open_room: Room, herd) -> None:
    batches = [batch(block(7, herd), block(8, herd)) for _ in range(2)]
    with ThreadPoolExecutor(2) as threads:
        played = list(threads.map(open_room.play, batches))
    for asked, found in zip(batches, played, strict=True):
        assert found is not None and sorted(report.number for report in found.reports) == [7, 8]
        for report in found.reports:
            assert isinstance(report, BlockReport)
            deals = {order.number: order.deals[0].hex() for order in asked.orders}
            assert record.unpack(report.matches[0].record)["deal"] == deals[report.number]


class OneTable:
    """Workers that finish nothing before they have been given everything of two batches, two blocks each."""

    lag_ms = 0.0

    def __init__(self, terms: Terms, jobs: int) -> None:
        self._send, self.reports = trio.open_memory_channel[BlockVoid](100)
        self.given: list[int] = []
        self.asked_twice = trio.Event()

    async def run(self, task_status: trio.TaskStatus[None]) -> None:
        task_status.started()

    async def submit(self, order: BlockOrder) -> None:
        self.given.append(order.number)
        if order.number == 1:
            await self.asked_twice.wait()
        await trio.lowlevel.checkpoint()
        if len(self.given) == 4:
            for ticket in self.given:
                self._send.send_nowait(BlockVoid(ticket, "so far so good"))

    async def close(self) -> None:
        self._send.close()


def test_a_batch_begins_when_the_one_before_it_is_all_on_the_tables_and_no_sooner(
    herd, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "LocalRunner", OneTable)
    opened = Room(Terms(), 1)
    table = opened._runner
    assert isinstance(table, OneTable)
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(opened.play, batch(block(7, herd), block(8, herd)))
        while not table.given:
            look_again(opened)
        second = threads.submit(opened.play, batch(block(9, herd), block(10, herd)))
        while opened._tickets < 4:
            look_again(opened)
        trio.from_thread.run_sync(table.asked_twice.set, trio_token=opened._token)
        played = [first.result(60), second.result(60)]
    assert table.given == [1, 2, 3, 4]
    assert [[report.number for report in came.reports] for came in played if came] == [[7, 8], [9, 10]]
    opened.close()


def test_what_is_not_finished_in_time_is_void(open_room: Room, herd) -> None:
    late = open_room.play(batch(block(1, herd), block(2, herd), deadline_s=0))
    assert late is not None and [report.number for report in late.reports] == [1, 2]
    assert all(
        isinstance(report, BlockVoid) and "not finished within 0 s" in report.reason for report in late.reports
    )
    later = open_room.play(batch(block(3, herd)))
    assert later is not None and isinstance(later.reports[0], BlockReport)


def test_workers_go_home_when_nothing_is_left_to_play(
    herd, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(room, "IDLE_S", 0.2)
    host = host_with(herd, tmp_path)
    assert isinstance(host.play(batch(block(1, herd))), Played)
    (first,) = host._rooms.values()
    first._thread.join(60)
    assert first.went_home and not worker_processes()
    assert isinstance(host.play(batch(block(2, herd))), Played), "and come again when there is"


def test_workers_that_cannot_work_make_the_machine_refused(
    herd, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = partial(LocalRunner, command=(sys.executable, "-c", "raise SystemExit(3)"))
    monkeypatch.setattr(room, "LocalRunner", broken)
    host, number = host_with(herd, tmp_path), 0
    while isinstance(came := host.play(batch(block(number, herd))), Played):
        assert isinstance(came.reports[0], BlockVoid)
        number += 1
    assert number <= MOST_DEATHS and "died one after the other" in came.reason and "exit code 3" in came.reason


def test_a_bot_whose_needs_are_not_met_makes_the_machine_refused(herd, tmp_path: Path) -> None:
    folder = tmp_path / "needy"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "needy"\nrun = ["./bot"]\nneeds = ["/nowhere/model"]\n')
    needy = read_bot(folder)
    host = host_with(herd, tmp_path / "host")
    host.take_in(needy.content, pack(folder))
    came = host.play(batch(block(1, [*herd[:2], ("needy", needy)])))
    assert isinstance(came, Refused) and "wants to read /nowhere/model, which is not there" in came.reason


def look_again(opened: Room) -> None:
    """When it has come round once more."""
    trio.from_thread.run(trio.lowlevel.checkpoint, trio_token=opened._token)


def host_with(herd: list[tuple[str, Bot]], folder: Path) -> Host:
    host = Host(Shelf(folder / "bots"))
    for _, bot in herd:
        assert host.missing([bot]) == [bot.content]
        host.take_in(bot.content, pack(bot.folder))
        assert host.missing([bot]) == []
    return host


def worker_processes() -> list[int]:
    return [pid for pid in descendants(os.getpid()) if b"arena.runner.worker" in command_of(pid)]


def command_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
