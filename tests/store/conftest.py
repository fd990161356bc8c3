"""The two databases every test of the store can ask for."""

from __future__ import annotations

import pytest

from arena.store import open_store
from tests.store.postgres_server import Server, postgres

__all__ = ["postgres"]


@pytest.fixture(params=["sqlite", "postgres"])
def where(request, tmp_path):
    """The path or URL of an empty database."""
    if request.param == "sqlite":
        return tmp_path / "arena.db"
    server: Server = request.getfixturevalue("postgres")
    return server.new_database()


@pytest.fixture
def store(where):
    with open_store(where) as store:
        yield store
