"""What a sandbox costs: from the start of a bot to its first word, plain and at each level that works here.

With warm processes this is paid once per process, not per match.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

import trio

from arena.sandbox import SANDBOXES, launcher_in, why_not
from arena.transports import Ending, Hub, Link, stdio

STARTS = 30
BOTS = {
    "sh": ["/bin/sh", "-c", "echo hello; read line"],
    "python3": ["/usr/bin/python3", "-S", "-c", "print('hello', flush=True); input()"],
}


class FirstWord:
    """Hears a bot's first word."""

    def __init__(self) -> None:
        self.heard = trio.Event()

    def received(self, link: Link, data: bytes, now_ns: int, lag_ns: int) -> None:  # noqa: ARG002
        """It said something."""
        self.heard.set()

    def handed_over(self, link: Link, now_ns: int) -> None:
        """Nothing is said to it."""

    def lost(self, link: Link, ending: Ending) -> None:  # noqa: ARG002
        """It ended."""
        self.heard.set()


async def start_ms(level: str, argv: list[str], folder: str) -> float:
    """Median over many starts, one after the other."""
    hub, taken = Hub(), []
    async with trio.open_nursery() as nursery:
        await nursery.start(hub.run)
        for _ in range(STARTS):
            owner = FirstWord()
            began = time.perf_counter()
            link = stdio.start(
                hub,
                argv,
                cwd=folder,
                env={"PATH": "/usr/bin:/bin"},
                owner=owner,
                name="bot",
                launcher=launcher_in(SANDBOXES[level]),
            )
            await owner.heard.wait()
            taken.append(1000 * (time.perf_counter() - began))
            link.kill()
            await link.gone.wait()
        nursery.cancel_scope.cancel()
    return statistics.median(taken)


def main() -> None:
    levels = ["none", *(level for level, sandbox in SANDBOXES.items() if level != "none" and not why_not(sandbox))]
    print(f"{'bot':<10}" + "".join(f"{level:>18}" for level in levels))
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        for name, argv in BOTS.items():
            times = [trio.run(start_ms, level, argv, folder) for level in levels]
            told = "".join(f"{ms:>8.1f} ms {f'x{ms / times[0]:.1f}':>6}" for ms in times)
            print(f"{name:<10}{told}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
