"""`/b/LADDER/LABEL`: how a bot does, and what its author should look at first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import sqrt
from statistics import fmean, quantiles, stdev
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from arena.games import GAMES
from arena.store import Division, Unknown
from arena.store.roster import Ladder
from arena.web import charts, queries
from arena.web.library import Board, Library
from arena.web.pages import library
from arena.web.queries import Played
from arena.web.rendering import page

BLOCKS = 300
"""How far back the tables of a bot look."""

WORST = 8


@dataclass(frozen=True)
class Score:
    """A mean share of opponents beaten, over blocks."""

    what: str
    games: int
    share: float
    margin: float | None


@dataclass(frozen=True)
class WorstDeal:
    """A deal and a seat out of which others made more."""

    match: str
    seat: int
    points: int
    others: float
    worse: float


def bot(request: Request) -> Response:
    """The page."""
    books = library(request)
    ladder, pulse = books.ladder(request.path_params["ladder"])
    label = request.path_params["label"]
    entries = books.store.bots_of(ladder)
    entry = next((entry for entry in entries if entry.label == label), None)
    if entry is None:
        raise Unknown(f'ladder {ladder.name} has no bot "{label}"')
    boards = [board for board in books.boards(ladder, pulse).boards if _row(board, label)]
    return page(
        request,
        "bot.html",
        ladder=ladder,
        entry=entry,
        rows=[(board.division, _row(board, label), board) for board in boards],
        versions=[other for other in entries if other.name == entry.name],
        **_numbers(books, ladder, label),
    )


def _row(board: Board, label: str) -> Any:
    return next((row for row in board.standings.rows if row.bot == label and row.games), None)


def _numbers(books: Library, ladder: Ladder, label: str) -> dict[str, Any]:
    played = queries.matches_of(books.store, ladder, label, BLOCKS)
    divisions = dict.fromkeys(seat.division for seat in played)
    mine = [seat for seat in played if seat.bot == label]
    times = [seat.thinking_us / 1000 / seat.moves for seat in mine if seat.moves]
    return {
        "faults": queries.fault_counts(books.store, ladder, label),
        "blocks": len({seat.block for seat in played}),
        "most": BLOCKS,
        "tables": [(division, *_tables(played, division, label)) for division in divisions],
        "times": charts.histogram(times),
        "half": _quantile(times, 50),
        "nearly_all": _quantile(times, 99),
        "limit": ladder.settings.get("limits", {}).get("move_ms"),
        "slowest": sorted((seat for seat in mine if seat.moves), key=lambda seat: -seat.thinking_us / seat.moves)[
            :5
        ],
    }


def _tables(
    played: list[Played], division: Division, label: str
) -> tuple[list[Score], list[Score], list[WorstDeal]]:
    here = [seat for seat in played if seat.division == division]
    by_seat: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    by_opponent: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for _, group in groupby(here, key=lambda seat: seat.match):
        match = list(group)
        for me in match:
            if me.bot != label:
                continue
            ahead = {other.seat: _ahead(me, other) for other in match if other.seat != me.seat}
            by_seat[f"seat {me.seat}"][me.block].append(fmean(ahead.values()))
            for other in match:
                if other.bot != label:
                    by_opponent[other.bot][me.block].append(ahead[other.seat])
    return _scores(by_seat), _scores(by_opponent), _worst(here, division, label)


def _ahead(me: Played, other: Played) -> float:
    return 1.0 if me.place < other.place else 0.5 if me.place == other.place else 0.0


def _scores(found: dict[str, dict[int, list[float]]]) -> list[Score]:
    """Blocks, not games, are what is independent: games of a block share their cards."""
    told = []
    for what in sorted(found):
        blocks = [fmean(values) for values in found[what].values()]
        margin = 1.96 * stdev(blocks) / sqrt(len(blocks)) if len(blocks) > 1 else None
        told.append(Score(what, sum(map(len, found[what].values())), fmean(blocks), margin))
    return told


def _worst(here: Iterable[Played], division: Division, label: str) -> list[WorstDeal]:
    """The same cards in the same seat, in another seating of the block, by somebody else."""
    sign = 1 if division.game not in GAMES or GAMES[division.game].high_score_wins else -1
    found = []
    for _, group in groupby(here, key=lambda seat: seat.block):
        block = list(group)
        for me in block:
            others = [it.points for it in block if it.seat == me.seat and it.bot != label]
            if me.bot == label and others:
                worse = sign * (fmean(others) - me.points)
                found.append(WorstDeal(me.match, me.seat, me.points, fmean(others), worse))
    worst = sorted((deal for deal in found if deal.worse > 0), key=lambda deal: -deal.worse)
    return worst[:WORST]


def _quantile(times: Sequence[float], percent: int) -> float | None:
    return quantiles(times, n=100, method="inclusive")[percent - 1] if len(times) > 1 else None
