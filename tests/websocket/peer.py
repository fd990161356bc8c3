"""The client's end of a websocket, down to the single frame: for bots that behave and for those that do not."""

from __future__ import annotations

import os
import struct

import trio

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA


class HungUp(Exception):
    """The other side closed, with this code; 1006 if it said nothing."""

    def __init__(self, code: int, reason: str = "") -> None:
        super().__init__(code, reason)
        self.code = code
        self.reason = reason


def masked(
    opcode: int, payload: bytes = b"", *, final: bool = True, reserved: int = 0, mask: bool = True
) -> bytes:
    """One frame as a client sends it, or as it should not."""
    first = (0x80 if final else 0) | reserved | opcode
    size = len(payload)
    bit = 0x80 if mask else 0
    if size < 126:
        head = bytes((first, bit | size))
    elif size < 65536:
        head = struct.pack("!BBH", first, bit | 126, size)
    else:
        head = struct.pack("!BBQ", first, bit | 127, size)
    if not mask:
        return head + payload
    key = os.urandom(4)
    keys = (key * (size // 4 + 1))[:size]
    return head + key + bytes(a ^ b for a, b in zip(payload, keys, strict=True))


class Peer:
    """A client after its upgrade."""

    def __init__(self, stream: trio.abc.Stream, opcode: int = BINARY) -> None:
        self.stream = stream
        self.opcode = opcode
        self.answers_pings = True
        self.pings: list[bytes] = []
        self._read = bytearray()

    async def send(self, message: bytes) -> None:
        await self.stream.send_all(masked(self.opcode, message))

    async def raw(self, data: bytes) -> None:
        await self.stream.send_all(data)

    async def receive(self, most: int = 1 << 62) -> bytes:
        """The next message; raises HungUp, also instead of reading one that is longer than `most`."""
        while True:
            opcode, payload = await self._frame(most)
            if opcode in (TEXT, BINARY):
                return payload
            if opcode == PING:
                self.pings.append(payload)
                if self.answers_pings:
                    await self.stream.send_all(masked(PONG, payload))
            elif opcode == CLOSE:
                code = int.from_bytes(payload[:2], "big") if payload else 1005
                raise HungUp(code, payload[2:].decode())

    async def close(self, code: int = 1000) -> None:
        """Say goodbye in good order."""
        await self.stream.send_all(masked(CLOSE, code.to_bytes(2, "big")))
        try:
            while True:
                await self.receive()
        except HungUp:
            await self.stream.aclose()

    async def _frame(self, most: int) -> tuple[int, bytes]:
        first, size = await self._exactly(2)
        if size == 126:
            (size,) = struct.unpack("!H", await self._exactly(2))
        elif size == 127:
            (size,) = struct.unpack("!Q", await self._exactly(8))
        if size > most:
            raise HungUp(1009)
        return first & 0x0F, await self._exactly(size)

    async def _exactly(self, count: int) -> bytes:
        while len(self._read) < count:
            try:
                data = await self.stream.receive_some(65536)
            except trio.BrokenResourceError:
                raise HungUp(1006) from None
            if not data:
                raise HungUp(1006)
            self._read += data
        taken = bytes(self._read[:count])
        del self._read[:count]
        return taken
