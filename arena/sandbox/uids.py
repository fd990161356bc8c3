"""User numbers that belong to nobody: what a bot becomes when the arena itself runs as root."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Final

BELONGS_TO_NOBODY: Final = range(1_900_000_000, 2_000_000_000)
"""Above the ranges that systems hand to accounts, containers and services; every start draws a new one."""

NOBODY: Final = 65534


def unused_uid(table: Path = Path("/proc/self/uid_map")) -> int:
    """A number that no other process has, drawn so that two arenas do not meet."""
    inside = _mapped(table)
    if inside.start <= BELONGS_TO_NOBODY.start and BELONGS_TO_NOBODY.stop <= inside.stop:
        return secrets.choice(BELONGS_TO_NOBODY)
    # In a container that has only some numbers: the upper half is where accounts are not, but for "nobody".
    middle = (inside.start + inside.stop) // 2
    return secrets.choice([uid for uid in range(middle, inside.stop) if uid != NOBODY])


def _mapped(table: Path) -> range:
    """The largest run of user numbers that exist here."""
    lines = [[int(word) for word in line.split()] for line in table.read_text().splitlines()]
    return max((range(first, first + count) for first, _, count in lines), key=len, default=range(1, 65536))
