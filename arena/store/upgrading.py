"""Bring a database to this arena's tables: none yet, older, current, or newer than we know.

Reading the version is one query; Alembic is loaded only when older tables are to be changed.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from sqlalchemy import Column, Connection, MetaData, PrimaryKeyConstraint, String, Table, inspect, text

from arena.store import schema
from arena.store.database import Database
from arena.store.errors import Damaged, Newer, StoreError, Unavailable
from arena.store.wording import in_words

SCRIPTS = Path(__file__).parent / "migrations"

_VERSION_TABLE = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""As Alembic makes it."""


def bring_up_to_date(database: Database, create: bool, say: Callable[[str], None]) -> None:
    """After this the tables are ours; an older file was copied first, and that is said."""
    with database.reading() as connection:
        version = _version(connection, database)
    if version == schema.VERSION:
        return
    if version is None and not create:
        raise StoreError(f"there is no arena database at {database}")
    if version is not None and version > schema.VERSION:
        raise Newer(
            f"{database} was written by a newer arena (tables {version}, this one knows {schema.VERSION}): "
            "update flock-arena"
        )
    copy = _copy(database.path, version) if version is not None and database.path is not None else None
    with database.writing() as connection:
        if database.path is not None and _version(connection, database) is None:
            _make(connection)
        else:
            _migrate(connection)
    if version is not None:
        kept = f"; the old file is kept as {copy}" if copy else ""
        say(f"{database} was brought from tables {version} to {schema.VERSION}{kept}")


def _version(connection: Connection, database: Database) -> str | None:
    tables = set(inspect(connection).get_table_names())
    if not tables:
        return None
    if "alembic_version" not in tables:
        raise StoreError(f"{database} holds the tables of another program: {', '.join(sorted(tables)[:3])}")
    version = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    if version is None:
        return None
    if not (isinstance(version, str) and len(version) == len(schema.VERSION) and version.isdecimal()):
        raise Damaged(f"{database} is damaged: it says its tables are version {version!r}")
    return version


def _copy(path: Path, version: str) -> Path:
    """A whole copy beside the file, or none."""
    copy = path.with_name(f"{path.name}.tables-{version}")
    half = path.with_name(f"{copy.name}.part")
    try:
        half.unlink(missing_ok=True)
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(half)) as target:
            source.backup(target)
        with half.open("rb") as file:
            os.fsync(file.fileno())
        half.replace(copy)
    except sqlite3.Error as error:
        raise in_words(error) from error
    except OSError as error:
        raise Unavailable("the old database cannot be copied", f"{copy}: {error.strerror}") from None
    return copy


def _make(connection: Connection) -> None:
    """In a new file: what all migrations come to (a test compares), without loading Alembic for it."""
    schema.metadata.create_all(connection, checkfirst=False)
    _VERSION_TABLE.create(connection)
    connection.execute(_VERSION_TABLE.insert().values(version_num=schema.VERSION))


def _migrate(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    if connection.dialect.name == "postgresql":  # SQLite: one writer anyway
        connection.execute(text("SELECT pg_advisory_xact_lock(hashtext('flock-arena tables'))"))
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, schema.VERSION)
