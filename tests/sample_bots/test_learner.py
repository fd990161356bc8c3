"""The learner learns: from nothing to beating chance, and what it learnt is what plays."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from sample_bots.learner.bot import Learner, read_weights
from sample_bots.learner.train import train
from sample_bots.random.bot import choose as choose_by_chance
from tests.cli.shell import arena
from tests.sample_bots.conversation import BYE, ROOT, running
from tests.sample_bots.play_in_process import random_but_never_takes_freely, wins


def test_a_few_hundred_games_are_enough_to_beat_chance() -> None:
    won = wins(Learner(train(300)).choose, choose_by_chance, 1, deals=20)
    assert won.rate - 3 * won.standard_error > 0.8, str(won)


def test_before_it_learnt_anything_it_is_no_better_than_chance() -> None:
    won = wins(Learner({}).choose, choose_by_chance, 1, deals=20)
    assert abs(won.rate - 0.5) < 0.3, str(won)


def test_it_has_learnt_more_than_not_to_take() -> None:
    won = wins(Learner(read_weights()).choose, random_but_never_takes_freely, 1, deals=30)
    assert won.rate - 2 * won.standard_error > 0.5, str(won)


def test_the_weights_that_are_kept_beat_chance_at_every_table() -> None:
    learner = Learner(read_weights())
    for opponents in (1, 3):
        won = wins(learner.choose, choose_by_chance, opponents, deals=12)
        assert won.rate - 3 * won.standard_error > 1 / (opponents + 1), str(won)


def test_training_is_repeatable() -> None:
    assert train(5) == train(5)


def test_it_runs_from_its_folder_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "sample_bots" / "learner")
    monkeypatch.delenv("PYTHONPATH", raising=False)
    with running([sys.executable, "bot.py"], "json") as bot:
        assert bot.greet()["name"] == "learner"
        bot.send(BYE)
        assert bot.leave() == (0, "")


def test_it_plays_in_a_ladder_and_stands_above_chance(tmp_path: Path) -> None:
    (tmp_path / "school.toml").write_text(
        'name = "school"\ngame = "sheepzzz"\nseats = 2\nbots = ["learner", "random"]\n'
        "[schedule]\ndeals = 6\nsame_owner = true\n[rating]\nprovisional_blocks = 2\n"
    )
    arena("ladder", "run", "school.toml", "--jobs", "1", cwd=tmp_path)
    rows = json.loads(arena("ladder", "show", "school", "--json", cwd=tmp_path).stdout)["divisions"][0]["rows"]
    assert all(row["forfeits"] == 0 for row in rows)
    assert max(rows, key=lambda row: row["elo"])["bot"].startswith("learner@")
