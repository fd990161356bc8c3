"""Many tables in one process: decisions per second of a Python bot that plays 1, 8 or 64 matches at once.

    python -m bench.tables [--seconds S] [--rounds N] [--plain]

P6  64 tables in one process against 1.  The bot answers every request with its default, and uses the kit as any
author would; the other seat is a process of the same kind.  All figures are measured in turns in one run.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from dataclasses import replace

from arena.bots.manifest import Bot
from bench.forms import in_its_form, offer_both
from bench.goals import tell
from bench.referee import HERE, Figure, bot_of, refereed

TABLES = (1, 8, 64)


def kit_bot(tables: int) -> Bot:
    """The bot of the bench, told how many tables it takes."""
    return replace(bot_of("many", [sys.executable, str(HERE / "bots" / "many.py"), str(tables)]), tables=tables)


def measured(rounds: int, seconds: float) -> dict[int, list[Figure]]:
    """Every number of tables in every round, so that a busy moment falls on all."""
    found: dict[int, list[Figure]] = {tables: [] for tables in TABLES}
    for _ in range(rounds):
        for tables, figures in found.items():
            figures.append(refereed(kit_bot(tables), tables, seconds))
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--rounds", type=int, default=3)
    offer_both(parser)
    given = parser.parse_args()
    in_its_form("tables", given.plain)
    found = measured(given.rounds, given.seconds)
    print("tables  decisions/s  arena CPU µs  against 1")
    one = statistics.median(figure.rate for figure in found[1])
    for tables, figures in found.items():
        rate = statistics.median(figure.rate for figure in figures)
        cpu = statistics.median(figure.cpu_us for figure in figures)
        print(f"{tables:6}  {rate:11,.0f}  {cpu:12.1f}  {rate / one:8.2f}x")
    ratio = statistics.median(figure.rate for figure in found[64]) / one
    tell("P6", ratio)


if __name__ == "__main__":
    main()
