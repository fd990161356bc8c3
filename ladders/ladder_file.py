"""Reading a ladder file: TOML in, a `Ladder` or a `LadderError` out.  Games and bots are not looked up here."""

from __future__ import annotations

import json
from dataclasses import fields
from difflib import get_close_matches
from math import isfinite
from typing import Any

from ladders.formats import FORMATS
from ladders.ladder import Ladder, Limits, Publish, RatingRules, Run, Schedule
from ladders.ladder_keys import KEYS, NAME, Wrong
from ladders.ladder_text import LadderText

ANCHORED = 1_000
_SECTIONS: dict[str, type] = {
    "schedule": Schedule,
    "limits": Limits,
    "run": Run,
    "rating": RatingRules,
    "publish": Publish,
}


def read_ladder(text: str, name: str) -> Ladder:
    """The ladder of a file called `name`, which is also the ladder's name if it gives itself none."""
    source = LadderText(text, name)
    content = source.content
    _refuse_unknown_tables(source)
    top = _read(source, "", {key: value for key, value in content.items() if key not in (*_SECTIONS, "variant")})
    schedule = _schedule(source)
    rating = _read(source, "rating", content.get("rating", {}))
    if "anchor" in rating:
        rating.setdefault("base", ANCHORED)
    run = _read(source, "run", content.get("run", {}))
    if run.get("jobs") == "auto":
        del run["jobs"]
    for key, example in (("game", '"sheepzzz"'), ("bots", '["bots/*", "random"]')):
        if key not in top:
            raise source.error((), f"{key} is missing", f"write above the first [table]: {key} = {example}")
    ladder_name = top.get("name", name.rpartition("/")[2].removesuffix(".toml"))
    if not NAME.fullmatch(ladder_name):
        raise source.error(
            (), "name is missing, and the file's own cannot be used", f"write: name = … ({_says('', 'name')})"
        )
    return Ladder(
        ladder_name,
        top.get("title", ladder_name),
        top["game"],
        top["bots"],
        _variants(source, top["game"]),
        top.get("seats", ()),
        schedule,
        Limits(**_read(source, "limits", content.get("limits", {}))),
        Run(**run),
        RatingRules(**rating),
        Publish(**_read(source, "publish", content.get("publish", {}))),
        source,
    )


def _refuse_unknown_tables(source: LadderText) -> None:
    known = (*_SECTIONS, "variant")
    for key, value in source.content.items():
        if key in known and not isinstance(value, dict):
            raise source.error(
                (key,), f"{key} must be a table", f"write [{key}] once, on a line of its own, and its keys below"
            )
        if isinstance(value, dict) and key not in (*known, *KEYS[""]):
            near = get_close_matches(key, known, 1)
            hint = f"did you mean [{near[0]}]?" if near else f"known: {', '.join(f'[{table}]' for table in known)}"
            raise source.error((key,), f"unknown table [{key}]", hint)


def _read(source: LadderText, table: str, given: dict[str, Any]) -> dict[str, Any]:
    """The checked values of one table."""
    known: dict[str, Any] = {}
    for key, value in given.items():
        path = (table, key) if table else (key,)
        if key not in KEYS[table]:
            raise source.error(
                path,
                f"unknown key {json.dumps(key, ensure_ascii=False)}{f' in [{table}]' * bool(table)}",
                _nearest(table, key),
            )
        try:
            known[key] = KEYS[table][key].read(value)
        except Wrong as wrong:
            raise source.error(path, f"{key} {wrong}", f"{wrong.hint}  ({_says(table, key)})".strip()) from None
    return known


def _nearest(table: str, key: str) -> str:
    """Where the key belongs, what was probably meant, or what there is."""
    home = next((other for other, keys in KEYS.items() if key in keys), None)
    if home is not None:
        return f'"{key}" belongs {_place(home)}'
    for there in (table, *KEYS):
        near = get_close_matches(key, KEYS[there], 1)
        if near:
            place = "" if there == table else f" {_place(there)}"
            return f'did you mean "{near[0]}"{place}?  ({_says(there, near[0])})'
    return f"known: {', '.join(KEYS[table])}"


def _place(table: str) -> str:
    return f"in [{table}]" if table else "above the first [table]"


def _says(table: str, key: str) -> str:
    """What may be written, and what holds if nothing is."""
    default = getattr(_SECTIONS.get(table), key, None)
    told = "" if default is None or default == "" else f", default {json.dumps(default)}"
    return KEYS[table][key].says + told


def _schedule(source: LadderText) -> Schedule:
    given = _read(source, "schedule", source.content.get("schedule", {}))
    kind = FORMATS[given.get("format", Schedule.format)]
    anonymous = given.pop("anonymous", Schedule.anonymous)
    open_door = given.pop("open_door", Schedule.open_door)
    given.pop("format", None)
    for key in given:
        if key not in _options(kind.name):
            fitting = " or ".join(name for name in FORMATS if key in _options(name))
            raise source.error(
                ("schedule", key),
                f"{key} is not for {kind.name}",
                f"it is for {fitting}: leave it out, or change format",
            )
    if kind.name == "gauntlet" and "challengers" not in given:
        raise source.error(
            ("schedule", "format"), "a gauntlet needs challengers", 'name them: challengers = ["mine"]'
        )
    return Schedule(kind.name, kind.options_type(**given), anonymous, open_door)


def _options(format_name: str) -> list[str]:
    return [option.name for option in fields(FORMATS[format_name].options_type)]


def _variants(source: LadderText, games: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """Options per game; with a single game they may stand in [variant] itself."""
    given: dict[str, Any] = source.content.get("variant", {})
    if len(games) == 1 and not any(isinstance(value, dict) for value in given.values()):
        given = {games[0]: given}
    for game, options in given.items():
        if not isinstance(options, dict):
            raise source.error(
                ("variant", game),
                f"{game} stands for no game",
                f"several games have a table each: [variant.{games[0]}]",
            )
        if game not in games:
            near = get_close_matches(game, games, 1)
            raise source.error(
                ("variant", game),
                f"{game} is not played here",
                f'did you mean "{near[0]}"?' if near else f"played: {', '.join(games)}",
            )
        for key, value in options.items():
            if not (isinstance(value, bool | int | str) or (isinstance(value, float) and isfinite(value))):
                path = ("variant", game, key) if game in source.content["variant"] else ("variant", key)
                raise source.error(
                    path, f"{key} must be a text, a number, true or false", f"see: arena games {game}"
                )
    return given
