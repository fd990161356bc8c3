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

    @property
    def shelf(self) -> Path:
        """Where programs are kept that were submitted or entered on a ladder."""
        return self.folder / "bots"

    @property
    def begun(self) -> bool:
        """Whether there is anything yet."""
        return self.url is not None or Path(self.database).exists()

    def open(self, create: bool = False) -> Store:
        """The store; one that does not exist is made when something is going to be played."""
        from arena.store import open_store

        self.refuse_password()
        if not create and not self.begun:
            raise Failure(
                f"nothing was played under {self.folder} yet; try: arena play sheepzzz greedy random", USAGE
            )
        try:
            return open_store(self.database, create=create, say=lambda text: print(text, file=sys.stderr))
        except Unavailable as error:
            if self.url is not None:
                raise failure_of(error) from None
            raise Failure(f"{error}; see: arena doctor, or keep it elsewhere: --dir FOLDER", NOT_HERE) from None
        except StoreError as error:
            raise failure_of(error) from None

    def refuse_password(self) -> None:
        """Everybody on this machine can read the arguments of a command."""
        url = self.url or ""
        login = url.partition("://")[2].partition("/")[0].rpartition("@")[0]
        if ":" in login or "password=" in url:
            raise Failure(
                "a password does not belong in an argument, where everybody can read it; "
                "put it into ~/.pgpass, or name its file in PGPASSFILE",
                USAGE,
            )


def failure_of(error: StoreError) -> Failure:
    """A sentence of the store with the exit code it deserves."""
    next_step = ""
    if isinstance(error, Unknown):
        next_step = error.next_step
    elif isinstance(error, Damaged):
        next_step = "put a backup in its place, see: arena help where-it-is-kept"
    return Failure(f"{error}; {next_step}" if next_step else str(error), _CODES.get(type(error), FAILED))
