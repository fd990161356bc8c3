"""The first words a stranger reads: greeting, help, completion, starter files."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli.ladder_run import SHIPPED, _shipped
from arena.cli.place import Place
from ladders.ladder_file import read_ladder
from ladders.ladder_keys import KEYS
from ladders.ladder_starter import ladder_text
from tests.cli.shell import arena


def test_arena_alone_greets_with_three_things_to_try(tmp_path: Path) -> None:
    said = arena(cwd=tmp_path).stdout
    assert len(said.splitlines()) <= 12
    assert len(re.findall(r"^  arena ", said, re.MULTILINE)) == 3 and "arena help quickstart" in said


def test_help_lists_the_pages_and_shows_one_or_a_heading_of_one(tmp_path: Path) -> None:
    listed = arena("help", cwd=tmp_path).stdout
    assert all(name in listed for name in ("quickstart", "protocol", "troubleshooting", "run-a-ladder"))
    page = arena("help", "quickstart", cwd=tmp_path).stdout
    assert page.startswith("# ") and "<!--" not in page
    assert arena("help", "protocol#bye", cwd=tmp_path).stdout.startswith("### bye")
    assert arena("help", "exit-codes", cwd=tmp_path).stdout.startswith("## Exit codes")
    assert 'did you mean "protocol"?' in arena("help", "protcol", cwd=tmp_path, code=2).stderr


@pytest.mark.parametrize(("typed", "meant"), [("laddr", "ladder"), ("new bt", "bot"), ("paly", "play")])
def test_an_unknown_command_suggests_the_nearest(typed: str, meant: str, tmp_path: Path) -> None:
    assert f"'{meant}'" in arena(*typed.split(), cwd=tmp_path, code=2).stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_told_how_to_complete(shell: str, tmp_path: Path) -> None:
    assert "_ARENA_COMPLETE" in arena("completion", shell, cwd=tmp_path).stdout


def test_commands_are_completed(tmp_path: Path) -> None:
    asked = {"_ARENA_COMPLETE": "complete_bash", "COMP_WORDS": "arena ladder re", "COMP_CWORD": "2"}
    words = [sys.executable, "-m", "arena"]
    ran = subprocess.run(
        words, cwd=tmp_path, env={**os.environ, **asked}, capture_output=True, text=True, check=False
    )
    assert set(ran.stdout.split()) == {"resume", "remove", "release"}


def test_a_shell_nobody_knows_is_refused(tmp_path: Path) -> None:
    assert "known: bash, zsh, fish" in arena("completion", "tcsh", cwd=tmp_path, code=2).stderr


def test_a_new_ladder_file_holds_every_key_and_can_be_read(tmp_path: Path) -> None:
    assert (
        "Next: arena ladder run spring.toml"
        in arena("new", "ladder", "spring", "--bot", "./mine", cwd=tmp_path).stdout
    )
    text = (tmp_path / "spring.toml").read_text("utf-8")
    assert read_ladder(text, "spring.toml").bots[0] == "./mine"
    assert all(
        re.search(rf"^(# )?{key} = ", text, re.MULTILINE)
        for keys in KEYS.values()
        for key in keys
        if key != "name"
    )
    assert "is there already" in arena("new", "ladder", "spring", cwd=tmp_path, code=2).stderr
    assert "cannot be called" in arena("new", "ladder", "../x", cwd=tmp_path, code=2).stderr


def test_a_new_ladder_file_names_a_sample_bot_once(tmp_path: Path) -> None:
    said = arena("new", "ladder", "spring", "--bot", "greedy", "--bot", "./mine", "--bot", "./mine", cwd=tmp_path)
    bots = read_ladder((tmp_path / "spring.toml").read_text("utf-8"), "spring.toml").bots
    assert bots[:2] == ("greedy", "./mine") and f"{len(bots)} bots" in said.stdout


def test_what_a_new_ladder_file_comments_out_is_what_holds_without_it() -> None:
    plain = ladder_text("spring", "sheepzzz", 2, ["greedy", "random"])
    for_others = ("rounds", "advance", "challengers", "stop", "anchor")
    told = re.sub(r"^# (\w+ = )", r"\1", plain, flags=re.MULTILINE)
    told = "\n".join(line for line in told.splitlines() if not line.startswith(for_others))
    assert read_ladder(told, "spring.toml").settings() == read_ladder(plain, "spring.toml").settings()


def test_a_ladder_that_comes_with_the_arena_is_found_by_its_name(tmp_path: Path) -> None:
    assert 'did you mean "quickstart"?' in arena("ladder", "run", "quickstrat", cwd=tmp_path, code=2).stderr
    (tmp_path / "quickstart.toml").write_text("game = 1\n", "utf-8")
    assert "quickstart.toml" in arena("ladder", "run", "quickstart.toml", cwd=tmp_path, code=2).stderr
    assert _shipped("quickstart", Place(tmp_path / "new")) == SHIPPED / "quickstart.toml"
    assert _shipped("quickstart.toml", Place(tmp_path / "new")) is None
