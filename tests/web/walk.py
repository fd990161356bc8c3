"""Every page there is, with all that can be asked of it: routes are read from the app, so none is forgotten."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from urllib.parse import quote

from starlette.routing import Mount, Route

from arena.games import GAMES
from arena.store.matches import Wanted
from arena.store.store import Store

STREAMS = {"/l/{name}/news", "/l/{name}/live/news", "/m/{match}/live/news"}


def routes(app) -> list[Route]:
    return [route for route in app.routes if isinstance(route, Route)]


def files(app) -> list[Mount]:
    return [route for route in app.routes if isinstance(route, Mount)]


def addresses(app, store: Store) -> Iterator[str]:
    """Every route with every ladder, bot, game and viewer, and a match of every block; but no streams."""
    ladders = [ladder.name for ladder in store.list_ladders()]
    matches = [line.match for line in store.match_list(Wanted(limit=1000)) if line.seating == 0]
    matches += [
        id for name in ladders for plan in store.planned_of(store.find_ladder(name)) for id, _ in plan.matches
    ]
    bots = [entry.label for name in ladders for entry in store.bots_of(store.find_ladder(name))]
    for route in routes(app):
        if route.path in STREAMS:
            continue
        games = "/g/" in route.path or "/games/" in route.path
        known = {"name": list(GAMES) if games else ladders, "ladder": ladders, "label": bots, "match": matches}
        keys = re.findall(r"{(\w+)", route.path)
        for values in itertools.product(*(dict.fromkeys(known[key]) for key in keys)):
            path = re.sub(r"{\w+(:path)?}", "{}", route.path).format(*(quote(value, safe="") for value in values))
            if "match" in keys and route.path != "/api/matches/{match}":
                for seat in ("0", "1", "2", "public", "all"):
                    yield f"{path}?seat={seat}&move=1"
                    if path.endswith("/positions"):
                        yield f"{path}?seat={seat}&page=1"
            else:
                yield path
