"""`/m/ID/live` and `/l/NAME/live`: running matches, as the public sees them."""

from __future__ import annotations

from anyio import to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from arena.gallery import ANY, Gallery, Running
from arena.games import GAMES
from arena.web.broadcast import stream
from arena.web.furniture import furniture_of
from arena.web.pages import library
from arena.web.rendering import page, to_ladder

ELSEWHERE = "running matches are shown where they are played: arena ladder run NAME --web 8080"


def match_live(request: Request) -> Response:
    """One match; when it is open, its replay."""
    found = library(request).store.match(request.path_params["match"])
    if found.line is not None:
        return RedirectResponse(f"/m/{found.match}", 307)
    _gallery(request, found.ladder)
    return page(
        request, "live.html", ladder=found.ladder, match=found.match, block=found.block,
        news=f"/m/{found.match}/live/news",
    )  # fmt: skip


def ladder_live(request: Request) -> Response:
    """Whichever match of a ladder is under way, one after the other."""
    ladder, _ = library(request).ladder(request.path_params["name"])
    _gallery(request, ladder.name)
    return page(
        request, "live.html", ladder=ladder.name, match=None, block=None, news=to_ladder(ladder.name, "live/news")
    )


async def match_live_news(request: Request) -> Response:
    """The stream of one match; who comes back when it is finished learns that also where nothing is played."""
    found = await to_thread.run_sync(library(request).store.match, request.path_params["match"])
    if found.line is None:
        _gallery(request, found.ladder)
    return stream(request, request.app.state.tables, found.match)


async def ladder_live_news(request: Request) -> Response:
    """The stream of whichever match is under way."""
    _gallery(request, request.path_params["name"])
    return stream(request, request.app.state.tables, ANY)


def live_table_data(request: Request) -> Response:
    """What does not change during a running match, and what everybody may know."""
    match = request.path_params["match"]
    gallery = _gallery(request, None)
    shown = gallery.shown.get(match)
    running = [shown.running] if shown else [one for one in gallery.playing if one.match == match]
    if not running:
        raise HTTPException(404, f"match {match} is not under way")
    return JSONResponse(_table(running[0], gallery.ladder))


def live_data(request: Request) -> Response:
    """All that is under way."""
    gallery: Gallery | None = request.app.state.gallery
    told = [] if gallery is None else gallery.playing
    return JSONResponse(
        [{"match": one.match, "game": one.game, "block": one.block, "bots": one.bots} for one in told]
    )


def _table(running: Running, ladder: str) -> dict[str, object]:
    return {
        "match": running.match,
        "ladder": ladder,
        "game": running.game,
        "title": GAMES[running.game].title,
        "block": running.block,
        "seats": [{"bot": bot} for bot in running.bots],
        **furniture_of(GAMES[running.game], len(running.bots), running.variant),
    }


def _gallery(request: Request, ladder: str | None) -> Gallery:
    gallery: Gallery | None = request.app.state.gallery
    if gallery is None or (ladder is not None and gallery.ladder != ladder):
        raise HTTPException(404, ELSEWHERE)
    return gallery
