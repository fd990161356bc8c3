"""Boards that renew themselves: one look at the store for all who watch; slow readers skip to the newest.

Server-sent events carry the part of the page that changed; what a reader missed is never sent later.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

import anyio
from anyio import to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from arena.store import StoreError
from arena.web.library import Library
from arena.web.pages.board import board_fragment, state_of
from arena.web.queries import Pulse

LOOK_S = 1.0
WATCHERS_A_SECOND = 100
"""The more watch, the longer a look may wait: to tell them all must not cost the ladder its cores."""

MOST_WATCHERS = 1000
SILENCE = 15
"""After so many looks without news a comment is sent, so that a reader who left is noticed."""


class News:
    """What is new on the boards that somebody watches."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._latest: dict[str, tuple[str, str]] = {}
        self._watchers: dict[str, int] = {}
        self._looked = anyio.Event()

    @property
    def watching(self) -> int:
        """Streams that are open."""
        return sum(self._watchers.values())

    async def keep_looking(self) -> None:
        """Runs beside the server."""
        while True:
            for name in list(self._watchers):
                await self._look(name)
            looked, self._looked = self._looked, anyio.Event()
            looked.set()
            await anyio.sleep(LOOK_S + self.watching / WATCHERS_A_SECOND)

    async def _look(self, name: str) -> None:
        try:
            states = {pulse.ladder: state_of(pulse.length, pulse) for pulse in await self._pulses()}
            if self._latest.get(name, ("", ""))[0] != states.get(name):
                self._latest[name] = await to_thread.run_sync(board_fragment, self._library, name)
        except StoreError:
            return  # not now; the next look may be luckier

    async def _pulses(self) -> list[Pulse]:
        return await to_thread.run_sync(self._library.pulses)

    async def of(self, name: str, seen: str) -> AsyncIterator[str]:
        """Every newer board than the one seen, or rather the newest of them."""
        self._watchers[name] = self._watchers.get(name, 0) + 1
        silent = 0
        try:
            while True:
                state, html = self._latest.get(name, (seen, ""))
                if state != seen:
                    seen, silent = state, 0
                    yield _message(state, html)
                elif silent >= SILENCE:
                    silent = 0
                    yield ": still here\n\n"
                await self._looked.wait()
                silent += 1
        finally:
            self._watchers[name] -= 1
            if not self._watchers[name]:
                del self._watchers[name]
                self._latest.pop(name, None)


async def board_news(request: Request) -> Response:
    """The stream of one board; `since` is the state the reader has."""
    news: News = request.app.state.news
    name = request.path_params["name"]
    await to_thread.run_sync(request.app.state.library.ladder, name)
    if news.watching >= MOST_WATCHERS:
        raise HTTPException(503, "too many watch already; the page can still be read")
    seen = request.headers.get("last-event-id") or request.query_params.get("since", "")
    return StreamingResponse(news.of(name, seen), media_type="text/event-stream")


def _message(state: str, html: str) -> str:
    lines = "".join(f"data: {line}\n" for line in html.splitlines())
    return f"id: {state}\n{lines}\n"
