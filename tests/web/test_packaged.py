"""Pages when a package that brings a game is broken, gone, or brings a name that is taken."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint, EntryPoints

import pytest
from starlette.testclient import TestClient

from arena.games import GAMES
from arena.packaged_games import GROUP
from arena.web.application import make_app

BROKEN = EntryPoint("sheepzzz", "no_such_module:Sheep", GROUP)
PATHS = ("/", "/l/spring", "/l/spring/history", "/l/spring/matrix", "/matches", "/errors", "/api/games")


@pytest.fixture
def fresh(store):
    """An app that has told nothing yet."""
    with TestClient(make_app(store), base_url="http://localhost", backend="trio") as opened:
        yield opened


@pytest.fixture
def packaged(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let the game of the store come from packages with these entry points."""

    def bring(*entries: EntryPoint) -> None:
        monkeypatch.setattr(GAMES, "_known", {name: GAMES[name] for name in GAMES if name != "sheepzzz"})
        monkeypatch.setattr(GAMES, "_own", frozenset({"wolfpack"}))
        monkeypatch.setattr(GAMES, "_brought", None)
        monkeypatch.setattr("importlib.metadata.entry_points", lambda group: EntryPoints(entries))

    return bring


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ([BROKEN], "package of this game is broken; the operator can say more: arena games"),
        ([BROKEN, EntryPoint("wolfpack", "elsewhere:Wolf", GROUP)], "package of this game is broken"),
        ([], "a match of sheepzzz, a game that is not installed here; the operator can install the package"),
    ],
    ids=["broken", "two of one name", "gone"],
)
def test_a_game_that_cannot_be_had_costs_its_replays_and_no_other_page(
    entries: list[EntryPoint], said: str, fresh, lines, packaged
) -> None:
    packaged(*entries)
    for path in PATHS:
        assert fresh.get(path).status_code == 200, path
    assert ("Not all games can be had" in fresh.get("/").text) == bool(entries)
    assert [game["name"] for game in fresh.get("/api/games").json()][-1] == "wolfpack"
    answer = fresh.get(f"/m/{lines[0].match}")
    assert answer.status_code == 503 and said in answer.text
    assert "no_such_module" not in answer.text, "what a package says is for the operator"


def test_the_page_of_a_broken_game_says_so_and_of_a_missing_one_that_there_is_none(fresh, packaged) -> None:
    packaged(BROKEN)
    assert fresh.get("/g/wolfpack").status_code == 200
    assert (fresh.get("/g/sheepzzz").status_code, fresh.get("/api/games/sheepzzz").status_code) == (503, 503)
    packaged()
    assert fresh.get("/g/sheepzzz").status_code == 404
