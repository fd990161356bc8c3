"""Somebody pulls the plug of a running ladder: Ctrl-C, kill -9, a stopped machine, a terminal nobody reads."""

from __future__ import annotations

import json
import os
import pty
import random
import re
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest

from arena.boards import definition_of
from arena.store import Division, StoreError
from ladders.ledger import Ledger
from ladders.results import Block
from ladders.standings import standings
from tests.cli.shell import COMMAND, arena, ladder_file, matches_in, read_until, running, store_in
from tests.runner.test_local_runner import alive, descendants
from tests.warm import Popen

SOAK = int(os.environ.get("ARENA_SOAK", "1"))
KILLS = 50
LADDERS = 1 if SOAK == 1 else 20
DIVISION = Division.of("sheepzzz", {}, 2)


def test_f11_f12_a_second_arena_is_refused_and_a_dead_ones_lock_is_gone(tmp_path: Path) -> None:
    ladder_file(tmp_path, 10_000)
    with running(tmp_path) as first:
        read_until(first, "block ")
        said = arena("ladder", "run", "spring.toml", cwd=tmp_path, code=5).stderr
        assert re.search(rf"ladder spring is being run \(pid {first.pid}, since \d\d:\d\d\)", said)
        told = json.loads(arena("ladder", "status", "spring", "--json", cwd=tmp_path).stdout)
        assert f"pid {first.pid}" in told["running"]
        first.kill()
        first.communicate()
    with running(tmp_path) as second:
        assert "blocks were void: the arena stopped" in read_until(second, "void")
        read_until(second, "block ")
        second.send_signal(signal.SIGINT)
        second.communicate()


def test_f3_ctrl_c_once_finishes_what_is_running_and_says_how_to_go_on(tmp_path: Path) -> None:
    ladder_file(tmp_path, 10_000)
    with running(tmp_path) as ladder:
        first = read_until(ladder, "block ")
        family = descendants(ladder.pid)
        ladder.send_signal(signal.SIGINT)
        said, _ = ladder.communicate(timeout=60)
        assert ladder.returncode == 130
    assert re.search(r"finishing \d+ blocks \(press Ctrl-C again to stop now\)", said)
    assert "Go on: arena ladder resume spring" in said
    shown = {int(number) for number in re.findall(r"^block (\d+)  ", first + said, re.MULTILINE)}
    stored = {line.block for line in matches_in(tmp_path)}
    assert shown <= stored
    assert not any(map(alive, family))
    status = json.loads(arena("ladder", "status", "spring", "--json", cwd=tmp_path).stdout)
    assert status["planned"] == 0


def test_f3_ctrl_c_twice_or_sigterm_stop_safely(tmp_path: Path) -> None:
    ladder_file(tmp_path, 10_000)
    for signals in ((signal.SIGINT, signal.SIGINT), (signal.SIGTERM,), (signal.SIGHUP,)):
        with running(tmp_path) as ladder:
            read_until(ladder, "block ")
            for number in signals:
                ladder.send_signal(number)
                time.sleep(0.05)
            said, _ = ladder.communicate(timeout=60)
            assert ladder.returncode == 130, said
            assert "Traceback" not in said
    assert json.loads(arena("verify", "spring", "--json", cwd=tmp_path).stdout)["holds"]


