"""A bot that comes back when its connection breaks, and counts messages as the kits do."""

from __future__ import annotations

from collections import deque

import trio

from tests.websocket.doors import answer, request
from tests.websocket.peer import TEXT, HungUp, Peer


class Returning:
    """One conversation over as many connections as it takes."""

    def __init__(self, port: int, host_port: int, token: str, session: str) -> None:
        self.connections = 0
        self.told_to_wait = 0
        self._port, self._host, self._token, self._session = port, host_port, token, session
        self._got = self._said = 0
        self._kept: deque[bytes] = deque(maxlen=64)
        self._peer: Peer | None = None

    async def send(self, message: bytes) -> None:
        self._said += 1
        self._kept.append(message)
        if self._peer is None:
            await self._connect()
            return
        try:
            await self._peer.send(message)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            await self._connect()

    async def receive(self) -> bytes:
        while True:
            assert self._peer is not None
            try:
                message = await self._peer.receive()
            except (HungUp, trio.BrokenResourceError, trio.ClosedResourceError) as lost:
                if isinstance(lost, HungUp) and lost.code != 1006:
                    raise
                await self._connect()
                continue
            self._got += 1
            return message

    async def close(self) -> None:
        if self._peer is not None:
            await trio.aclose_forcefully(self._peer.stream)

    async def _connect(self) -> None:
        while True:
            await self.close()
            self.connections += 1
            stream = await trio.open_tcp_stream("127.0.0.1", self._port)
            self._peer = Peer(stream, TEXT)
            query = f"?session={self._session}&got={self._got}&begins={self._said - len(self._kept)}"
            try:
                await stream.send_all(request(self._host, self._token, query))
                status, headers, rest = await answer(stream)
                if status != 101:
                    assert status in (0, 429, 503), status
                    self.told_to_wait += "retry-after" in headers
                    await trio.sleep(float(headers.get("retry-after", 0)))
                    continue
                self._peer._read += rest
                for message in self._kept:
                    await self._peer.send(message)
                return
            except trio.BrokenResourceError:
                continue
