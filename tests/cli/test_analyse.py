"""`arena analyse`: the decisions that lost most, and how replays show them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.shell import arena, matches_in

THINK = ("--think-ms", "25")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A short match in which seat 0 plays by chance."""
    folder = tmp_path_factory.mktemp("played")
    terms = ("--deals", "1", "--seed", "7", "--jobs", "1", "--variant", "target=30")
    arena("play", "sheepzzz", "random", "greedy", *terms, cwd=folder)
    return folder, next(line.match for line in matches_in(folder) if line.seats[0].bot.startswith("random"))


def test_the_largest_losses_are_told_and_marked_in_the_replay_of_that_seat(played: tuple[Path, str]) -> None:
    folder, match = played
    told = arena("analyse", match, "--seat", "0", *THINK, cwd=folder).stdout
    assert "? seer: " in told and "places lost" in told
    lost = [float(line.split("(")[-1].split()[0]) for line in told.splitlines() if "? seer" in line]
    assert lost == sorted(lost, reverse=True)
    marked = arena("replay", match, "--seat", "0", cwd=folder).stdout
    assert told.split("? seer: ")[1].splitlines()[0] in marked
    assert "? seer" not in arena("replay", match, "--seat", "public", cwd=folder).stdout


def test_as_data_every_decision_with_a_choice_is_there(played: tuple[Path, str]) -> None:
    folder, match = played
    decisions = json.loads(arena("analyse", match, "--seat", "1", *THINK, "--json", cwd=folder).stdout)[
        "decisions"
    ]
    assert decisions and all(it["lost"] >= 0 for it in decisions)
    numbers = [it["number"] for it in decisions]
    assert numbers == sorted(set(numbers))


def test_a_seat_that_is_not_there_is_refused(played: tuple[Path, str]) -> None:
    folder, match = played
    assert "choose 0 to 1" in arena("analyse", match, "--seat", "2", cwd=folder, code=2).stderr