@pytest.mark.parametrize("seed", range(LADDERS))
def test_f1_f2_nothing_shown_is_lost_and_nothing_is_counted_twice_however_often_the_arena_is_killed(
    tmp_path: Path, seed: int
) -> None:
    """Real `kill -9` at random moments, between plan and deal, result and table, anywhere."""
    ladder_file(tmp_path, 100_000, tables=2)  # few bots: most of its time goes into starting them
    shown: set[str] = set()
    moments = random.Random(seed)
    for _ in range(KILLS):
        with running(tmp_path) as ladder:
            assert ladder.stdout is not None
            for _ in range(moments.randrange(8)):
                shown |= named_in(read_until(ladder, "block "))
            time.sleep(moments.uniform(0, 0.1))
            family = descendants(ladder.pid)
            ladder.kill()
            shown |= named_in(ladder.communicate()[0])
        gone_by = time.monotonic() + 20
        while any(map(alive, family)):
            assert time.monotonic() < gone_by, "a bot outlived the arena"
            time.sleep(0.02)
    with running(tmp_path) as ladder:
        read_until(ladder, "block ")
        ladder.send_signal(signal.SIGINT)
        ladder.communicate()
    stored = [line.match for line in matches_in(tmp_path)]
    assert len(stored) == len(set(stored)) and shown <= set(stored)
    assert len(shown) > KILLS / 4, "it was killed while it played"
    deals = deals_by_state(tmp_path)
    assert deals["void"] and not deals["void"] & deals["final"], "a void deal is never played again"
    table = json.loads(arena("ladder", "show", "spring", "--json", cwd=tmp_path).stdout)["divisions"][0]
    with store_in(tmp_path) as store:
        found = store.find_ladder("spring")
        void = [Block(number, ()) for number in store.passed_over(found, DIVISION)]
        ledger = Ledger.of([*store.blocks_of(found, DIVISION), *void])
        again = standings(ledger, definition_of(found).rating.settings())
        assert not store.verify_chain(found).damage
    assert json.loads(json.dumps(again.as_data()))["rows"] == table["rows"]


def named_in(text: str) -> set[str]:
    return set(re.findall(r"^block \d+  sheepzzz  .*(m-\w+) …$", text, re.MULTILINE))


def deals_by_state(folder: Path) -> dict[str, set[bytes]]:
    """Commitments say which deals: they are salted, so equal ones are the same deal at the same table."""
    with sqlite3.connect(folder / ".arena/arena.db") as database:
        rows = database.execute(
            "SELECT blocks.state, matches.commitment FROM matches JOIN blocks ON matches.block = blocks.id"
        ).fetchall()
    database.close()
    found: dict[str, set[bytes]] = {"void": set(), "final": set(), "planned": set()}
    for state, commitment in rows:
        found[state].add(commitment)
    return found


def test_f21_a_terminal_that_is_not_read_does_not_hold_up_the_matches(tmp_path: Path) -> None:
    """Ctrl-S: the screen stands still, the ladder does not."""
    ladder_file(tmp_path, 20)
    ours, theirs = pty.openpty()
    ladder = Popen(
        [*COMMAND, "ladder", "run", "spring.toml"],
        cwd=tmp_path,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    until = time.monotonic() + 120
    while stored_in(tmp_path) < 120:
        assert ladder.poll() is None and time.monotonic() < until
        time.sleep(0.1)
    said = b""
    while True:
        try:
            data = os.read(ours, 1 << 16)
        except OSError:
            break
        said += data
        if not data:
            break
    os.close(ours)
    assert ladder.wait() == 0 and b"spring is complete" in said


def stored_in(folder: Path) -> int:
    try:
        return len(matches_in(folder))
    except StoreError:  # it is being made
        return 0


def test_f16_an_arena_that_was_stopped_for_a_while_charges_nobody(tmp_path: Path) -> None:
    ladder_file(tmp_path, 40, more="[limits]\nmove_ms = 300\n")
    words = [*COMMAND, "ladder", "run", "spring.toml"]  # workers are found by what they were called with
    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as ladder:
        read_until(ladder, "block ")
        family = [pid for pid in descendants(ladder.pid) if b"arena.runner.worker" in command_of(pid)]
        assert family
        for pid in (ladder.pid, *family):
            os.kill(pid, signal.SIGSTOP)
        time.sleep(1.0)
        for pid in (*family, ladder.pid):
            os.kill(pid, signal.SIGCONT)
        said, _ = ladder.communicate(timeout=120)
        assert ladder.returncode == 0, said
    assert not any(seat.code for line in matches_in(tmp_path) for seat in line.seats)


def command_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
