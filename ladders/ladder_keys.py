"""Every key of a ladder file: what may be written there, and the words for it.  Defaults are those of `ladder`."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from ladders.formats import FORMATS

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
_KINDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    list: "a list",
    dict: "a table",
}
_NAME_SAYS = "a-z 0-9 - _, up to 32, beginning with a letter or digit"


class Wrong(ValueError):
    """What a value cannot be or must be, to stand behind the name of its key; and what was perhaps meant."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True)
class Key:
    """One key: its reader raises `Wrong`; `says` tells what may be written."""

    read: Callable[[Any], Any]
    says: str


def _must_be(kind: type, value: Any) -> Any:
    # bool is an int to Python, not to anybody else
    if isinstance(value, bool) != (kind is bool) or not isinstance(value, kind):
        given = _KINDS.get(type(value), "a time") if type(value) is not float else "a fraction"
        raise Wrong(f"must be {_KINDS[kind]}, not {given}")
    return value


def _whole(least: int, most: int, what: str) -> Key:
    def read(value: Any) -> int:
        number: int = _must_be(int, value)
        if not least <= number <= most:
            raise Wrong(f"cannot be {number}")
        return number

    return Key(read, f"{what}, {least}..{most}")


def _number(least: float, most: float, what: str) -> Key:
    def read(value: Any) -> float:
        number: float = value if type(value) is int else _must_be(float, value)
        if not least <= number <= most:
            raise Wrong(f"cannot be {number}")
        return number

    return Key(read, f"{what}, {least:g}..{most:g}")


def _flag(what: str) -> Key:
    return Key(lambda value: _must_be(bool, value), f"{what}, true or false")


def _choice(*words: str) -> Key:
    says = " | ".join(words)

    def read(value: Any) -> str:
        word: str = _must_be(str, value)
        if word not in words:
            near = get_close_matches(word.lower().replace("-", "_"), words, 1, 0.5)
            raise Wrong(f"cannot be {_quoted(word)}", f'did you mean "{near[0]}"?' if near else "")
        return word

    return Key(read, says)


def _matching(pattern: re.Pattern[str], says: str) -> Key:
    def read(value: Any) -> str:
        text: str = _must_be(str, value)
        if not pattern.fullmatch(text):
            raise Wrong(f"cannot be {_quoted(text)}")
        return text

    return Key(read, says)


def _word_or(word: str, other: Key) -> Key:
    def read(value: Any) -> Any:
        if value == word:
            return value
        if isinstance(value, str):
            raise Wrong(f"cannot be {_quoted(value)}")
        return other.read(value)

    return Key(read, f'"{word}" or {other.says}')


def _list(one: Key, what: str) -> Key:
    """A list without repetitions."""

    def read(value: Any) -> tuple[Any, ...]:
        entries: list[Any] = _must_be(list, value)
        if not entries:
            raise Wrong("cannot be empty")
        known: list[Any] = []
        for number, entry in enumerate(entries, 1):
            try:
                known.append(one.read(entry))
            except Wrong as wrong:
                raise Wrong(f"entry {number} {wrong}", wrong.hint) from None
            if known[-1] in known[:-1]:
                raise Wrong(f"entry {number}, {_quoted(entry)}, stands there twice")
        return tuple(known)

    return Key(read, what)


def _one_or_list(one: Key, what: str) -> Key:
    several = _list(one, what)
    return Key(lambda value: several.read(value) if isinstance(value, list) else (one.read(value),), what)


def _read_name(value: Any) -> str:
    text: str = _must_be(str, value)
    if not NAME.fullmatch(text):
        meant = text.strip().lower().replace(" ", "-")
        raise Wrong(f"cannot be {_quoted(text)}", f'did you mean "{meant}"?' if NAME.fullmatch(meant) else "")
    return text


def _read_entrant(value: Any) -> str:
    name, at, version = _must_be(str, value).partition("@")
    _read_name(name)
    if at and not (version.strip() and version.isprintable()):
        raise Wrong(f"cannot be {_quoted(value)}", f'did you mean "{name}"?')
    return str(value)


