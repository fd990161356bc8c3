"""Every option of a rulebook with every value worth playing, read from its own description."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from arena.game import Game
from arena.variants import Variant, VariantError


def other_variants(game_class: type[Game]) -> Iterator[tuple[str, Variant]]:
    """One option changed at a time; choices and flags in all values, numbers and texts where one is on offer."""
    variant_type = game_class.variant_type
    for name, default, allowed, _ in variant_type.described():
        for value in _values(variant_type, name, allowed):
            if value != default:
                yield f"{name}={value}", variant_type.read({name: value})


def _values(variant_type: type[Variant], name: str, allowed: str) -> Iterator[Any]:
    read = {field.name: field.metadata["read"] for field in dataclasses.fields(variant_type)}[name]
    least, dots, _ = allowed.partition("..")
    for word in [least] if dots else allowed.split("|"):
        try:
            yield read(name, word.strip())
        except VariantError:
            continue  # a description such as "a seat", no value
