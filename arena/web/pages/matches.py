"""`/matches`: finished matches, filtered by what stands in the URL."""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from arena.store.matches import SORTS, Line, Wanted
from arena.web.pages import library
from arena.web.rendering import page, to_matches

PER_PAGE = 50
FARTHEST = 20_000
FILTERS = ("ladder", "game", "bot", "versus", "code", "since", "sort")
LONGEST = 200


def matches(request: Request) -> Response:
    """A page of them."""
    asked = _asked(request)
    at = _page_number(request)
    lines = library(request).store.match_list(replace(_wanted(asked), offset=at * PER_PAGE, limit=PER_PAGE + 1))

    def link(**changed: str | None) -> str:
        return to_matches(**{**asked, **changed})

    return page(
        request,
        "matches.html",
        lines=lines[:PER_PAGE],
        asked=asked,
        sorts=SORTS,
        link=link,
        at=at,
        more=len(lines) > PER_PAGE and at < FARTHEST,
    )


def matches_data(request: Request) -> Response:
    """The same as data."""
    wanted = replace(_wanted(_asked(request)), offset=_page_number(request) * PER_PAGE, limit=PER_PAGE)
    return JSONResponse([line_data(line) for line in library(request).store.match_list(wanted)])


def line_data(line: Line) -> dict[str, Any]:
    """A finished match as `arena match list --json` prints it."""
    told = asdict(line)
    del told["division"], told["seating"]
    head = {key: told.pop(key) for key in ("match", "ladder", "block")}
    seats = [seat._asdict() for seat in line.seats]
    return {**head, **line.division._asdict(), **told, "seats": seats}


def match_data(request: Request) -> Response:
    """One match, whatever its state."""
    found = library(request).store.match(request.path_params["match"])
    told = {"match": found.match, "state": found.state, "commitment": found.commitment}
    return JSONResponse(told | ({} if found.line is None else line_data(found.line)))


def _asked(request: Request) -> dict[str, str | None]:
    asked = {key: request.query_params.get(key) or None for key in FILTERS}
    if any(value and len(value) > LONGEST for value in asked.values()):
        raise HTTPException(400, "a filter is too long")
    return asked


def _wanted(asked: dict[str, str | None]) -> Wanted:
    since = asked["since"]
    try:
        moment = None if since is None else datetime.fromisoformat(since).astimezone()
    except (ValueError, OverflowError):
        raise HTTPException(400, "since: write a date such as 2026-11-16, or 2026-11-16T14:30") from None
    return Wanted(
        asked["ladder"], asked["bot"], asked["versus"], asked["game"], asked["code"], moment,
        sort=asked["sort"] or "newest",
    )  # fmt: skip


def _page_number(request: Request) -> int:
    text = request.query_params.get("page", "0")
    if not (text.isascii() and text.isdecimal() and len(text) < 6 and int(text) <= FARTHEST):
        raise HTTPException(400, f"page: a number from 0 to {FARTHEST}")
    return int(text)
