"""Bots that flood: `python -m tests.websocket.flooding KIND PORT FILE`, the file holds a token a line.

Whoever is closed comes back.  A line on stdout says that the flood has begun.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import trio

from tests.websocket.doors import answer, request
from tests.websocket.peer import CONTINUATION, PING, TEXT, masked

PAUSE_S = 0.05


async def empty_fragments(stream):
    await stream.send_all(masked(TEXT, b"", final=False))
    while True:
        await stream.send_all(masked(CONTINUATION, b"", final=False) * 500)


async def pings(stream):
    while True:
        await stream.send_all(masked(PING, b"x" * 100) * 100)


async def small_messages(stream):
    while True:
        await stream.send_all(masked(TEXT, b"{}") * 500)


async def never_reads(stream):
    await trio.sleep_forever()


async def slow_heads(stream):
    while True:
        await trio.sleep(0.01)
        await stream.send_all(b"X-Slow: 1\r\n")


FLOODS = {flood.__name__: flood for flood in (empty_fragments, pings, small_messages, never_reads, slow_heads)}


async def flood(kind: str, port: int, token: str) -> None:
    head = request(port, token)
    said = False
    while True:
        stream = await trio.open_tcp_stream("127.0.0.1", port)
        async with stream:
            with suppress(trio.BrokenResourceError):
                if kind == "slow_heads":
                    await stream.send_all(head[:-2])
                else:
                    await stream.send_all(head)
                    await answer(stream)
                if not said:
                    print(kind, flush=True)
                said = True
                await FLOODS[kind](stream)
        await trio.sleep(PAUSE_S)


async def main(kind: str, port: int, tokens: list[str]) -> None:
    async with trio.open_nursery() as nursery:
        for token in tokens:
            nursery.start_soon(flood, kind, port, token)


if __name__ == "__main__":
    trio.run(main, sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]).read_text().split())
