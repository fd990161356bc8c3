"""A record has room for every match, whatever its bots say."""

from __future__ import annotations

import random

from arena import record
from arena.games import GAMES
from arena.match import Ask, Entrant, Match


def test_bots_that_stall_and_chatter_cannot_make_a_record_that_is_not_kept() -> None:
    rng, bleat = random.Random(1), "\N{SHEEP}" * 200
    entrants = [Entrant(f"bot{seat}") for seat in range(5)]
    match = Match(GAMES["wolfpack"], entrants, deal=bytes(32), salt=bytes(32))
    orders = match.begin()
    while not match.over:
        ask = next(order for order in orders if isinstance(order, Ask))
        options, choice = match.game.options(ask.seat), 0
        if options[0] == ("draw",) and match.game.idle < match.game.idle_limit - 1:
            choice = rng.randrange(1, len(options))
        elif options[0] != ("draw",):
            choice = rng.randrange(len(options))
        orders = match.answered(ask.seat, choice, 700, bleat)
    document = record.unpack(record.pack(record.document_of(match, "none")))
    assert record.differences(document) == ""
