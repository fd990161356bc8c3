"""`arena help`: the documents, from the disk they were installed on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import arena
from arena.cli.failure import NOT_HERE, Failure, unknown

GREETING = """\
Flock Arena: bots play hidden-information card games, refereed, recorded, replayable.

Three things to try:
  arena play sheepzzz greedy random      two sample bots, every deal in every seating
  arena new bot tiger                    a bot of your own, ready to be edited
  arena ladder run quickstart            a small ladder, with standings that say how sure they are

Then:  arena serve (the same in a browser)   |   arena help quickstart   |   arena --help
"""
_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)
_HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
_PAGE_LINK = re.compile(r"\]\(([a-z-]+)\.md\)")


def greet() -> None:
    """What it is, three things to try, where help is."""
    print(GREETING, end="")


def list_topics() -> None:
    """The pages in the order of the index, each with its first sentence."""
    for name in _pages():
        first = _text(name).split("\n\n", 2)[1].replace("\n", " ")
        print(f"{name:<18}{re.split(r'(?<=[.]) ', first)[0]}")
    print("\nOne of them: arena help NAME; any heading will do as well, as in: arena help exit-codes")


def show_topic(topic: str) -> None:
    """A page, or the section below a heading of one: `protocol`, `protocol#bye`, `exit-codes`."""
    page, _, heading = topic.lower().removesuffix(".md").partition("#")
    pages = _pages()
    if page in pages:
        found = [_text(page)] if not heading else _sections(_text(page), heading)
    else:
        found = [section for name in pages for section in _sections(_text(name), page)]
    if not found:
        raise unknown("topic", topic, [*pages, *(_slug(name) for page in pages for name in _headings(page))])
    print(found[0].rstrip())


def _pages() -> list[str]:
    """As the index lists them, and those it does not know after them."""
    listed = _PAGE_LINK.findall(_text("index"))
    there = sorted(path.stem for path in _folder().glob("*.md") if path.stem != "index")
    return list(dict.fromkeys([name for name in listed if name in there] + there))


def _text(page: str) -> str:
    return _COMMENT.sub("", (_folder() / f"{page}.md").read_text("utf-8"))


def _folder() -> Path:
    """Beside the package in a checkout, inside it in a wheel."""
    package = Path(arena.__file__).parent
    for folder in (package / "docs", package.parent / "docs"):
        if (folder / "index.md").is_file():
            return folder
    raise Failure("the documents were not installed with this arena; install it from its wheel", NOT_HERE)


def _headings(page: str) -> Iterator[str]:
    return (name for _, name in _HEADING.findall(_outside_blocks(_text(page))))


def _sections(text: str, slug: str) -> list[str]:
    """From every heading of that name to the next of its rank."""
    marks = list(_HEADING.finditer(_outside_blocks(text)))
    found = []
    for number, mark in enumerate(marks):
        if _slug(mark[2]) == slug:
            ends = (later.start() for later in marks[number + 1 :] if len(later[1]) <= len(mark[1]))
            found.append(text[mark.start() : next(ends, len(text))])
    return found


def _outside_blocks(text: str) -> str:
    """The same text with blanks in code blocks, where a # begins no heading."""
    return re.sub(r"^```.*?^```$", lambda block: " " * len(block[0]), text, flags=re.MULTILINE | re.DOTALL)


def _slug(heading: str) -> str:
    """As links spell a heading."""
    return re.sub(r"[^a-z0-9 _-]", "", heading.lower()).replace(" ", "-")
