"""The bench: whoever seats live bots, as they know it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from arena.match import Match
from arena.verdicts import Fault

if TYPE_CHECKING:
    from arena.bots.live import LiveBot


class Bench(Protocol):
    """Whoever seats live bots: it hears what they say, match by match."""

    def now_ns(self) -> int:
        """The time."""

    def bot_is_ready(self, bot: LiveBot) -> None:
        """The bot has said hello and prepared."""

    def bot_answered(self, match: Match, seat: int, choice: int, elapsed_us: int, note: str) -> None:
        """An answer came in time."""

    def bot_failed(self, match: Match, seat: int, fault: Fault, elapsed_us: int) -> None:
        """Something went wrong at one table."""

    def bot_is_due(self, bot: LiveBot) -> None:
        """The bot has requests to hand over; tell it to when this turn ends."""

    def bot_is_gone(self, bot: LiveBot) -> None:
        """Nothing more will come from this process."""
