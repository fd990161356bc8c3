"""`/seat`: the page on which a human plays.  It shows what the seat is told by websocket, and nothing else."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from arena.games import GAMES
from arena.web.furniture import furniture_of
from arena.web.guard import POLICY
from arena.web.rendering import page
from arena.web.seat import Seat


def seat(request: Request) -> Response:
    """The page; it may talk to the door, and to nobody else."""
    kept = _seat(request)
    others = [bot for number, bot in enumerate(kept.bots) if number != kept.number]
    shown = page(request, "seat.html", seat=kept, others=others, game=GAMES[kept.game])
    shown.headers["content-security-policy"] = POLICY.replace(
        "connect-src 'self'", f"connect-src 'self' {kept.socket}"
    )
    return shown


def seat_data(request: Request) -> Response:
    """What does not change while a human plays."""
    kept = _seat(request)
    return JSONResponse(
        {
            "game": kept.game,
            "socket": kept.socket,
            "seat": kept.number,
            "timed": kept.timed,
            "seats": [{"bot": bot} for bot in kept.bots],
            **furniture_of(GAMES[kept.game], len(kept.bots), kept.variant),
        }
    )


def _seat(request: Request) -> Seat:
    kept: Seat | None = request.app.state.seat
    if kept is None:
        raise HTTPException(404, "no seat is kept for a human here; to take one: arena human sheepzzz greedy")
    if not kept.socket:
        raise HTTPException(503, "the table is not set yet; load the page again in a moment")
    return kept
