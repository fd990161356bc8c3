"""`arena ladder` as an operator uses it: real processes, a real database, and somebody who pulls the plug."""

from __future__ import annotations

import json
import re
import shutil
import signal
import sqlite3
from pathlib import Path

import pytest

from tests.cli.shell import arena, ladder_file, matches_in, read_until, running
from tests.store.postgres_server import Server, postgres

__all__ = ["postgres"]


@pytest.fixture(scope="module")
def spring(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small ladder, played once for the tests that only read."""
    folder = tmp_path_factory.mktemp("ladder")
    ladder_file(folder, 4)
    ran = arena("ladder", "run", "spring.toml", cwd=folder)
    assert "spring is complete" in ran.stdout
    assert len(re.findall(r"^block \d+  sheepzzz  ", ran.stdout, re.MULTILINE)) == 12
    return folder


def test_a_ladder_plays_every_pair_in_every_seating_and_shows_standings(spring: Path) -> None:
    assert len(matches_in(spring)) == 24
    shown = json.loads(arena("ladder", "show", "spring", "--json", cwd=spring).stdout)
    rows = shown["divisions"][0]["rows"]
    assert max(rows, key=lambda row: row["elo"])["bot"].startswith("greedy@")
    assert all(row["blocks"] == 8 and row["games"] == 16 and row["forfeits"] == 0 for row in rows)
    told = arena("ladder", "show", "spring", cwd=spring).stdout
    assert "12 blocks, 24 games" in told and "Bradley-Terry" in told


def test_run_again_it_says_that_it_is_complete_and_plays_nothing(spring: Path) -> None:
    ran = arena("ladder", "run", "spring.toml", cwd=spring)
    assert "spring is complete" in ran.stdout and not re.search(r"^block ", ran.stdout, re.MULTILINE)
    assert len(matches_in(spring)) == 24


def test_ladders_and_their_state_are_listed(spring: Path) -> None:
    assert "spring  12 blocks  24 matches" in arena("ladder", "list", cwd=spring).stdout
    told = json.loads(arena("ladder", "status", "spring", "--json", cwd=spring).stdout)
    assert told["running"] == "" and told["final"] == 12 and len(told["bots"]) == 3


def test_matches_are_found_by_filters_and_by_the_beginning_of_their_name(spring: Path) -> None:
    listed = json.loads(
        arena("match", "list", "--bot", "greedy@0.1", "--vs", "first@0.1", "--json", cwd=spring).stdout
    )
    assert len(listed) == 8
    assert all({"greedy@0.1", "first@0.1"} == {seat["bot"] for seat in match["seats"]} for match in listed)
    name = listed[0]["match"]
    assert name in arena("match", "show", name[:8], cwd=spring).stdout
    assert "No finished match fits" in arena("match", "list", "--reason", "CRASH", cwd=spring).stdout
    assert "2026-11-16" in arena("match", "list", "--since", "yesterday", cwd=spring, code=2).stderr


def test_a_ladder_is_exported_as_lines_and_as_a_table(spring: Path) -> None:
    lines = arena("export", "spring", cwd=spring).stdout.splitlines()
    assert len(lines) == 24 and all(json.loads(line)["match"].startswith("m-") for line in lines)
    assert len(arena("export", "spring", "--as", "csv", cwd=spring).stdout.splitlines()) == 1 + 48
    assert "jsonl or csv" in arena("export", "spring", "--as", "xml", cwd=spring, code=2).stderr


def test_verify_recomputes_deals_transcripts_chain_and_ratings(spring: Path) -> None:
    told = json.loads(arena("verify", "spring", "--json", cwd=spring).stdout)
    assert told["holds"] and told["blocks"] == 12 and told["matches"] == 24
    assert told["deals"] == "recomputed from the secret"


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("UPDATE seats SET place = 3 - place WHERE block = 5", "block 5"),
        ("UPDATE seats SET points = points + 1 WHERE block = 3 AND seating = 1 AND seat = 0", "block 3"),
        ("DELETE FROM blocks WHERE number = 7", "block"),
        ("UPDATE records SET record = zeroblob(100) WHERE block = 2 AND seating = 0", "block 2"),
    ],
)
def test_e10_a_result_edited_by_hand_is_named_and_exits_6(
    spring: Path, tmp_path: Path, change: str, found: str
) -> None:
    shutil.copytree(spring / ".arena", tmp_path / ".arena")
    with sqlite3.connect(tmp_path / ".arena/arena.db") as database:
        database.execute(change)
    database.close()
    assert "does not hold" in arena("verify", "spring", cwd=tmp_path, code=6).stderr


def test_i3_a_changed_ladder_file_is_told_key_by_key(spring: Path, tmp_path: Path) -> None:
    shutil.copytree(spring / ".arena", tmp_path / ".arena")
    ladder_file(tmp_path, 4, more="[limits]\nmove_ms = 500\n")
    said = arena("ladder", "run", "spring.toml", cwd=tmp_path, code=2).stderr
    assert "move_ms 1000 -> 500" in said and "--keep-settings" in said
    assert "complete" in arena("ladder", "run", "spring.toml", "--keep-settings", cwd=tmp_path).stdout


def test_f25_a_broken_ladder_file_starts_nothing(tmp_path: Path) -> None:
    path = ladder_file(tmp_path, 4, more="[limits]\nmove_mss = 500\n")
    said = arena("ladder", "run", path.name, cwd=tmp_path, code=2).stderr
    assert 'did you mean "move_ms"' in said and "line 14" in said and "nothing was started" in said
    assert not (tmp_path / ".arena").exists()


def test_a_bot_that_changed_under_its_name_and_version_is_not_mixed_with_the_old_one(tmp_path: Path) -> None:
    (tmp_path / "bots").mkdir()
    arena("new", "bot", "mine", "--in", "bots", cwd=tmp_path)
    path = tmp_path / "own.toml"
    path.write_text(
        'game = "sheepzzz"\nbots = ["bots/*", "random"]\n[schedule]\ndeals = 1\nsame_owner = true\n', "utf-8"
    )
    assert "sandbox full" in arena("ladder", "run", "own.toml", cwd=tmp_path).stdout
    assert not any(seat.code for line in matches_in(tmp_path) for seat in line.seats)
    with (tmp_path / "bots/mine/bot.py").open("a", encoding="utf-8") as program:
        program.write("# better\n")
    said = arena("ladder", "run", "own.toml", cwd=tmp_path, code=1).stderr
    assert "has changed since it entered" in said and "version" in said


def test_bots_join_and_leave_while_the_ladder_runs(tmp_path: Path) -> None:
    written = ladder_file(tmp_path, 10_000)
    written.write_text(written.read_text("utf-8").replace(', "greedy"', ""), "utf-8")
    with running(tmp_path) as ladder:
        assert ladder.stdout is not None
        read_until(ladder, "block 5 ")
        arena("ladder", "add", "spring", "greedy", cwd=tmp_path)
        assert "joins" in read_until(ladder, "greedy@0.1 joins")
        assert "block" in read_until(ladder, " greedy@0.1 1.00")
        arena("ladder", "pause", "spring", "random@0.1", cwd=tmp_path)
        read_until(ladder, "random@0.1 is paused")
        ladder.send_signal(signal.SIGINT)
        ladder.communicate()
    rows = json.loads(arena("ladder", "show", "spring", "--json", cwd=tmp_path).stdout)["divisions"][0]["rows"]
    assert {row["bot"] for row in rows} == {"first@0.1", "greedy@0.1", "random@0.1"}


def test_a_ladder_lives_in_postgresql_as_well(tmp_path: Path, postgres: Server) -> None:
    """The same commands, the same verification; only the secret stays on this machine."""
    ladder_file(tmp_path, 2)
    url = str(postgres.new_database())
    ran = arena("ladder", "run", "spring.toml", "--store", url, cwd=tmp_path)
    assert "spring is complete" in ran.stdout
    assert not (tmp_path / ".arena/arena.db").exists()
    assert "6 blocks, 12 games" in arena("ladder", "show", "spring", "--store", url, cwd=tmp_path).stdout
    told = json.loads(arena("verify", "spring", "--store", url, "--json", cwd=tmp_path).stdout)
    assert told["holds"] and told["matches"] == 12
    assert "spring is complete" in arena("ladder", "run", "spring.toml", "--store", url, cwd=tmp_path).stdout
    name = json.loads(arena("match", "list", "--store", url, "--json", cwd=tmp_path).stdout)[0]["match"]
    assert "Result: 1. " in arena("replay", name, "--store", url, cwd=tmp_path).stdout
