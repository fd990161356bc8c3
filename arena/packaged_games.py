"""Games that other packages bring: each says so by an entry point of the group `flock_arena.games`.

    [project.entry-points."flock_arena.games"]
    rooks = "rooks:Rooks"                           # the name of the game, and where its rulebook is

Packages are looked through only when a game is wanted that is not our own, or when all are listed, and a rulebook
is loaded only when it is played: what is installed beside the arena costs nobody time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableMapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from arena.game import Game

GROUP = "flock_arena.games"
HERE = "flock-arena"


class GameRefused(Exception):
    """A package brings a game that cannot be had; the text says which package, and what to do."""


class Games(MutableMapping[str, "type[Game]"]):
    """Rulebooks by name: our own first, then those that packages bring, by name."""

    def __init__(self, own: Iterable[type[Game]]) -> None:
        self._known: dict[str, type[Game]] = {game.name: game for game in own}
        self._own = frozenset(self._known)
        self._brought: dict[str, EntryPoint] | None = None

    def __getitem__(self, name: str) -> type[Game]:
        if name not in self._known:
            self._known[name] = _load(self._looked_through()[name])
        return self._known[name]

    def __setitem__(self, name: str, game: type[Game]) -> None:
        self._known[name] = game

    def __delitem__(self, name: str) -> None:
        del self._known[name]

    def __contains__(self, name: object) -> bool:
        return name in self._known or name in self._looked_through()

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*self._known, *self._looked_through())))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def sound(self) -> tuple[list[type[Game]], list[GameRefused]]:
        """All that can be had, and why the others cannot: for those who must go on whatever a package does."""
        games, refused = [], []
        try:
            names = list(self)
        except GameRefused as error:
            names, refused = list(self._known), [error]
        for name in names:
            try:
                games.append(self[name])
            except GameRefused as error:
                refused.append(error)
        return games, refused

    def _looked_through(self) -> dict[str, EntryPoint]:
        if self._brought is None:
            from importlib.metadata import entry_points

            self._brought = _one_for_each_name(entry_points(group=GROUP), self._own)
        return self._brought


def _one_for_each_name(found: Iterable[EntryPoint], own: Iterable[str]) -> dict[str, EntryPoint]:
    """By name; `GameRefused` where two packages, or a package and the arena, bring a game of one name."""
    brought: dict[str, EntryPoint] = {}
    holders = dict.fromkeys(own, HERE)
    for entry in sorted(found, key=lambda entry: (entry.name, _package(entry))):
        if holders.setdefault(entry.name, _package(entry)) != _package(entry):
            raise GameRefused(
                f'two games are called "{entry.name}": one of {holders[entry.name]} and one of {_package(entry)}; '
                f"rename one of them, or: pip uninstall {_package(entry)}"
            )
        brought[entry.name] = entry
    return brought


def _load(entry: EntryPoint) -> type[Game]:
    from arena.game import Game

    try:
        game = entry.load()
    except Exception as error:  # whatever a stranger's module does while it is read
        raise GameRefused(
            f'the game "{entry.name}" of {_package(entry)} cannot be loaded: {error!r}; '
            f"mend it, or: pip uninstall {_package(entry)}"
        ) from error
    if not (isinstance(game, type) and issubclass(game, Game) and getattr(game, "name", None) == entry.name):
        raise GameRefused(
            f'{entry.value} of {_package(entry)} is no game called "{entry.name}": it must be a subclass of '
            f'arena.game.Game whose name is "{entry.name}"'
        )
    return game


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else entry.value
