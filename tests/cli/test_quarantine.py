"""A bot that only fails is benched, and plays again when it is released."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.shell import arena, matches_in

LADDER = """
game = "sheepzzz"
bots = ["wreck", "first", "random"]
[schedule]
deals = 20
same_owner = true
[run]
tables = 1
jobs = 1
sandbox = "trust-bots"
"""


def test_five_failures_in_a_row_bench_a_bot_until_it_is_released(tmp_path: Path) -> None:
    (tmp_path / "wreck").mkdir()
    (tmp_path / "wreck/bot.toml").write_text('name = "wreck"\nversion = "1"\nrun = ["false"]\n', "utf-8")
    (tmp_path / "wood.toml").write_text(LADDER, "utf-8")
    ran = arena("ladder", "run", "wood.toml", cwd=tmp_path)
    assert "wreck@1 is benched: it failed in 5 matches in a row" in ran.stdout
    assert "arena ladder release wood wreck@1" in ran.stdout
    assert "wood is complete" in ran.stdout
    forfeits = [seat.code for line in matches_in(tmp_path) for seat in line.seats if seat.bot == "wreck@1"]
    assert set(forfeits) == {"START"} and 5 <= len(forfeits) <= 10  # blocks under way are finished
    others = [line for line in matches_in(tmp_path) if "wreck@1" not in {seat.bot for seat in line.seats}]
    assert len(others) == 40
    told = json.loads(arena("ladder", "status", "wood", "--json", cwd=tmp_path).stdout)
    assert told["bots"]["wreck@1"] == "benched"

    arena("ladder", "release", "wood", "wreck@1", cwd=tmp_path)
    again = arena("ladder", "resume", "wood", "--trust-bots", cwd=tmp_path)
    assert "wreck@1 is benched" in again.stdout
    assert len(matches_in(tmp_path)) > 40 + len(forfeits)
