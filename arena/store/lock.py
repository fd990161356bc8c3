"""One arena per ladder: a lock of the kernel (a file) or of the server (PostgreSQL), gone with its owner."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import time
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Final

from sqlalchemy import Connection, exc, select, text, update

from arena.store.database import Database
from arena.store.errors import Held, Unavailable
from arena.store.roster import Ladder
from arena.store.schema import ladders
from arena.store.store import Store
from arena.store.wording import in_words

_OURS: Final = 0x666C6F63  # keeps our advisory locks apart from those of other programs in the same database

_NOTICED_S: Final = 1.0
"""A server may need a moment to see that an owner was killed."""


class LadderLock:
    """Held from making it until `release`, or until the process is gone, however it went."""

    def __init__(self, store: Store, ladder: Ladder) -> None:
        self._database = store.database
        self._ladder = ladder
        self._lock: _FileLock | _ServerLock = self._taken()

    def __enter__(self) -> LadderLock:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def release(self) -> None:
        """Let others run the ladder."""
        self._lock.release()

    def renew(self) -> None:
        """After a lost connection: take it again, or say who was quicker.  A kernel's lock cannot be lost."""
        if not self._lock.held():
            self._lock.release()
            self._lock = self._taken()

    def _taken(self) -> _FileLock | _ServerLock:
        lock = _lock(self._database, self._ladder)
        if not lock.taken:
            lock.release()
            raise Held(f"ladder {self._ladder.name} is being run ({_holder(self._database, self._ladder)})")
        try:
            self._sign()
        except BaseException:
            lock.release()
            raise
        return lock

    def finish(self) -> None:
        """Say that the ladder was played to its end; who takes the lock again takes that back."""
        self._sign(finished=True)

    def _sign(self, *, finished: bool = False) -> None:
        now = datetime.now().astimezone().isoformat(timespec="seconds")
        told = {"pid": os.getpid(), "host": socket.gethostname(), "since": now}
        signed = json.dumps({**told, "finished": True} if finished else told)
        with self._database.writing() as connection:
            connection.execute(update(ladders).where(ladders.c.id == self._ladder.id).values(holder=signed))


def holder_of(store: Store, ladder: Ladder) -> str:
    """Who runs the ladder now, or nothing."""
    lock = _lock(store.database, ladder)
    lock.release()
    return "" if lock.taken else _holder(store.database, ladder)


def _lock(database: Database, ladder: Ladder) -> _FileLock | _ServerLock:
    path = database.path
    return _ServerLock(database, ladder.id) if path is None else _FileLock(path, ladder.id)


def _holder(database: Database, ladder: Ladder) -> str:
    with database.reading() as connection:
        signed = connection.execute(select(ladders.c.holder).where(ladders.c.id == ladder.id)).scalar()
    try:
        holder = json.loads(signed or "")
        since = datetime.fromisoformat(holder["since"]).astimezone()
        elsewhere = "" if holder["host"] == socket.gethostname() else f" on {holder['host']}"
        today = since.date() == datetime.now().astimezone().date()
        return f"pid {holder['pid']}{elsewhere}, since {since:{'%H:%M' if today else '%Y-%m-%d %H:%M'}}"
    except (KeyError, TypeError, ValueError):
        return "by a process that has just begun"


class _FileLock:
    """`flock` on a file beside the database.  The file stays; removing it would let two hold one name."""

    def __init__(self, database: Path, ladder: int) -> None:
        path = database.with_name(f"{database.name}.ladder-{ladder}.lock")
        try:
            self._file = os.open(path, os.O_RDONLY | os.O_CREAT, 0o600)
        except OSError as error:
            raise Unavailable("the ladder cannot be locked", f"{path}: {error.strerror}") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.taken = True
        except OSError:
            self.taken = False

    def held(self) -> bool:
        return True

    def release(self) -> None:
        if self._file >= 0:
            os.close(self._file)
        self._file = -1


class _ServerLock:
    """An advisory lock on a connection of its own; the server lets it go when the connection ends."""

    def __init__(self, database: Database, ladder: int) -> None:
        self._connection: Connection | None = None
        try:
            self._connection = database.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            self._connection.detach()
            self.taken = self._tried(self._connection, ladder)
            deadline = time.monotonic() + _NOTICED_S
            while not self.taken and time.monotonic() < deadline:
                time.sleep(0.02)
                self.taken = self._tried(self._connection, ladder)
        except exc.DBAPIError as error:
            self.release()
            raise in_words(error) from error

    def _tried(self, connection: Connection, ladder: int) -> bool:
        asked = text("SELECT pg_try_advisory_lock(:ours, :ladder)")
        return bool(connection.execute(asked, {"ours": _OURS, "ladder": ladder}).scalar())

    def held(self) -> bool:
        try:
            return self._connection is not None and bool(self._connection.execute(text("SELECT 1")).scalar())
        except exc.DBAPIError:
            return False

    def release(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None
