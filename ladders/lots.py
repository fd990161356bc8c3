"""Chance for schedules: every lot is named, and follows from a seed and its name alone.  No deals here."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

_Item = TypeVar("_Item")
_LABEL_BYTES = 16


def lot(seed: bytes, *key: str | int) -> float:
    """A uniform number in [0, 1)."""
    return (int.from_bytes(_digest(seed, key, 8)) >> 11) / (1 << 53)


def shuffled(seed: bytes, items: Sequence[_Item], *key: str | int) -> list[_Item]:
    """A uniform arrangement: everyone draws a 128-bit number, and the numbers are sorted."""
    drawn = _digest(seed, key, _LABEL_BYTES * len(items))
    return [
        items[at]
        for _, at in sorted((drawn[_LABEL_BYTES * at : _LABEL_BYTES * (at + 1)], at) for at in range(len(items)))
    ]


def labelled(secret: bytes, block_number: int, bots: Sequence[str]) -> tuple[str, ...]:
    """Which bot plays which row label of the block's seatings (ratings §3.2), in whatever order they are named."""
    return tuple(shuffled(secret, sorted(bots), "label", block_number))


def _digest(seed: bytes, key: tuple[str | int, ...], size: int) -> bytes:
    # Numbers stand bare and texts in quotes: ("a", 1) and ("a", "1") are different lots.
    spelled = "/".join(f"{part}" if isinstance(part, int) else repr(part) for part in key)
    head = b"flock-arena lots 1\0%d\0" % len(seed)
    return hashlib.shake_256(head + seed + spelled.encode()).digest(size)
