"""`arena new bot` and `arena check` as a stranger types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.shell import arena


@pytest.fixture(scope="module")
def tiger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a new bot in it."""
    folder = tmp_path_factory.mktemp("bots")
    said = arena("new", "bot", "tiger", "--game", "volle-wolle", cwd=folder).stdout
    assert said.splitlines()[0] == "tiger/" and "Next: arena check tiger" in said
    return folder


def test_a_new_bot_is_checked_and_plays(tiger: Path) -> None:
    said = arena("check", "tiger", "--trust-bots", cwd=tiger).stdout
    lines = said.splitlines()
    assert lines[0] == "Checking tiger 0.1 (tiger) for volle-wolle"
    assert lines[1].startswith(" 1 start the process ....") and lines[1].endswith(" ok")
    assert "play volle-wolle, 2 to 6 seats" in said
    assert lines[-2].endswith("tiger may enter ladders.") or "only a warning: step" in lines[-2]
    assert lines[-1] == "Next: arena play volle-wolle tiger random   |   arena submit tiger"


def test_the_check_is_data_when_json_is_asked_for(tiger: Path) -> None:
    report = json.loads(arena("check", "./tiger", "--trust-bots", "--json", cwd=tiger).stdout)
    assert report["bot"] == "tiger" and report["version"] == "0.1" and report["may_enter"] is True
    assert [step["number"] for step in report["steps"]] == list(range(1, len(report["steps"]) + 1))
    assert {"title", "result", "detail", "told", "warning"} < report["steps"][0].keys()


def test_a_bot_that_may_not_enter_is_exit_code_3(tmp_path: Path) -> None:
    arena("new", "bot", "tiger", "--lang", "shell", cwd=tmp_path)
    (tmp_path / "tiger" / "bot.sh").write_text("echo thinking\n")
    ran = arena("check", "tiger", "--trust-bots", cwd=tmp_path, code=3)
    assert " 2 hello, protocol 1 ................. FAILED\n     START: tiger did not start" in ran.stdout
    assert ran.stdout.endswith("1 of 2 passed. tiger may not enter ladders.\n")
    report = json.loads(arena("check", "tiger", "--trust-bots", "--json", cwd=tmp_path, code=3).stdout)
    assert report["may_enter"] is False and report["steps"][-1]["result"] == "FAILED"


def test_a_bare_program_can_be_checked(tmp_path: Path) -> None:
    (tmp_path / "tiger").write_text("#!/bin/sh\nexit 7\n")
    (tmp_path / "tiger").chmod(0o755)
    said = arena("check", "./tiger", "--game", "sheepzzz", "--trust-bots", cwd=tmp_path, code=3).stdout
    assert said.startswith("Checking tiger (./tiger) for sheepzzz\n") and "(exit code 7)" in said


BROKEN = {
    "unknown bot": (("check", "gredy"), 2, 'did you mean "greedy"?'),
    "unknown game": (("check", "greedy", "--game", "shepzzz"), 2, 'did you mean "sheepzzz"?'),
    "new, unknown game": (("new", "bot", "lion", "--game", "shepzzz"), 2, 'did you mean "sheepzzz"?'),
    "new, unknown language": (("new", "bot", "lion", "--lang", "pyhton"), 2, 'did you mean "python"?'),
    "g1 new, bad name": (("new", "bot", "../x"), 2, "name may use a-z 0-9 - _ (1 to 32)"),
    "new, a sample's name": (("new", "bot", "random"), 2, "choose another name"),
    "new, not here": (("new", "bot", "lion", "--in", "/proc/nowhere"), 5, "cannot be written"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_wrong_word_gets_a_sentence_with_a_next_step(case: str, tmp_path: Path) -> None:
    words, code, expected = BROKEN[case]
    assert expected in arena(*words, cwd=tmp_path, code=code).stderr
    assert not list(tmp_path.iterdir())
