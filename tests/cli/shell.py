"""`arena` as a stranger types it, and what it stored."""

from __future__ import annotations

import sys
from pathlib import Path
from subprocess import PIPE, STDOUT, CompletedProcess

from arena.store import open_store
from arena.store.matches import Line, Wanted
from arena.store.store import Store
from tests.warm import Popen

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


def arena(*words: str, cwd: Path, code: int = 0, typed: str | None = None) -> CompletedProcess[str]:
    stdin = None if typed is None else PIPE
    with Popen([*COMMAND, *words], cwd=cwd, stdin=stdin, stdout=PIPE, stderr=PIPE, text=True) as running:
        try:
            said, complained = running.communicate(typed, timeout=240)
        except BaseException:
            running.kill()
            raise
    assert running.returncode == code, complained + said
    assert "Traceback" not in complained
    return CompletedProcess(running.args, running.returncode, said, complained)


def store_in(folder: Path) -> Store:
    return open_store(folder / ".arena/arena.db", create=False)


def matches_in(folder: Path) -> list[Line]:
    with store_in(folder) as store:
        return store.match_list(Wanted(limit=1_000_000))


def running(folder: Path, *words: str) -> Popen:
    return Popen(
        [*COMMAND, "ladder", "run", "spring.toml", *words],
        cwd=folder,
        stdout=PIPE,
        stderr=STDOUT,
        text=True,
        start_new_session=True,
    )


def read_until(process: Popen, text: str) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if text in line:
            return line
    raise AssertionError(f'"{text}" never came')
