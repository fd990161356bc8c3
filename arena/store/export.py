"""Results for other programs: JSON lines, one per match, or comma-separated values, one row per seat."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from typing import Any

from arena.store.block import canonical
from arena.store.matches import Line

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_COLUMNS = (
    "ladder", "block", "match", "game", "variant", "finished", "seat", "bot", "place", "points", "forfeited",
    "strikes", "moves", "thinking_us", "code",
)  # fmt: skip


def as_json_lines(matches: Iterable[Line]) -> Iterator[str]:
    """One object per match, everything in seat order."""
    for line in matches:
        told: dict[str, Any] = {
            "ladder": line.ladder,
            "block": line.block,
            "seating": line.seating,
            "match": line.match,
            "game": line.division.game,
            "variant": json.loads(line.division.variant),
            "finished": line.finished,
            "duration_ms": line.duration_ms,
            "seats": [seat._asdict() for seat in line.seats],
        }
        yield canonical(told) + "\n"


def as_csv(matches: Iterable[Line]) -> Iterator[str]:
    """A heading, then a row per seat; no cell can be taken for a formula."""
    yield _row(_COLUMNS)
    for line in matches:
        game, variant, _ = line.division
        for number, (bot, place, points, forfeited, *rest) in enumerate(line.seats):
            about = (line.ladder, line.block, line.match, game, variant, line.finished, number)
            yield _row((*about, bot, place, points, int(forfeited), *rest))


def _row(cells: Iterable[Any]) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerow([_cell(cell) for cell in cells])
    return written.getvalue()


def _cell(cell: Any) -> Any:
    """Spreadsheets run what begins like a formula; numbers of ours are no text and stay numbers."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