def _read_bot(value: Any) -> str:
    text: str = _must_be(str, value)
    if not text.strip():
        raise Wrong("cannot be empty")
    if text.startswith("ws:") and not NAME.fullmatch(text[3:]):
        raise Wrong(f"cannot be {_quoted(text)}", "after ws: comes the bot's name")
    return text


def _read_stop(value: Any) -> float | None:
    text: str = _must_be(str, value)
    if text == "none":
        return None
    found = re.fullmatch(r"interval:(\d{1,3}(?:\.\d+)?)", text)
    if not found or not float(found[1]):
        raise Wrong(f"cannot be {_quoted(text)}")
    return float(found[1])


def _read_time(value: Any) -> str:
    if value == "":
        return ""
    try:
        moment = tomllib.loads(f"moment = {value}")["moment"]
        if moment.utcoffset() is not None:
            return str(moment.isoformat())
    except (ValueError, RecursionError, AttributeError):  # no time, but perhaps anything else
        pass
    raise Wrong(f"cannot be {_quoted(value)}")


def _quoted(value: Any) -> str:
    told = json.dumps(value, default=str, ensure_ascii=False)
    return told if len(told) <= 40 else f"{told[:39]}…"


_NAMED = Key(_read_name, _NAME_SAYS)
_ENTRANT = Key(_read_entrant, f"{_NAME_SAYS}; or name@version")
_SEED = _matching(re.compile("random|[0-9a-fA-F]{1,64}"), '"random" or up to 64 hexadecimal digits')

KEYS: dict[str, dict[str, Key]] = {
    "": {
        "name": _NAMED,
        "title": _matching(re.compile(r"[^\n]{1,100}"), "one line of up to 100 characters"),
        "game": _one_or_list(_NAMED, "a game as `arena games` names it, or a list of them"),
        "bots": _list(Key(_read_bot, ""), "a list of folders, patterns, sample bots and ws:NAME"),
        "seats": _one_or_list(_whole(2, 12, "seats"), "2..12, or a list of them"),
    },
    "schedule": {
        "format": _choice(*FORMATS),
        "anonymous": _flag("bots are told seats, not names"),
        "open_door": _flag("whoever holds a token takes part while connected"),
        "same_owner": _flag("bots of one owner may share a table"),
        "deals": _whole(1, 1_000_000, "blocks per table"),
        "rounds": _whole(1, 1_000, "rounds"),
        "advance": _whole(1, 11, "how many of a table go on"),
        "challengers": _list(_ENTRANT, "a list of bots by name, or name@version"),
        "stop": Key(_read_stop, '"none" or "interval:N", N the Elo to which every rating must be known'),
    },
    "limits": {
        "start_ms": _whole(1, 600_000, "milliseconds"),
        "move_ms": _whole(1, 600_000, "milliseconds"),
        "bank_ms": _whole(0, 86_400_000, "milliseconds per match, 0 for none"),
        "strikes": _whole(1, 1_000, "faults that forfeit a seat"),
        "memory_mb": _whole(16, 1_048_576, "megabytes"),
        "ponder": _flag("bots may compute while others decide"),
    },
    "run": {
        "jobs": _word_or("auto", _whole(1, 256, "processes")),
        "tables": _whole(1, 256, "matches at once per process"),
        "sandbox": _choice("require", "trust-bots"),
        "seed": _SEED,
    },
    "rating": {
        "base": _number(-10_000, 10_000, "Elo"),
        "anchor": _ENTRANT,
        "provisional_blocks": _whole(0, 10_000, "blocks"),
        "live": _word_or("decaying", _number(1, 200, "a constant K")),
    },
    "publish": {
        "open_after": _choice("block", "ladder"),
        "notes": _choice("owner", "all"),
        "live": _flag("matches are shown while they are played"),
        "freeze_at": Key(_read_time, 'a time with its zone, as 2027-05-01T18:00:00Z, or ""'),
    },
}
