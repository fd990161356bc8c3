"""`/g/NAME`: a game as its own rulebook tells it: summary, options, cards, an example of what a bot is asked."""

from __future__ import annotations

import json

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from arena.example import example_of, shown
from arena.facts import facts_of
from arena.game import Game, freeze
from arena.games import GAMES
from arena.web.looks import looks_of
from arena.web.rendering import page


def game(request: Request) -> Response:
    """The page of one game."""
    found = _called(request)
    example = example_of(found)
    pack = found.pack(found.seats_allowed[0], found.variant_type())
    copies = {face: pack.count(face) for face in dict.fromkeys(pack)}
    return page(
        request,
        "game.html",
        game=found,
        options=found.variant_type.described(),
        example=example,
        view=[(key, shown(value)) for key, value in example["view"].items()],
        cards=[(look, copies[face]) for face, look in looks_of(found, pack).items()],
    )


def games_data(_: Request) -> Response:
    """As `arena games --json`, without those of broken packages."""
    return JSONResponse([facts_of(game) for game in GAMES.sound()[0]])


def game_data(request: Request) -> Response:
    """As `arena games NAME --json`."""
    found = _called(request)
    return JSONResponse(facts_of(found) | {"example": example_of(found)})


def words_data(request: Request) -> Response:
    """Options as the rulebook says them: `?option=["play","7",2]`, as often as needed."""
    found = _called(request)
    try:
        options = [freeze(json.loads(text)) for text in request.query_params.getlist("option")]
        return JSONResponse([found.say(option) for option in options])
    except Exception:  # a rulebook reads its own options; what others write may break it anywhere
        raise HTTPException(400, f"these are no options of {found.name}") from None


def _called(request: Request) -> type[Game]:
    name = request.path_params["name"]
    if name not in GAMES:
        raise HTTPException(404, f'there is no game "{name}"; known: {", ".join(GAMES)}')
    return GAMES[name]
