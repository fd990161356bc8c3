"""Blocks go out to real worker processes and come back whole or void."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import time

import pytest
import trio

from arena import record
from arena.bots.manifest import Bot, find_bot
from arena.runner.local import LocalRunner, WorkersFail
from arena.runner.orders import BlockOrder, BlockReport, BlockVoid, Report, Terms
from tests.runner import planted_worker

PLANTED = (sys.executable, "-m", planted_worker.__name__)


def block(number: int, *names: str, game: str = "sheepzzz") -> BlockOrder:
    bots: list[tuple[str, Bot]] = [(name, find_bot(name)) for name in names]
    rows = tuple(tuple(bots[(seat + turn) % len(bots)] for seat in range(len(bots))) for turn in range(len(bots)))
    deal = secrets.token_bytes(32)
    return BlockOrder(number, game, {}, rows, (deal,) * len(rows), tuple(secrets.token_bytes(32) for _ in rows))


async def play(runner: LocalRunner, *orders: BlockOrder) -> dict[int, Report]:
    found: dict[int, Report] = {}
    async with trio.open_nursery() as nursery:
        await nursery.start(runner.run)

        async def hand_out() -> None:
            for order in orders:
                await runner.submit(order)
            while runner.under_way:
                await trio.sleep(0.01)
            await runner.close()

        nursery.start_soon(hand_out)
        async for report in runner.reports:
            assert report.number not in found, "one report for each block"
            found[report.number] = report
    return found


async def test_blocks_come_back_whole_with_everybody_in_the_seat_that_was_ordered() -> None:
    orders = [block(number, "greedy", "random", "first") for number in range(6)]
    found = await play(LocalRunner(Terms(), jobs=2), *orders)
    assert sorted(found) == list(range(6))
    for order in orders:
        report = found[order.number]
        assert isinstance(report, BlockReport)
        for row, match in zip(order.rows, report.matches, strict=True):
            assert [label for label, _ in row] == [seat.bot for seat in match.seats]
            document = record.unpack(match.record)
            assert not record.differences(document)
            assert document["deal"] == order.deals[0].hex()
            assert [seat.place for seat in match.seats] == document["ranks"]


async def test_f26_a_rulebook_that_raises_voids_its_own_block_and_can_be_made_to_raise_again() -> None:
    orders = [block(number, "greedy", "random", game=("raises", "sheepzzz")[number % 2]) for number in range(6)]
    found = await play(LocalRunner(Terms(), jobs=1, command=PLANTED), *orders)
    for number, report in found.items():
        if number % 2:
            assert isinstance(report, BlockReport)
            continue
        assert isinstance(report, BlockVoid) and report.by_rulebook
        assert "KeyError in planted_worker.py" in report.reason and "secret" not in report.reason
        again = record.unpack(report.record)
        assert again["match"] == report.match and again["inputs"]


async def test_f27_a_rulebook_that_never_returns_is_interrupted_and_the_others_go_on() -> None:
    orders = [block(0, "first", "first", game="never-returns"), *(block(n, "first", "first") for n in (1, 2))]
    found = await play(LocalRunner(Terms(step_s=0.5), jobs=1, command=PLANTED), *orders)
    assert isinstance(found[0], BlockVoid) and found[0].by_rulebook and "RulebookStuck" in found[0].reason
    assert isinstance(found[1], BlockReport) and isinstance(found[2], BlockReport)


@pytest.mark.parametrize("game", [game.name for game in planted_worker.UNSPEAKABLE])
async def test_f26_a_rulebook_that_says_what_cannot_be_told_voids_its_own_block_alone(game: str) -> None:
    orders = [block(0, "first", "first", game=game), *(block(n, "first", "first") for n in (1, 2))]
    found = await play(LocalRunner(Terms(), jobs=1, command=PLANTED), *orders)
    assert isinstance(found[0], BlockVoid) and found[0].by_rulebook
    assert isinstance(found[1], BlockReport) and isinstance(found[2], BlockReport)


async def test_f28_a_rulebook_that_loses_a_card_gives_no_result() -> None:
    found = await play(LocalRunner(Terms(), 1, PLANTED), block(0, "first", "first", game="loses-a-card"))
    assert isinstance(found[0], BlockVoid) and found[0].by_rulebook


async def test_a_killed_worker_voids_what_it_played_and_is_replaced() -> None:
    runner = LocalRunner(Terms(), jobs=2)
    found: list[Report] = []
    async with trio.open_nursery() as nursery:
        await nursery.start(runner.run)
        for number in range(8):
            await runner.submit(block(number, "greedy", "random"))
        found.append(await runner.reports.receive())
        victim = max(runner._hands, key=lambda hand: hand.matches)
        lost = set(victim.blocks)
        os.kill(victim.process.pid, signal.SIGKILL)
        while len(found) < 8:
            found.append(await runner.reports.receive())
        await runner.submit(block(8, "greedy", "random"))
        found.append(await runner.reports.receive())
        await runner.close()
    void = {report.number for report in found if isinstance(report, BlockVoid)}
    assert void and void <= lost and sorted(report.number for report in found) == list(range(9))
    assert all("signal 9" in report.reason for report in found if isinstance(report, BlockVoid))
    assert isinstance(found[-1], BlockReport)


async def test_workers_that_cannot_work_are_said_so() -> None:
    runner = LocalRunner(Terms(), 1, (sys.executable, "-c", "raise SystemExit(3)"))
    with pytest.RaisesGroup(WorkersFail, flatten_subgroups=True) as failed:
        await runner.run()
    assert "exit code 3" in str(failed.value.exceptions)


async def test_whoever_cancels_a_runner_leaves_no_worker_behind() -> None:
    runner = LocalRunner(Terms(), jobs=1)
    async with trio.open_nursery() as nursery:
        await nursery.start(runner.run)
        await runner.submit(block(0, "greedy", "random"))
        (hand,) = runner._hands
        nursery.cancel_scope.cancel()
    assert hand.process.returncode is not None


def test_workers_and_bots_die_with_the_arena() -> None:
    """Killed outright, the arena leaves nobody behind."""
    program = (
        "import trio, tests.runner.test_local_runner as t\n"
        "async def go():\n"
        "    r = t.LocalRunner(t.Terms(), 2)\n"
        "    async with trio.open_nursery() as n:\n"
        "        await n.start(r.run)\n"
        "        k = 0\n"
        "        while True:\n"
        "            await r.submit(t.block(k, 'greedy', 'random')); k += 1\n"
        "            if k == 12: print('playing', flush=True)\n"
        "trio.run(go)\n"
    )
    arena = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    assert arena.stdout is not None and arena.stdout.readline() == b"playing\n"
    family = descendants(arena.pid)
    assert len(family) > 4
    arena.kill()
    arena.wait()
    arena.stdout.close()
    until = time.monotonic() + 20
    while left := [pid for pid in family if alive(pid)]:
        assert time.monotonic() < until, f"{len(left)} processes outlived the arena"
        time.sleep(0.02)


def descendants(pid: int) -> list[int]:
    found = []
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    for child in listed.stdout.split():
        found += [int(child), *descendants(int(child))]
    return found


def alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
