"""A worker that knows four more rulebooks, each with one planted mistake."""

from __future__ import annotations

import itertools
import os
from typing import Any

from arena.games import GAMES
from arena.games.sheepzzz import SheepZzz
from arena.runner import worker

LATER = 60
"""Mistakes happen after so many events."""


class Raises(SheepZzz):
    name = "raises"

    def move_made(self, seat: int, *rest: Any) -> Any:
        if self.events is not None and len(self.events) > LATER:
            raise KeyError("a secret card")
        return super().move_made(seat, *rest)


class NeverReturns(SheepZzz):
    name = "never-returns"

    def move_made(self, seat: int, *rest: Any) -> Any:
        if self.events is not None and len(self.events) > LATER:
            for _ in itertools.count():
                pass
        return super().move_made(seat, *rest)


class LosesACard(SheepZzz):
    name = "loses-a-card"

    def move_made(self, seat: int, *rest: Any) -> Any:
        if self.events is not None and len(self.events) > LATER and len(self.deck) > 3:
            self.deck.cards.pop()
        return super().move_made(seat, *rest)


class DependsOnTheProcess(SheepZzz):
    name = "depends-on-the-process"

    def finish(self, scores: Any) -> Any:
        return super().finish([score + os.getpid() for score in scores])


PLANTED = (Raises, NeverReturns, LosesACard, DependsOnTheProcess)

if __name__ == "__main__":
    GAMES.update({game.name: game for game in PLANTED})
    worker.main()
