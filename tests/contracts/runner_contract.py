"""What a runner must do, whether it plays here or on many machines.

A runner passes by subclassing `RunnerContract` and giving two fixtures: `new_runner` makes one under the given
terms, which knows the rulebooks of `planted_worker`; `kill_a_worker` kills one that plays for it, with no goodbye.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import asynccontextmanager

import pytest
import trio

from arena import record
from arena.bots.manifest import Bot
from arena.runner.orders import BlockOrder, BlockReport, BlockVoid, Report, Terms
from arena.runner.runner import Runner
from tests.cluster.quick_bots import quick_bots

NewRunner = Callable[[Terms], Runner]
KillAWorker = Callable[[Runner], None]


class RunnerContract:
    @pytest.fixture(scope="class")
    @classmethod
    def herd(cls, tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, Bot]]:
        return list(quick_bots(tmp_path_factory.mktemp("herd")).items())

    async def test_blocks_come_back_whole_with_everybody_in_the_seat_that_was_ordered(
        self, new_runner: NewRunner, herd
    ) -> None:
        orders = [block(number, herd) for number in range(8)]
        found = await played(new_runner(Terms()), orders)
        for order in orders:
            report = found[order.number]
            assert isinstance(report, BlockReport)
            for row, deal, match in zip(order.rows, order.deals, report.matches, strict=True):
                assert [label for label, _ in row] == [seat.bot for seat in match.seats]
                document = record.unpack(match.record)
                assert document["deal"] == deal.hex() and not record.differences(document)

    async def test_the_same_order_gives_the_same_match_wherever_it_is_played(
        self, new_runner: NewRunner, herd
    ) -> None:
        order = block(1, herd)
        results = []
        for _ in range(2):
            (report,) = (await played(new_runner(Terms()), [order])).values()
            assert isinstance(report, BlockReport)
            results.append([[(seat.bot, seat.place, seat.points) for seat in m.seats] for m in report.matches])
        assert results[0] == results[1]

    async def test_a_rulebook_that_raises_voids_its_own_block_alone(self, new_runner: NewRunner, herd) -> None:
        orders = [block(number, herd, game=("raises", "sheepzzz")[number % 2]) for number in range(4)]
        found = await played(new_runner(Terms()), orders)
        for number in (1, 3):
            assert isinstance(found[number], BlockReport)
        for number in (0, 2):
            void = found[number]
            assert isinstance(void, BlockVoid) and void.by_rulebook and "KeyError" in void.reason

    async def test_more_is_taken_only_while_it_would_be_begun_soon(self, new_runner: NewRunner, herd) -> None:
        async with running(new_runner(Terms(tables=2))) as runner:
            with trio.move_on_after(0.5) as patience:
                for number in range(10_000):
                    await runner.submit(block(number, herd))
            assert patience.cancelled_caught

    async def test_every_block_is_told_of_once_though_a_worker_is_killed(
        self, new_runner: NewRunner, kill_a_worker: KillAWorker, herd
    ) -> None:
        """Whole or void, it is settled; and whoever is left, or comes back, plays on."""
        told: list[Report] = []
        async with running(new_runner(Terms(tables=2))) as runner:

            async def listen() -> None:
                async for report in runner.reports:
                    told.append(report)

            async with trio.open_nursery() as nursery:
                nursery.start_soon(listen)
                for number in range(40):
                    if number == 10:
                        kill_a_worker(runner)
                    await runner.submit(block(number, herd))
                while len(told) < 40:
                    await trio.sleep(0.01)
                await runner.submit(block(40, herd))
                while len(told) < 41:
                    await trio.sleep(0.01)
                await runner.close()
        assert sorted(report.number for report in told) == list(range(41))
        assert isinstance(told[-1], BlockReport)

    async def test_a_closed_runner_finishes_what_it_has_and_ends(self, new_runner: NewRunner, herd) -> None:
        runner = new_runner(Terms())
        async with trio.open_nursery() as nursery:
            await nursery.start(runner.run)
            for number in range(3):
                await runner.submit(block(number, herd))
            await runner.close()
            assert {report.number async for report in runner.reports} == {0, 1, 2}


def block(number: int, herd: list[tuple[str, Bot]], game: str = "sheepzzz") -> BlockOrder:
    rows = tuple(tuple(herd[turn:] + herd[:turn]) for turn in range(len(herd)))
    salts = tuple(secrets.token_bytes(32) for _ in rows)
    return BlockOrder(number, game, {}, rows, (secrets.token_bytes(32),) * len(rows), salts)


@asynccontextmanager
async def running(runner: Runner):
    async with trio.open_nursery() as nursery:
        await nursery.start(runner.run)
        yield runner
        nursery.cancel_scope.cancel()


async def played(runner: Runner, orders: list[BlockOrder]) -> dict[int, Report]:
    found: dict[int, Report] = {}
    async with running(runner), trio.open_nursery() as nursery:

        async def hand_out() -> None:
            for order in orders:
                await runner.submit(order)

        nursery.start_soon(hand_out)
        while len(found) < len(orders):
            report = await runner.reports.receive()
            assert report.number not in found, "one report for each block"
            found[report.number] = report
    return found
