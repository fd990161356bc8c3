"""The rulebooks.  `GAMES` is the only registration: a new game is one file and one line here."""

from __future__ import annotations

from arena.game import Game
from arena.games.herr_der_ziegen import HerrDerZiegen
from arena.games.sheepzzz import SheepZzz
from arena.games.volle_wolle import VolleWolle
from arena.games.wolfpack import Wolfpack

GAMES: dict[str, type[Game]] = {game.name: game for game in (SheepZzz, HerrDerZiegen, VolleWolle, Wolfpack)}
