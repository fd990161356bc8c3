"""A series of deals between bots: what is planned, what was played, and how the bots stand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from arena import record
from arena.bots.manifest import Bot
from arena.game import Game
from arena.referee import Fixture
from arena.variants import Variant
from ladders.blocks import beaten, estimate


@dataclass(frozen=True)
class Terms:
    """What was typed."""

    game: str
    bots: list[str]
    deals: int
    seats: int | None
    seed: str | None
    jobs: int
    variant: list[str]
    move_ms: int
    bank_ms: int
    start_ms: int
    strikes: int


@dataclass(frozen=True)
class Planned:
    """One fixture and its place in the series: which deal, and which entry of the command line sits where."""

    deal: int
    seating: tuple[int, ...]
    fixture: Fixture


@dataclass
class Series:
    """What is to be played, and what has been."""

    game: type[Game]
    variant: Variant
    entries: list[Bot]
    seed: bytes
    plan: list[Planned]
    results: list[tuple[Planned, record.Document]] = field(default_factory=list)


def summary(series: Series, elapsed_s: float) -> dict[str, Any]:
    """All that is printed, as data."""
    return {
        "game": series.game.name,
        "variant": series.variant.changes(),
        "seats": len(series.entries),
        "seed": series.seed.hex(),
        "elapsed_s": round(elapsed_s, 3),
        "played": len(series.results),
        "planned": len(series.plan),
        "bots": standings(series),
        "matches": [
            {
                "match": document["match"],
                "deal": plan.deal,
                "bots": [bot["name"] for bot in document["bots"]],
                "ranks": document["ranks"],
                "scores": document["scores"],
                "verdicts": document["verdicts"],
            }
            for plan, document in series.results
        ],
    }


def standings(series: Series) -> list[dict[str, Any]]:
    """One row per bot, best first; errors come from the spread between deals, not between games."""
    rows = []
    for name in dict.fromkeys(bot.name for bot in series.entries):
        by_deal: dict[int, list[float]] = {}
        points: list[int] = []
        firsts = forfeits = moves = thinking_us = 0
        for plan, document in series.results:
            shares = beaten(document["ranks"])
            for seat, bot in enumerate(document["bots"]):
                if bot["name"] != name:
                    continue
                by_deal.setdefault(plan.deal, []).append(shares[seat])
                points.append(document["scores"][seat])
                firsts += document["ranks"][seat] == 1 and seat not in document["forfeits"]
                forfeits += seat in document["forfeits"]
                moves += document["moves"][seat]
                thinking_us += document["thinking_us"][seat]
        if not points:
            continue
        score = estimate([sum(shares) / len(shares) for shares in by_deal.values()])
        rows.append(
            {
                "bot": name,
                "score": round(score.mean, 4),
                "margin": None if score.margin is None else round(score.margin, 4),
                "games": len(points),
                "first": firsts,
                "points": round(sum(points) / len(points), 2),
                "forfeits": forfeits,
                "ms_per_move": round(thinking_us / max(1, moves) / 1000, 3),
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
