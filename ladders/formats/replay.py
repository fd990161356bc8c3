"""The fold over what was stored: finished blocks, and between them the bots that came and went.

A bot comes or goes while blocks are under way.  Their results were not known then, so in the fold, too, they are
only handed out when it happens, and finished after it; otherwise a round could end too early or too late.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ladders.formats.format import Entry, Format, FormatError
from ladders.results import Block


@dataclass(frozen=True)
class Change:
    """A bot came or went."""

    block: int
    """Blocks from this number on were handed out after it."""

    under_way: Collection[int]
    """Earlier blocks that were not finished yet."""

    entry: Entry
    comes: bool


def replay(format: Format[Any], blocks: Iterable[Block], changes: Sequence[Change]) -> int:
    """Bring a format to where it stopped; blocks come in the order of their numbers.  Tells how many came."""
    under_way: dict[int, Block] = {}
    stored = iter(blocks)
    following = next(stored, None)
    count = 0
    for change in sorted(changes, key=lambda change: (change.block, -len(change.under_way))):
        _finish(format, under_way, change.under_way)
        while following is not None and following.number < change.block:
            if following.number in change.under_way:
                format.handed_out(following.table)
                under_way[following.number] = following
            else:
                format.played(following)
            count += 1
            following = next(stored, None)
        _apply(format, change)
    _finish(format, under_way, ())
    while following is not None:
        format.played(following)
        count += 1
        following = next(stored, None)
    return count


def _finish(format: Format[Any], under_way: dict[int, Block], still: Collection[int]) -> None:
    for number in sorted(under_way.keys() - set(still)):
        format.played(under_way.pop(number))


def _apply(format: Format[Any], change: Change) -> None:
    if change.comes == format.takes_part(change.entry.bot):
        return
    if not change.comes:
        format.withdraw(change.entry.bot)
        return
    try:
        format.enter(change.entry)
    except FormatError:
        return  # too late here, as it was then; another division of the ladder took it
