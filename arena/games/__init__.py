"""The rulebooks.  `GAMES` is the only registration: a new game is one file and one line here, or a package's."""

from __future__ import annotations

from arena.games.herr_der_ziegen import HerrDerZiegen
from arena.games.sheepzzz import SheepZzz
from arena.games.volle_wolle import VolleWolle
from arena.games.wolfpack import Wolfpack
from arena.packaged_games import Games

GAMES: Games = Games((SheepZzz, HerrDerZiegen, VolleWolle, Wolfpack))
