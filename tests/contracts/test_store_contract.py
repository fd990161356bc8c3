"""The store contract on SQLite and on a real PostgreSQL."""

from __future__ import annotations

import pytest

from arena.store import open_store
from tests.contracts.store_contract import StoreContract
from tests.store.postgres_server import postgres  # noqa: F401  a fixture
from tests.store.sheep_blocks import planned, play, spring


class TestSqlite(StoreContract):
    @pytest.fixture
    def where(self, tmp_path):
        return tmp_path / "arena.db"


class TestPostgres(StoreContract):
    @pytest.fixture
    def where(self, postgres):  # noqa: F811
        return postgres.new_database()


def test_both_databases_make_the_same_chain(tmp_path, postgres):  # noqa: F811
    heads = []
    for where in (tmp_path / "arena.db", postgres.new_database()):
        with open_store(where) as store:
            ladder = spring(store)
            play(store, ladder, 0, 1, 2)
            store.plan_blocks(ladder, [planned(3)])
            store.void_unfinished(ladder)
            heads.append(store.head_of(ladder))
    assert heads[0] == heads[1]
    assert heads[0].length == 4
