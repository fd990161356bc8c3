"""A bot whose code fails forfeits nothing, for its kit plays the default; its author is told nevertheless."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.shell import arena


def test_play_and_log_tell_of_code_that_failed(tmp_path: Path) -> None:
    arena("new", "bot", "tiger", cwd=tmp_path)
    program = tmp_path / "tiger/bot.py"
    program.write_text(program.read_text("utf-8").replace("return 0", "return 1 // 0"), "utf-8")
    words = ("play", "sheepzzz", "./tiger", "random", "--deals", "1", "--seed", "7", "--trust-bots")
    said = arena(*words, cwd=tmp_path).stdout
    assert "tiger failed at " in said and "the default was played for it: ZeroDivisionError" in said
    played = json.loads(arena(*words, "--json", cwd=tmp_path).stdout)
    assert len(played["mishaps"]) == 1 and "random" not in played["mishaps"][0]
    logged = arena("log", played["matches"][-1]["match"], cwd=tmp_path).stdout
    assert played["mishaps"][0] in logged
