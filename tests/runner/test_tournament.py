"""A tournament joins draws, workers and the store: what nobody may foresee, repeat or gain from."""

from __future__ import annotations

import json
import secrets
import shutil
import sys
from collections import defaultdict
from pathlib import Path

import pytest
import trio

import sample_bots
from arena.bots.manifest import find_bot, read_bot
from arena.runner import tournament
from arena.runner.draws import SeriesDraw
from arena.runner.local import LocalRunner
from arena.runner.orders import BlockReport, BlockVoid, Terms
from arena.runner.tournament import Contest, Tournament
from arena.store import Division, open_store
from arena.store.block import Planned
from arena.store.lock import LadderLock
from arena.store.roster import NewEntry
from arena.store.writer import Writer
from ladders.results import Block
from tests.runner.forging import forged
from tests.runner.planted_worker import DependsOnTheProcess
from tests.runner.test_local_runner import PLANTED

RECOGNISER = Path(__file__).parent.parent / "hostile_bots/recogniser"


class Listener:
    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.voids: list[str] = []
        self.troubles: list[str] = []

    def stored(self, contest: Contest, block: Block, report: BlockReport) -> None:
        self.blocks.append(block)

    def void(self, number: int, why: str) -> None:
        self.voids.append(why)

    def broken(self, void: BlockVoid) -> None:
        assert void.by_rulebook

    def trouble(self, text: str) -> None:
        self.troubles.append(text)


def play(folder: Path, game: str, bots: dict, deals: int, runner: LocalRunner) -> tuple[Tournament, Listener]:
    listener = Listener()
    with open_store(folder / "arena.db") as store:
        ladder = store.create_ladder("test", seed_commitment="")
        for label in bots:
            store.add_bot(ladder, NewEntry(label, label))
        division = Division.of(game, {}, len(bots))
        contest = Contest(division, {}, SeriesDraw(list(bots), deals))
        with LadderLock(store, ladder) as lock:
            writer = Writer(store, ladder, lock, listener.trouble)
            secret = secrets.token_bytes(32)
            played = Tournament("test", secret, [contest], bots, runner, writer, listener, 0)
            trio.run(played.run)
    return played, listener


def test_f29_a_rulebook_that_is_not_repeatable_is_found_and_pauses(tmp_path: Path, monkeypatch) -> None:
    """Its results depend on the process: only somebody else who plays them again can see it."""
    monkeypatch.setattr(tournament, "CHECKED", 1)
    bots = {"a": find_bot("first"), "b": find_bot("random")}
    played, listener = play(tmp_path, DependsOnTheProcess.name, bots, 5, LocalRunner(Terms(), 1, command=PLANTED))
    assert played.unrepeatable.startswith("m-") and not listener.blocks
    assert "came out differently when it was refereed again" in listener.voids[0]
    assert played.contests[0].paused and "paused" in listener.troubles[-1]


