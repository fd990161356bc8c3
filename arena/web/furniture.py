"""What lies on a game's table and where, read from the rulebook's own layout: zones, values, dice, a pasture.

A game that is not listed in `SPECIAL` is laid out from its declarations alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from arena.chance import FastChance
from arena.game import Game
from arena.games.herr_der_ziegen import GoatVariant, HerrDerZiegen
from arena.games.herr_der_ziegen_components import edge, lay_out
from arena.games.volle_wolle import DICE, VolleWolle
from arena.variants import Variant
from arena.web.looks import looks_of
from arena.zones import OWN_HAND, STACK, Declared


def furniture_of(game: type[Game], seats: int, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Everything a table needs that does not change during a match, and that everybody may know."""
    variant = game.variant_type.read(dict(changes))
    return _furniture(game, seats, variant)  # type: ignore[arg-type]  # mypy doubts that a class can be hashed


@lru_cache(maxsize=64)
def _furniture(game: type[Game], seats: int, variant: Variant) -> dict[str, Any]:
    table = game(seats, variant, FastChance())
    declared = game._zones
    rows = [list(row) for row in game.layout]
    rows += [[name] for name in declared if not any(name in row for row in rows)]
    values = {name: getattr(table, name) for name in game._publics}
    described: dict[str, Any] = {
        "looks": {face: look.as_data() for face, look in looks_of(game, game.pack(seats, variant)).items()},
        "zones": {name: _zone(name, declared[name], table) for row in rows for name in row},
        "rows": [row for names in rows if (row := [name for name in names if not _per_seat(declared[name])])],
        "seat_zones": [name for row in rows for name in row if _per_seat(declared[name])],
        "seat_values": [name for name, value in values.items() if _one_per_seat(value, seats)],
        "values": [name for name, value in values.items() if not _one_per_seat(value, seats)],
    }
    special = SPECIAL.get(game.name)
    return described if special is None else special(described, seats, variant)


def _per_seat(declared: Declared) -> bool:
    return declared.row and declared.count is None


def _zone(name: str, declared: Declared, table: Game) -> dict[str, Any]:
    held = getattr(table, name)
    return {
        "title": name.replace("_", " ").removesuffix("s") if declared.row else name.replace("_", " "),
        "count": len(held) if declared.row else 0,
        "sorted": declared.sight is OWN_HAND,
        "stack": declared.sight is STACK,
        "back": declared.back,
    }


def _one_per_seat(value: Any, seats: int) -> bool:
    return isinstance(value, tuple) and len(value) == seats


def _goats(described: dict[str, Any], seats: int, variant: Variant) -> dict[str, Any]:
    """§1.2, §1.3 A square pasture with a track round it, stables on its border, and goats that walk."""
    assert isinstance(variant, GoatVariant)
    land = lay_out(seats, variant.layout, variant.stables == "embedded")
    stables = [edge(start, land.side) for start in land.starts]
    described["pasture"] = {
        "zone": "pasture",
        "side": land.side,
        "stables": stables if variant.stables == "embedded" else [],
        "walkers": "positions",
        "marks": "marks",
    }
    described["seat_values"] = ["supplies", "milk"]
    described["values"] = ["ending"]
    described["won"] = {"value": "owners", "names": "ABCDEFGHIJKLMNOPQR"}
    return described


def _wool(described: dict[str, Any], seats: int, variant: Variant) -> dict[str, Any]:  # noqa: ARG001
    """§3 Three dice, some of them laid aside, and a contract for every seat."""
    described["dice"] = {"value": "dice", "sides": list(DICE), "kept": "kept"}
    described["seat_values"] = ["chips", "contracts", "board_levels"]
    described["values"] = ["round", "attempt", "reserve", "order"]
    return described


SPECIAL: dict[str, Callable[[dict[str, Any], int, Variant], dict[str, Any]]] = {
    HerrDerZiegen.name: _goats,
    VolleWolle.name: _wool,
}
