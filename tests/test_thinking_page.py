"""What docs/thinking-bots.md shows is executed; of the long commands, that they exist with those options."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.shell import arena, matches_in

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "thinking-bots.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{re.escape(language)}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("block", blocks("console"), ids=lambda block: block.split()[1])
def test_the_commands_of_the_page_work(block: str, tmp_path: Path) -> None:
    for line in block.splitlines():
        if "MATCH" in line:
            line = line.replace("MATCH", matches_in(tmp_path)[0].match)
        program, *words = shlex.split(line.removeprefix("$ "))
        assert program == "arena"
        arena(*words, cwd=tmp_path)


@pytest.mark.parametrize("block", blocks("python"), ids=lambda block: block.split()[1])
def test_the_python_of_the_page_runs(block: str) -> None:
    ran = subprocess.run([sys.executable, "-W", "error", "-c", block], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


def test_the_bot_of_the_page_plays_many_tables(tmp_path: Path) -> None:
    (program,) = blocks("python bot")
    bot = tmp_path / "many"
    bot.mkdir()
    (bot / "bot.py").write_text(program, "utf-8")
    (bot / "bot.toml").write_text(
        'name = "many"\nversion = "1"\nrun = ["python3", "bot.py"]\ntables = 64\n', "utf-8"
    )
    shutil.copy(ROOT / "sample_bots" / "flock_bot.py", bot)
    words = ("sheepzzz", "many", "first", "--deals", "3", "--jobs", "1", "--trust-bots")
    told = arena("play", *words, cwd=tmp_path).stdout
    assert "{" not in told and "many" in told, "braces hold the reason of a forfeit"


@pytest.mark.parametrize("block", blocks("sh"), ids=lambda block: block.split()[1])
def test_the_long_commands_are_spelled_as_the_programs_know_them(block: str, tmp_path: Path) -> None:
    for line in block.replace("\\\n", " ").splitlines():
        program, *words = shlex.split(line, comments=True) or ["#"]
        options = [word for word in words if word.startswith("--")]
        if program == "arena":
            depth = 2 if words[0] in ("token", "ladder") else 1
            known = arena(*words[:depth], "--help", cwd=tmp_path).stdout
        elif program == "python":
            ran = subprocess.run([sys.executable, *words[:1], "--help"], cwd=ROOT, capture_output=True, text=True)
            known = ran.stdout
        else:
            continue
        assert all(re.search(rf"{option}\b", known) for option in options), line
