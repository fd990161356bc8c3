"""`/`: ladders, live matches, the newest matches and faults; and `/errors`, all of the latter."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from arena.games import GAMES
from arena.store.matches import Wanted
from arena.web import queries
from arena.web.pages import library
from arena.web.rendering import page

NEWEST = 8
LIVE = 12
LISTED = 100


def home(request: Request) -> Response:
    """The first page."""
    books = library(request)
    pulses = books.pulses()
    games, refused = GAMES.sound()
    ladders = [(pulse, books.counts(pulse)) for pulse in pulses if pulse.kind == "ladder"]
    return page(
        request,
        "home.html",
        ladders=ladders,
        gallery=(gallery := request.app.state.gallery),
        live=[] if gallery is None else gallery.playing[:LIVE],
        series=sum(pulse.kind != "ladder" for pulse in pulses),
        matches=books.store.match_list(Wanted(limit=NEWEST)),
        faults=queries.faults(books.store, NEWEST),
        games=games,
        refused=refused,
    )


def errors(request: Request) -> Response:
    """Everything that went wrong, as anybody may hear it."""
    store = library(request).store
    return page(request, "errors.html", faults=queries.faults(store, LISTED), voids=queries.voids(store, LISTED))
