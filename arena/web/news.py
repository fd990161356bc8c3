"""Boards that renew themselves: the part of the page that changed, whenever a block was stored."""

from __future__ import annotations

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

from arena.store import StoreError
from arena.web.broadcast import Broadcast, News, stream
from arena.web.library import Library
from arena.web.pages.board import board_fragment, state_of

LOOK_S = 1.0


def board_broadcast(library: Library) -> Broadcast:
    """The boards of a store, by their ladders' names."""

    async def look(name: str, last: str) -> News | None:
        try:
            states = {
                pulse.ladder: state_of(pulse.length, pulse) for pulse in await to_thread.run_sync(library.pulses)
            }
            if last == states.get(name):
                return None
            return News(*await to_thread.run_sync(board_fragment, library, name))
        except StoreError:
            return None  # not now; the next look may be luckier

    return Broadcast(look, LOOK_S)


async def board_news(request: Request) -> Response:
    """The stream of one board."""
    name = request.path_params["name"]
    await to_thread.run_sync(request.app.state.library.ladder, name)
    return stream(request, request.app.state.boards, name)
