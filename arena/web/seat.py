"""A seat for a human: what the page must know to be a websocket bot.  The token is not here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass
class Seat:
    """One seat of one table, kept free for who opens the page."""

    game: str
    variant: Mapping[str, Any]
    bots: tuple[str, ...]
    """Who sits where, by label."""

    number: int
    timed: bool
    """Whether there is a limit that a human has to mind."""

    socket: str = ""
    """Where to come in; empty while the door is closed."""
