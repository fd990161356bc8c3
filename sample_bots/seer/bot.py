"""Plays every game by search: it imagines what it cannot see, and plays on in its head with the arena's own rules.

The rules come from the package `arena`, which must be installed where this bot runs.  It uses the time it is
given, less a reserve for the way there and back, and notes in the replay how many playouts stand behind a choice.

    python bot.py [--think-ms N]      no more than so much of its own processor time for a decision
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from math import inf
from time import monotonic, thread_time
from typing import Any

if __name__ == "__main__":
    # Appended, not put first: beside the kit lies a folder `random` that would hide the module.
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.path += [here, os.path.dirname(here)]

from arena.game import Game
from arena.games import GAMES
from arena.memory import Memory
from sample_bots.seer.hunches import hunch_for
from sample_bots.seer.search import Search

RESERVE_MS = 8
RESERVE_SHARE = 0.15
BANK_SHARE = 1 / 40  # of what is left for the whole match
LONGEST_MS = 2_000  # thinking longer than this hardly helps
LAG_FADES = 0.9  # on a busy machine it wakes up late; it stops so much earlier until that is over


class Effort:
    """A clock of the time spent thinking, however busy the machine is; it stops for good at the real deadline."""

    deadline = inf

    def __call__(self) -> float:
        return thread_time() if monotonic() < self.deadline else inf


class Seer:
    """One seat of one match."""

    think_ms: float | None = None
    effort = Effort()
    search: Search
    variant: dict[str, Any] = {}
    lag_ms = 0.0

    @classmethod
    def prepare(cls, game: str, variant: dict[str, Any]) -> None:
        """Load rules, hunch and adviser before the clock runs."""
        hunch, advise = hunch_for(game)
        clock = monotonic if cls.think_ms is None else cls.effort
        cls.search, cls.variant = Search(GAMES[game], hunch, advise, clock=clock), variant
        gc.collect()
        gc.freeze()  # what is loaded now stays: no need to look through it in the midst of a decision

    def start(self, start: dict[str, Any]) -> None:
        """Note how much time there is in all, and begin to pay attention where that teaches something."""
        self.bank_ms = float(start["clock"].get("bank_ms", 0))
        game = self.search.game
        attentive = game.lessons is not Game.lessons
        self.memory = Memory(game, start["seats"], self.variant) if attentive else None

    def ask(self, request: dict[str, Any]) -> int | tuple[int, str]:
        """Think until the time is nearly up."""
        began = monotonic()
        if self.memory is not None:
            self.memory.see(request["events"])
        if len(request["options"]) == 1:
            return 0
        until = began + (thinking_ms(request["time_ms"], self.bank_ms) - Seer.lag_ms) / 1000
        imagine = None if self.memory is None else self.memory.imagine
        Seer.effort.deadline = until
        enough = until if self.think_ms is None else thread_time() + self.think_ms / 1000
        choice, playouts, lead = self.search.choose(request["view"], request["options"], enough, imagine)
        Seer.lag_ms = max(LAG_FADES * Seer.lag_ms, (monotonic() - max(began, until)) * 1000)
        if self.bank_ms:
            self.bank_ms = max(1.0, self.bank_ms - (monotonic() - began) * 1000)
        return choice, f"{playouts} playouts" + (f", {lead:+.2f} against my first thought" if lead else "")


def thinking_ms(time_ms: float, bank_ms: float) -> float:
    """The time for one decision, less what the way back may cost."""
    if bank_ms:
        time_ms = min(time_ms, bank_ms * BANK_SHARE)
    return min(LONGEST_MS, time_ms - max(RESERVE_MS, RESERVE_SHARE * time_ms))


if __name__ == "__main__":
    from flock_bot import run  # type: ignore[import-not-found]

    parser = argparse.ArgumentParser()
    parser.add_argument("--think-ms", type=float, help="of its own processor time, for one decision")
    Seer.think_ms = parser.parse_args().think_ms
    run(Seer, name="seer", wants="both", prepare=Seer.prepare)
