"""The app: every route there is.  All of them only read."""

from __future__ import annotations

from collections.abc import Callable, Collection
from inspect import iscoroutinefunction
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from arena.analyses import Analyses
from arena.door.tokens import Tokens
from arena.gallery import Gallery
from arena.store.store import Store
from arena.web.errors import tell
from arena.web.guard import Guard
from arena.web.library import Library
from arena.web.live import table_broadcast
from arena.web.news import board_broadcast, board_news
from arena.web.pages import board, bot, game, home, live, matches, replay, status
from arena.web.pages import seat as seat_page
from arena.web.rendering import HERE
from arena.web.seat import Seat

Handler = Callable[[Request], Any]

LOCAL = ("localhost",)


def make_app(
    store: Store,
    hosts: Collection[str] = LOCAL,
    gallery: Gallery | None = None,
    seat: Seat | None = None,
    tokens: Tokens | None = None,
    analyses: Analyses | None = None,
) -> Starlette:
    """An app that reads a store and answers to `hosts`; none: to any name.  `serving` keeps its news fresh.

    With a gallery it shows running matches, with a seat it lets a human play, with tokens owners read stderr,
    with analyses replays say what a decision lost.
    """
    library = Library(store, analyses)
    app = Starlette(
        routes=[_route(path, handler) for path, handler in PAGES.items()] + [FILES],
        middleware=[Middleware(Guard, hosts=hosts)],
        exception_handlers={HTTPException: tell},
    )
    app.state.library, app.state.gallery = library, gallery
    app.state.seat, app.state.tokens = seat, tokens
    app.state.boards, app.state.tables = board_broadcast(library), table_broadcast(library, gallery)
    return app


def _route(path: str, handler: Handler) -> Route:
    """Whatever goes wrong in a handler is answered here, so that the guard's headers are on every answer."""
    if iscoroutinefunction(handler):

        async def later(request: Request) -> Response:
            try:
                answer: Response = await handler(request)
            except Exception as error:
                return tell(request, error)
            return answer

        return Route(path, later)

    def now(request: Request) -> Response:
        try:
            answer: Response = handler(request)
        except Exception as error:
            return tell(request, error)
        return answer

    return Route(path, now)


def _favicon(_: Request) -> Response:
    return RedirectResponse("/static/sheep.svg", 308)


FILES = Mount("/static", StaticFiles(directory=HERE / "static"))

PAGES: dict[str, Handler] = {
    "/": home.home,
    "/errors": home.errors,
    "/matches": matches.matches,
    "/l/{name}": board.board,
    "/l/{name}/news": board_news,
    "/l/{name}/live": live.ladder_live,
    "/l/{name}/live/news": live.ladder_live_news,
    "/l/{name}/history": board.history,
    "/l/{name}/matrix": board.matrix,
    "/b/{ladder}/{label:path}": bot.bot,
    "/g/{name}": game.game,
    "/seat": seat_page.seat,
    "/m/{match}": replay.replay,
    "/m/{match}/text": replay.text,
    "/m/{match}/live": live.match_live,
    "/m/{match}/live/news": live.match_live_news,
    "/api/ladders": status.ladders_data,
    "/api/ladders/{name}": status.ladder_data,
    "/api/ladders/{name}/status": status.status_data,
    "/api/ladders/{name}/history": board.history_data,
    "/api/matches": matches.matches_data,
    "/api/matches/{match}": matches.match_data,
    "/api/matches/{match}/table": replay.table_data,
    "/api/matches/{match}/positions": replay.positions_data,
    "/api/matches/{match}/message": replay.letter_data,
    "/api/attention/{ladder}/{label:path}": bot.attention_data,
    "/api/live": live.live_data,
    "/api/live/{match}/table": live.live_table_data,
    "/api/games": game.games_data,
    "/api/games/{name}": game.game_data,
    "/api/games/{name}/words": game.words_data,
    "/api/seat": seat_page.seat_data,
    "/metrics": status.metrics,
    "/healthz": status.healthz,
    "/favicon.ico": _favicon,
}
"""Every page.  A handler that changed anything would need a token and a check of its origin; there is none."""
