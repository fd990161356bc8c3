"""Whole matches without processes: the bots' own `choose`, on views as they come off the wire."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from statistics import mean, pstdev
from typing import Any, NamedTuple

import msgpack

from arena.chance import FastChance
from arena.game import Game, Outcome
from arena.games import GAMES
from arena.variants import Variant

Choose = Callable[[Any, list[Any]], int]


class Wins(NamedTuple):
    """How often a bot came first; a shared first place counts as its share."""

    rate: float
    standard_error: float

    def __str__(self) -> str:
        return f"{self.rate:.1%} ± {self.standard_error:.1%}"


def as_sent(table: Game, seat: int) -> tuple[Any, list[Any]]:
    """View and options of a seat as its bot gets them: through the wire."""
    view, options = msgpack.unpackb(msgpack.packb([table.view(seat), table.options(seat)]))
    return view, options


def play(game: str, bots: Sequence[Choose], seed: str, variant: Variant | None = None) -> Outcome:
    """One match; the seed settles the deal and every draw of the bots."""
    random.seed(seed)
    table = GAMES[game](len(bots), variant, FastChance(seed))
    while table.question is not None:
        choices = []
        for seat in table.question.seats:
            choices.append(bots[seat](*as_sent(table, seat)))
        table.answer(*choices)
    assert table.outcome is not None
    return table.outcome


def wins(bot: Choose, opponent: Choose, opponents: int, deals: int, game: str = "sheepzzz") -> Wins:
    """The bot against some copies of one opponent; every first deal is played once from each seat."""
    shares = [
        mean(_share(game, bot, opponent, opponents + 1, seat, deal) for seat in range(opponents + 1))
        for deal in range(deals)
    ]
    # Matches that begin with the same deal are alike, so only deals count as independent.
    return Wins(mean(shares), pstdev(shares) / deals**0.5)


def _share(game: str, bot: Choose, opponent: Choose, seats: int, seat: int, deal: int) -> float:
    bots = [bot if other == seat else opponent for other in range(seats)]
    ranks = play(game, bots, f"deal {deal} of {seats}").ranks
    return 1 / ranks.count(1) if ranks[seat] == 1 else 0.0


def random_but_never_takes_freely(view: Any, options: list[Any]) -> int:
    """Any option, but a pile is taken only when nothing can be played."""
    playable = [index for index, option in enumerate(options) if option[0] != "take"]
    return random.choice(playable or range(len(options)))
