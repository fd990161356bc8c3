"""Server-sent events: one look for all who watch the same thing; slow readers skip to the newest.

Every message is a whole picture, so who comes late and who reads slowly need nothing of their own.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import NamedTuple

import anyio
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

log = logging.getLogger("arena.web")

WATCHERS_A_SECOND = 100
"""The more watch, the longer a look may wait: to tell them all must not cost the ladder its cores."""

MOST_WATCHERS = 1000
SILENCE_S = 15
"""After so long without news a comment is sent, so that a reader who left is noticed."""


class News(NamedTuple):
    """A picture, and the state it shows."""

    state: str
    text: str


class Broadcast:
    """What is new of the things that somebody watches, by their names."""

    def __init__(self, look: Callable[[str, str], Awaitable[News | None]], pause_s: float) -> None:
        """`look` is given a name and the last state; it returns None when that has not changed."""
        self.entered: Callable[[str], None] = _nobody_cares
        """Called when somebody begins to watch."""
        self.left: Callable[[str], None] = _nobody_cares
        self._look = look
        self._pause_s = pause_s
        self._latest: dict[str, News] = {}
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
                last = self._latest.get(name)
                try:
                    news = await self._look(name, "" if last is None else last.state)
                except Exception:  # ours; who watches keeps the last picture, and all others theirs
                    log.exception("a look failed")
                    continue
                if news is not None and name in self._watchers:
                    self._latest[name] = news
            looked, self._looked = self._looked, anyio.Event()
            looked.set()
            await anyio.sleep(self._pause_s + self.watching / WATCHERS_A_SECOND)

    async def of(self, name: str, seen: str) -> AsyncIterator[str]:
        """Every newer picture than the one seen, or rather the newest of them."""
        self._watchers[name] = self._watchers.get(name, 0) + 1
        self.entered(name)
        heard = anyio.current_time()
        try:
            while True:
                news = self._latest.get(name)
                if news is not None and news.state != seen:
                    seen, heard = news.state, anyio.current_time()
                    yield _message(news)
                elif anyio.current_time() - heard >= SILENCE_S:
                    heard = anyio.current_time()
                    yield ": still here\n\n"
                await self._looked.wait()
        finally:
            self.left(name)
            self._watchers[name] -= 1
            if not self._watchers[name]:
                del self._watchers[name]
                self._latest.pop(name, None)


def stream(request: Request, broadcast: Broadcast, name: str) -> Response:
    """A reader's own stream, unless too many watch; `since` is the state the reader has."""
    state = request.app.state
    if state.boards.watching + state.tables.watching >= MOST_WATCHERS:
        raise HTTPException(503, "too many watch already; the page can still be read")
    seen = request.headers.get("last-event-id") or request.query_params.get("since", "")
    return StreamingResponse(broadcast.of(name, seen), media_type="text/event-stream")


def _nobody_cares(name: str) -> None:
    """Nothing."""


def _message(news: News) -> str:
    lines = "".join(f"data: {line}\n" for line in news.text.splitlines())
    return f"id: {news.state}\n{lines}\n"