def test_repeatable_matches_pass_the_same_check(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(tournament, "CHECKED", 1)
    bots = {"a": find_bot("first"), "b": find_bot("random")}
    played, listener = play(tmp_path, "sheepzzz", bots, 3, LocalRunner(Terms(), 1))
    assert played.over and len(listener.blocks) == 3 and not listener.voids


class Doubling(LocalRunner):
    """Tells everything twice, and once more with other points."""

    def __init__(self) -> None:
        super().__init__(Terms(), 1)
        send = self._send.send_nowait

        def send_thrice(report: BlockReport) -> None:
            for told in (report, report, forged(report)):
                send(told)

        self._send.send_nowait = send_thrice  # type: ignore[method-assign]


def test_f13_of_results_that_arrive_together_the_first_counts_whoever_is_settled_first(tmp_path: Path) -> None:
    bots = {"a": find_bot("first"), "b": find_bot("random")}
    _, listener = play(tmp_path, "sheepzzz", bots, 12, Doubling())
    assert sorted(block.number for block in listener.blocks) == list(range(12))
    assert max(max(match.points) for block in listener.blocks for match in block.matches) < 1000
    assert sorted(listener.troubles) == sorted(
        f"block {number} came in twice with different results: the first counts" for number in range(12)
    )
    with open_store(tmp_path / "arena.db") as store:
        ladder = store.find_ladder("test")
        (division,) = store.divisions_of(ladder)
        assert list(store.blocks_of(ladder, division)) == sorted(listener.blocks, key=lambda block: block.number)


class Losing(LocalRunner):
    """Loses what came first."""

    def __init__(self, lost: int) -> None:
        super().__init__(Terms(), 1)
        send = self._send.send_nowait
        self._send.send_nowait = lambda report: send(  # type: ignore[method-assign]
            BlockVoid(report.number, "lost") if report.number < lost else report
        )


def test_every_void_block_tells_what_it_is_replaced_by_also_at_the_same_table_and_after_a_break(
    tmp_path: Path,
) -> None:
    bots = {"a": find_bot("first"), "b": find_bot("random")}
    play(tmp_path, "sheepzzz", bots, 4, Losing(3))
    with open_store(tmp_path / "arena.db") as store:
        ladder = store.find_ladder("test")
        assert store.counts(ladder).void == 3 and store.counts(ladder).final == 4
        assert store.unreplaced_of(ladder) == []
        division = next(iter(store.divisions_of(ladder)))
        left = [Planned(number, division, ("a", "b"), ((f"m-{number}", ""),)) for number in (7, 8)]
        store.plan_blocks(ladder, left)
        store.void_unfinished(ladder)
        assert store.unreplaced_of(ladder) == left
        contest = Contest(division, {}, SeriesDraw(list(bots), 6))
        runner = LocalRunner(Terms(), 1)
        with LadderLock(store, ladder) as lock:
            writer = Writer(store, ladder, lock, print)
            left = store.unreplaced_of(ladder)
            on = Tournament("test", bytes(32), [contest], bots, runner, writer, Listener(), 9, left)
            assert [on._plan(contest)[0].replaces for _ in range(3)] == [7, 8, None]


def test_no_process_meets_a_deal_twice_and_nothing_on_the_wire_is_equal_at_sister_tables(tmp_path: Path) -> None:
    folder = tmp_path / "recogniser"
    shutil.copytree(RECOGNISER, folder)
    shutil.copy(Path(sample_bots.__file__).parent / "flock_bot.py", folder)
    text = (folder / "bot.toml").read_text("utf-8").replace("python3", sys.executable)
    (folder / "bot.toml").write_text(text, "utf-8")
    bot = read_bot(folder)
    bots = {"a": bot, "b": find_bot("random"), "c": find_bot("first")}
    _, listener = play(tmp_path, "sheepzzz", bots, 8, LocalRunner(Terms(), 2))
    assert len(listener.blocks) == 8
    block_of = {match.match: block.number for block in listener.blocks for match in block.matches}
    met: dict[int, list[int]] = defaultdict(list)
    values: dict[tuple[str, str], set[str]] = defaultdict(set)
    for line in (folder / "diary.jsonl").read_text("utf-8").splitlines():
        process, match, kind, value, again = json.loads(line)
        assert not again, f"{kind} was recognised"
        if kind == "match":
            met[process].append(block_of[match])
        if kind != "deal":
            values[kind, value].add(match)
    assert sum(map(len, met.values())) == 24
    assert any(len(blocks) > 1 for blocks in met.values()), "processes are kept warm"
    assert all(len(blocks) == len(set(blocks)) for blocks in met.values())
    assert all(len(matches) == 1 for matches in values.values())


@pytest.mark.parametrize("game", ["sheepzzz", "herr-der-ziegen", "volle-wolle", "wolfpack"])
def test_e7_identical_bots_score_alike_whoever_sits_where(game: str, tmp_path: Path) -> None:
    """A deal is played in every seating: a bot that always does the same cannot be ahead of its twin."""
    first = find_bot("first")
    bots = {"a": first, "b": first, "c": first}
    _, listener = play(tmp_path, game, bots, 4, LocalRunner(Terms(), 1))
    for block in listener.blocks:
        points = dict.fromkeys(bots, 0)
        for match in block.matches:
            for label, scored in zip(match.bots, match.points, strict=True):
                points[label] += scored
        assert len(set(points.values())) == 1
