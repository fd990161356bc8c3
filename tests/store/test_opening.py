"""Opening: tables made, brought up to date or refused; and a sentence for everything that is no store of ours."""

from __future__ import annotations

import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from arena.store import Newer, StoreError, Unavailable, open_store, schema, upgrading
from tests.store.sheep_blocks import SHEEP, play, spring

ROOT = Path(__file__).parent.parent.parent

NEXT_STEP = '''
"""A step that does not exist yet."""
from alembic import op
import sqlalchemy as sa

revision = "0003"
down_revision = "0002"

def upgrade():
    with op.batch_alter_table("ladders") as ladders:
        ladders.add_column(sa.Column("colour", sa.Text, nullable=False, server_default="green"))
'''


@pytest.fixture
def next_release(tmp_path, monkeypatch):
    """This arena, but one migration later."""
    scripts = tmp_path / "migrations"
    shutil.copytree(upgrading.SCRIPTS, scripts, ignore=shutil.ignore_patterns("__pycache__"))
    (scripts / "versions" / "v0003_colour.py").write_text(NEXT_STEP)

    def arrives():
        monkeypatch.setattr(upgrading, "SCRIPTS", scripts)
        monkeypatch.setattr(schema, "VERSION", "0003")

    return arrives


def test_f24_an_older_database_is_copied_brought_up_to_date_and_that_is_said(where, next_release):
    with open_store(where) as store:
        ladder = spring(store)
        blocks = play(store, ladder, 0, 1)
    next_release()
    said: list[str] = []
    with open_store(where, say=said.append) as store:
        assert len(list(store.blocks_of(ladder, SHEEP))) == len(blocks)
        assert store.verify_chain(ladder) == (2, 4, "")
        with store.database.reading() as connection:
            assert connection.execute(text("SELECT colour FROM ladders")).scalar() == "green"
    assert len(said) == 1 and "was brought from tables 0002 to 0003" in said[0]
    if isinstance(where, Path):
        copy = where.with_name("arena.db.tables-0002")
        assert said[0].endswith(f"; the old file is kept as {copy}")
        with closing(sqlite3.connect(copy)) as old:
            assert old.execute("SELECT version_num FROM alembic_version").fetchall() == [("0002",)]
            assert old.execute("SELECT count(*) FROM records").fetchall() == [(4,)]
    open_store(where, say=said.append).close()
    assert len(said) == 1


def test_f24_a_newer_database_is_refused_and_left_alone(where):
    with open_store(where) as store, store.database.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0007'"))
    for _ in range(2):
        with pytest.raises(Newer, match=r"a newer arena \(tables 0007, this one knows 0002\): update flock-arena"):
            open_store(where)


def test_the_migrations_make_the_tables_that_the_code_describes(where, monkeypatch):
    monkeypatch.setattr(upgrading, "_make", upgrading._migrate)
    with open_store(where) as store, store.database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, schema.metadata) == []


def test_a_new_file_has_the_same_constraints_and_options_as_one_that_was_migrated(tmp_path, monkeypatch):
    """What the comparison above does not see: checks, STRICT, WITHOUT ROWID, conditions of indexes."""

    def unseen(path: Path) -> list[str]:
        with closing(sqlite3.connect(path)) as connection:
            rows = connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql <> ''")
            spelt = [(name, " ".join(sql.split())) for name, sql in rows]
        checks = [check for _, sql in spelt for check in re.findall(r"ck_\w+ CHECK \(.*?\)(?: = \(.*?\))?\)", sql)]
        return sorted([*checks, *(f"{name}: {sql.rpartition(')')[2] or sql}" for name, sql in spelt)])

    open_store(tmp_path / "new.db").close()
    monkeypatch.setattr(upgrading, "_make", upgrading._migrate)
    open_store(tmp_path / "migrated.db").close()
    found = unseen(tmp_path / "migrated.db")
    assert found == unseen(tmp_path / "new.db")
    assert sum("CHECK" in part for part in found) == 6
    assert sum("STRICT" in part for part in found) == len(schema.metadata.tables)
    for name in ("new.db", "migrated.db"):
        with closing(sqlite3.connect(tmp_path / name)) as connection:
            assert connection.execute("SELECT * FROM alembic_version").fetchall() == [(schema.VERSION,)]


def test_f24_many_arenas_may_make_the_same_database_at_once(where):
    opens = "import sys; from arena.store import open_store; open_store(sys.argv[1]).close()"
    many = [subprocess.Popen([sys.executable, "-c", opens, str(where)], cwd=ROOT) for _ in range(3)]
    assert [one.wait(60) for one in many] == [0, 0, 0]
    open_store(where, create=False).close()


def test_loading_is_cheap_until_it_is_needed(tmp_path):
    looks = (
        "import sys, arena.store; assert 'sqlalchemy' not in sys.modules;"
        "arena.store.open_store(sys.argv[1]).close();"
        "arena.store.open_store(sys.argv[1], create=False).close();"
        "assert 'sqlalchemy' in sys.modules and 'alembic' not in sys.modules and 'psycopg' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", looks, str(tmp_path / "arena.db")], cwd=ROOT, check=True)


def test_looking_makes_no_database(tmp_path, postgres):
    with pytest.raises(StoreError, match="there is no arena database at"):
        open_store(tmp_path / "arena.db", create=False)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(StoreError, match="there is no arena database at postgresql"):
        open_store(postgres.new_database(), create=False)


def test_the_file_is_for_its_owner_only(tmp_path):
    with open_store(tmp_path / "new" / "arena.db") as store:
        spring(store)
        files = list((tmp_path / "new").iterdir())
        assert len(files) == 3
        assert {path.stat().st_mode & 0o777 for path in files} == {0o600}


def test_every_commit_is_synced(tmp_path):
    with open_store(tmp_path / "arena.db") as store, store.database.reading() as connection:
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
        assert connection.execute(text("PRAGMA synchronous")).scalar() == 2
        assert connection.execute(text("PRAGMA foreign_keys")).scalar() == 1


@pytest.mark.parametrize(
    ("where", "sentence"),
    [
        ("mysql://root@localhost/arena", '"mysql" is no database we know; give a file, or postgresql://'),
        ("://", "this is no database URL"),
        ("sqlite://", '"sqlite" is no database we know'),
    ],
)
def test_what_is_no_database_gets_a_sentence(where, sentence):
    with pytest.raises(StoreError) as refused:
        open_store(where)
    assert str(refused.value).startswith(sentence)


def test_another_programs_database_is_left_alone(tmp_path):
    with closing(sqlite3.connect(tmp_path / "theirs.db")) as theirs:
        theirs.execute("CREATE TABLE customers (name)")
    with pytest.raises(StoreError, match="holds the tables of another program: customers"):
        open_store(tmp_path / "theirs.db")


def test_f6_a_place_that_cannot_be_used_gets_a_sentence(tmp_path):
    (tmp_path / "file").write_text("in the way")
    for place in (tmp_path, tmp_path / "file" / "arena.db"):
        with pytest.raises(Unavailable, match="the database cannot be opened"):
            open_store(place)


def test_a_server_out_of_reach_is_said_without_the_password(tmp_path):
    with pytest.raises(Unavailable) as refused:
        open_store(f"postgresql://anna:swordfish@/arena?host={tmp_path}")
    assert str(refused.value).startswith("the database is out of reach")
    assert "swordfish" not in str(refused.value)
