"""The events of a match in the words of a codebook; those it has no words for are written out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from arena.packing.codebook import Codebook
from arena.packing.outline import spell
from arena.packing.prefix import Reader


class LeftOver(NamedTuple):
    """What the bits do not say."""

    total: int
    written_out: list[tuple[int, Any]]


def say(events: Sequence[Any], book: Codebook) -> tuple[str, LeftOver]:
    """Bits, and what they leave out."""
    bits: list[str] = []
    written_out: list[tuple[int, Any]] = []
    row = book.start
    last: tuple[str, ...] = ()
    # This loop is most of what packing costs: one look-up for each event.
    for spelled in map(spell, events):
        step = row.steps.get(spelled)
        if step is None:
            step = book.step(row, spelled)
        said, then = step.said, step.then
        if step.cards:
            if step.cards == last:
                said, then = step.said_again, step.then_again
            last = step.cards
        if then is not None:
            bits.append(said)
            row = then
        else:
            at = len(bits) + len(written_out)
            written_out.append((at, events[at]))
            row, last = book.row_after(events[at], row, last)
    return "".join(bits), LeftOver(len(events), written_out)


def hear(left: LeftOver, bits: Reader, book: Codebook) -> list[Any]:
    """The events again."""
    events = []
    written_out = dict(left.written_out)
    row = book.start
    last: tuple[str, ...] = ()
    for at in range(left.total):
        if at in written_out:
            event = written_out[at]
            row, last = book.row_after(event, row, last)
        else:
            key, row = bits.read(row.hears)
            event, last = book.event(key, last, bits)
        events.append(event)
    return events
