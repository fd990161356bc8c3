"""`/m/ID`: a match as each seat saw it.  The page holds the frame; positions come per viewer, a page at a time."""

from __future__ import annotations

from typing import Any, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from arena.record import Document, game_of
from arena.store.matches import Found
from arena.store.roster import Ladder
from arena.web.furniture import furniture_of
from arena.web.letters import letter_to
from arena.web.library import settled
from arena.web.pages import library
from arena.web.pages.matches import line_data
from arena.web.rendering import page
from arena.web.scene import PAGE, Scene
from arena.zones import PUBLIC


class Watched(NamedTuple):
    """A match and who looks at it."""

    found: Found
    ladder: Ladder
    document: Document
    viewer: int | None
    seat: str
    scene: Scene


def replay(request: Request) -> Response:
    """The viewer."""
    watched = _watched(request)
    move = request.query_params.get("move", "0")
    return page(
        request,
        "replay.html",
        watched=watched,
        line=watched.found.line,
        moves=len(watched.scene.positions),
        move=move if move.isascii() and move.isdecimal() else "0",
        views=_views(watched),
        game=game_of(watched.document),
    )


def text(request: Request) -> Response:
    """The same, to be read or heard."""
    watched = _watched(request)
    return page(
        request,
        "text.html",
        watched=watched,
        line=watched.found.line,
        scene=watched.scene,
        views=_views(watched),
        game=game_of(watched.document),
    )


def table_data(request: Request) -> Response:
    """What does not change during the match."""
    watched = _watched(request)
    document, line = watched.document, watched.found.line
    assert line is not None
    moments = watched.scene.moments
    told: dict[str, Any] = {
        "match": watched.found.match,
        "game": document["game"],
        "viewer": watched.seat,
        "moves": len(moments),
        "page": PAGE,
        "move_ms": document["clock"]["move_ms"],
        "seats": line_data(line)["seats"],
        "marks": [[at, mark.seat, mark.kind, mark.text] for at, it in enumerate(moments) for mark in it.marks],
        **furniture_of(game_of(document), len(document["bots"]), document["variant"]),
    }
    return JSONResponse(told)


def positions_data(request: Request) -> Response:
    """A page of positions for one viewer, and nothing that viewer could not know."""
    watched = _watched(request)
    number = _number(request, "page")
    told = watched.scene.page(number, _open_notes(watched))
    return JSONResponse({"viewer": watched.seat, "page": number, "positions": told})


def letter_data(request: Request) -> Response:
    """The very message a seat got at a move, as text."""
    watched = _watched(request)
    if watched.viewer is None or watched.viewer == PUBLIC:
        raise HTTPException(400, "messages are sent to seats: choose one")
    found = letter_to(watched.document, watched.viewer, _number(request, "move"))
    if found is None:
        raise HTTPException(404, f"seat {watched.viewer} was not asked at this move")
    return PlainTextResponse(found)


def _watched(request: Request) -> Watched:
    books = library(request)
    found, ladder, document = books.open_match(request.path_params["match"])
    seat = request.query_params.get("seat", "public")
    viewer = _viewer(seat, len(document["bots"]))
    return Watched(found, ladder, document, viewer, seat, books.scene(document, viewer))


def _viewer(seat: str, seats: int) -> int | None:
    if seat in ("public", "all"):
        return PUBLIC if seat == "public" else None
    if seat.isascii() and seat.isdecimal() and int(seat) < seats:
        return int(seat)
    raise HTTPException(400, f"seat: 0 to {seats - 1}, public or all")


def _open_notes(watched: Watched) -> set[int]:
    """Notes are their owner's, unless the ladder's file opens them; and a seat sees its own alone."""
    if settled(watched.ladder, "notes") != "all":
        return set()
    everybody = range(len(watched.document["bots"]))
    return set(everybody) if watched.viewer is None else {watched.viewer}


def _views(watched: Watched) -> list[tuple[str, str]]:
    assert watched.found.line is not None
    seats = [(str(number), f"{number} {seat.bot}") for number, seat in enumerate(watched.found.line.seats)]
    return [*seats, ("public", "public"), ("all", "everyone")]


def _number(request: Request, key: str) -> int:
    text = request.query_params.get(key, "0")
    if not (text.isascii() and text.isdecimal() and len(text) < 7):
        raise HTTPException(400, f"{key}: a whole number")
    return int(text)
