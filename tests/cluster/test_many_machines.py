"""A ladder on a real cluster with a real PostgreSQL, while everything that can be killed is killed."""

from __future__ import annotations

import secrets
import subprocess
import sys
import time
from pathlib import Path

import trio

from arena.boards import boards_of
from arena.bots.manifest import Bot
from arena.chance import commitment, derive
from arena.match import match_id
from arena.runner.local import LocalRunner
from arena.runner.orders import BlockOrder, BlockReport, Terms
from arena.store import Division, Finished, Planned, Voided, open_store
from arena.store.roster import Ladder, NewEntry
from arena.store.store import Store
from ladders.results import Block
from tests.cluster.machines import Cluster, cluster_of
from tests.cluster.quick_bots import WAYS, quick_bot
from tests.contracts.runner_contract import played
from tests.runner.test_local_runner import alive, descendants
from tests.store.postgres_server import Server, postgres

__all__ = ["postgres"]

DEALS = 16
BLOCKS = 3 * DEALS
LADDER = """
name = "spring"
game = "sheepzzz"
seats = 2
bots = ["quick-*"]
[schedule]
deals = {deals}
same_owner = true
[limits]
move_ms = 60000
[run]
tables = 2
seed = "{seed}"
[rating]
provisional_blocks = 2
"""
PLAYING = (sys.executable, "-m", "arena")
DOUBLING = (sys.executable, "-m", "tests.cluster.doubling_coordinator")


def test_f13_everything_is_killed_and_delivered_twice_and_every_match_counts_once(
    tmp_path: Path, postgres: Server
) -> None:
    url, seed = postgres.new_database(), secrets.token_hex(32)
    herd = {bot.name: bot for bot in (thinking_bot(tmp_path, name) for name in WAYS)}
    (tmp_path / "spring.toml").write_text(LADDER.format(deals=DEALS, seed=seed))
    with cluster_of(tmp_path, "one", "two", "three") as cluster:
        coordinator = Coordinator(tmp_path, url, cluster, PLAYING)
        coordinator.until_stored(4)
        cluster.kill("one")
        coordinator.until_stored(12)
        cluster.kill("scheduler")
        cluster.ended("two")  # a worker whose scheduler is gone goes too; on a real host it is started again
        cluster.ended("three")
        cluster.start_scheduler()
        cluster.start_worker("two")
        cluster.start_worker("three")
        coordinator.until_stored(22)
        coordinator.kill()
        coordinator = Coordinator(tmp_path, url, cluster, DOUBLING)
        said = coordinator.until_over()
    assert "is complete" in said and "came in twice with different results: the first counts" in said
    assert not cluster.left_behind()
    with open_store(url, create=False) as store:
        ladder = store.find_ladder("spring")
        counts = store.counts(ladder)
        assert (counts.planned, counts.final, counts.matches) == (0, BLOCKS, 2 * BLOCKS)
        assert counts.reviews >= 1 and not store.verify_chain(ladder).damage
        (division,) = store.divisions_of(ladder)
        blocks = list(store.blocks_of(ladder, division))
        assert all(sum(block.table == pair for block in blocks) == DEALS for pair in {b.table for b in blocks})
        with open_store(tmp_path / "here.db") as here:
            again = played_here(here, ladder, division, blocks, bytes.fromhex(seed), herd)
            assert list(here.blocks_of(again, division)) == blocks
            assert boards_of(here, again) == boards_of(store, ladder)


def thinking_bot(folder: Path, name: str) -> Bot:
    """Slow enough to be killed in the middle of a match."""
    return quick_bot(folder, name, f"usleep(1000); return {WAYS[name]};")


class Coordinator:
    """`arena ladder run` on a cluster, watched through the store."""

    def __init__(self, folder: Path, url: str, cluster: Cluster, command: tuple[str, ...]) -> None:
        self._url = url
        self._log = folder / "coordinator.log"
        words = ["ladder", "run", "spring.toml", "--trust-bots", "--store", url, "--cluster", cluster.address]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen([*command, *words], cwd=folder, stdout=log, stderr=log)

    def until_stored(self, blocks: int) -> None:
        until = time.monotonic() + 240
        with open_store(self._url) as store:
            while (found := store.list_ladders()) == [] or store.counts(found[0]).final < blocks:
                assert time.monotonic() < until and self._process.poll() is None, self._log.read_text()
                time.sleep(0.1)

    def kill(self) -> None:
        family = descendants(self._process.pid)
        self._process.kill()
        self._process.wait()
        assert not any(map(alive, family))

    def until_over(self) -> str:
        assert self._process.wait(240) == 0, self._log.read_text()
        return self._log.read_text()


def played_here(
    here: Store, ladder: Ladder, division: Division, blocks: list[Block], secret: bytes, herd: dict[str, Bot]
) -> Ladder:
    """The blocks that count, played again by the local runner: all follows from the secret and their numbers."""
    void = sorted(set(range(blocks[-1].number)) - {block.number for block in blocks})
    again = here.create_ladder(ladder.name, seed_commitment="", settings=ladder.settings)
    for name in herd:
        here.add_bot(again, NewEntry(name, name))
    orders = []
    for block in blocks:
        deal = derive(secret, "deal", block.number)
        rows = tuple(tuple((label, herd[label]) for label in match.bots) for match in block.matches)
        salts = tuple(derive(secret, "table", ladder.name, block.number, row) for row in range(len(rows)))
        orders.append(BlockOrder(block.number, division.game, {}, rows, (deal,) * len(rows), salts))
        table = tuple(sorted(block.matches[0].bots))
        promised = tuple((match_id(salt), commitment(deal, salt)) for salt in salts)
        here.plan_blocks(again, [Planned(block.number, division, table, promised)])
    here.write(again, [Planned(n, division, tuple(herd)[:2], ((f"m-{n}", "00" * 32),)) for n in void])
    here.write(again, voided=[Voided(number, "the arena stopped") for number in void])
    reports = trio.run(played, LocalRunner(Terms(tables=4), 2), orders)
    for number, report in sorted(reports.items()):
        assert isinstance(report, BlockReport)
        here.finish_blocks(again, [Finished(number, report.matches)])
    return again
