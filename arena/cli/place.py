"""Where an arena keeps what it knows: a folder, and the database in it or elsewhere."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.failure import DAMAGED, FAILED, NOT_HERE, USAGE, Failure
from arena.store.errors import Damaged, Held, Newer, StoreError, Unavailable, Unknown

if TYPE_CHECKING:
    from arena.store.store import Store

_CODES = {Unknown: USAGE, Held: NOT_HERE, Newer: NOT_HERE, Unavailable: NOT_HERE, Damaged: DAMAGED}


@dataclass(frozen=True)
class Place:
    """`--dir` and `--store`."""

    folder: Path
    url: str | None = None

    @property
    def database(self) -> str:
        """A path, or a URL."""
        return self.url or str(self.folder / "arena.db")

    @property
    def memory(self) -> Path:
        """Where boards are remembered that can be computed again."""
        return self.folder / "boards"

    def open(self, create: bool = False) -> Store:
        """The store; one that does not exist is made when something is going to be played."""
        from arena.store import open_store

        if not create and self.url is None and not Path(self.database).exists():
            raise Failure(
                f"nothing was played under {self.folder} yet; try: arena play sheepzzz greedy random", USAGE
            )
        try:
            return open_store(self.database, create=create, say=lambda text: print(text, file=sys.stderr))
        except StoreError as error:
            raise failure_of(error) from None


def failure_of(error: StoreError) -> Failure:
    """A sentence of the store with the exit code it deserves."""
    return Failure(str(error), _CODES.get(type(error), FAILED))
