"""A worker's window: what the public may see of its tables.  Nobody looks, and it costs nothing.

Hidden cards do not leave the worker.  What is seen stands one decision back: who plays and looks in at the window
learns there nothing that is new.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

import trio

from arena.events import seen_by
from arena.gallery import ANY
from arena.match import Match
from arena.runner.orders import Glimpse
from arena.transports import Hub
from arena.zones import PUBLIC

LOOK_S: Final = 0.25
REST_S: Final = 4.0
"""Between two matches that are shown to whoever watches any: so long the end of one can be seen."""


class Window:
    """Looks at the matches that are wanted, and says what is new there."""

    def __init__(self, hub: Hub, playing: Callable[[], list[Match]], say: Callable[[Glimpse], bool]) -> None:
        """`say` returns whether it was heard; what was not is said again."""
        self._hub, self._playing, self._say = hub, playing, say
        self._wanted: frozenset[str] = frozenset()
        self._seen: dict[str, tuple[Match, int]] = {}
        """Matches looked at, each with the number of events told."""
        self._featured: Match | None = None
        self._next_at = 0.0
        self._looks: trio.CancelScope | None = None

    def show(self, wanted: frozenset[str]) -> None:
        """From now on these matches, and no others; none: the window is closed."""
        self._wanted = wanted
        if ANY not in wanted:
            self._featured, self._next_at = None, 0.0
        self._seen = {id: seen for id, seen in self._seen.items() if id in wanted or seen[0] is self._featured}
        if self._looks is not None and not wanted:
            self._looks.cancel()
            self._looks = None
        if self._looks is None and wanted:
            self._looks = self._hub.every(LOOK_S, self._look)
        if wanted:
            self._look(0, 0)

    def _look(self, now_ns: int, lag_ns: int) -> None:  # noqa: ARG002
        playing = self._playing()
        for match in playing:
            if match.id in self._wanted:
                self._seen.setdefault(match.id, (match, 0))
        if ANY in self._wanted and self._featured is None and playing and time.monotonic() >= self._next_at:
            self._featured = playing[-1]
            self._seen.setdefault(self._featured.id, (self._featured, 0))
        for match, told in list(self._seen.values()):
            self._tell(match, told)

    def _tell(self, match: Match, told: int) -> None:
        events = match.game.events or []
        upto = len(events) if match.over else one_decision_back(events)
        featured = match is self._featured
        if upto > told:
            if not self._say(Glimpse(match.id, told, seen_by(PUBLIC, events[told:upto]), featured)):
                return
            self._seen[match.id] = (match, upto)
        if match.over:
            del self._seen[match.id]
            if featured:
                self._featured, self._next_at = None, time.monotonic() + REST_S


def one_decision_back(events: list[Any]) -> int:
    """How many events there were at the question before the last one, or at the first."""
    asks = [at for at in range(len(events) - 1, -1, -1) if events[at][1] == "ask"][:2]
    return asks[-1] + 1 if asks else 0
