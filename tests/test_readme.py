"""What the README shows is executed."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def test_the_commands_and_the_bot_of_the_readme_work(tmp_path: Path) -> None:
    lamb = tmp_path / "lamb"
    lamb.mkdir()
    (manifest,) = blocks("toml")
    (program,) = blocks("python")
    (lamb / "bot.toml").write_text(manifest, "utf-8")
    (lamb / "bot.py").write_text(program, "utf-8")
    shutil.copy(ROOT / "sample_bots" / "flock_bot.py", lamb)
    assert len(program.splitlines()) <= 15

    commands = [line[2:] for block in blocks("console") for line in block.splitlines()]
    assert len(commands) == 5
    for command in commands:
        program_name, *words = shlex.split(command)
        assert program_name == "arena"
        ran = subprocess.run(
            [sys.executable, "-m", "arena", *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        # Braces hold the reason of a forfeit.
        assert "{" not in ran.stdout or words[0] in ("games", "check"), ran.stdout


def test_every_path_the_readme_names_exists() -> None:
    (tree,) = (block for block in blocks("") if "arena/match.py" in block)
    named = [word.strip(",") for line in tree.splitlines() for word in line.split("  ")[0].split(", ")]
    named += re.findall(r"\]\(([^)]+)\)", README)
    for name in named:
        assert (ROOT / name).exists() or (ROOT / "arena" / name).exists(), name
