"""A worker that knows more rulebooks, each with one planted mistake."""

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


class ScoresBeyondWords(SheepZzz):
    name = "scores-beyond-words"

    def finish(self, scores: Any) -> Any:
        return super().finish([score << 64 for score in scores])


class ScoresFractions(SheepZzz):
    name = "scores-fractions"

    def finish(self, scores: Any) -> Any:
        return super().finish([score / 2 for score in scores])


class TellsNoPlainData(SheepZzz):
    name = "tells-no-plain-data"

    def move_made(self, seat: int, *rest: Any) -> Any:
        if self.events is not None and len(self.events) > LATER:
            self.starter = object()  # type: ignore[assignment]
        return super().move_made(seat, *rest)


class TellsTooMuch(SheepZzz):
    name = "tells-too-much"

    def finish(self, scores: Any) -> Any:
        self.starter = "baa " * (1 << 22)  # type: ignore[assignment]
        return super().finish(scores)


UNSPEAKABLE = (ScoresBeyondWords, ScoresFractions, TellsNoPlainData, TellsTooMuch)
PLANTED = (Raises, NeverReturns, LosesACard, DependsOnTheProcess, *UNSPEAKABLE)

if __name__ == "__main__":
    GAMES.update({game.name: game for game in PLANTED})
    worker.main()
