"""The stream on which a visitor asks to come in: trio-websocket hears the request on it, and nothing after that.

So a visitor's frames are read by nobody before the visitor is let in, and none is lost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import trio

HEAD_BYTES: Final = 8 * 1024
_END: Final = b"\r\n\r\n"


class Doorstep(trio.abc.Stream):
    """Passes on the head of one request."""

    def __init__(self, stream: trio.abc.Stream, closed: Callable[[], None]) -> None:
        self._stream = stream
        self._closed = closed
        self._heard = bytearray()
        self._complete = False

    @property
    def rest(self) -> bytes:
        """What came behind the head already."""
        return bytes(self._heard.partition(_END)[2])

    @property
    def proper(self) -> bool:
        """The head had an end."""
        return self._complete

    def header(self, name: bytes) -> str | None:
        """The first header of that name, in lower case."""
        for line in bytes(self._heard).partition(_END)[0].split(b"\r\n")[1:]:
            key, _, value = line.partition(b":")
            if key.strip().lower() == name:
                return value.strip().decode("latin-1")
        return None

    async def receive_some(self, max_bytes: int | None = None) -> bytes:  # noqa: ARG002
        """The next piece of the head; once it is complete, nothing for ever."""
        if self._complete:
            await trio.sleep_forever()
        try:
            data = bytes(await self._stream.receive_some(HEAD_BYTES))
        except trio.BrokenResourceError:  # also who speaks no TLS where it is spoken
            self._closed()
            raise
        before = len(self._heard)
        self._heard += data
        end = self._heard.find(_END)
        if end >= 0:
            self._complete = True
            return bytes(self._heard[before : end + len(_END)])
        if len(self._heard) > HEAD_BYTES or not data:
            self._closed()
        return data

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Pass on."""
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        """Pass on."""
        await self._stream.wait_send_all_might_not_block()

    async def aclose(self) -> None:
        """It was no proper request; the stream itself is closed by whoever owns it."""
        self._closed()
        await trio.lowlevel.checkpoint()
