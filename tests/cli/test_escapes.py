"""What bots and files say about themselves cannot move the cursor (I2)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from arena.bots.manifest import find_bot
from arena.bots.rerun import Decision
from arena.cli import rerun
from arena.cli.entering import sandbox_for
from arena.cli.failure import Failure
from tests.cli.shell import LADDER, arena


def test_i2_what_a_bot_wants_to_read_is_shown_escaped() -> None:
    bot = replace(find_bot("first"), sample=False, needs=("/opt/\x1b[2Jx",))
    with pytest.raises(Failure) as failure:
        sandbox_for([bot], trust_bots=False)
    assert str(failure.value).isprintable()


def test_i2_a_note_is_shown_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rerun, "game_of", lambda document: type("Game", (), {"say": staticmethod(str)}))
    line = rerun._line({}, Decision(1, "play", [("pass",)], 0, 0, note="\x1b[2J\nfree"))
    assert line.isprintable()


def test_i2_a_title_is_shown_escaped(tmp_path: Path) -> None:
    text = LADDER.format(name="spring", deals=1, tables=4)
    (tmp_path / "spring.toml").write_text(f'title = "a\\u001b[31m"\n{text}')
    arena("ladder", "run", "spring.toml", cwd=tmp_path)
    for words in (("list",), ("show", "spring")):
        said = arena("ladder", *words, cwd=tmp_path).stdout
        assert "\x1b" not in said and "a\\x1b[31m" in said


def test_what_cannot_be_sorted_by_is_a_wrong_word(tmp_path: Path) -> None:
    arena("play", "sheepzzz", "first", "first", "--deals", "1", cwd=tmp_path)
    assert (
        'unknown order "wool"; known: newest'
        in arena("match", "list", "--sort", "wool", cwd=tmp_path, code=2).stderr
    )
