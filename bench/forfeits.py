"""Do well-behaved bots ever forfeit on a busy machine?  `python -m bench.forfeits [MATCHES] [LOAD]`

Sample bots play as `arena ladder run` has them played, one worker for each core, while LOAD other processes keep
the cores busy.  Every strike counts, not only forfeits; the exit code is 1 if there was any.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from itertools import cycle

import trio

from arena.bots.manifest import Bot, find_bot
from arena.chance import derive
from arena.games import GAMES
from arena.runner.local import LocalRunner
from arena.runner.orders import BlockOrder, BlockReport, Terms

BOTS = ("greedy", "random", "first", "goatherd", "bidder", "alpha", "shepherd")
BUSY = [sys.executable, "-c", "while True: pass"]


def orders(matches: int) -> list[BlockOrder]:
    """Blocks of two seats, every pair of bots that plays the game in turn."""
    bots = [find_bot(name) for name in BOTS]
    pairs = {game: cycle(_pairs([bot for bot in bots if bot.plays(game)])) for game in GAMES}
    made = []
    for number, game in zip(range((matches + 1) // 2), cycle(GAMES), strict=False):
        a, b = next(pairs[game])
        deal = derive(bytes(32), "deal", number)
        salts = tuple(derive(bytes(32), "table", number, row) for row in range(2))
        rows = (((a.name, a), (b.name, b)), ((b.name, b), (a.name, a)))
        made.append(BlockOrder(number, game, {}, rows, (deal, deal), salts))
    return made


def _pairs(bots: list[Bot]) -> list[tuple[Bot, Bot]]:
    return [(a, b) for place, a in enumerate(bots) for b in bots[place + 1 :]]


async def play(matches: int) -> tuple[Counter[str], list[str], float]:
    """How many of what, the texts of all verdicts, and the longest lag of a worker in milliseconds."""
    counted: Counter[str] = Counter()
    texts: list[str] = []
    runner = LocalRunner(Terms(), len(os.sched_getaffinity(0)))
    lag_ms = 0.0
    async with trio.open_nursery() as nursery:
        await nursery.start(runner.run)

        async def hand_out() -> None:
            for order in orders(matches):
                await runner.submit(order)
            await runner.close()

        nursery.start_soon(hand_out)
        async for report in runner.reports:
            lag_ms = max(lag_ms, runner.lag_ms)
            if isinstance(report, BlockReport):
                counted["matches"] += len(report.matches)
                verdicts = [verdict for heard in report.verdicts for verdict in heard]
                counted["strikes"] += len(verdicts)
                counted["forfeits"] += sum(verdict.forfeit for verdict in verdicts)
                texts += [verdict.text for verdict in verdicts]
            else:
                counted["void"] += 1
                texts.append(report.reason)
    return counted, texts, lag_ms


def main() -> None:
    matches = int(sys.argv[1]) if sys.argv[1:] else 2000
    load = int(sys.argv[2]) if sys.argv[2:] else len(os.sched_getaffinity(0))
    busy = [subprocess.Popen(BUSY) for _ in range(load)]
    began = time.monotonic()
    try:
        counted, texts, lag_ms = trio.run(play, matches)
    finally:
        for process in busy:
            process.kill()
            process.wait()
    took, played = time.monotonic() - began, counted["matches"]
    print(f"{played:,} matches in {took:.0f} s, {played / took:.0f}/s, {load} other processes at work")
    wrong = ", ".join(f"{counted[what]} {what}" for what in ("forfeits", "strikes", "void"))
    print(f"{wrong}; longest lag {lag_ms:.0f} ms")
    for text in texts[:10]:
        print(f"  {text}")
    sys.exit(bool(counted["strikes"] or counted["void"] or counted["matches"] < matches))


if __name__ == "__main__":
    main()
