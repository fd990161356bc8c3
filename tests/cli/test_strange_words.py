"""Words that are easily typed and strange to a program: patterns, closed folders, endless names and numbers."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli.failure import DAMAGED, NOT_HERE, USAGE
from tests.cli.shell import COMMAND, arena, ladder_file

LONG = "a" * 300
LONG_NUMBER = "9" * 20


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("place")
    arena("play", "sheepzzz", "greedy", "random", "--deals", "1", cwd=folder)
    arena("new", "bot", "tiger", "--in", "bots", cwd=folder)
    return folder


def test_a_pattern_may_begin_at_the_root_and_hold_any_signs(played: Path) -> None:
    for pattern in (f"{played}/bots/*", "bots/t*", "**/tiger"):
        words = ("play", "sheepzzz", pattern, "random", "--deals", "1", "--trust-bots")
        assert "tiger" in arena(*words, cwd=played).stdout
    for pattern in ("**x", "bots/**x", "/nowhere/*"):
        said = arena("play", "sheepzzz", pattern, "random", cwd=played, code=USAGE).stderr
        assert f'no folder like "{pattern}" holds a bot.toml' in said


@pytest.mark.parametrize("words", ["verify", "ladder run", "check", "rerun --bot greedy", "play sheepzzz random"])
def test_a_name_too_long_for_a_file_is_said_to_be(words: str, played: Path) -> None:
    said = arena(*words.split(), LONG, cwd=played, code=USAGE).stderr
    assert "is too long for the name of a file" in said and LONG not in said


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("match list --since 9999-12-31T23:59:59-05:00", "write a date such as"),
        (f"match list --limit {LONG_NUMBER}", "no number here has more than 64 bits"),
        (f"match list --offset {LONG_NUMBER}", "no number here has more than 64 bits"),
        ("duel greedy random --game sheepzzz --elo0=-200000", "elo0 and elo1 must be within -4000 and 4000"),
        ("duel greedy random --game sheepzzz --elo1 1e-17", "too close"),
        ("match list --bot \udcff", "no text in UTF-8"),
        ("match show \udcff", "no text in UTF-8"),
        ("ladder run \udcff", "no text in UTF-8"),
        ("new ladder spring --bot \udcff", "no text in UTF-8"),
        ("play sheepzzz \udcff random", "it is neither a folder nor a program nor a sample bot"),
    ],
)
def test_what_no_store_and_no_file_can_hold_is_a_sentence(words: str, expected: str, played: Path) -> None:
    assert expected in arena(*words.split(), cwd=played, code=USAGE).stderr


@pytest.mark.parametrize("host", ["\udcff", "a" * 64 + ".example"])
def test_what_is_no_address_at_all_is_said_to_be_none(host: str, played: Path) -> None:
    assert "is no address" in arena("serve", "--port", "0", "--host", host, cwd=played, code=NOT_HERE).stderr


def without_privilege(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """As the same user; if that is root, then one who is asked for permissions like anybody."""
    powerless = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
    return subprocess.run([*powerless, *COMMAND, *words], cwd=cwd, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory, played: Path) -> Path:
    """A folder in which not all may be entered and read."""
    folder = tmp_path_factory.mktemp("closed")
    for name in ("locked/tiger", "half", "headless"):
        shutil.copytree(played / "bots/tiger", folder / name)
    (folder / "half/bot.py").chmod(0)
    (folder / "headless/bot.toml").chmod(0)
    (folder / "secret.match").touch(0)
    (folder / "mine").mkdir()
    (folder / "locked").chmod(0)
    return folder


@pytest.mark.parametrize(
    "words",
    [
        "check ./locked/tiger",
        "check ./half",
        "check ./headless",
        "play sheepzzz ./locked/tiger random --dir mine",
        "play sheepzzz locked/tiger* ./half --dir mine",
        "verify secret.match",
        "verify locked/x.match",
        "match list --dir locked/x",
        "ladder run locked/x.toml --dir mine",
        "rerun secret.match --bot greedy",
        "doctor --dir locked/x",
    ],
)
def test_what_may_not_be_entered_or_read_is_named(words: str, closed: Path) -> None:
    ran = without_privilege(*words.split(), cwd=closed)
    assert ran.returncode in (USAGE, NOT_HERE), ran.stderr
    assert "Traceback" not in ran.stderr
    assert "Permission denied" in ran.stdout + ran.stderr or "holds a bot.toml" in ran.stderr


def test_a_folder_that_was_deleted_is_told_by_the_doctor(tmp_path: Path) -> None:
    line = f"mkdir gone; cd gone; rmdir ../gone; exec {sys.executable} -m arena doctor"
    ran = subprocess.run(["sh", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (NOT_HERE, "")
    assert "the folder that you are in was deleted; go to another" in ran.stdout


def test_who_plays_with_a_closed_input_has_left(tmp_path: Path) -> None:
    line = f"exec {sys.executable} -m arena human sheepzzz greedy --text 0<&-"
    ran = subprocess.run(["sh", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "Traceback" not in ran.stderr and "you left" in ran.stderr


@pytest.mark.parametrize("words", ["ladder list", "ladder run quickstart", "ladder show spring"])
def test_a_row_that_was_damaged_is_exit_code_6(words: str, tmp_path: Path) -> None:
    ladder_file(tmp_path, 1)
    arena("ladder", "run", "spring.toml", cwd=tmp_path)
    with sqlite3.connect(tmp_path / ".arena/arena.db") as database:
        database.execute("UPDATE ladders SET settings = '{' || settings")
    database.close()
    said = arena(*words.split(), cwd=tmp_path, code=DAMAGED).stderr
    assert "the settings of ladder spring cannot be read: the database is damaged" in said
    assert "put a backup in its place" in said
