"""A bot on disk: the folder, its `bot.toml`, and the content hash its results belong to.  It starts nothing."""

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
from protocol.errors import quoted

SAMPLES = Path(sample_bots.__file__).parent
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
NAME_RULE = "name may use a-z 0-9 - _ (1 to 32), beginning with a letter or digit"
MOST_TABLES = 1024
MANIFEST_BYTES = 64 * 1024
_TEXTS = ("name", "version", "owner", "encoding")
_TEXT_CHARS = 64
_LISTS = ("games", "run", "build", "needs")
_KEYS = (*_TEXTS, *_LISTS, "tables")
_ENVIRONMENT = re.compile(r"env|environ|environment|variables|[A-Z][A-Z0-9_]*")
_NO_ENVIRONMENT = "environment variables cannot be set by a bot; it is given PATH, LANG and ARENA_ENCODING"


LEFT_OUT = frozenset({"__pycache__", ".git"})
"""Never part of a program; results do not depend on them."""


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
    build: tuple[str, ...] = ()
    """What makes the program out of the folder; nothing if it is there already."""
    tables: int = 1
    """How many matches one process plays at once."""
    needs: tuple[str, ...] = ()
    """Paths outside the folder that it reads, such as those of a virtual environment."""
    bare: bool = False
    """A single program without a manifest; other files of its folder are not its own."""
    remote: bool = False
    """It runs on somebody else's machine and comes to us: there is nothing to start."""

    def plays(self, game: str) -> bool:
        """Whether it says so; who names no game plays all."""
        return not self.games or game in self.games

    def environment(self) -> dict[str, str]:
        """All the process is told: nothing of the arena's own environment but where programs are."""
        return {
            "PATH": os.environ.get("PATH", os.defpath),
            "LANG": "C.UTF-8",
            "ARENA_ENCODING": self.encoding,
        }


def find_bot(text: str) -> Bot:
    """A bot by folder, by the name of a sample bot, or a bare program."""
    if NAME.fullmatch(text) and (SAMPLES / text / "bot.toml").is_file():
        return read_bot(SAMPLES / text)
    folder = Path(text)
    if os.path.isdir(folder):
        return read_bot(folder)
    if os.path.isfile(folder):
        return bare_bot(folder)
    known = sample_names()
    near = difflib.get_close_matches(text, known, 1)
    hint = f'did you mean "{near[0]}"?' if near else f"sample bots: {', '.join(known)}"
    shown = quoted(text, mark='"', limit=80)
    raise BotError(f"no bot {shown}: it is neither a folder nor a program nor a sample bot; {hint}")


def sample_names() -> list[str]:
    """The bots that come with the arena."""
    return sorted(path.parent.name for path in SAMPLES.glob("*/bot.toml"))


def bare_bot(path: Path, games: tuple[str, ...] = ()) -> Bot:
    """A program without a manifest: named after its file, speaks JSON lines, plays any game or those given."""
    if not path.is_file():
        raise BotError(f"{path} is no file; name the program itself, or a folder with a bot.toml")
    if not NAME.fullmatch(path.stem):
        raise BotError(f"{path}: {NAME_RULE}; rename the file, or put it in a folder with a bot.toml")
    if not os.access(path, os.X_OK):
        raise BotError(f"{path} is not executable; try: chmod +x {path}")
    content = hashlib.sha256(path.read_bytes()).hexdigest()
    return Bot(path.stem, "", "", games, (f"./{path.name}",), "json", path.resolve().parent, content, bare=True)


def read_bot(folder: Path) -> Bot:
    """Read a bot's folder."""
    path = folder / "bot.toml"
    text = _text_of(path)
    try:
        given = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # broken, or with numbers or nests that no reader can hold
        raise BotError(f"{path}: {error}; a line reads key = value, and a text stands in quotes") from None
    try:
        _check(given)
    except _Wrong as wrong:
        raise BotError(f"{path}{_place(text, wrong.key)}: {wrong}") from None
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
        content_of(folder),
        sample,
        tuple(given.get("build", ())),
        given.get("tables", 1),
        tuple(given.get("needs", ())),
    )


