"""Machines that must not play are refused with a sentence, and the ladder goes on with the others."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from arena.bots.manifest import Bot, BotError
from arena.bots.shelf import Shelf
from arena.cluster.access import Access
from arena.cluster.batch import Batch
from arena.cluster.carrier import Carrier, Lost
from arena.cluster.muster import Machine, refusal, share, this_machine
from arena.cluster.parcel import pack, unpack
from arena.cluster.runner import ClusterRunner
from arena.runner.local import WorkersFail
from arena.runner.orders import BlockReport, Terms
from arena.sandbox import best_sandbox
from tests.cli.shell import arena
from tests.cluster.machines import Cluster
from tests.cluster.quick_bots import quick_bots
from tests.contracts.runner_contract import block

HERE = Path(__file__).parent
LEVEL = best_sandbox().level


@pytest.fixture(scope="module")
def herd(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, Bot]]:
    """On a shelf that everybody may read, for inside the sandbox they are nobody."""
    folder = tmp_path_factory.mktemp("herd")
    for place in (folder, folder.parent):
        place.chmod(0o755)
    return list(quick_bots(folder).items())


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory, herd: list[tuple[str, Bot]]) -> Iterator[Cluster]:
    """Four machines, of which one can play."""
    folder = tmp_path_factory.mktemp("cluster")
    folder.chmod(0o755)
    cluster = Cluster(folder)
    try:
        cluster.start_scheduler()
        cluster.start_worker("sound")
        cluster.start_worker("old", "--preload", str(HERE / "older_arena.py"))
        cluster.start_worker("unwalled", "--preload", str(HERE / "unwalled.py"))
        damaged = cluster.shelf_of("damaged") / herd[0][1].content
        shutil.copytree(herd[0][1].folder, damaged)
        (damaged / "bot").write_bytes(b"something else")
        cluster.start_worker("damaged")
        cluster.wait_for_workers(4)
        yield cluster
    finally:
        cluster.stop()
    assert not cluster.left_behind()


async def test_old_unwalled_and_damaged_machines_are_refused_and_the_others_play(
    cluster: Cluster, herd: list[tuple[str, Bot]]
) -> None:
    said: list[str] = []
    runner = ClusterRunner(Terms(sandbox=LEVEL, tables=2), Access(cluster.address), 3, said.append)
    submitted = 0
    async with trio.open_nursery() as nursery:
        await nursery.start(runner.run)

        async def hand_out() -> None:
            nonlocal submitted
            while len(said) < 3:
                await runner.submit(block(submitted, herd))
                submitted += 1
            await runner.close()

        nursery.start_soon(hand_out)
        reports = [report async for report in runner.reports]
    assert sorted(report.number for report in reports) == list(range(submitted))
    assert all(isinstance(report, BlockReport) for report in reports)
    refused = "\n".join(line for line in said if "is refused" in line)
    assert "it runs arena 0.0.9, and results of two versions must not mix" in refused
    assert f"the sandbox {LEVEL}, which this ladder uses, does not work there" in refused
    assert "is damaged: its files are not what was submitted" in refused
    assert len(said) == 3


def test_the_doctor_tells_who_is_there_and_what_is_wrong_with_them(cluster: Cluster, tmp_path: Path) -> None:
    told = json.loads(arena("doctor", "--cluster", cluster.address, "--json", cwd=tmp_path).stdout)
    findings = {finding["told"]: finding for finding in told["findings"]}
    (whole,) = (text for text in findings if text.startswith(cluster.address))
    assert "4 workers, 4 threads" in whole and "not encrypted" in whole and told["ok"]
    workers = [finding for finding in told["findings"] if finding["what"] == "  worker"]
    assert sum("it runs arena 0.0.9" in worker["told"] for worker in workers) == 1
    assert sum("sandbox none" in worker["told"] for worker in workers) == 1
    assert (
        sum(f"sandbox {LEVEL}" in w["told"] and "cores" in w["told"] and "lag" in w["told"] for w in workers) == 2
    )


def test_a_bot_arrives_as_it_was_sent_or_not_at_all(herd: list[tuple[str, Bot]], tmp_path: Path) -> None:
    bot = herd[0][1]
    parcel = pack(bot.folder)
    arrived = unpack(parcel, bot.content, Shelf(tmp_path))
    assert (arrived.content, arrived.run, arrived.name) == (bot.content, bot.run, bot.name)
    at = parcel.index(b"\x7fELF") + 100
    spoilt = parcel[:at] + bytes([parcel[at] ^ 1]) + parcel[at + 1 :]
    with pytest.raises(BotError, match="damaged on the way"):
        unpack(spoilt, bot.content, Shelf(tmp_path / "other"))
    with pytest.raises(BotError, match="damaged on the way"):
        unpack(pack(herd[1][1].folder), bot.content, Shelf(tmp_path / "other"))
    assert not list((tmp_path / "other").iterdir())


def test_a_machine_holds_no_more_bots_than_it_says() -> None:
    machine = replace(this_machine(4, None), seats=40)
    assert share(machine, Terms(tables=8), 3) == (4, 3)
    assert share(replace(machine, seats=7), Terms(tables=8), 3) == (2, 1)
    assert share(replace(machine, seats=None), Terms(tables=8), 3) == (4, 8)
    assert "holds 2 bots, and a table has 3 seats" in refusal(replace(machine, seats=2), Terms(), 3)


def test_a_machine_without_our_code_is_refused_not_misunderstood() -> None:
    machine = Machine.read({"wings": 2, "host": "crow"})
    assert "no arena that plays in clusters" in refusal(machine, Terms(), 2)


async def test_a_scheduler_that_is_not_there_is_said_so() -> None:
    runner = ClusterRunner(Terms(), Access("tcp://127.0.0.1:1", patience_s=1), 2, print)
    with pytest.raises(WorkersFail, match="no scheduler answers"):
        await runner.run()


def test_the_secret_of_a_deal_is_not_in_what_dask_writes_about_a_task_that_failed(
    cluster: Cluster, herd: list[tuple[str, Bot]]
) -> None:
    order = replace(block(0, herd), rows=((("nobody", None),),))
    carrier = Carrier(Access(cluster.address))
    done = threading.Event()
    try:
        address = next(iter(carrier.machines()))
        future = carrier.hand_over(address, "play-nobody", Batch(Terms(), 1, (order,), 10), done.set)
        assert done.wait(60)
        with pytest.raises(Lost):
            carrier.result(future)
    finally:
        carrier.close()
    logs = "".join(cluster.log(name) for name in ("scheduler", *cluster.processes))
    assert "play-nobody" in logs
    for secret in (order.deals[0], order.salts[0]):
        assert secret.hex() not in logs and repr(secret)[2:12] not in logs


def test_what_went_wrong_on_a_machine_is_not_taken_for_an_answer(cluster: Cluster) -> None:
    carrier = Carrier(Access(cluster.address))
    try:
        with pytest.raises(Lost):
            carrier.missing(next(iter(carrier.machines())), [object()])
    finally:
        carrier.close()
