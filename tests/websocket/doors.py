"""A door on loopback, tokens for it, and ways to knock."""

from __future__ import annotations

import base64
import os
from contextlib import asynccontextmanager
from dataclasses import replace

import trio

from arena.door.door import Door
from arena.door.terms import DoorTerms
from arena.door.tokens import Tokens
from arena.transports import Hub
from tests.websocket.peer import TEXT, Peer


class OpenDoor:
    """A door with a running hub, and a token for everybody."""

    def __init__(self, hub: Hub, door: Door, secrets: dict[str, str]) -> None:
        self.hub, self.door, self.secrets = hub, door, secrets
        self.port = door.port
        self._streams: list[trio.SocketStream] = []

    async def knock(self, head: bytes, source: str = "127.0.0.1") -> trio.SocketStream:
        """A connection on which a request was sent."""
        stream = await self.connect(source)
        await stream.send_all(head)
        return stream

    async def connect(self, source: str = "127.0.0.1") -> trio.SocketStream:
        stream = await trio.open_tcp_stream("127.0.0.1", self.port, local_address=source)
        self._streams.append(stream)
        return stream

    def heard(self, name: str) -> int:
        """How many messages came from a bot."""
        guest = self.door.guests.get(name)
        return 0 if guest is None else guest.link.got

    async def close(self) -> None:
        for stream in self._streams:
            await trio.aclose_forcefully(stream)

    async def come_in(self, name: str, query: str = "", opcode: int = TEXT, **headers: str) -> Peer:
        """A bot after its upgrade."""
        stream = await self.knock(request(self.port, self.secrets[name], query, **headers))
        status, _, rest = await answer(stream)
        assert status == 101, status
        peer = Peer(stream, opcode)
        peer._read += rest
        return peer


@asynccontextmanager
async def open_door(folder, *names: str, **changes):
    """An open door with tokens for these bots."""
    tokens = Tokens(folder / "tokens.toml")
    secrets = {name: tokens.create(name, "", "2026-01-01T00:00:00Z") for name in names}
    terms = replace(DoorTerms(0, token_file=tokens.path), **changes)
    hub = Hub()
    async with trio.open_nursery() as nursery:
        await nursery.start(hub.run)
        door = Door(hub, terms)
        await nursery.start(door.run)
        opened = OpenDoor(hub, door, secrets)
        try:
            yield opened
        finally:
            with trio.CancelScope(shield=True):
                await opened.close()
        nursery.cancel_scope.cancel()


def request(port: int, token: str | None, query: str = "", host: str | None = None, **headers: str) -> bytes:
    """The head of an upgrade."""
    lines = {
        "Host": host or f"127.0.0.1:{port}",
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
        "Sec-WebSocket-Version": "13",
    }
    if token is not None:
        lines["Authorization"] = f"Bearer {token}"
    lines |= {key.replace("_", "-"): value for key, value in headers.items()}
    head = "".join(f"{key}: {value}\r\n" for key, value in lines.items())
    return f"GET /{query} HTTP/1.1\r\n{head}\r\n".encode("latin-1")


async def answer(stream: trio.abc.Stream) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and what came behind them; 0 if nothing came."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = await stream.receive_some(4096)
        if not piece:
            return 0, {}, data
        data += piece
    head, _, rest = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {key.lower(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    missing = int(headers.get("content-length", 0)) - len(rest)
    while missing > 0 and (piece := await stream.receive_some(4096)):
        rest += piece
        missing -= len(piece)
    return int(first.split()[1]), headers, rest
