"""A game whose every card can be recognised in any byte: Magpie, each stone with a mark that nothing else has."""

from __future__ import annotations

import re

from arena.variants import Variant
from arena.zones import Face
from tests.contracts.tiny import Magpie

MARK = re.compile(rb"canary-\d\d-\w{6}")


class Canary(Magpie):
    """One game of it."""

    name = "canary"
    title = "Canary"

    @classmethod
    def pack(cls, seats: int, variant: Variant) -> tuple[Face, ...]:
        return tuple(f"canary-{number:02}-{hash_of(number)}" for number in range(40))


def hash_of(number: int) -> str:
    """Six letters that are in no other text."""
    return f"{(number * 7919 + 104729) * 15485863 % 10**6:06}"


def marks_in(data: bytes) -> set[Face]:
    """All cards that are named in these bytes."""
    return {mark.decode() for mark in MARK.findall(data)}
