"""A driver's errors in our own words: what may be tried again, what is damaged, what was refused."""

from __future__ import annotations

import sqlite3

from sqlalchemy import exc

from arena.store.errors import Damaged, StoreError, Unavailable

_SQLITE = {
    "SQLITE_FULL": "disk is full",
    "SQLITE_BUSY": "the database is locked by another program",
    "SQLITE_LOCKED": "the database is locked by another program",
    "SQLITE_PROTOCOL": "the database is locked by another program",
    "SQLITE_READONLY": "the database may not be written to",
    "SQLITE_PERM": "the database may not be written to",
    "SQLITE_CANTOPEN": "the database cannot be opened",
    "SQLITE_IOERR": "the disk fails",
    "SQLITE_NOMEM": "memory is full",
}
_POSTGRES = {
    "53100": "disk is full",
    "53200": "the database server's memory is full",
    "53300": "the database server has too many clients",
    "55P03": "the database is locked by another program",
    "40001": "the database is locked by another program",
    "40P01": "the database is locked by another program",
    "58030": "the database server's disk fails",
    "25006": "the database may not be written to",
    "42501": "the database may not be written to",
}
_DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_FORMAT", "SQLITE_TOOBIG", "SQLITE_MISMATCH")


def in_words(error: Exception) -> StoreError:
    """A driver's error as one of ours."""
    if isinstance(error, exc.TimeoutError):
        return Unavailable("all connections to the database are busy")
    original = error.orig if isinstance(error, exc.DBAPIError) and error.orig is not None else error
    if isinstance(original, sqlite3.Error):
        return _sqlite_in_words(original)
    return _postgres_in_words(original)


def _sqlite_in_words(error: sqlite3.Error) -> StoreError:
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith(_DAMAGED) or not name:  # without a name: a value the driver could not decode
        return Damaged(f"the database is damaged: {error}")
    for family, reason in _SQLITE.items():
        if name.startswith(family):
            return Unavailable(reason, f"{error}, {name}")
    return StoreError(f"the database refused: {error}")


def _postgres_in_words(error: BaseException) -> StoreError:
    state = getattr(error, "sqlstate", None) or ""
    detail = str(error).strip().partition("\n")[0]
    if state in _POSTGRES:
        return Unavailable(_POSTGRES[state], detail)
    if state[:2] in ("08", "57") or (not state and type(error).__name__ in ("OperationalError", "InterfaceError")):
        return Unavailable("the database is out of reach", detail)
    if state.startswith("XX"):
        return Damaged(f"the database is damaged: {detail}")
    return StoreError(f"the database refused: {detail}")
