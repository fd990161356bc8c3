"""What bots say about themselves cannot move the cursor (I2)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.bots.manifest import find_bot
from arena.bots.rerun import Decision
from arena.cli import rerun
from arena.cli.entering import sandbox_for
from arena.cli.failure import Failure


def test_i2_what_a_bot_wants_to_read_is_shown_escaped() -> None:
    bot = replace(find_bot("first"), sample=False, needs=("/opt/\x1b[2Jx",))
    with pytest.raises(Failure) as failure:
        sandbox_for([bot], trust_bots=False)
    assert str(failure.value).isprintable()


def test_i2_a_note_is_shown_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rerun, "game_of", lambda document: type("Game", (), {"say": staticmethod(str)}))
    line = rerun._line({}, Decision(1, "play", [("pass",)], 0, 0, note="\x1b[2J\nfree"))
    assert line.isprintable()
