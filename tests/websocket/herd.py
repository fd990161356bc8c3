"""Many remote bots in one process: `python -m tests.websocket.herd PORT FILE`, the file holds a token a line."""

from __future__ import annotations

import sys
from pathlib import Path

import trio

from tests.websocket.players import Player


async def main(port: int, tokens: list[str]) -> None:
    async with trio.open_nursery() as nursery:
        for token in tokens:
            nursery.start_soon(Player(port, port, token).run)


if __name__ == "__main__":
    trio.run(main, int(sys.argv[1]), Path(sys.argv[2]).read_text().split())
