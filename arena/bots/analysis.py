"""What a seat's decisions in a recorded match were worth, by the search of the sample bot `seer`.

For every decision it imagines what the seat could not see, and plays on with what was chosen and with what else
could have been.  It knows no more than the seat did then.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

import msgpack

from arena import record
from arena.analyses import Weighed
from arena.events import seen_by
from arena.game import Game
from arena.match import Match
from arena.memory import Memory
from arena.record import Document
from sample_bots.seer.hunches import hunch_for
from sample_bots.seer.search import Search, as_sent


def weighed(document: Document, seat: int, think_ms: int, seed: int = 0) -> Iterator[Weighed]:
    """The decisions of a seat, one after the other, each looked at for so long."""
    match = record.match_of(document)
    match.begin()
    game = match.game
    hunch, advise = hunch_for(game.name)
    search = Search(type(game), hunch, advise, seed=seed)
    attentive = type(game).lessons is not Game.lessons
    memory = Memory(type(game), game.seats, document["variant"]) if attentive else None
    seen = 0
    for entry in document["inputs"]:
        chosen = _choice(match, entry) if entry[0] == seat else None
        if chosen is not None:
            if memory is not None:
                assert game.events is not None
                memory.see(msgpack.unpackb(msgpack.packb(seen_by(seat, game.events[seen:]))))
                seen = len(game.events)
            options = game.options(seat)
            if len(options) > 1:
                imagine = None if memory is None else memory.imagine
                found = search.weigh(*as_sent(game, seat), chosen, monotonic() + think_ms / 1000, imagine)
                others = game.seats - 1
                yield Weighed(
                    match.seats[seat].moves,
                    options[chosen],
                    options[found.best],
                    round(found.lost * others, 3),
                    round(found.doubt * others, 3),
                    found.playouts,
                )
        record.take_in(match, entry)


def _choice(match: Match, entry: list[object]) -> int | None:
    """What the seat itself chose; what was played for it is no decision of its own."""
    seat, kind, choice = entry[:3]
    assert isinstance(seat, int)
    state = match.seats[seat]
    if state.request is None or kind != "answer" or not isinstance(choice, int):
        return None
    return choice if 0 <= choice < state.choices else None
