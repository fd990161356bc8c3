"""A bot on disk: the folder, its `bot.toml`, and the content hash its results belong to."""

from __future__ import annotations

import difflib
import hashlib
import os
import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sample_bots

SAMPLES = Path(sample_bots.__file__).parent
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
_TEXTS = ("name", "version", "owner", "encoding")
_LISTS = ("games", "run")


class BotError(Exception):
    """A bot that cannot be used as it is; the text says what to change."""


@dataclass(frozen=True)
class Bot:
    """A program that can hold a seat."""

    name: str
    version: str
    owner: str
    games: tuple[str, ...]
    run: tuple[str, ...]
    encoding: str
    folder: Path
    content: str
    sample: bool = False

    def environment(self) -> dict[str, str]:
        """All the process is told: nothing of the arena's own environment but where programs are."""
        return {
            "PATH": os.environ.get("PATH", os.defpath),
            "LANG": "C.UTF-8",
            "ARENA_ENCODING": self.encoding,
        }


def find_bot(text: str) -> Bot:
    """A bot by folder, or by the name of a sample bot."""
    if NAME.fullmatch(text) and (SAMPLES / text / "bot.toml").is_file():
        return read_bot(SAMPLES / text)
    folder = Path(text)
    if folder.is_dir():
        return read_bot(folder)
    known = sample_names()
    near = difflib.get_close_matches(text, known, 1)
    hint = f'did you mean "{near[0]}"?' if near else f"sample bots: {', '.join(known)}"
    raise BotError(f'no bot "{text}": it is neither a folder nor a sample bot; {hint}')


def sample_names() -> list[str]:
    """The bots that come with the arena."""
    return sorted(path.parent.name for path in SAMPLES.glob("*/bot.toml"))


def read_bot(folder: Path) -> Bot:
    """Read a bot's folder."""
    path = folder / "bot.toml"
    try:
        given = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise BotError(
            f'{folder} holds no bot.toml; it needs at least: name = "…" and run = ["./program"]'
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise BotError(f"{path}: {error}") from None
    _check(path, given)
    sample = folder.resolve().parent == SAMPLES.resolve()
    run = tuple(given["run"])
    if sample and run[0] == "python3":
        run = (sys.executable, *run[1:])  # our own interpreter has msgpack; the system's may not
    return Bot(
        given["name"],
        given.get("version", ""),
        given.get("owner", ""),
        tuple(given.get("games", ())),
        run,
        given.get("encoding", "json"),
        folder.resolve(),
        _content(folder),
        sample,
    )


def _check(path: Path, given: dict[str, Any]) -> None:
    for key, value in given.items():
        if key in _TEXTS:
            if not isinstance(value, str):
                raise BotError(f"{path}: {key} must be a text")
        elif key in _LISTS:
            if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
                raise BotError(f"{path}: {key} must be a list of texts")
        else:
            known = (*_TEXTS, *_LISTS)
            near = difflib.get_close_matches(key, known, 1)
            hint = f'did you mean "{near[0]}"?' if near else f"known: {', '.join(known)}"
            raise BotError(f'{path}: unknown key "{key}"; {hint}')
    if not NAME.fullmatch(given.get("name", "")):
        raise BotError(f"{path}: name may use a-z 0-9 - _ (1 to 32), beginning with a letter or digit")
    if not given.get("run"):
        raise BotError(f'{path}: run is missing; write run = ["./program"] (a list, no shell)')
    if given.get("encoding", "json") not in ("json", "msgpack"):
        raise BotError(f'{path}: encoding is "json" or "msgpack"')


def _content(folder: Path) -> str:
    """A hash of every file: results belong to exactly this program."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if path.is_file() and "__pycache__" not in inside.parts:
            digest.update(b"%s\0%d\0" % (os.fsencode(inside), path.stat().st_size))
            digest.update(path.read_bytes())
    return digest.hexdigest()
