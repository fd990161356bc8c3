"""How cards look: a shape of ours, a big word, a small one, pips; of a game not listed here, the bare faces.

The browser draws these and knows no game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from arena.game import Game
from arena.games.herr_der_ziegen import HerrDerZiegen
from arena.games.herr_der_ziegen_components import BREED_OF, MILK, VALUE_OF
from arena.games.herr_der_ziegen_components import DOG as HERDING_DOG
from arena.games.sheepzzz import SheepZzz
from arena.games.sheepzzz_cards import WOLF, WOLF_PILLOWS, sheep_of
from arena.games.volle_wolle import VolleWolle
from arena.games.volle_wolle_cards import BONE, DOG, sheep_on
from arena.games.wolfpack import LAMB, PACKS, USE, Wolfpack
from arena.zones import Face

TONES = 8
"""Card colours in the style sheet; what must be told apart also differs in its words."""


@dataclass(frozen=True)
class Look:
    """A card face."""

    words: str
    """For who cannot see it."""

    big: str = ""
    small: str = ""
    shape: str = ""
    """A symbol of templates/shapes.svg, or nothing."""

    tone: int = 0
    pips: int = 0
    """Pillows, drawn one by one."""

    def as_data(self) -> dict[str, Any]:
        """Without what is not there."""
        return {key: value for key, value in asdict(self).items() if value}


def looks_of(game: type[Game], faces: tuple[Face, ...]) -> dict[Face, Look]:
    """Of every face of a pack, in the pack's order."""
    draw = LOOKS.get(game.name, _plain)
    return {face: draw(face, game.say_face(face)) for face in dict.fromkeys(faces)}


def _plain(face: Face, words: str) -> Look:
    return Look(words, big=face) if len(face) <= 4 else Look(words, small=face)


def _sleepy(face: Face, words: str) -> Look:
    if face == WOLF:
        return Look(words, shape="wolf", tone=2, pips=WOLF_PILLOWS)
    number, pillows = sheep_of(face)
    return Look(words, big=str(number), shape="sheep", tone=1 if pillows else 0, pips=pillows)


def _goat(face: Face, words: str) -> Look:
    if face == HERDING_DOG:
        return Look(words, shape="dog", tone=3)
    if face in MILK:
        return Look(words, big=str(VALUE_OF[face]), shape="milk", tone=4)
    breed = BREED_OF[face]
    return Look(words, big=face, shape="goat", tone=breed % TONES)


def _woolly(face: Face, words: str) -> Look:
    if face in (DOG, BONE):
        return Look(words, shape=face, tone=3)
    sheep = sheep_on(face)
    bonus = "bone" if sheep.bone else f"{sheep.mod:+}" if sheep.mod else ""
    small = f"{bonus} L{sheep.level}".strip()
    if sheep.kind.isdecimal():
        return Look(words, big=sheep.kind, small=small, shape="sheep", tone=4 if sheep.kind == "370" else 5)
    black = sheep.kind == "black"
    return Look(words, str(sheep.points), small, "blacksheep" if black else "sheep", tone=2 if black else 0)


def _pack(face: Face, words: str) -> Look:
    if face in USE:
        return Look(
            words, small=face.lower(), shape={"SHEEP": "sheep", "WOLVES": "wolf"}.get(face, "hand"), tone=3
        )
    if face == LAMB:
        return Look(words, shape="sheep")
    seat = PACKS.index(face)
    return Look(words, big=face, small=f"seat {seat}", shape="wolf", tone=(1, 4, 5, 6, 7)[seat])


LOOKS: dict[str, Callable[[Face, str], Look]] = {
    SheepZzz.name: _sleepy,
    HerrDerZiegen.name: _goat,
    VolleWolle.name: _woolly,
    Wolfpack.name: _pack,
}
