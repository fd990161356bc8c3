"""Where spectators sit: which running matches somebody watches, and what the public has seen of them.

Who plays fills it, pages read it; all in one thread.  No event in here was ever hidden from anybody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import trio

ANY: Final = "*"
"""Watched instead of a match: whichever is under way, one after the other."""


@dataclass(frozen=True)
class Running:
    """A match under way, as far as anybody may know it."""

    match: str
    game: str
    variant: Mapping[str, Any]
    bots: tuple[str, ...]
    block: int


@dataclass
class Shown:
    """A match that somebody watches."""

    running: Running
    events: list[Any] = field(default_factory=list)
    """As the public saw them, up to a question or the end."""

    lost: bool = False
    """It will never be finished."""

    @property
    def over(self) -> bool:
        """Its end has been seen."""
        return bool(self.events) and self.events[-1][0] == "end"


class Gallery:
    """One ladder's or series' spectators."""

    def __init__(self, ladder: str) -> None:
        self.ladder = ladder
        self.shown: dict[str, Shown] = {}
        self.changed = trio.Event()
        """Set, and replaced, when other matches are wanted, or when somebody new plays who must be told."""
        self._featured: str | None = None
        self._watchers: Counter[str] = Counter()
        self._playing: dict[int, tuple[Running, ...]] = {}

    # --- For spectators -----------------------------------------------------------------------------

    @property
    def playing(self) -> list[Running]:
        """What was on the tables a moment ago."""
        return [running for tables in list(self._playing.values()) for running in tables]

    @property
    def wanted(self) -> frozenset[str]:
        """The matches that somebody watches."""
        return frozenset(self._watchers)

    def enter(self, match: str) -> None:
        """Somebody watches this match, or `ANY`."""
        self._watchers[match] += 1
        if self._watchers[match] == 1:
            self.tell_all()

    def leave(self, match: str) -> None:
        """Somebody has seen enough of it."""
        self._watchers[match] -= 1
        if not self._watchers[match]:
            del self._watchers[match]
            self._forget()
            self.tell_all()

    def watched(self, match: str) -> Shown | None:
        """What there is to see of it; None before its first question."""
        return self.shown.get(self._featured or "" if match == ANY else match)

    # --- For who plays ------------------------------------------------------------------------------

    def tell_all(self) -> None:
        """Whoever plays learns again what is wanted."""
        self.changed.set()
        self.changed = trio.Event()

    def on_tables(self, source: int, tables: tuple[Running, ...]) -> None:
        """What one worker plays now."""
        self._playing[source] = tables

    def see(self, running: Running, first: int, events: Sequence[Any], featured: bool) -> None:
        """More of a match: what followed after its first so many events; `featured` if any match would do."""
        shown = self.shown.get(running.match)
        if shown is None:
            if first or not (running.match in self._watchers or (featured and self._may_feature())):
                return
            shown = self.shown[running.match] = Shown(running)
        if len(shown.events) == first:
            shown.events += events
        if featured and self._featured != running.match and self._may_feature():
            self._featured = running.match
            self._forget()

    def lose(self, matches: Iterable[str]) -> None:
        """These came to nothing."""
        for match in matches:
            if match in self.shown:
                self.shown[match].lost = True

    def _may_feature(self) -> bool:
        """Whoever follows sees one match to its end before the next."""
        now = self.shown.get(self._featured or "")
        return ANY in self._watchers and (now is None or now.over or now.lost)

    def _forget(self) -> None:
        kept = {*self._watchers, self._featured if ANY in self._watchers else None}
        self.shown = {match: shown for match, shown in self.shown.items() if match in kept}
