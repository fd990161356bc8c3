"""E10, F8: whoever changes a stored result by hand is found, and the first bad record is named."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import LargeBinary, Table, select, text, update

from arena.store import open_store
from arena.store.schema import bots, divisions, ladders, matches, metadata, records, seats
from arena.store.verifying import verify_chain
from tests.store.sheep_blocks import finished, planned, play, spring

FOR_PEOPLE = {
    "ladders": {"title", "created", "holder"},
    "bots": {"name", "owner", "manifest", "status", "joined"},
    "blocks": {"planned", "finished"},
}
"""What the chain does not bind: it decides nothing."""

ALLOWED = {"kind": ("ladder", "series"), "state": ("final", "void"), "forfeited": (0, 1)}
"""The database itself refuses anything else in these columns."""


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def store(request, tmp_path_factory):
    sqlite = request.param == "sqlite"
    where = tmp_path_factory.mktemp("t") / "a.db" if sqlite else request.getfixturevalue("postgres").new_database()
    with open_store(where) as store:
        yield store


@pytest.fixture(scope="module")
def ladder(store):
    ladder = spring(store)
    play(store, ladder, 0, 1, 2)
    store.plan_blocks(ladder, [planned(3)])
    store.void_unfinished(ladder)
    again = planned(4, replaces=3)
    store.plan_blocks(ladder, [again])
    store.finish_blocks(ladder, [finished(again)])
    assert store.verify_chain(ladder) == (5, 8, "")
    return ladder


@contextmanager
def tampering(store):
    """Do what the database would not let an honest program do; afterwards it is undone."""
    with store.database.engine.connect() as connection:
        if store.database.path:
            connection.connection.cursor().execute("PRAGMA foreign_keys = OFF")
        else:
            connection.execute(text("SET LOCAL session_replication_role = replica"))
        yield connection
        connection.rollback()


def other(value: Any, column: str) -> Any:
    if column in ALLOWED:
        return next(word for word in ALLOWED[column] if word != value)
    if value is None:
        return 77
    if isinstance(value, int):
        return value + 90
    return value[:-1] + bytes([value[-1] ^ 1]) if isinstance(value, bytes) else value + "x"


@pytest.mark.parametrize(
    "table",
    [ladders, bots, divisions, metadata.tables["blocks"], matches, records, seats],
    ids=lambda table: table.name,
)
def test_e10_any_value_that_decides_something_is_bound_by_the_chain(store, ladder, table: Table):
    unused_bot = 3
    tried = 0
    for column in table.columns:
        if column.name in FOR_PEOPLE.get(table.name, ()):
            continue
        with tampering(store) as connection:
            rows = connection.execute(select(table)).all()
        for row in rows:
            if table is bots and row.id == unused_bot:
                continue
            here = [key == getattr(row, key.name) for key in table.primary_key]
            with tampering(store) as connection:
                changed = other(getattr(row, column.name), column.name)
                if (table.name, column.name, row[0]) == ("ladders", "id", ladder.id):
                    continue  # the ladder would be another one, with nothing played
                connection.execute(update(table).where(*here).values({column.name: changed}))
                damage = verify_chain(connection, ladder).damage
                assert damage, f"{table.name}.{column.name} of {row} became {changed!r} unseen"
                assert (
                    damage.startswith(("block ", "match ", "the block at ", "the chain does not "))
                    or "missing" in damage
                )
                tried += 1
    assert tried >= len(table.columns) - 4
    assert store.verify_chain(ladder).damage == ""


def test_f8_every_byte_of_a_record_counts(store, ladder):
    match = planned(1).matches[1][0]
    whole = store.record_of(match)
    here = select(matches.c.block, matches.c.seating).where(matches.c.id == match)
    with tampering(store) as connection:
        block, seating = connection.execute(here).one()
        row = update(records).where(records.c.block == block, records.c.seating == seating)
        for at in range(0, len(whole), 7):
            flipped = whole[:at] + bytes([whole[at] ^ 0x40]) + whole[at + 1 :]
            connection.execute(row.values(record=flipped))
            damage = verify_chain(connection, ladder).damage
            assert damage == f"match {match} (block 1): its result or its record was changed"
        connection.execute(row.values(record=whole[:-1]))
        assert match in verify_chain(connection, ladder).damage


BLOCK_2 = "(SELECT id FROM blocks WHERE number = 2)"
BLOCK_4 = "(SELECT id FROM blocks WHERE number = 4)"


def rows_of(block: str) -> list[str]:
    return [f"DELETE FROM {table} WHERE block = {block}" for table in ("seats", "records", "matches")]


@pytest.mark.parametrize(
    ("commands", "named"),
    [
        ([*rows_of(BLOCK_2), f"DELETE FROM blocks WHERE id = {BLOCK_2}"],
         "the block at position 3 of the chain is missing, after block 1"),
        ([*rows_of(BLOCK_4), f"DELETE FROM blocks WHERE id = {BLOCK_4}"],
         "1 of 5 blocks are missing at the end, after block 3"),
        ([f"DELETE FROM records WHERE block = {BLOCK_2} AND seating = 1"],
         f"match {planned(2).matches[1][0]} (block 2): its record is missing"),
        ([f"DELETE FROM seats WHERE block = {BLOCK_2} AND seating = 0 AND seat = 1"],
         f"match {planned(2).matches[0][0]} (block 2): its result or its record was changed"),
        (["UPDATE blocks SET chain_position = 99 WHERE number = 1",
          "UPDATE blocks SET chain_position = 2 WHERE number = 2",
          "UPDATE blocks SET chain_position = 3 WHERE number = 1"],
         "block 2 does not follow block 0: blocks were moved, or taken out"),
        (["UPDATE blocks SET chain_position = -1 WHERE number = 4", "UPDATE ladders SET chain_length = 4"],
         "the block at position 1 of the chain is missing, after the beginning"),
        (["UPDATE ladders SET chain_length = 3"],
         "the chain does not end with block 4: the ladder's row was changed, or blocks added"),
        (["UPDATE blocks SET note = 'unlucky' WHERE number = 3"],
         "block 3: its plan, its table or its number of matches was changed"),
    ],
)  # fmt: skip
def test_e10_what_is_missing_moved_or_cut_off_is_named(store, ladder, commands, named):
    with tampering(store) as connection:
        for command in commands:
            assert connection.execute(text(command)).rowcount, command
        assert verify_chain(connection, ladder).damage == named


def test_bytes_are_bytes_in_every_table():
    """The chain compares them; text would compare differently in the two databases."""
    hashes = {
        column.name for table in metadata.tables.values() for column in table.columns if "hash" in column.name
    }
    for table in metadata.tables.values():
        for column in table.columns:
            if column.name in hashes:
                assert isinstance(column.type, LargeBinary)
