"""The pages as data: their parts that are generated, and their code blocks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
README = ROOT / "README.md"

_PART = re.compile(r"(<!-- begin ([a-z-]+) -->\n)(.*?)(<!-- end \2 -->\n)", re.DOTALL)
_BLOCK = re.compile(r"(?:^<!-- not run: (.+?) -->\n)?^```([a-z ]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"^(?:#|//) ([\w./-]+\.(?:py|toml|mjs|c|sh))$")


@dataclass(frozen=True)
class Block:
    """One code block; `not_run` is the reason if it cannot be tried here."""

    page: str
    language: str
    text: str
    not_run: str

    @property
    def commands(self) -> list[str]:
        """What is typed, without what is printed."""
        return [line[2:] for line in self.text.splitlines() if line.startswith("$ ")]

    @property
    def file(self) -> str | None:
        """The name of the file it shows, from its first line."""
        found = _FILE.match(self.text.partition("\n")[0])
        return found[1] if found else None


def all_pages() -> list[Path]:
    return [README, *sorted(DOCS.glob("*.md"))]


def blocks_of(path: Path) -> list[Block]:
    text = path.read_text("utf-8")
    return [Block(path.name, found[2], found[3], found[1] or "") for found in _BLOCK.finditer(text)]


def with_parts(text: str, parts: dict[str, str]) -> str:
    """A page with its generated parts made anew."""
    return _PART.sub(lambda found: found[1] + parts[found[2]].strip("\n") + "\n" + found[4], text)


def parts_in(text: str) -> set[str]:
    return {found[2] for found in _PART.finditer(text)}
