"""A connection after its upgrade, as bytes: a plain socket on the hub, or any stream of trio, such as TLS.

No frames here, and nothing of what the bytes mean.
"""

from __future__ import annotations

import os
import select
import socket
from contextlib import suppress
from typing import Final, Protocol

import trio

from arena.transports.hub import Hub

READ_BYTES: Final = 16 * 1024
"""The most taken from one bot at a time: of the smallest frames this is a millisecond's work."""

SEND_BUFFER: Final = 32 * 1024
"""Kept by the kernel for us; Linux doubles it."""

DEAD_MS: Final = 20_000
"""So long the other machine may leave our bytes unacknowledged."""


class LineUser(Protocol):
    """Who is told what a line brings."""

    def line_brought(self, data: bytes, now_ns: int, lag_ns: int) -> None:
        """Bytes came."""

    def line_is_clear(self, now_ns: int) -> None:
        """What could not be sent at once has been."""

    def line_ended(self) -> None:
        """Nothing more comes, and nothing more goes."""


class Line(Protocol):
    """One connection.  Nothing here waits."""

    sent: int
    """Bytes handed over in all."""

    room: int
    """Bytes that wait here though nobody is to blame: they have not been offered to the kernel yet."""

    @property
    def unsent(self) -> int:
        """Bytes that are still with us."""

    def open(self, user: LineUser) -> None:
        """Begin to read."""

    def send(self, data: bytes) -> bool:
        """Write; True if all was handed over now, otherwise `line_is_clear` follows."""

    def end_sending(self) -> None:
        """Say that nothing more will be sent, after what was."""

    def close(self) -> None:
        """Be done with it, at once; the user is told nothing more."""


class SocketLine:
    """A plain socket, read and written by the hub without any task."""

    room = 0

    def __init__(self, hub: Hub, plain: socket.socket) -> None:
        plain.setblocking(False)
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        if plain.family in (socket.AF_INET, socket.AF_INET6):
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, DEAD_MS)
        self.sent = 0
        self._hub = hub
        self._socket = plain
        self._number = plain.fileno()
        self._user: LineUser
        self._backlog = bytearray()
        self._writing = -1  # a second number of the socket, for the hub tells no reading from writing
        self._ending = self._closed = False
        hub.at_close(_close_all, self)  # also one that only says goodbye, and is nobody's any more

    @property
    def unsent(self) -> int:
        """Bytes for which the kernel had no room."""
        return len(self._backlog)

    def open(self, user: LineUser) -> None:
        """Let the hub watch it."""
        self._user = user
        self._hub.watch(self._number, self._read)

    def send(self, data: bytes) -> bool:
        """Write what the kernel takes now, and keep the rest."""
        if self._closed:
            return False
        if not self._backlog:
            try:
                written = os.write(self._number, data)
            except BlockingIOError:
                written = 0
            except OSError:
                return False  # reading finds out why
            self.sent += written
            if written == len(data):
                return True
            data = data[written:]
            self._writing = os.dup(self._number)
            self._hub.watch(self._writing, self._flush, select.EPOLLOUT)
        self._backlog += data
        return False

    def end_sending(self) -> None:
        """Half a goodbye: what the other side still says is read."""
        self._ending = True
        if not self._backlog and not self._closed:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Give the socket back."""
        if self._closed:
            return
        self._closed = True
        self._stop_writing()
        self._hub.forget(self)
        self._hub.release(self._socket.detach())

    def _stop_writing(self) -> None:
        if self._writing >= 0:
            self._hub.release(self._writing)
            self._writing = -1

    def _read(self, now_ns: int, lag_ns: int) -> None:
        try:
            data = os.read(self._number, READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self._user.line_brought(data, now_ns, lag_ns)
        else:
            self.close()
            self._user.line_ended()

    def _flush(self, now_ns: int, lag_ns: int) -> None:  # noqa: ARG002
        try:
            written = os.write(self._number, self._backlog)
        except BlockingIOError:
            return
        except OSError:
            self._stop_writing()  # as in `send`
            return
        self.sent += written
        del self._backlog[:written]
        if self._backlog:
            return
        self._stop_writing()
        if self._ending:
            self.end_sending()
        self._user.line_is_clear(self._hub.now_ns())


def _close_all(lines: list[SocketLine]) -> None:
    for line in lines:
        line.close()


class StreamLine:
    """A stream of trio, with one task that reads and one that writes."""

    room = 64 * 1024

    def __init__(self, hub: Hub, stream: trio.abc.Stream) -> None:
        self.sent = 0
        self.gone = trio.Event()
        """Set when the stream is closed."""
        self._hub = hub
        self._stream = stream
        self._user: LineUser
        self._backlog = bytearray()
        self._news = trio.Event()
        self._scope = trio.CancelScope()
        self._ending = self._closed = False

    @property
    def unsent(self) -> int:
        """Bytes that the stream has not taken."""
        return len(self._backlog)

    def open(self, user: LineUser) -> None:
        """Start both tasks beside the hub."""
        self._user = user
        self._hub.spawn(self._live)

    def send(self, data: bytes) -> bool:
        """Leave it to the writing task."""
        if not self._closed:
            self._backlog += data
            self._news.set()
        return False

    def end_sending(self) -> None:
        """TLS has no half goodbye: only the writing task ends."""
        self._ending = True
        self._news.set()

    def close(self) -> None:
        """End both tasks; the stream is closed by them."""
        self._closed = True
        self._scope.cancel()

    async def _live(self) -> None:
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._write)
                    await self._read()
                    nursery.cancel_scope.cancel()
        finally:
            with trio.CancelScope(shield=True):
                await trio.aclose_forcefully(self._stream)
            self.gone.set()
        if not self._closed:
            self._closed = True
            self._user.line_ended()
            self._hub.settle(self._hub.now_ns())

    async def _read(self) -> None:
        while True:
            try:
                data = await self._stream.receive_some(READ_BYTES)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                return
            if not data:
                return
            now_ns = self._hub.now_ns()
            self._user.line_brought(bytes(data), now_ns, self._hub.lag_ns(now_ns))
            self._hub.settle(now_ns)

    async def _write(self) -> None:
        while True:
            while self._backlog:
                piece = bytes(self._backlog[:READ_BYTES])
                try:
                    await self._stream.send_all(piece)
                except (trio.BrokenResourceError, trio.ClosedResourceError):
                    return
                self.sent += len(piece)
                del self._backlog[: len(piece)]
                if not self._backlog:
                    now_ns = self._hub.now_ns()
                    self._user.line_is_clear(now_ns)
                    self._hub.settle(now_ns)
            if self._ending:
                return
            self._news = trio.Event()
            await self._news.wait()
