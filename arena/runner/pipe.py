"""Pickled values over a pipe, one after the other: between the arena and its own workers, never with a bot."""

from __future__ import annotations

import os
import pickle
from typing import Any

import trio

_LENGTH = 8


class Pipe:
    """Two ends of pipes: what the other side sends is received whole, or not at all."""

    def __init__(self, receiving: int, sending: int) -> None:
        self._in = trio.lowlevel.FdStream(receiving)
        self._out = trio.lowlevel.FdStream(sending)
        self._turn = trio.StrictFIFOLock()
        self._read = bytearray()

    async def send(self, value: Any) -> None:
        """Raises `trio.BrokenResourceError` when nobody listens any more."""
        data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        async with self._turn:
            await self._out.send_all(len(data).to_bytes(_LENGTH, "big") + data)

    async def receive(self) -> Any:
        """The next value; raises EOFError when the other side has gone."""
        length = int.from_bytes(await self._exactly(_LENGTH), "big")
        return pickle.loads(await self._exactly(length))

    async def _exactly(self, count: int) -> bytes:
        while len(self._read) < count:
            data = await self._in.receive_some(1 << 18)
            if not data:
                raise EOFError
            self._read += data
        taken = bytes(self._read[:count])
        del self._read[:count]
        return taken

    async def aclose(self) -> None:
        """Close both ends."""
        await self._out.aclose()
        await self._in.aclose()


def standard_pipe() -> Pipe:
    """The worker's end: its standard input and output; whatever is printed goes to stderr instead."""
    receiving, sending = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    return Pipe(receiving, sending)
