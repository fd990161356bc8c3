"""What rating costs: a thousand bots and a million games from nothing, beside one numpy pass over the same pairs.

    python -m bench.ratings [--bots N] [--games N] [--rounds N]

Processor time, the median of interleaved rounds; read the ratio.  The numbers themselves are compared with choix.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from bench.goals import tell
from ladders.ledger import Floats, Ints, Ledger
from ladders.ratings import RatingSettings, bradley_terry
from ladders.standings import standings
from tests.ladders.luck import World


def cold(ledger: Ledger) -> Ledger:
    """The same columns with nothing computed from them yet."""
    return Ledger(ledger.bots, tuple(replace(tables) for tables in ledger.tables))


def rated(ledger: Ledger) -> bradley_terry.Fit:
    """Strengths, errors of bots and of differences, and who is surely better than whom."""
    fitted = bradley_terry.fit(ledger)
    fitted.errors()
    fitted.surely_better()
    return fitted


def one_pass(rows: Ints, bots: int, size: int) -> Floats:
    """The peer: who beat whom how often, straight from the games."""
    who, places = rows[:, 3].reshape(-1, size), rows[:, 4].reshape(-1, size)
    wins = np.zeros(bots * bots)
    for one in range(size):
        for other in range(one + 1, size):
            mine, yours = places[:, one], places[:, other]
            score = (mine < yours) + 0.5 * (mine == yours)
            wins += np.bincount(who[:, one] * bots + who[:, other], score, bots * bots)
            wins += np.bincount(who[:, other] * bots + who[:, one], 1 - score, bots * bots)
    return wins.reshape(bots, bots)


def seconds(job: Callable[[], object]) -> float:
    before = time.process_time()
    job()
    return time.process_time() - before


def against_choix(blocks: int = 400) -> None:
    """The same pairs in an independent implementation; without a prior, which choix has not in our form."""
    try:
        import choix
    except ImportError:
        print("choix is not installed: no second opinion. Try: pip install -e '.[bench]'")
        return
    fitted = bradley_terry.fit(World(bots=30, seed=1).ledger(blocks), RatingSettings(prior=0))
    other = choix.ilsr_pairwise_dense(fitted.wins, max_iter=10_000, tol=1e-12)
    gap = np.abs(fitted.theta - (other - other.mean())).max()
    print(f"largest difference to choix, 30 bots, {4 * blocks} games: {gap:.1e} logit; goal < 1e-6")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bots", type=int, default=1000)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    world = World(bots=options.bots)
    rows = world.williams(options.games // world.size)
    ledgers: list[Ledger] = []
    reading = seconds(lambda: ledgers.append(Ledger.from_rows(rows, world.names)))
    (ledger,) = ledgers
    passes, fits, tables = [], [], []
    for _ in range(options.rounds):
        passes.append(seconds(lambda: one_pass(rows, world.bots, world.size)))
        fits.append(seconds(lambda: rated(cold(ledger))))
        tables.append(seconds(lambda: standings(cold(ledger))))
    peer, ours, whole = (statistics.median(times) for times in (passes, fits, tables))
    print(f"{options.bots:,} bots, {ledger.games:,} games in {ledger.blocks:,} blocks; processor seconds")
    print(f"{'one numpy pass over the pairs':<46}{peer:>8.2f}")
    print(f"{'rating from nothing, with errors':<46}{ours:>8.2f}")
    print(f"{'whole standings: checks, live Elo, history':<46}{whole:>8.2f}")
    print(f"{'rows into a ledger':<46}{reading:>8.2f}")
    tell("P14", ours / peer, f"{ours:.2f} s, {peer:.2f} s")
    against_choix()


if __name__ == "__main__":
    main()
