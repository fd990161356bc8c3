"""Programs that were handed in: who owns which name, what was checked, and what may be entered on ladders.

Their files lie on the shelf, named by content; here is what is known about them.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, delete, insert, select, update

from arena.store.block import canonical, decoded
from arena.store.errors import StoreError, Unknown
from arena.store.roster import list_ladders
from arena.store.schema import bots, programs

STATUSES: Final = ("ready", "failed", "retired")


@dataclass(frozen=True)
class NewProgram:
    """A program to be recorded."""

    name: str
    version: str
    owner: str
    games: tuple[str, ...]
    source: str
    """The hash of what was handed in."""

    content: str
    """The hash of what is run; the same unless it was built."""

    status: str
    sandbox: str
    """The level at which it was built and checked."""

    report: Sequence[Mapping[str, Any]] = ()
    """The steps of its check."""


@dataclass(frozen=True)
class Program(NewProgram):
    """A program as it was recorded."""

    submitted: str = ""

    @property
    def label(self) -> str:
        """What boards call it: a new version is a new entrant."""
        return f"{self.name}@{self.version}" if self.version else self.name


def add_program(connection: Connection, now: str, new: NewProgram) -> Program:
    """Record a version; one that failed its check may be tried again, any other is never replaced."""
    if new.status not in STATUSES:
        raise ValueError(f"a program is one of {STATUSES}, not {new.status!r}")
    here = (programs.c.name == new.name) & (programs.c.version == new.version)
    known = [_program(row) for row in connection.execute(select(programs).where(here))]
    if any(program.status != "failed" for program in known):
        raise StoreError(f'there is already a program called "{known[0].label}"; give the new one another version')
    connection.execute(delete(programs).where(here))
    connection.execute(
        insert(programs).values(
            name=new.name,
            version=new.version,
            owner=new.owner,
            games=canonical(list(new.games)),
            source=new.source,
            content=new.content,
            status=new.status,
            submitted=now,
            sandbox=new.sandbox,
            report=canonical([dict(step) for step in new.report]),
        )
    )
    return _program(connection.execute(select(programs).where(here)).one())


def list_programs(connection: Connection, name: str | None) -> list[Program]:
    """In the order they were recorded; those of one name, or all."""
    asked = select(programs).order_by(programs.c.id)
    if name is not None:
        asked = asked.where(programs.c.name == name)
    return [_program(row) for row in connection.execute(asked)]


def find_program(connection: Connection, text: str) -> Program:
    """By `name@version`, or by name: then the newest version that may play."""
    name, at, version = text.partition("@")
    of_that_name = list_programs(connection, name)
    found = [program for program in of_that_name if not at or program.version == version]
    if found:
        playing = [program for program in found if program.status == "ready"]
        return (playing or found)[-1]
    if of_that_name:
        versions = ", ".join(program.label for program in of_that_name)
        raise Unknown(f'{name} has no version "{version}"; known: {versions}')
    known = {program.name for program in list_programs(connection, None)}
    near = difflib.get_close_matches(name, known, 1)
    hint = f'did you mean "{near[0]}"?' if near else "hand one in: arena submit FOLDER"
    raise Unknown(f'no bot "{text}" was submitted', hint)


def retire_program(connection: Connection, program: Program) -> list[str]:
    """It gets no new blocks anywhere; what it played stays.  Tells the ladders that it left."""
    here = (programs.c.name == program.name) & (programs.c.version == program.version)
    connection.execute(update(programs).where(here).values(status="retired"))
    playing = (bots.c.content == program.content) & (bots.c.label == program.label) & (bots.c.status != "removed")
    left = set(connection.execute(select(bots.c.ladder).where(playing)).scalars())
    connection.execute(update(bots).where(playing).values(status="removed"))
    return [ladder.name for ladder in list_ladders(connection, "ladder") if ladder.id in left]


def _program(row: Any) -> Program:
    told = f"program {row.name} {row.version}"
    return Program(
        row.name,
        row.version,
        row.owner,
        tuple(decoded(row.games, told)),
        row.source,
        row.content,
        row.status,
        row.sandbox,
        tuple(decoded(row.report, told)),
        row.submitted,
    )
