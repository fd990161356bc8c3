"""What programs read of a series, a duel and a ladder: one object in the end, whatever happened meanwhile."""

from __future__ import annotations

import contextlib
import json
import signal
import time
from pathlib import Path
from subprocess import PIPE

import pytest

from arena.store import StoreError
from tests.cli.shell import COMMAND, arena, ladder_file, matches_in
from tests.cli.test_commands import CHATTY, written_bot
from tests.warm import Popen


def test_a_duel_prints_its_verdict_alone_also_when_a_bot_fails(tmp_path: Path) -> None:
    written_bot(tmp_path / "own", CHATTY)
    words = ("duel", "./own", "first", "--game", "sheepzzz", "--most-blocks", "16", "--trust-bots", "--json")
    told = json.loads(arena(*words, cwd=tmp_path).stdout)
    assert told["decision"] in ("pass", "inconclusive") and "error" not in told


def until_played(folder: Path) -> None:
    """The first match is stored; before that, the database may not be there yet, or not whole."""
    ends = time.monotonic() + 60
    while time.monotonic() < ends:
        with contextlib.suppress(StoreError):
            if (folder / ".arena/arena.db").exists() and matches_in(folder):
                return
        time.sleep(0.2)
    raise AssertionError("nothing was played")


@pytest.mark.parametrize(
    "words",
    [
        "play sheepzzz first first --deals 100000",
        "duel first random --game sheepzzz --elo1 0.01",
        "ladder run spring.toml",
    ],
)
def test_who_is_stopped_says_so_in_the_object_of_the_result(words: str, tmp_path: Path) -> None:
    ladder_file(tmp_path, deals=10_000)
    with Popen([*COMMAND, *words.split(), "--json"], cwd=tmp_path, stdout=PIPE, stderr=PIPE, text=True) as running:
        try:
            until_played(tmp_path)
            running.send_signal(signal.SIGINT)
            said, complained = running.communicate(timeout=60)
        except BaseException:
            running.kill()
            raise
    assert (running.returncode, complained) == (130, "")
    *blocks, told = (json.loads(line) for line in said.splitlines())
    assert told["code"] == 130 and "stopped after" in told["error"] and len(told) > 2
    assert words.startswith("ladder") or not blocks
