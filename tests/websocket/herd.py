"""Many remote bots in one process: `python -m tests.websocket.herd PORT FILE`, the file holds a token a line."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import trio

from tests.websocket.players import OpenHouse, Player


async def main(port: int, tokens: list[str]) -> None:
    async with trio.open_nursery() as nursery:
        for token in tokens:
            nursery.start_soon(Player(port, port, token).run)


@contextmanager
def outside(house: OpenHouse, names: Iterable[str], module: str, *words: str) -> Iterator[subprocess.Popen[str]]:
    """A process of its own that plays these bots: what it does costs our loop nothing but what it sends."""
    file = house.house.door.terms.token_file.with_name(module)
    file.write_text("\n".join(house.secrets[name] for name in names))
    command = [sys.executable, "-m", module, *words, str(house.port), str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def memory_mb() -> float:
    """Of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


if __name__ == "__main__":
    trio.run(main, int(sys.argv[1]), Path(sys.argv[2]).read_text().split())
