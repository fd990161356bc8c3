"""Games that other packages bring, and the package that `arena new game` writes."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from types import ModuleType

import pytest

from arena.example import example_of
from arena.game_starter import filled, make_game
from arena.games.sheepzzz import SheepZzz
from arena.packaged_games import GROUP, GameRefused, Games, _one_for_each_name
from tests.docs.shell import Shell


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    here = tmp_path / "here"
    here.mkdir()
    return Shell(here)


def test_a_new_game_passes_its_tests_is_listed_played_replayed_and_verified(shell: Shell) -> None:
    assert "Next: pip install -e rooks-and-crows" in shell.type("arena new game rooks-and-crows")
    package = shell.folder / "rooks-and-crows"
    shell.install(package)
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(package / "tests")]
    ran = subprocess.run(words, cwd=package, env=shell.environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
    assert "rooks-and-crows" in shell.type("arena games")
    played = json.loads(shell.type("arena play rooks-and-crows random first --deals 1 --json"))
    match = played["matches"][0]["match"]
    assert "lay" in shell.type(f"arena replay {match} --seat 0")
    assert "holds" in shell.type(f"arena verify {match}")
    del shell.environment["PYTHONPATH"]
    assert "a game that is not installed here" in shell.type(f"arena replay {match} --seat 0", code=5)


def test_two_games_of_one_name_are_refused_and_both_packages_named(shell: Shell) -> None:
    make_game("rooks", shell.folder / "one")
    make_game("crows", shell.folder / "two")
    project = shell.folder / "two/pyproject.toml"
    project.write_text(
        project.read_text("utf-8").replace('crows = "crows:Crows"', 'rooks = "crows:Crows"'), "utf-8"
    )
    shell.install(shell.folder / "one")
    shell.install(shell.folder / "two")
    shell.environment["PYTHONPATH"] = f"{shell.folder / 'one'}:{shell.folder / 'two'}"
    told = shell.type("arena play sheepzzz random first --deals 1", code=5)
    assert 'two games are called "rooks"' in told and "one of crows and one of rooks" in told
    listed = shell.type("arena games", code=5)
    assert "wolfpack " in listed and 'two games are called "rooks"' in listed


def test_a_game_under_the_name_of_one_of_ours_is_refused() -> None:
    impostor = EntryPoint("sheepzzz", "elsewhere:Sheep", GROUP)
    with pytest.raises(GameRefused, match=r"one of flock-arena and one of elsewhere:Sheep"):
        _one_for_each_name([impostor], ["sheepzzz"])


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("no_such_module:Rooks", "cannot be loaded: ModuleNotFoundError"),
        ("arena.games:Nothing", "cannot be loaded: AttributeError"),
        ("arena.games:GAMES", "is no game"),
        ("arena.games.sheepzzz:SheepZzz", 'is no game called "rooks"'),
    ],
)
def test_a_game_that_cannot_be_had_is_told_with_its_package(
    value: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def entry_points(group: str) -> EntryPoints:
        return EntryPoints([EntryPoint("rooks", value, group)])

    monkeypatch.setattr("importlib.metadata.entry_points", entry_points)
    games = Games([SheepZzz])
    assert "rooks" in games and list(games) == ["sheepzzz", "rooks"]
    with pytest.raises(GameRefused, match=expected):
        games["rooks"]


def test_our_own_games_are_had_without_looking_through_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    def entry_points(group: str) -> EntryPoints:
        raise AssertionError("looked")

    monkeypatch.setattr("importlib.metadata.entry_points", entry_points)
    games = Games([SheepZzz])
    assert games["sheepzzz"] is SheepZzz and "sheepzzz" in games


@pytest.mark.parametrize("name", ["Rooks", "9rooks", "random", "class", "arena", "../rooks", ""])
def test_a_game_of_a_bad_name_is_refused_and_nothing_is_written(name: str, shell: Shell) -> None:
    told = shell.type(f'arena new game "{name}"', code=2)
    assert told.startswith("error: ")
    assert not any(shell.folder.iterdir())


def test_a_game_of_two_questions_can_be_shown_as_well() -> None:
    words = {"name": "rooks", "module": "rooks", "Class": "Rooks", "title": "Rooks"}
    module = ModuleType("short_rooks")
    sys.modules[module.__name__] = module
    exec(filled("game.py.in", words).replace("number(5,", "number(2,"), vars(module))
    assert example_of(module.Rooks)["question"] == "stones"
