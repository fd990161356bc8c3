"""What every request and every answer must be, whatever the page: small, for this host, read-only, and sealed off
from other sites by its headers.
"""

from __future__ import annotations

from collections.abc import Collection
from ipaddress import ip_address

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
LONGEST_URL = 4096
AT_ONCE = 200
"""Requests under way, not counting streams; who comes later is told to come again."""


class Guard:
    """Wraps the app."""

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        """`hosts` are the names this server goes by, beside its addresses; none: any."""
        self.app = app
        self.hosts = frozenset(hosts)
        self.under_way = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] == "lifespan":
            await _begin_and_end(receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if not scope["path"].startswith("/static/"):
                    headers["cache-control"] = "no-store"
            await send(message)

        refused = self._refusal(scope)
        if refused is not None:
            await refused(scope, receive, send_guarded)
            return
        streams = scope["path"].endswith("/news")
        self.under_way += not streams
        try:
            await self.app(scope, receive, send_guarded)
        finally:
            self.under_way -= not streams

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        if self.hosts and not self._is_ours(_name(headers.get("host", ""))):
            return PlainTextResponse("this server goes by another name\n", 421)
        if scope["method"] not in ("GET", "HEAD"):
            return PlainTextResponse("pages are only read here\n", 405, {"allow": "GET, HEAD"})
        if headers.get("content-length", "0") != "0" or "transfer-encoding" in headers:
            return PlainTextResponse("nothing may be sent along\n", 413, {"connection": "close"})
        if len(scope["raw_path"]) + len(scope["query_string"]) > LONGEST_URL:
            return PlainTextResponse("the address is too long\n", 414)
        if self.under_way >= AT_ONCE:
            return PlainTextResponse("too many requests at once; try again\n", 503, {"retry-after": "1"})
        return None

    def _is_ours(self, name: str) -> bool:
        """A foreign site can point a name of its own at this machine, but not an address."""
        try:
            ip_address(name.strip("[]"))
        except ValueError:
            return name in self.hosts
        return True


async def _begin_and_end(receive: Receive, send: Send) -> None:
    """Nothing is to be set up; said here, so that a server that is cancelled hears of no failure."""
    await receive()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await send({"type": "lifespan.shutdown.complete"})


def _name(host: str) -> str:
    """Without the port."""
    return host.rpartition(":")[0] if ":" in host and not host.endswith("]") else host
