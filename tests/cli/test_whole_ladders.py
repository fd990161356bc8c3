"""Ladders of every kind, from file to standings."""

from __future__ import annotations

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
