"""Every exit code that is documented is one that a command ends with, and no command ends with another."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from arena.cli import failure
from tests.cli.shell import arena

ROOT = Path(__file__).parents[2]
TABLE = (ROOT / "docs/troubleshooting.md").read_text("utf-8")
DOCUMENTED = {int(code) for code in re.findall(r"^\| (\d+) \|", TABLE, re.MULTILINE)}
NAMED = {name: code for name, code in vars(failure).items() if name.isupper() and isinstance(code, int)}

ENDINGS = {
    0: "games",
    1: "human sheepzzz first --text",  # nobody types anything
    2: "ply",
    3: "check ./silent --trust-bots",
    4: "check ws:anna --bots-port 0",
    5: "serve --host 192.0.2.1",
    6: "verify broken.match",
}
"""The interrupt, 130, has tests of its own."""


def test_there_is_a_command_here_for_every_documented_code() -> None:
    assert {*ENDINGS, failure.INTERRUPTED} == DOCUMENTED


@pytest.mark.parametrize("code", ENDINGS)
def test_a_command_ends_with_the_code_that_is_documented(code: int, tmp_path: Path) -> None:
    (tmp_path / "silent").mkdir()
    (tmp_path / "silent/bot.toml").write_text('name = "silent"\ngames = ["sheepzzz"]\nrun = ["true"]\n')
    (tmp_path / "broken.match").write_bytes(b"no record")
    arena(*ENDINGS[code].split(), cwd=tmp_path, code=code)


def test_no_source_ends_a_command_with_a_code_that_has_no_name() -> None:
    """Numbers are written in one place; whoever ends a command says which of them by name."""
    used: set[str] = set()
    for path in (ROOT / "arena/cli").glob("*.py"):
        if path.name == "failure.py":
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("Failure", "typer.Exit"):
                code = node.args[1:] if ast.unparse(node.func) == "Failure" else node.args
                assert not any(isinstance(word, ast.Constant) for word in code), f"{path.name}:{node.lineno}"
            if isinstance(node, ast.Name) and node.id in NAMED:
                used.add(node.id)
    assert used == set(NAMED), "a code that no command ends with"
    assert {0, *NAMED.values()} == DOCUMENTED
