"""For the eye, contrast in both themes; on the wire, vendored files, small scripts and no strangers."""

from __future__ import annotations

import hashlib
import json
import re

import pytest

from arena.games import GAMES
from arena.web.looks import LOOKS, TONES, looks_of
from arena.web.rendering import HERE

STATIC = HERE / "static"
CSS = (STATIC / "arena.css").read_text("utf-8")

TEXT_ON = [
    ("text", "paper"), ("text", "panel"), ("quiet", "paper"), ("quiet", "panel"), ("link", "paper"),
    ("link", "panel"),
    ("accent", "paper"), ("accent", "panel"), ("on-accent", "accent"), ("bad", "paper"), ("bad", "panel"),
    ("felt-text", "felt"), ("on-back", "back"), ("card-text", "card"),
    *[("card-text", f"tone-{tone}") for tone in range(TONES)],
    *[("on-seat", f"seat-{seat}") for seat in range(6)],
    *[("heat-text", f"heat-{step}") for step in (4, 2, 0, -2, -4)],
]  # fmt: skip
"""Every pair in which the style sheet puts a text on a ground."""


def themes() -> dict[str, dict[str, str]]:
    light, dark = CSS.split("@media (prefers-color-scheme: dark)")
    found = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", light.split("}")[0]))
    return {"light": found, "dark": found | dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", dark.split("}")[0]))}


def brightness(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((brightness(one), brightness(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_text_stands_out_from_its_ground(theme):
    colours = themes()[theme]
    weak = {pair: round(contrast(colours[pair[0]], colours[pair[1]]), 2) for pair in TEXT_ON}
    assert {pair: value for pair, value in weak.items() if value < 4.5} == {}


def test_every_colour_of_the_style_sheet_is_in_a_theme():
    known = themes()["light"]
    assert set(re.findall(r"var\(--([\w-]+)\)", CSS)) <= set(known)


def test_focus_is_visible_and_motion_is_optional():
    assert ":focus-visible { outline: 3px" in CSS
    moving = CSS.split("@media (prefers-reduced-motion: no-preference)")[0]
    assert "transition" not in moving and "animation" not in moving


def test_vendored_files_are_what_the_manifest_says():
    manifest = json.loads((STATIC / "vendor/manifest.json").read_text("utf-8"))
    told = (
        {entry["file"] for entry in manifest} | {entry["licence_file"] for entry in manifest} | {"manifest.json"}
    )
    assert {path.name for path in (STATIC / "vendor").iterdir()} == told
    for entry in manifest:
        content = (STATIC / "vendor" / entry["file"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == entry["sha256"], entry["file"]
        assert entry["version"] and entry["licence"] in ("0BSD", "MIT")


def test_the_replay_script_is_small():
    scripts = [STATIC / name for name in ("replay.js", "table.js", "cards.js")]
    assert sum(path.stat().st_size for path in scripts) < 40_000


def test_h15_own_files_name_no_other_host():
    for path in [*STATIC.glob("*"), *(HERE / "templates").glob("*")]:
        if path.is_file():
            text = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
            assert "//" not in re.sub(r"(?m)^\s*//.*| // .*", "", text), path.name


def test_h3_scripts_write_text_and_never_markup():
    for path in STATIC.glob("*.js"):
        text = path.read_text("utf-8")
        assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|new Function", text), (
            path.name
        )


def test_every_card_of_every_game_has_a_look_and_words():
    shapes = set(re.findall(r'symbol id="(\w+)"', (HERE / "templates/shapes.svg").read_text("utf-8")))
    assert set(LOOKS) == set(GAMES)
    for game in GAMES.values():
        for seats in (game.seats_allowed[0], game.seats_allowed[-1]):
            for face, look in looks_of(game, game.pack(seats, game.variant_type())).items():
                assert look.words and (look.shape or look.big or look.small), face
                assert not look.shape or look.shape in shapes
                assert 0 <= look.tone < TONES
