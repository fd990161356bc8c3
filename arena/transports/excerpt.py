"""The first and the last of an endless text, in bounded space.  What the text says is nobody's business here."""

from __future__ import annotations

KEPT_BYTES = 64 * 1024


class Excerpt:
    """Keeps the first and the last `KEPT_BYTES`, and counts what it dropped between them."""

    __slots__ = ("_tail", "dropped", "head")

    def __init__(self) -> None:
        self.head = b""
        self.dropped = 0
        self._tail = bytearray()

    def add(self, data: bytes) -> None:
        """Take more text."""
        room = KEPT_BYTES - len(self.head)
        if room:
            self.head += data[:room]
            data = data[room:]
        self._tail += data
        excess = len(self._tail) - KEPT_BYTES
        if excess > 0:
            self.dropped += excess
            del self._tail[:excess]

    def tail(self) -> bytes:
        """The last `KEPT_BYTES`, or all there is."""
        if len(self._tail) == KEPT_BYTES:
            return bytes(self._tail)
        return (self.head + self._tail)[-KEPT_BYTES:]

    def kept(self) -> bytes:
        """All that is kept, with a line in the gap that tells its size."""
        gap = b"\n[%d bytes dropped]\n" % self.dropped if self.dropped else b""
        return self.head + gap + self._tail
