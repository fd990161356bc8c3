"""One database and its two ways of being used: a snapshot to read from, a transaction that writes.

What SQLite and PostgreSQL do differently is said here and in `lock.py`, nowhere else.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, create_engine, event, exc, make_url

from arena.store.errors import Damaged, StoreError, Unavailable, Unknown
from arena.store.wording import in_words

PAGE_BYTES: Final = 16384
"""A record of some 3 KiB would fill a page of 4 KiB alone; here five share one."""

BUSY_S: Final = 5
_WRITES: Final = "arena_writes"
_SETTINGS: Final = (
    f"page_size = {PAGE_BYTES}",
    "journal_mode = WAL",
    "synchronous = FULL",
    "foreign_keys = ON",
    "trusted_schema = OFF",
)


class Database:
    """An engine with our settings.  `path` is the file, or None on a server."""

    def __init__(self, url: URL) -> None:
        self.url = url
        self.path = Path(url.database or "") if url.get_backend_name() == "sqlite" else None
        self.engine = _sqlite(url) if self.path else _postgres(url)
        self._writer = self.engine.execution_options(**{_WRITES: True})
        self._reader = self.engine if self.path else self.engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )  # fmt: skip

    def __str__(self) -> str:
        return str(self.path or self.url.render_as_string(hide_password=True))

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """One snapshot, however many questions are put to it."""
        with _in_our_words(), self._reader.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """All or nothing; on disk when the block is left.  In SQLite nobody else writes meanwhile."""
        with self._starting_afresh(), _in_our_words(), self._writer.begin() as connection:
            yield connection

    def make_durable(self) -> None:
        """Write what a crash or a failed fsync may have left in the log, readable but not safe, to its place.

        After a failed fsync the kernel may forget pages and still show them, so neither it nor a second fsync
        is believed: the checkpoint writes them again, elsewhere, and syncs that.  A server does this itself.
        """
        if self.path is None:
            return
        with (
            self._starting_afresh(),
            _in_our_words(),
            self.engine.connect() as connection,
            closing(connection.connection.cursor()) as cursor,  # the driver's own: no transaction may be open
        ):
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            busy = cursor.fetchall()[0][0]
        if busy:
            raise Unavailable("the database is locked by another program")

    @contextmanager
    def _starting_afresh(self) -> Iterator[None]:
        """After a failure no connection is used again: SQLite opens a file it cannot write to for reading only."""
        try:
            yield
        except Unavailable as error:
            self.engine.dispose()
            if self.path is not None and _no_room(self.path.parent):
                raise Unavailable("disk is full", str(error)) from error  # SQLite often knows only that it failed
            raise

    def close(self) -> None:
        """Give everything back."""
        self.engine.dispose()


def find(where: str | Path, create: bool) -> Database:
    """The database at a path or URL; a file is made when it may be."""
    url = _url(where)
    if url.get_backend_name() == "sqlite":
        _file(Path(url.database or ""), create)
    return Database(url)


def _url(where: str | Path) -> URL:
    text = str(where)
    if "://" not in text:
        return URL.create("sqlite", database=text)
    try:
        url = make_url(text)
    except (exc.ArgumentError, ValueError):
        raise Unknown("this is no database URL; write postgresql://user@host/name") from None
    if url.drivername in ("postgres", "postgresql", "postgresql+psycopg"):
        return url.set(drivername="postgresql+psycopg")
    if url.drivername == "sqlite" and url.database and url.database != ":memory:":
        return url
    raise Unknown(f'"{url.drivername}" is no database we know; give a file, or postgresql://user@host/name')


def _file(path: Path, create: bool) -> None:
    if not create and not path.exists():
        raise StoreError(f"there is no arena database at {path}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # What bots said to their owners is in there: nobody else reads it.
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise Unavailable("the database cannot be opened", f"{path}: {error.strerror}") from None


def _no_room(folder: Path) -> bool:
    try:
        return os.statvfs(folder).f_bavail == 0
    except OSError:
        return False


def _sqlite(url: URL) -> Engine:
    engine = create_engine(url, connect_args={"timeout": BUSY_S}, pool_timeout=BUSY_S)

    @event.listens_for(engine, "connect")
    def connected(driver: sqlite3.Connection, _: Any) -> None:
        driver.isolation_level = None  # transactions begin where we say so
        try:
            for setting in _SETTINGS:
                driver.execute(f"PRAGMA {setting}")
        except BaseException:
            driver.close()  # nobody else would, and every new try would hold one file more
            raise

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        writes = connection.get_execution_options().get(_WRITES)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _postgres(url: URL) -> Engine:
    try:
        # A connection that died while it was idle is replaced without a word.  The encoding is said because a
        # database made with LANG=C has none, and the driver then gives bytes for text.
        spoken = {"client_encoding": "utf8"}
        return create_engine(url, pool_pre_ping=True, pool_timeout=BUSY_S, connect_args=spoken)
    except ImportError:
        raise Unavailable("PostgreSQL needs one package more: pip install 'flock-arena[postgres]'") from None


@contextmanager
def _in_our_words() -> Iterator[None]:
    try:
        yield
    except (exc.DBAPIError, exc.TimeoutError, sqlite3.Error) as error:
        raise in_words(error) from error
    except OverflowError:
        raise Unknown("no number here has more than 64 bits", "write a smaller one") from None
    except UnicodeEncodeError:
        raise Unknown("nothing here has a name that is no text in UTF-8") from None
    except UnicodeDecodeError as error:  # from the driver: text of ours is always valid
        raise Damaged("the database is damaged: text in it is no text") from error
