"""The rulebooks.  `GAMES` is the only registration: a new game is one file and one line here."""

from __future__ import annotations

from arena.game import Game
from arena.games.sheepzzz import SheepZzz

GAMES: dict[str, type[Game]] = {game.name: game for game in (SheepZzz,)}
