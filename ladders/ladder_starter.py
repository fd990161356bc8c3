"""A ladder file to begin with: what is needed is written, everything else stands there as a comment."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any

from ladders.formats import FORMATS
from ladders.ladder import Limits, Publish, RatingRules, Run, Schedule
from ladders.ladder_keys import KEYS

_TABLES: dict[str, tuple[type, str]] = {
    "schedule": (Schedule, "who plays whom"),
    "limits": (Limits, "what a bot may use"),
    "run": (Run, "how it is carried out"),
    "rating": (RatingRules, "how results become numbers"),
    "publish": (Publish, "what is shown, to whom, and when"),
}
_SAID_OTHERWISE = {("run", "jobs"): "auto", ("schedule", "stop"): "none"}
"""Where the file says a word and the ladder holds None."""
_NO_DEFAULT = ("anchor", "challengers", "rounds", "advance")


def ladder_text(name: str, game: str, seats: int, bots: Sequence[str]) -> str:
    """The file; it can be run as it is."""
    lines = [
        f"# {name}: only `game` and `bots` are needed; what is commented out holds as it stands.",
        f"game = {json.dumps(game)}",
        f'bots = {_written(list(bots))}  # folders, "bots/*", sample or submitted bots, ws:NAME',
        f"seats = {seats}",
        f'# title = "{name}"',
        "",
        f"# [variant]                   # options of the rules, see: arena games {game}",
    ]
    for table, (_, meaning) in _TABLES.items():
        lines += ["", f"[{table}]".ljust(29) + f" # {meaning}"]
        if table == "schedule":
            lines.append("same_owner = true             # not the default: the sample bots have one owner")
        lines += [_line(*about) for about in described(table) if about[0] != "same_owner"]
    return "\n".join(lines) + "\n"


def described(table: str) -> Iterator[tuple[str, str, str]]:
    """Every key of a table: its default as it is written (empty: there is none), and what may be written."""
    for key, about in KEYS[table].items():
        for_some = _formats_with(key) if table == "schedule" else []
        only = f"; for {', '.join(for_some)}" if 0 < len(for_some) < len(FORMATS) else ""
        yield key, _default(table, key), about.says + only


def _written(value: Any) -> str:
    """As TOML has it: JSON spells what is beyond 16 bits in two halves, which TOML refuses."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _line(key: str, default: str, says: str) -> str:
    return f"# {key} = {default or '…'}".ljust(29) + f" # {says}"


def _default(table: str, key: str) -> str:
    if table == "":
        return ""
    if key in _NO_DEFAULT:
        return ""
    return json.dumps(_SAID_OTHERWISE.get((table, key), _held(table, key)))


def _held(table: str, key: str) -> Any:
    found = {field.name: field.default for field in fields(_TABLES[table][0])}
    if key in found:
        return found[key]
    kind = FORMATS[_formats_with(key)[0]].options_type
    return {field.name: field.default for field in fields(kind)}[key]


def _formats_with(key: str) -> list[str]:
    return [name for name, kind in FORMATS.items() if key in {field.name for field in fields(kind.options_type)}]
