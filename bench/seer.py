"""How much better than the sample bots' rules of thumb the seer plays, at a fixed thinking time.

    python -m bench.seer [--game G] [--seats N] [--blocks N] [--think-ms N]

Every block is one deal, played once with the seer in each seat.  Thinking is counted in processor time, so that
the figure is the same on a busy machine.  LOS is the likelihood that the seer is the better one.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from statistics import NormalDist, mean, stdev
from typing import Any

from arena.chance import FastChance
from arena.game import Outcome
from arena.games import GAMES
from sample_bots.seer.hunches import KNOWN, Choose, hunch_for
from sample_bots.seer.search import Search, as_sent


class Thinker:
    """The seer as a function, and how hard it worked."""

    def __init__(self, game: str, think_ms: float) -> None:
        hunch, self.advise = hunch_for(game)
        self.search = Search(GAMES[game], hunch, self.advise, clock=time.process_time, seed=1)
        self.think_s = think_ms / 1000
        self.decisions = self.playouts = self.departures = 0

    def choose(self, view: Any, options: list[Any]) -> int:
        """Think for the time given."""
        if len(options) == 1:
            return 0
        thought = self.search.choose(view, options, time.process_time() + self.think_s)
        self.decisions += 1
        self.playouts += thought.playouts
        self.departures += thought.lead > 0
        return thought.choice


def play(game: str, bots: Sequence[Choose], deal: str) -> Outcome:
    """One match in this process, over the wire's encoding."""
    table = GAMES[game](len(bots), None, FastChance(deal))
    while table.question is not None:
        table.answer(*[bots[seat](*as_sent(table, seat)) for seat in table.question.seats])
    assert table.outcome is not None
    return table.outcome


def beaten(outcome: Outcome, seat: int) -> float:
    """The share of the others that this seat leaves behind; a tie is half a win."""
    mine = outcome.ranks[seat]
    others = [rank for other, rank in enumerate(outcome.ranks) if other != seat]
    return mean(1.0 if mine < rank else 0.5 if mine == rank else 0.0 for rank in others)


def measure(game: str, seats: int, blocks: int, think_ms: float, say: Callable[[str], None] = print) -> None:
    """Play the blocks and print one row."""
    thinker = Thinker(game, think_ms)
    assert thinker.advise is not None
    shares = []
    for block in range(blocks):
        random.seed(block)
        results = []
        for seat in range(seats):
            bots = [thinker.choose if other == seat else thinker.advise for other in range(seats)]
            results.append(beaten(play(game, bots, f"seer {block}"), seat))
        shares.append(mean(results))
    error = max(stdev(shares) / len(shares) ** 0.5, 1e-3)
    los = NormalDist().cdf((mean(shares) - 0.5) / error)
    say(
        f"| {game} | {KNOWN[game][1]} | {seats} | {blocks} | {mean(shares):.1%} ± {error:.1%} | {los:.4f} "
        f"| {thinker.playouts / thinker.decisions:.0f} | {thinker.departures / thinker.decisions:.0%} |"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", choices=list(KNOWN), action="append")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--blocks", type=int, default=20)
    parser.add_argument("--think-ms", type=float, default=50)
    given = parser.parse_args()
    print(f"seer, {given.think_ms:g} ms of processor time a decision")
    print("| game | against | seats | blocks | others beaten | LOS | playouts a decision | other than advised |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for game in given.game or KNOWN:
        measure(game, given.seats, given.blocks, given.think_ms)


if __name__ == "__main__":
    main()
