"""A series of deals between bots: what was asked for, what came of it, and how the bots stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arena import record
from arena.cli.mishaps import mishaps
from arena.store.matches import Line, Wanted
from arena.store.roster import Ladder
from arena.store.store import Store
from ladders.blocks import beaten, estimate

EVERYTHING = 1 << 30


@dataclass(frozen=True)
class Terms:
    """What was typed."""

    game: str
    bots: list[str]
    deals: int
    seats: int | None
    seed: str | None
    jobs: int | None
    tables: int
    variant: list[str]
    move_ms: int
    bank_ms: int
    start_ms: int
    strikes: int


def summary(store: Store, series: Ladder, seed: bytes, elapsed_s: float) -> dict[str, Any]:
    """All that is printed, as data, from what is stored."""
    lines = store.match_list(Wanted(ladder=series.name, sort="oldest", limit=EVERYTHING))
    settings = series.settings
    return {
        "game": settings["game"],
        "variant": settings["variant"],
        "seats": len(settings["table"]),
        "seed": seed.hex(),
        "elapsed_s": round(elapsed_s, 3),
        "played": len(lines),
        "bots": standings(lines),
        "mishaps": list(mishaps(record.unpack(store.record_of(lines[-1].match)))) if lines else [],
        "matches": [
            {
                "match": line.match,
                "deal": line.block,
                "bots": [seat.bot for seat in line.seats],
                "ranks": [seat.place for seat in line.seats],
                "scores": [seat.points for seat in line.seats],
                "verdicts": _verdicts(store, line),
            }
            for line in lines
        ],
    }


def _verdicts(store: Store, line: Line) -> list[dict[str, Any]]:
    if not any(seat.code for seat in line.seats):
        return []
    found: list[dict[str, Any]] = record.unpack(store.record_of(line.match))["verdicts"]
    return found


def standings(lines: Sequence[Line]) -> list[dict[str, Any]]:
    """One row per bot, best first; errors come from the spread between deals, not between games."""
    rows = []
    for bot in dict.fromkeys(seat.bot for line in lines for seat in line.seats):
        by_deal: dict[int, list[float]] = {}
        own = []
        for line in lines:
            shares = beaten([seat.place for seat in line.seats])
            for seat, share in zip(line.seats, shares, strict=True):
                if seat.bot == bot:
                    by_deal.setdefault(line.block, []).append(share)
                    own.append(seat)
        score = estimate([sum(shares) / len(shares) for shares in by_deal.values()])
        moves = sum(seat.moves for seat in own)
        rows.append(
            {
                "bot": bot,
                "score": round(score.mean, 4),
                "margin": None if score.margin is None else round(score.margin, 4),
                "games": len(own),
                "first": sum(seat.place == 1 and not seat.forfeited for seat in own),
                "points": round(sum(seat.points for seat in own) / len(own), 2),
                "forfeits": sum(seat.forfeited for seat in own),
                "ms_per_move": round(sum(seat.thinking_us for seat in own) / max(1, moves) / 1000, 3),
            }
        )
    return sorted(rows, key=lambda row: -row["score"])


def conclusion(rows: list[dict[str, Any]]) -> str:
    """Whether the first can be told from the second, in a sentence."""
    if len(rows) < 2 or rows[0]["margin"] is None:
        return "Too few deals to tell the bots apart; try more: --deals 50"
    lead = rows[0]["score"] - rows[1]["score"]
    if lead > rows[0]["margin"] + rows[1]["margin"]:
        return f"{rows[0]['bot']} is better than {rows[1]['bot']} (95 % intervals do not meet)."
    return f"{rows[0]['bot']} and {rows[1]['bot']} cannot be told apart yet; try more deals: --deals {_more(rows)}"


def _more(rows: list[dict[str, Any]]) -> int:
    return int(max(50, 4 * max(row["games"] for row in rows)))
