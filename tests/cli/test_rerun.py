"""`arena rerun`: another bot at the decisions of a match that was played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.shell import arena, matches_in

CRASHES = """
import sys
from flock_bot import run
asked = 0
def choose(view, options):
    global asked
    asked += 1
    if asked == 3:
        sys.exit("enough")
    return len(options) - 1
run(choose)
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A match of greedy against first, and where it is kept."""
    folder = tmp_path_factory.mktemp("played")
    arena("play", "sheepzzz", "greedy", "first", "--deals", "1", "--seed", "7", "--jobs", "1", cwd=folder)
    return folder, next(line.match for line in matches_in(folder) if line.seats[0].bot.startswith("greedy"))


def again(played: tuple[Path, str], *words: str, code: int = 0) -> str:
    folder, match = played
    return arena("rerun", match, *words, cwd=folder, code=code).stdout


def test_a_bot_that_decides_as_before_differs_nowhere(played: tuple[Path, str]) -> None:
    told = again(played, "--bot", "greedy")
    assert "greedy 0.1 then, greedy 0.1 now" in told
    assert "\n0 of " in told


def test_another_bot_is_shown_where_it_differs(played: tuple[Path, str]) -> None:
    decisions = json.loads(again(played, "--bot", "greedy", "--seat", "1", "--json"))["decisions"]
    different = [it for it in decisions if it["now"] != it["then"]]
    assert 0 < len(different) < len(decisions)
    told = again(played, "--bot", "greedy", "--seat", "1")
    assert told.count("; now ") == len(different)
    assert f"{len(different)} of {len(decisions)} decisions are different." in told


def test_the_questions_are_those_of_the_match_whatever_is_answered_now(played: tuple[Path, str]) -> None:
    """The bot that played is asked the very same as one that answers otherwise."""
    asked = [
        [(it["question"], it["options"], it["then"]) for it in json.loads(again(played, *words))["decisions"]]
        for words in (("--bot", "greedy", "--seat", "1", "--json"), ("--bot", "first", "--seat", "1", "--json"))
    ]
    assert asked[0] == asked[1]


def test_one_decision_becomes_a_test_of_the_bot(played: tuple[Path, str]) -> None:
    folder, _ = played
    decisions = json.loads(again(played, "--bot", "greedy", "--seat", "1", "--json"))["decisions"]
    number = next(it["number"] for it in decisions if it["now"] != it["then"])
    words = ("--seat", "1", "--decision", str(number), "--save", "kept.json")
    assert "Saved: kept.json" in again(played, "--bot", "greedy", *words)
    assert "as expected" in arena("rerun", "kept.json", "--bot", "greedy", cwd=folder).stdout
    assert "expected: " in arena("rerun", "kept.json", "--bot", "first", cwd=folder, code=1).stdout
    assert len(json.loads((folder / "kept.json").read_text())["record"]["inputs"]) < 2 * number + 4


def test_a_bot_that_gives_up_is_told_with_its_reason(played: tuple[Path, str]) -> None:
    folder, _ = played
    bot = folder / "quitter"
    bot.mkdir()
    (bot / "bot.py").write_text(CRASHES)
    (bot / "bot.toml").write_text('name = "quitter"\nversion = "1"\nrun = ["python3", "bot.py"]\n')
    kit = Path(__file__).parents[2] / "sample_bots" / "flock_bot.py"
    (bot / "flock_bot.py").write_text(kit.read_text())
    told = again(played, "--bot", "quitter", "--seat", "0")
    assert "decision 3: " in told and "EXIT" in told
    assert "its process is gone" in told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--bot", "random"), "which seat shall random take?"),
        (("--bot", "greedy", "--seat", "5"), "choose 0 to 1"),
        (("--bot", "greedy", "--decision", "999"), "has no decision 999"),
        (("--bot", "greedy", "--save", "x.json"), "say which: --decision N"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    played: tuple[Path, str], words: tuple[str, ...], said: str
) -> None:
    folder, match = played
    assert said in arena("rerun", match, *words, cwd=folder, code=2).stderr


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("expect", 3, "holds no decision"),
        ("expect", ["no", "option"], "was no option there"),
        ("seat", 7, "holds no decision"),
        ("seat", -1, "holds no decision"),
        ("decision", "1", "holds no decision"),
        ("record", None, "holds no decision"),
    ],
)
def test_a_saved_decision_that_was_edited_by_hand_is_refused(
    played: tuple[Path, str], key: str, value: object, said: str
) -> None:
    folder, _ = played
    again(played, "--bot", "greedy", "--decision", "1", "--save", "whole.json")
    kept = json.loads((folder / "whole.json").read_text("utf-8"))
    (folder / "edited.json").write_text(json.dumps({**kept, key: value}), "utf-8")
    assert said in arena("rerun", "edited.json", "--bot", "greedy", cwd=folder, code=6).stderr


def test_a_place_that_no_decision_can_be_saved_in_is_named(played: tuple[Path, str]) -> None:
    folder, match = played
    words = ("rerun", match, "--bot", "greedy", "--decision", "1", "--save", "/nonexistent/x")
    assert "/nonexistent/x cannot be written: No such file" in arena(*words, cwd=folder, code=5).stderr


def test_a_file_that_holds_no_decision_is_refused(played: tuple[Path, str]) -> None:
    folder, _ = played
    (folder / "no.json").write_text("[1]")
    assert "holds no decision" in arena("rerun", "no.json", "--bot", "first", cwd=folder, code=6).stderr
