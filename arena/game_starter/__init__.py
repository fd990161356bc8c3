"""Starter files for a game, in a package of its own that the arena finds: copies with a few words replaced."""

from __future__ import annotations

import keyword
import re
import sys
from pathlib import Path
from typing import Final

TEMPLATES: Final = Path(__file__).parent
NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,31}")
OURS: Final = frozenset({"arena", "protocol", "ladders", "sample_bots", "tests", "docs", "bench"})


class StarterError(Exception):
    """A game that cannot be made so; the text says what to change."""


def make_game(name: str, folder: Path) -> list[Path]:
    """Make `folder` with a game in it that can be played at once; the files made, the one to edit first."""
    module = name.replace("-", "_")
    if not NAME.fullmatch(name):
        raise StarterError("the name of a game may use a-z 0-9 - _ (1 to 32), beginning with a letter")
    if keyword.iskeyword(module) or module in sys.stdlib_module_names or module in OURS:
        raise StarterError(f'"{module}" means something in Python already; choose another name')
    words = {"name": name, "module": module, "Class": _joined(module), "title": module.replace("_", " ").title()}
    made = {
        "game.py.in": folder / module / "__init__.py",
        "test_game.py.in": folder / "tests" / f"test_{module}.py",
        "pyproject.toml.in": folder / "pyproject.toml",
        "README.md.in": folder / "README.md",
    }
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise StarterError(f"{folder} is there already; choose another name, or move it away") from None
    for template, path in made.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(filled(template, words), "utf-8")
    return list(made.values())


def filled(template: str, words: dict[str, str]) -> str:
    """A template with its @words@ replaced."""
    text = (TEMPLATES / template).read_text("utf-8")
    for word, meant in words.items():
        text = text.replace(f"@{word}@", meant)
    return text


def _joined(module: str) -> str:
    return "".join(part.capitalize() for part in module.split("_"))
