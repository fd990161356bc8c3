"""What is stored of a ladder file says all that the file said."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import ladders
from arena.boards import definition_of
from arena.store.block import canonical, decoded
from arena.store.errors import Damaged
from arena.store.roster import Ladder as Stored
from ladders.formats import FORMATS
from ladders.ladder import Ladder
from ladders.ladder_file import read_ladder
from ladders.ladder_keys import KEYS
from ladders.ladder_starter import ladder_text

SHIPPED = sorted(Path(ladders.__file__).parent.glob("*.toml"))
TEXTS = some.text(some.characters(blacklist_categories=["Cs"], blacklist_characters="\n"), min_size=1, max_size=9)
NAMES = some.from_regex(r"[a-z0-9][a-z0-9_-]{0,9}", fullmatch=True)
ENTRANTS = NAMES | NAMES.map("{}@0.1".format)
FLAGS = some.booleans()
VALUES = {
    "title": TEXTS,
    "bots": some.lists(TEXTS.filter(str.strip).map("bots/{}".format), min_size=1, max_size=3, unique=True),
    "seats": some.integers(2, 12) | some.lists(some.integers(2, 12), min_size=1, unique=True),
    "anonymous": FLAGS,
    "open_door": FLAGS,
    "same_owner": FLAGS,
    "deals": some.integers(1, 1_000_000),
    "rounds": some.integers(1, 1_000),
    "advance": some.integers(1, 11),
    "challengers": some.lists(ENTRANTS, min_size=1, max_size=3, unique=True),
    "stop": some.just("none") | some.sampled_from(["interval:12.5", "interval:10", "interval:0.1"]),
    "start_ms": some.integers(1, 600_000),
    "move_ms": some.integers(1, 600_000),
    "bank_ms": some.integers(0, 86_400_000),
    "strikes": some.integers(1, 1_000),
    "memory_mb": some.integers(16, 1_048_576),
    "ponder": FLAGS,
    "jobs": some.just("auto") | some.integers(1, 256),
    "tables": some.integers(1, 256),
    "sandbox": some.sampled_from(["require", "trust-bots"]),
    "seed": some.sampled_from(["random", "7F", "0" * 64]),
    "base": some.integers(-10_000, 10_000) | some.floats(-10_000, 10_000),
    "anchor": ENTRANTS,
    "provisional_blocks": some.integers(0, 10_000),
    "live": FLAGS,
    "open_after": some.sampled_from(["block", "ladder"]),
    "notes": some.sampled_from(["owner", "all"]),
    "freeze_at": some.sampled_from(["", "2027-05-01T18:00:00Z", "2027-05-01T18:00:00.5+02:00"]),
}
STEPS = some.just("decaying") | some.integers(1, 200) | some.floats(1, 200)


def test_every_key_of_a_file_is_tried() -> None:
    assert {key for keys in KEYS.values() for key in keys} == {*VALUES, "name", "game", "format"}


@some.composite
def ladder_files(draw: some.DrawFn) -> str:
    """Any of the keys, with any of their values; JSON's spelling of a text is TOML's but for two things."""
    kind = draw(some.sampled_from(sorted(FORMATS)))
    games = draw(some.lists(some.sampled_from(["sheepzzz", "wolfpack"]), min_size=1, unique=True))
    lines = [f"game = {json.dumps(games)}", said("bots", draw(VALUES["bots"]))]
    needed = {"schedule": {"challengers"} if kind == "gauntlet" else set()}
    for table, keys in KEYS.items():
        lines += [f"[{table}]"] if table else []
        lines += [said("format", kind)] if table == "schedule" else []
        for key in keys:
            fits = (
                table != "schedule"
                or key in ("anonymous", "open_door")
                or key in FORMATS[kind].options_type().__dict__
            )
            wanted = key in needed.get(table, ()) or (fits and key not in ("bots", "format") and draw(FLAGS))
            if key in VALUES and wanted:
                lines.append(said(key, draw(STEPS if (table, key) == ("rating", "live") else VALUES[key])))
    for game in games:
        values = draw(some.dictionaries(NAMES, TEXTS | FLAGS | some.integers() | some.floats(0, 1), max_size=2))
        lines += [f"[variant.{game}]", *(said(key, value) for key, value in values.items())]
    return "\n".join(lines)


def said(key: str, value: object) -> str:
    return f"{json.dumps(key)} = " + json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def stored(ladder: Ladder) -> Stored:
    """As the store gives it back."""
    told = decoded(canonical(ladder.settings()), "settings")
    return Stored(1, ladder.name, "ladder", ladder.title, told, "", "")


def assert_stored_whole(text: str) -> None:
    ladder = read_ladder(text, "spring.toml")
    again = definition_of(stored(ladder))
    assert replace(again, variants=ladder.variants) == ladder
    assert again.settings() == ladder.settings()
    assert again.rating.settings() == ladder.rating.settings()


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_shipped_ladder_is_stored_whole(path: Path) -> None:
    assert_stored_whole(path.read_text("utf-8"))


@given(ladder_files())
@settings(max_examples=200)
def test_whatever_a_ladder_file_says_is_stored_whole(text: str) -> None:
    assert_stored_whole(text)


@given(some.lists(TEXTS, min_size=1, max_size=3, unique=True))
def test_a_ladder_file_to_begin_with_names_any_folder(bots: list[str]) -> None:
    named = [f"bots/{bot}" for bot in bots]
    assert read_ladder(ladder_text("spring", "sheepzzz", 2, named), "spring.toml").bots == tuple(named)


def test_settings_of_an_earlier_arena_are_filled_up_with_defaults() -> None:
    told = read_ladder('game = "sheepzzz"\nbots = ["a", "b"]\n', "spring.toml")
    earlier = told.settings()
    del earlier["limits"]["ponder"], earlier["publish"]["freeze_at"], earlier["schedule"]["anonymous"]
    assert Ladder.of(earlier).settings() == told.settings()


@pytest.mark.parametrize("damaged", [[], {}, {"name": "spring"}, {"schedule": 3}])
def test_settings_that_are_none_are_damage(damaged: object) -> None:
    with pytest.raises(Damaged, match="the settings of ladder spring"):
        definition_of(Stored(1, "spring", "ladder", "", damaged, "", ""))  # type: ignore[arg-type]
