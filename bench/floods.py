"""How late the arena's loop is while remote bots play and others flood it, beside the same matches in peace.

Bots and floods are processes of their own, and whoever is thrown out may come back at once, as often as it likes.
Row by row: the lag that half, nineteen of twenty and 99 of 100 looks at the loop stay below, and the worst.
"""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path

import trio

from arena.door import admission
from tests.websocket import flooding, herd
from tests.websocket.herd import outside
from tests.websocket.players import OpenHouse, block, open_house

PAIRS = 8
MATCHES = 48
FLOODERS = [f"flood-{number}" for number in range(8)]
BOTS = [f"bot-{number}" for number in range(2 * PAIRS)]
HERD = [f"herd-{number}" for number in range(500)]
GOAL_S = 0.05


async def lags_of(house: OpenHouse, numbers: itertools.count[int]) -> list[float]:
    lags: list[float] = []
    looks = house.house.hub.every(0.002, lambda now_ns, lag_ns: lags.append(lag_ns / 1e9))  # noqa: ARG005
    pairs = itertools.cycle(zip(BOTS[::2], BOTS[1::2], strict=True))
    orders = [block(next(numbers), f"ws:{a}", f"ws:{b}") for a, b in itertools.islice(pairs, MATCHES)]
    reports = await house.play(*orders)
    looks.cancel()
    assert not any(verdict for report in reports for verdict in report.verdicts[0]), "somebody was held up"
    return sorted(lags)


def shown(name: str, lags: list[float], idle: list[float]) -> str:
    at = [lags[min(len(lags) - 1, round(share * len(lags)))] for share in (0.5, 0.95, 0.99, 1)]
    added = at[2] - idle[round(0.99 * len(idle))]
    figures = "  ".join(f"{1000 * lag:6.1f}" for lag in at)
    return f"{name:<16}  {figures}   {1000 * added:+6.1f}  {'met' if added < GOAL_S else 'MISSED'}"


async def main() -> None:
    admission.ENTRANCES = 1 << 30
    numbers = itertools.count()
    with tempfile.TemporaryDirectory() as folder:
        async with open_house(Path(folder), *BOTS, *FLOODERS, *HERD) as house:
            with outside(house, BOTS, herd.__name__):
                await lags_of(house, numbers)  # everybody has come in, and everything is warm
                idle = await lags_of(house, numbers)
                print("loop lag, ms         50 %    95 %    99 %   worst   added at 99 % (goal: below 50)")
                print(shown("idle", idle, idle))
                for kind in flooding.FLOODS:
                    with outside(house, FLOODERS, flooding.__name__, kind) as process:
                        assert process.stdout is not None
                        await trio.to_thread.run_sync(process.stdout.readline)
                        print(shown(kind, await lags_of(house, numbers), idle))
                with outside(house, HERD, herd.__name__):
                    await house.house.door.until(lambda: not house.house.door.guests.keys().isdisjoint(HERD))
                    print(shown(f"{len(HERD)} come in", await lags_of(house, numbers), idle))


if __name__ == "__main__":
    trio.run(main)
