"""Standings as lines of text, the same on a terminal and in a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.boards import Board
from ladders.flags import FLAGS

HEADING = ("#", "95 %", "bot", "Elo", "±", "better", "blocks", "first", "points", "forfeits")
_LEFT = {"bot"}


def board(told: Board) -> list[str]:
    """The table; provisional bots follow in their own section."""
    lines = [HEADING, *(_cells(row) for row in told["rows"])]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADING))]
    table = [_aligned(line, widths) for line in lines]
    established = sum(not row["provisional"] for row in told["rows"])
    if 0 < established < len(told["rows"]):
        table.insert(1 + established, "provisional:")
    return table


def notes(told: Board) -> list[str]:
    """What else must be known to read the table."""
    flagged: dict[str, list[str]] = {}
    for row in told["rows"]:
        for flag in row["flags"]:
            flagged.setdefault(flag, []).append(row["bot"])
    return [f"{', '.join(bots)}: {FLAGS[flag]}" for flag, bots in flagged.items()]


def _cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        "" if row["rank"] is None else str(row["rank"]),
        "" if row["rank_interval"] is None else "–".join(map(str, row["rank_interval"])),
        row["bot"],
        _number(row["elo"], ".0f"),
        _number(row["margin"], ".0f"),
        _number(row["los"], ".1%"),
        str(row["blocks"]),
        f"{row['first']:.1%}" if row["games"] else "",
        _number(row["points"], ".1f"),
        str(row["forfeits"]),
    )


def _number(value: float | None, spelling: str) -> str:
    return "–" if value is None else format(value, spelling)


def _aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(
        cell.ljust(width) if heading in _LEFT else cell.rjust(width)
        for heading, cell, width in zip(HEADING, cells, widths, strict=True)
    ).rstrip()
