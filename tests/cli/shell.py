"""`arena` as a stranger types it, and what it stored."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from arena.store import open_store
from arena.store.matches import Line, Wanted
from arena.store.store import Store

COMMAND = [sys.executable, "-m", "arena"]

LADDER = """
name = "{name}"
game = "sheepzzz"
seats = 2
bots = ["first", "random", "greedy"]
[schedule]
deals = {deals}
same_owner = true
[run]
tables = {tables}
[rating]
provisional_blocks = 2
"""


def ladder_file(folder: Path, deals: int, name: str = "spring", more: str = "", tables: int = 4) -> Path:
    path = folder / f"{name}.toml"
    path.write_text(LADDER.format(name=name, deals=deals, tables=tables) + more, "utf-8")
    return path


def arena(*words: str, cwd: Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    ran = subprocess.run(
        [sys.executable, "-m", "arena", *words], cwd=cwd, capture_output=True, text=True, timeout=240, check=False
    )
    assert ran.returncode == code, ran.stderr + ran.stdout
    assert "Traceback" not in ran.stderr
    return ran


def store_in(folder: Path) -> Store:
    return open_store(folder / ".arena/arena.db", create=False)


def matches_in(folder: Path) -> list[Line]:
    with store_in(folder) as store:
        return store.match_list(Wanted(limit=1_000_000))


def running(folder: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, "ladder", "run", "spring.toml", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def read_until(process: subprocess.Popen[str], text: str) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if text in line:
            return line
    raise AssertionError(f'"{text}" never came')
