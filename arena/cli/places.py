"""Who won a knockout: the places of its bots, which ratings do not tell."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from arena.boards import definition_of, named
from arena.cli.attendance import Attendance
from arena.cli.place import Place
from arena.runner.draws import FormatDraw
from arena.runner.tournament import Contest
from arena.store import Division, StoreError
from arena.store.roster import Ladder
from arena.store.secrets import read_secret
from arena.store.store import Store
from ladders.formats import FormatError
from ladders.formats.knockout import Knockout
from ladders.formats.replay import replay

Places = dict[str, Any]
"""A division, and the `places` of its bots that are out, or of all of them when it is `complete`."""


def places_in(contests: Iterable[Contest]) -> list[Places]:
    """Of the knockouts among them."""
    return [
        _told(contest.division, contest.draw.format)
        for contest in contests
        if isinstance(contest.draw, FormatDraw) and isinstance(contest.draw.format, Knockout)
    ]


def stored_places(place: Place, store: Store, stored: Ladder) -> list[Places]:
    """The same from what is stored; nothing where the ladder's secret is not, as ties go by its lots."""
    ladder = definition_of(stored)
    found = []
    try:
        secret = read_secret(place.folder, stored.seed_commitment)
        attendance = Attendance(store, stored, store.bots_of(stored), {}, ladder.schedule.open_door)
        for division in store.divisions_of(stored):
            format = ladder.begin(attendance.field(division.game), division.seats, secret)
            replay(format, store.blocks_of(stored, division), attendance.changes(division.game))
            found.append(_told(division, format))
    except (FormatError, StoreError):
        return []
    return found


def in_words(found: Places) -> str:
    """One line."""
    by_place: dict[int, list[str]] = {}
    for bot, place in sorted(found["places"].items()):
        by_place.setdefault(place, []).append(bot)
    order = "  ".join(f"{place}. {', '.join(bots)}" for place, bots in sorted(by_place.items()))
    if found["complete"]:
        return f"Knockout, {named(found)}: won by {', '.join(by_place[1])}.  {order}"
    return f"Knockout, {named(found)}: not decided.  {order or 'Nobody is out.'}"


def _told(division: Division, format: Any) -> Places:
    return {**division._asdict(), "complete": 1 in format.places.values(), "places": dict(format.places)}