def _text_of(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MANIFEST_BYTES + 1)
        if len(data) > MANIFEST_BYTES:
            raise BotError(f"{path} is longer than {MANIFEST_BYTES} bytes")
        return data.decode()
    except FileNotFoundError:
        raise BotError(
            f'{path.parent} holds no bot.toml; it needs at least: name = "…" and run = ["./program"]'
        ) from None
    except UnicodeDecodeError as error:
        raise BotError(f"{path} is no text in UTF-8 ({error}); save it as UTF-8") from None
    except OSError as error:
        raise BotError(f"{path} cannot be read: {error.strerror}") from None


class _Wrong(Exception):
    """What is wrong with the value of a key."""

    def __init__(self, key: str, text: str) -> None:
        super().__init__(text)
        self.key = key


def _place(text: str, key: str) -> str:
    """The line on which a key stands, in words; tomllib keeps no places."""
    pattern = re.compile(rf"""\s*(\[+\s*)?(["']?){re.escape(key)}\2\s*[].=]""")
    lines = (number for number, line in enumerate(text.splitlines(), 1) if pattern.match(line))
    return "".join(f" line {number}" for number in [*lines][:1])


def _check(given: dict[str, Any]) -> None:
    for key, value in given.items():
        if key in _TEXTS:
            _check_text(key, value)
        elif key in _LISTS:
            _check_list(key, value)
        elif key == "tables":
            if type(value) is not int or not 1 <= value <= MOST_TABLES:
                raise _Wrong(key, f"tables must be a number from 1 to {MOST_TABLES}")
        elif _ENVIRONMENT.fullmatch(key):
            raise _Wrong(key, f'unknown key "{key}": {_NO_ENVIRONMENT}')
        else:
            near = difflib.get_close_matches(key, _KEYS, 1)
            hint = f'did you mean "{near[0]}"?' if near else f"known: {', '.join(_KEYS)}"
            raise _Wrong(key, f"unknown key {quoted(key, mark=chr(34))}; {hint}")
    if not NAME.fullmatch(given.get("name", "")):
        raise _Wrong("name", NAME_RULE)
    if given.get("encoding", "json") not in ("json", "msgpack"):
        raise _Wrong("encoding", 'encoding is "json" or "msgpack"')
    if not given.get("run"):
        raise _Wrong("run", 'run is missing; write run = ["./program"] (a list, no shell)')
    for key in ("run", "build"):
        _check_command(key, given.get(key, []))
    if not all(NAME.fullmatch(game) for game in given.get("games", ())):
        raise _Wrong("games", "games must be a list of names, as shown by: arena games")
    for path in given.get("needs", ()):
        if not path.startswith("/") or os.path.normpath(path) != path or path in ("/", "//"):
            raise _Wrong(
                "needs", "needs must be whole paths, from / on and without .. in them, such as /opt/model"
            )


def _check_text(key: str, value: Any) -> None:
    if not isinstance(value, str):
        raise _Wrong(key, f"{key} must be a text")
    if key != "name" and (len(value) > _TEXT_CHARS or not value.isprintable()):
        raise _Wrong(key, f"{key} must be printable, {_TEXT_CHARS} characters at most")


def _check_list(key: str, value: Any) -> None:
    if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
        example = ', such as ["./program", "argument"]; there is no shell' if key in ("run", "build") else ""
        raise _Wrong(key, f"{key} must be a list of texts{example}")
    if any("\0" in part for part in value):
        raise _Wrong(key, f"{key} holds a NUL, which no argument can")


def _check_command(key: str, command: list[str]) -> None:
    if not command:
        return
    if not command[0].strip():
        raise _Wrong(key, f"{key} must begin with a program")
    if re.match(r"\w+=", command[0]):
        raise _Wrong(key, f"{key} must begin with a program; {_NO_ENVIRONMENT}")


def content_of(folder: Path, besides: str = "") -> str:
    """A hash of every file: results belong to exactly this program."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if path.is_file() and LEFT_OUT.isdisjoint(inside.parts) and str(inside) != besides:
            digest.update(b"%s\0%d\0" % (os.fsencode(inside), path.stat().st_size))
            digest.update(path.read_bytes())
    return digest.hexdigest()
