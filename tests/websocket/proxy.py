"""A network of our own between a bot and the door: it delays, cuts after a byte, swallows, and writes down.

TCP mends loss and puts in order what was not: whoever reads the stream sees both as waiting.
"""

from __future__ import annotations

import random

import trio

UP, DOWN = "from the bot", "to the bot"


class Proxy:
    """Listens at `port` and passes everything on to `target`."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.port = 0
        self.delay_s = 0.0
        self.jitter_s = 0.0
        """Up to so much more."""
        self.lost = 0.0
        """Of what passes, this share is sent again after four times the delay."""
        self.swallows = False
        self.cut: tuple[str, int] | None = None
        """Once, after so many bytes in that direction of one connection."""
        self.cuts = 0
        self.ended = 0
        """Connections that are no more."""
        self.seen = {UP: bytearray(), DOWN: bytearray()}
        self._chance = random.Random(17)
        self._open: set[trio.SocketStream] = set()

    async def run(self, task_status=trio.TASK_STATUS_IGNORED) -> None:
        listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
        self.port = listeners[0].socket.getsockname()[1]
        task_status.started()
        await trio.serve_listeners(self._serve, listeners)

    def cut_all(self) -> None:
        """Pull the cable."""
        for stream in self._open:
            stream.socket.close()

    async def _serve(self, near: trio.SocketStream) -> None:
        try:
            far = await trio.open_tcp_stream("127.0.0.1", self.target)
        except OSError:
            return await trio.aclose_forcefully(near)
        self._open |= {near, far}
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._pump, UP, near, far, nursery.cancel_scope)
                nursery.start_soon(self._pump, DOWN, far, near, nursery.cancel_scope)
        finally:
            self._open -= {near, far}
            self.ended += 1
            near.socket.close()
            far.socket.close()
        return None

    async def _pump(self, way: str, source: trio.SocketStream, sink: trio.SocketStream, scope) -> None:
        passed = 0
        try:
            while data := bytes(await source.receive_some(65536)):
                await trio.sleep(self._wait_s())
                if self.swallows:
                    continue
                if self.cut is not None and self.cut[0] == way and passed + len(data) >= self.cut[1]:
                    await sink.send_all(data[: max(0, self.cut[1] - passed)])
                    self.cut, self.cuts = None, self.cuts + 1
                    break
                passed += len(data)
                self.seen[way] += data
                await sink.send_all(data)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        scope.cancel()

    def _wait_s(self) -> float:
        again = self._chance.random() < self.lost
        return self.delay_s * (5 if again else 1) + self.jitter_s * self._chance.random()
