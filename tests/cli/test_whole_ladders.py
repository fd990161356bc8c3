"""Ladders of every kind, from file to standings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.shell import arena

HEAD = 'game = "sheepzzz"\nseats = 2\nbots = ["greedy", "random", "first"]\n'
ENDING = {
    "swiss": '[schedule]\nformat = "swiss"\ndeals = 1\nsame_owner = true\n',
    "knockout": '[schedule]\nformat = "knockout"\ndeals = 1\nsame_owner = true\n',
    "title": 'title = "Frühling \U0001f411"\n[schedule]\ndeals = 1\nsame_owner = true\n',
}


@pytest.mark.parametrize("kind", ENDING)
def test_a_ladder_ends_in_standings_that_are_shown_and_verified(kind: str, tmp_path: Path) -> None:
    (tmp_path / "spring.toml").write_text(HEAD + ENDING[kind], "utf-8")
    assert "spring is complete" in arena("ladder", "run", "spring.toml", cwd=tmp_path).stdout
    assert "Bradley-Terry" in arena("ladder", "show", "spring", cwd=tmp_path).stdout
    assert "spring is complete" in arena("ladder", "resume", "spring", cwd=tmp_path).stdout
    arena("verify", "spring", cwd=tmp_path)


def test_a_gauntlet_puts_the_bot_to_the_test_that_its_file_names(tmp_path: Path) -> None:
    text = 'game = "wolfpack"\nseats = 2\nbots = ["alpha", "random", "first"]\n[schedule]\nformat = "gauntlet"\n'
    for name, challenger in (("any", "alpha"), ("one", "alpha@0.1")):
        more = f'challengers = ["{challenger}"]\ndeals = 1\nsame_owner = true\n'
        (tmp_path / f"{name}.toml").write_text(text + more, "utf-8")
        ran = arena("ladder", "run", f"{name}.toml", cwd=tmp_path).stdout
        blocks = [line for line in ran.splitlines() if line.startswith("block ")]
        assert len(blocks) == 2 and all("alpha@0.1" in line for line in blocks)
    (tmp_path / "none.toml").write_text(f'{text}challengers = ["alpha@9"]\nsame_owner = true\n', "utf-8")
    said = arena("ladder", "run", "none.toml", cwd=tmp_path, code=2).stderr
    assert "alpha@9 is not among the bots: name some of alpha@0.1, " in said


@pytest.mark.parametrize("anchor", ["random", "random@0.1"])
def test_an_anchor_stands_at_its_number_by_the_name_in_the_file(anchor: str, tmp_path: Path) -> None:
    rules = f'[schedule]\ndeals = 1\nsame_owner = true\n[rating]\nanchor = "{anchor}"\n'
    (tmp_path / "spring.toml").write_text(HEAD + rules, "utf-8")
    ran = arena("ladder", "run", "spring.toml", "--json", cwd=tmp_path).stdout.splitlines()[-1]
    (board,) = json.loads(ran)["divisions"]
    assert {row["bot"]: row["elo"] for row in board["rows"]}["random@0.1"] == 1000
    assert f"{anchor} is fixed at 1000" in board["head"]["method"]
