"""Freezing: a process that computes while others decide is stopped between its turns.  Nobody is judged here.

Only who was seen doing so pays with signals at every turn; all others are looked at a few times a second.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from arena.bots.live import LiveBot

LOOK_NS: Final = 200_000_000
SHARE: Final = 20
"""One part in so many of the time outside its turns a process may compute: it tidies up, it writes its log."""


class _Look(NamedTuple):
    at_ns: int
    cpu_ns: int
    thought_ns: int


class Freezer:
    """Finds those who ponder, and stops them from then on whenever nothing is asked of them."""

    def __init__(self) -> None:
        self.caught: set[LiveBot] = set()
        self._looks: dict[LiveBot, _Look] = {}
        self._next_ns = 0

    def look(self, bots: Iterable[LiveBot], now_ns: int) -> None:
        """Compare what everybody computed with the time it was given."""
        if now_ns < self._next_ns:
            return
        self._next_ns = now_ns + LOOK_NS
        before, self._looks = self._looks, {}
        self.caught.intersection_update(bots)
        for bot in bots:
            if bot.thinking or not bot.was_ready:  # it loads before it is ready
                continue
            if bot in self.caught:
                self.turn_over(bot)  # it was told something meanwhile, which woke it up
                continue
            cpu_ns = None if bot.link is None else bot.link.cpu_ns()
            if cpu_ns is None:
                continue
            self._looks[bot] = now = _Look(now_ns, cpu_ns, bot.thought_ns)
            if bot in before and _ponders(before[bot], now):
                self.caught.add(bot)
                self.turn_over(bot)

    def turn_over(self, bot: LiveBot) -> None:
        """Nothing may be asked of it any more."""
        if bot in self.caught and bot.link is not None and bot.heard and not bot.thinking:
            bot.link.freeze()


def _ponders(before: _Look, now: _Look) -> bool:
    thought_ns = now.thought_ns - before.thought_ns
    outside_ns = now.at_ns - before.at_ns - thought_ns
    return now.cpu_ns - before.cpu_ns - thought_ns > max(outside_ns, LOOK_NS) // SHARE
