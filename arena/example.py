"""A moment of a game to show to somebody who writes a bot: always the same one.  Nothing is printed here."""

from __future__ import annotations

import json
from typing import Any

from arena.chance import FastChance
from arena.game import Game

ANSWERS = 4
"""How many answers into the game the moment lies."""


def example_of(game: type[Game]) -> dict[str, Any]:
    """What a seat is asked, sees and may do at that moment, and its options in words."""
    table = game(game.seats_allowed[0], None, FastChance(1))
    assert table.question is not None
    for _ in range(ANSWERS):
        later = table.copy()
        later.answer(*[table.stand_in(seat, table.options(seat)) for seat in table.question.seats])
        if later.question is None:
            break  # a short game: its last question will do
        table = later
    assert table.question is not None
    seat = table.question.seats[0]
    options = table.options(seat)
    return {
        "question": table.question.options,
        "view": table.view(seat),
        "options": options,
        "words": [game.say(option) for option in options],
    }


def shown(value: Any) -> str:
    """As JSON, but a long row of unknown cards is counted."""
    if not isinstance(value, (list, tuple)):
        return json.dumps(value)
    if len(value) > 5 and all(part is None for part in value):
        return f"[null x {len(value)}]"
    return f"[{', '.join(map(shown, value))}]"
