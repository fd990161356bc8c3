"""Digests of one game at every table size, for comparison with another process or another machine.

python -m tests.contracts.transcripts [registered | module:Class]
"""

from __future__ import annotations

import sys
from importlib import import_module

from arena.contract.positions import transcript
from arena.game import Game
from arena.games import GAMES


def _named(name: str) -> list[type[Game]]:
    if name == "registered":
        return list(GAMES.values())
    module, _, attribute = name.partition(":")
    return [getattr(import_module(module), attribute)]


if __name__ == "__main__":
    for game in _named(sys.argv[1] if len(sys.argv) > 1 else "registered"):
        for seats in game.seats_allowed:
            print(game.name, seats, transcript(game, seats, "transcript"))
