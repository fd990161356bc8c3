"""The very message a bot was sent: the match is played again from its record, the request read as it went out."""

from __future__ import annotations

import json

import msgpack

from arena.clock import TimeControl
from arena.match import Ask, Entrant, Match
from arena.record import Document, RecordError, game_of
from arena.verdicts import Fault


def letter_to(document: Document, seat: int, move: int) -> str | None:
    """What a seat was asked at a position, as readable JSON; None when it was not asked there."""
    try:
        found = _asked(document, seat, move)
    except Exception as error:  # a damaged document may break anything, anywhere
        raise RecordError("the match cannot be played again from its record") from error
    if found is None:
        return None
    encoding = document["bots"][seat]["encoding"]
    message = json.loads(found) if encoding == "json" else msgpack.unpackb(found)
    return json.dumps(message, ensure_ascii=False, indent=1)


def _asked(document: Document, seat: int, move: int) -> bytes | None:
    game = game_of(document)
    match = Match(
        game,
        [Entrant(**bot) for bot in document["bots"]],
        deal=bytes.fromhex(document["deal"]),
        salt=bytes.fromhex(document["salt"]),
        variant=game.variant_type.read(document["variant"]),
        control=TimeControl(**document["clock"]),
        strikes=document["strikes"],
    )
    orders = match.begin()
    position, counted = -1, 0
    for number, kind, *rest in [*document["inputs"], (0, "end")]:
        events = match.game.events or []
        position += sum(1 for event in events[counted:] if event[1] == "ask")
        counted = len(events)
        if position == move:
            sent = [order.packed for order in orders if isinstance(order, Ask) and order.seat == seat]
            if sent:
                return sent[0]
        if kind == "end" or position > move:
            return None
        if kind == "answer":
            orders = match.answered(number, *rest)
        else:
            code, text, final, elapsed_us = rest
            orders = match.failed(number, Fault(code, text, final), elapsed_us)
    return None
