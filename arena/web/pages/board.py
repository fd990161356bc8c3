"""`/l/NAME`: the standings of a ladder, and the pages that show the same results otherwise."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from arena.store.roster import Ladder
from arena.web.library import Library, frozen_at
from arena.web.pages import library
from arena.web.queries import Pulse
from arena.web.rendering import fragment, page
from ladders.flags import FLAGS

MATRIX = 30
"""Bots in one head-to-head table; the others are on the next page of it."""

SHOWN = ("seats", "schedule", "limits", "rating", "variant")
"""Settings anybody may read.  Not those under [run]: a seed there is the ladder's secret, folders are nobody's."""


def board(request: Request) -> Response:
    """The board, division by division."""
    books = library(request)
    ladder, pulse = books.ladder(request.path_params["name"])
    return page(request, "board.html", **_known(books, ladder, pulse), settings=_settings(ladder))


def board_fragment(books: Library, name: str) -> tuple[str, str]:
    """What changes on a board, with the state it shows."""
    known = _known(books, *books.ladder(name))
    return known["state"], fragment("standings.html", **known)


def state_of(length: int, pulse: Pulse) -> str:
    """What a board depends on: the blocks it counts, and whether more are coming."""
    return f"{length}{'+' if pulse.running else ''}"


def history(request: Request) -> Response:
    """Ratings over blocks."""
    books = library(request)
    ladder, pulse = books.ladder(request.path_params["name"])
    return page(request, "history.html", **_known(books, ladder, pulse))


def history_data(request: Request) -> Response:
    """The same as data, per division: live Elo block by block, and after some blocks Elo with its 95 % margin."""
    books = library(request)
    boards = books.boards(*books.ladder(request.path_params["name"]))
    told = [
        {
            **one.division._asdict(),
            "blocks": one.history.blocks,
            "bots": {row.bot: one.history.lines[row.bot] for row in one.standings.rows},
            "rated_blocks": one.bands.blocks,
            "rated": {row.bot: one.bands.lines[row.bot] for row in one.standings.rows if row.games},
        }
        for one in boards.boards
    ]
    return JSONResponse({"ladder": request.path_params["name"], "divisions": told})


def matrix(request: Request) -> Response:
    """Who did how well against whom."""
    books = library(request)
    ladder, pulse = books.ladder(request.path_params["name"])
    first = _whole(request.query_params.get("from", "0"))
    return page(request, "matrix.html", **_known(books, ladder, pulse), first=first, most=MATRIX)


def _known(books: Library, ladder: Ladder, pulse: Pulse) -> dict[str, Any]:
    boards = books.boards(ladder, pulse)
    return {
        "ladder": ladder,
        "pulse": pulse,
        "boards": boards,
        "state": state_of(boards.length, pulse),
        "counts": books.counts(pulse),
        "head": books.store.head_of(ladder),
        "flags": FLAGS,
        "frozen": None if (moment := frozen_at(ladder)) is None or moment > datetime.now(UTC) else moment,
    }


def _settings(ladder: Ladder) -> list[tuple[str, str]]:
    told = []
    for key in SHOWN:
        value = ladder.settings.get(key)
        if isinstance(value, dict):
            inner = {name: part for name, part in value.items() if part not in ({}, "", None)}
            told.append((key, ", ".join(f"{name} {_word(part)}" for name, part in inner.items())))
        elif value is not None:
            told.append((key, _word(value)))
    return [(key, text) for key, text in told if text]


def _word(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_word, value))
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else 0
