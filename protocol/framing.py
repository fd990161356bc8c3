"""Where a message begins and ends in a stream of bytes.  No codec and no meaning here.

A reader never raises: `feed` returns the frames that were whole before a fault, and `broken` then says
what ended the stream.  Bytes fed after that are dropped.  What waits unfinished is bounded by `limit`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final

from protocol.errors import RemoteProtocolError, beginning, stdout_hint, too_long, wrong_encoding
from protocol.messages import FRAME_LIMIT

HEADER: Final = 4


class Framing(ABC):
    """Cuts what arrives into payloads, and makes a frame of a payload to send."""

    broken: RemoteProtocolError | None

    @property
    @abstractmethod
    def pending(self) -> int:
        """How many bytes of an unfinished frame are waiting."""

    @abstractmethod
    def feed(self, data: bytes) -> list[bytes]:
        """The payloads these bytes complete."""

    @abstractmethod
    def frame(self, payload: bytes) -> bytes:
        """The bytes to send for one payload."""


class LengthPrefixed(Framing):
    """Four bytes of length, the highest first, then the payload."""

    def __init__(self, limit: int = FRAME_LIMIT) -> None:
        self.limit = limit
        self.broken = None
        self._waiting = bytearray()
        self._needed = HEADER

    @property
    def pending(self) -> int:
        """How many bytes of an unfinished frame are waiting, its length included."""
        return len(self._waiting)

    def feed(self, data: bytes) -> list[bytes]:
        """The payloads these bytes complete; one whole frame costs one slice."""
        if self.broken is not None:
            return []
        if self._waiting:
            self._waiting += data
            if len(self._waiting) < self._needed:
                return []
            data = bytes(self._waiting)
            self._waiting.clear()
        frames: list[bytes] = []
        at, end = 0, len(data)
        self._needed = HEADER
        while end - at >= HEADER:
            size = data[at] << 24 | data[at + 1] << 16 | data[at + 2] << 8 | data[at + 3]
            if size > self.limit:
                self.broken = self._misread(data[at:], size)
                return frames
            stop = at + HEADER + size
            if stop > end:
                self._needed = HEADER + size
                break
            frames.append(data[at + HEADER : stop])
            at = stop
        if at < end:
            self._waiting += data[at:]
        return frames

    def frame(self, payload: bytes) -> bytes:
        """The payload behind its length."""
        return len(payload).to_bytes(HEADER, "big") + payload

    def _misread(self, data: bytes, size: int) -> RemoteProtocolError:
        # Four letters read as a length are always over the limit, so printed text ends up here.
        text = beginning(data)
        if text is None:
            return too_long(size, self.limit, fatal=True)
        if text.lstrip().startswith("{"):
            return RemoteProtocolError(wrong_encoding("msgpack frames", "JSON lines"), fatal=True)
        return RemoteProtocolError(stdout_hint(text), fatal=True)


class Lines(Framing):
    r"""One payload on one line, ended by `\n` or `\r\n`; blank lines mean nothing."""

    def __init__(self, limit: int = FRAME_LIMIT) -> None:
        self.limit = limit
        self.broken = None
        self._waiting = bytearray()

    @property
    def pending(self) -> int:
        """How many bytes of an unfinished line are waiting."""
        return len(self._waiting)

    def feed(self, data: bytes) -> list[bytes]:
        """The lines these bytes complete."""
        if self.broken is not None:
            return []
        *ended, rest = data.split(b"\n")
        if not ended:
            self._wait_for(rest)
            return []
        if self._waiting:
            ended[0] = bytes(self._waiting) + ended[0]
            self._waiting.clear()
        lines: list[bytes] = []
        for line in ended:
            self.broken = self._misread(line)
            if self.broken is not None:
                return lines
            if line and not line.isspace():
                lines.append(line.removesuffix(b"\r"))
        self._wait_for(rest)
        return lines

    def frame(self, payload: bytes) -> bytes:
        """The payload and the end of its line."""
        return payload + b"\n"

    def _wait_for(self, rest: bytes) -> None:
        self._waiting += rest
        if len(self._waiting) > self.limit or self._waiting[:1] == b"\0":
            self.broken = self._misread(bytes(self._waiting))
            self._waiting.clear()

    def _misread(self, line: bytes) -> RemoteProtocolError | None:
        # No JSON begins with NUL, every length within the limit does; its line may never end.
        if line[:1] == b"\0":
            return RemoteProtocolError(wrong_encoding("JSON lines", "msgpack frames"), fatal=True)
        return too_long(len(line), self.limit, fatal=True) if len(line) > self.limit else None


class Whole(Framing):
    """For carriers that keep messages apart themselves, such as a websocket: one feed is one frame."""

    def __init__(self, limit: int = FRAME_LIMIT) -> None:
        self.limit = limit
        self.broken = None

    @property
    def pending(self) -> int:
        """Nothing is ever unfinished."""
        return 0

    def feed(self, data: bytes) -> list[bytes]:
        """The message itself."""
        if self.broken is None and len(data) > self.limit:
            self.broken = too_long(len(data), self.limit, fatal=True)
        return [] if self.broken is not None else [data]

    def frame(self, payload: bytes) -> bytes:
        """The payload itself."""
        return payload


FRAMINGS: Final[dict[str, type[LengthPrefixed] | type[Lines]]] = {"msgpack": LengthPrefixed, "json": Lines}
