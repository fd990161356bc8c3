"""One store for all page tests, and a client on trio, as the server runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from arena.store import open_store
from arena.store.matches import Line, Wanted
from arena.web.application import make_app
from tests.web import flock, walk


@pytest.fixture(scope="session")
def database(tmp_path_factory) -> Path:
    return flock.build(tmp_path_factory.mktemp("flock"))


@pytest.fixture(scope="session")
def store(database):
    with open_store(database, create=False) as opened:
        yield opened


@pytest.fixture(scope="session")
def client(store):
    with TestClient(make_app(store), base_url="http://localhost", backend="trio") as opened:
        yield opened


@pytest.fixture(scope="session")
def answers(client, store):
    """What every page says, by its address."""
    return {path: client.get(path) for path in walk.addresses(client.app, store)}


@pytest.fixture(scope="session")
def lines(store) -> list[Line]:
    """All finished matches of spring, oldest first."""
    return store.match_list(Wanted(ladder="spring", sort="oldest", limit=100))


@pytest.fixture(scope="session")
def unfinished(store) -> str:
    """A match of a block that is still being played."""
    return store.planned_of(store.find_ladder("spring"))[0].matches[0][0]
