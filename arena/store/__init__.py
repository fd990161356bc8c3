"""Where results live: SQLite by default, PostgreSQL by URL, through the same code.

Importing this is cheap; the database libraries are loaded by `open_store`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from arena.store.block import KNOWN, REVIEW, STORED, VOID, Division, Finished, Planned, Played, Seat, Voided
from arena.store.errors import Damaged, Held, Newer, StoreError, Unavailable, Unknown

if TYPE_CHECKING:
    from arena.store.store import Store

__all__ = [
    "KNOWN", "REVIEW", "STORED", "VOID", "Damaged", "Division", "Finished", "Held", "Newer", "Planned", "Played",
    "Seat", "StoreError", "Unavailable", "Unknown", "Voided", "open_store",
]  # fmt: skip


def open_store(
    where: str | Path,
    *,
    create: bool = True,
    say: Callable[[str], None] = lambda _: None,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Store:
    """Open the store in a file, or in PostgreSQL by URL; tables are made or brought up to date.

    Without `create` a missing one is an error.  `say` hears of an upgrade.  Times are for people only.
    """
    from arena.store.database import find
    from arena.store.store import Store
    from arena.store.upgrading import bring_up_to_date

    database = find(where, create)
    try:
        bring_up_to_date(database, create, say)
    except BaseException:
        database.close()
        raise
    return Store(database, clock)
