"""Starter files for a bot, in four languages: copies with a few words replaced, and the kit beside them."""

from __future__ import annotations

import difflib
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.bots.manifest import NAME, NAME_RULE, SAMPLES, BotError, sample_names
from arena.example import example_of, shown
from arena.game import Game

TEMPLATES: Final = Path(__file__).parent
OPTIONS_SHOWN: Final = 8
LINE_CHARS: Final = 100


@dataclass(frozen=True)
class Language:
    """What differs between two languages, beside the program itself."""

    program: str
    kit: str
    run: list[str]
    needs: str
    build: list[str] | None = None
    encoding: str = "json"
    beside: str | None = None
    """A second file of the kit."""


LANGUAGES: Final = {
    "python": Language(
        "bot.py",
        "flock_bot.py",
        ["python3", "bot.py"],
        "Python 3.8 or later, no packages",
        beside="flock_remote.py",
    ),
    "javascript": Language("bot.mjs", "flock_bot.mjs", ["node", "bot.mjs"], "Node 18 or later, no packages"),
    "c": Language(
        "bot.c",
        "flock_bot.h",
        ["./bot"],
        "a C compiler (C99), no libraries",
        ["cc", "-O2", "-o", "bot", "bot.c"],
        "msgpack",
    ),
    "shell": Language("bot.sh", "flock_bot.sh", ["sh", "bot.sh"], "sh and jq 1.6 or later"),
}


def make_bot(name: str, language: str, game: type[Game], folder: Path) -> list[Path]:
    """Make `folder` with a bot in it that can play at once; the files made, the one to edit first."""
    if not NAME.fullmatch(name):
        raise BotError(NAME_RULE)
    if name in sample_names():
        raise BotError(f'there is a sample bot called "{name}"; choose another name')
    if language not in LANGUAGES:
        near = difflib.get_close_matches(language, LANGUAGES, 1)
        hint = f'did you mean "{near[0]}"?' if near else f"known: {', '.join(LANGUAGES)}"
        raise BotError(f'unknown language "{language}"; {hint}')
    chosen = LANGUAGES[language]
    words = _words(name, chosen, game)
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise BotError(f"{folder} is there already; choose another name, or move it away") from None
    made = [folder / chosen.program, folder / "bot.toml", folder / "README.md"]
    for path in made:
        template = TEMPLATES / f"{path.name}.in"
        path.write_text(_filled(template.read_text("utf-8"), words), "utf-8")
    kit = [name for name in (chosen.kit, chosen.beside) if name is not None]
    for name in kit:
        shutil.copyfile(SAMPLES / name, folder / name)
    return [*made, *(folder / name for name in kit)]


def _words(name: str, language: Language, game: type[Game]) -> dict[str, list[str]]:
    """What stands in a template as @word@, line by line."""
    return {
        "name": [name],
        "game": [game.name],
        "title": [game.title],
        "summary": [game.summary],
        "seats": [f"{game.seats_allowed[0]} to {game.seats_allowed[-1]}"],
        "program": [language.program],
        "kit": [language.kit],
        "run": [json.dumps(language.run)],
        "build": [f"build = {json.dumps(language.build)}"] if language.build else [],
        "encoding": [language.encoding],
        "needs": [language.needs],
        "moment": list(_moment(game)),
    }


def _moment(game: type[Game]) -> Iterator[str]:
    """The fields of the view and the options, as they are at one moment of a game."""
    example = example_of(game)
    yield f'view, when seat {example["view"]["seat"]} is asked for "{example["question"]}":'
    for key, value in example["view"].items():
        yield _cut(f"  {key:<16}{shown(value)}")
    yield "options:"
    pairs = zip(example["options"], example["words"], strict=True)
    told = [f"  {shown(option):<28}{words}" for option, words in pairs]
    yield from map(_cut, told[:OPTIONS_SHOWN])
    if len(told) > OPTIONS_SHOWN:
        yield f"  ... and {len(told) - OPTIONS_SHOWN} more"


def _cut(line: str) -> str:
    return line if len(line) <= LINE_CHARS else f"{line[: LINE_CHARS - 4]} ..."


def _filled(template: str, words: dict[str, list[str]]) -> str:
    """A word that means several lines repeats the line it stands on, so that a comment stays a comment."""
    lines = []
    for line in template.splitlines():
        filled = [line]
        for word, meant in words.items():
            if f"@{word}@" in line:
                filled = [part.replace(f"@{word}@", text).rstrip() for part in filled for text in meant]
        lines += filled
    return "\n".join(lines) + "\n"
