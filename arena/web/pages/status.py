"""What programs ask: `/api`, `/metrics`, `/healthz`.  The data is the same as the commands print with --json."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Gauge, generate_latest
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from arena.web import queries
from arena.web.pages import library


def ladders_data(request: Request) -> Response:
    """As `arena ladder list --json`."""
    books = library(request)
    told = [
        {"ladder": pulse.ladder, "title": pulse.title, **books.counts(pulse)._asdict()}
        for pulse in reversed(books.pulses())
        if pulse.kind == "ladder"
    ]
    return JSONResponse(told)


def ladder_data(request: Request) -> Response:
    """As `arena ladder show --json`."""
    books = library(request)
    ladder, pulse = books.ladder(request.path_params["name"])
    boards = books.boards(ladder, pulse).boards
    divisions = [{**board.division._asdict(), **board.standings.as_data()} for board in boards]
    return JSONResponse({"ladder": ladder.name, "divisions": divisions})


def status_data(request: Request) -> Response:
    """As `arena ladder status --json`, but for who runs it: that is nobody's business."""
    books = library(request)
    ladder, pulse = books.ladder(request.path_params["name"])
    bots = {entry.label: entry.status for entry in books.store.bots_of(ladder)}
    counts = books.counts(pulse)._asdict()
    return JSONResponse({"ladder": ladder.name, "running": pulse.running, **counts, "bots": bots})


def metrics(request: Request) -> Response:
    """For Prometheus."""
    books = library(request)
    registry = CollectorRegistry()
    matches, moves = queries.size_of(books.store)
    Gauge("arena_matches", "Finished matches in the store", registry=registry).set(matches)
    Gauge("arena_decisions", "Decisions in finished matches", registry=registry).set(moves)
    watching = request.app.state.boards.watching + request.app.state.tables.watching
    Gauge("arena_watchers", "Streams that are open now", registry=registry).set(watching)
    blocks = Gauge("arena_blocks", "Blocks by ladder and state", ["ladder", "state"], registry=registry)
    for pulse in books.pulses():
        if pulse.kind == "ladder":
            blocks.labels(pulse.ladder, "settled").set(pulse.length)
            blocks.labels(pulse.ladder, "planned").set(pulse.planned)
    return PlainTextResponse(generate_latest(registry), media_type="text/plain; version=0.0.4")


def healthz(request: Request) -> Response:
    """Whether the store can be read."""
    library(request).pulses()
    return PlainTextResponse("ok\n")
