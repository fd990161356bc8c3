"""A running match as the public sees it, folded from public events alone: whole pictures, the newest first of all.

A gallery holds those events; where nothing is played there is none, and nothing is live.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from anyio import to_thread

from arena.events import Seen
from arena.gallery import ANY, Gallery
from arena.games import GAMES
from arena.store import StoreError
from arena.web.broadcast import Broadcast, News
from arena.web.library import Library
from arena.web.scene import fold, lines_of, zones_changed
from arena.zones import PUBLIC

LOOK_S = 0.25
LINES = 14
"""Of what happened last, so many are told."""


def table_broadcast(library: Library, gallery: Gallery | None) -> Broadcast:
    """Running matches by their names, or `ANY`."""

    async def look(match: str, last: str) -> News | None:
        shown = None if gallery is None else gallery.watched(match)
        if shown is None or shown.over or shown.lost:
            found = None if match == ANY else await to_thread.run_sync(_state_of, library, match)
            if found is not None:
                return None if last == found["state"] else News(found["state"], json.dumps(found))
        if shown is None:
            return None if last == "waiting" else News("waiting", json.dumps({"state": "waiting"}))
        running, events = shown.running, shown.events[:]
        state = f"{running.match}-{len(events)}"
        if state == last or not events:
            return None
        told = {"match": running.match, "state": "over" if shown.over else "playing"}
        return News(state, await to_thread.run_sync(lambda: json.dumps(told | picture_of(running.game, events))))

    broadcast = Broadcast(look, LOOK_S)
    if gallery is not None:
        broadcast.entered, broadcast.left = gallery.enter, gallery.leave
    return broadcast


def _state_of(library: Library, match: str) -> dict[str, str] | None:
    """What became of a match that nobody plays now; None while it is still to come."""
    try:
        found = library.store.match(match)
    except StoreError:
        return None
    if found.state == "void":
        return {"state": "void", "match": found.match, "text": found.text}
    return None if found.line is None else {"state": "open", "match": found.match}


def picture_of(game: str, events: Sequence[Seen]) -> dict[str, Any]:
    """The table after these public events, and how it came to that."""
    before = now = None
    move = -1
    for position in fold(events, PUBLIC):
        before, now, move = now, position, move + 1
    assert now is not None
    told: dict[str, Any] = {
        "move": move,
        "zones": now.zones,
        "values": now.values,
        "asked": now.asked,
        "touched": zones_changed(now, before),
        "words": [line for _, line in lines_of(GAMES[game], events)][-LINES:],
    }
    if events[-1][0] == "end":
        _, scores, ranks = events[-1]
        told["places"] = [list(pair) for pair in zip(ranks, scores, strict=True)]
    return told
