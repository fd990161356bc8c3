"""What pages ask the database beyond what the store answers: small, indexed, and never a record or a stderr."""

from __future__ import annotations

import json
import os
import socket
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, func, select

from arena.store.matches import stamp
from arena.store.roster import Ladder
from arena.store.schema import blocks, bots, divisions, ladders, matches, records, seats
from arena.store.store import Store


class Pulse(NamedTuple):
    """How far a ladder is; `length` grows with every block that is finished or void."""

    ladder: str
    kind: str
    title: str
    length: int
    planned: int
    running: bool


class Fault(NamedTuple):
    """A seat that was judged: `forfeited`, or only warned.  What the bot said on stderr is not in here."""

    match: str
    ladder: str
    game: str
    seat: int
    bot: str
    code: str
    forfeited: bool
    finished: str


class Void(NamedTuple):
    """A block that does not count."""

    ladder: str
    block: int
    game: str
    when: str
    why: str
    again: int | None
    """The number of the block that replaces it."""


def pulses(store: Store) -> list[Pulse]:
    """Of every ladder and series, newest first."""
    waiting = (
        select(blocks.c.ladder, func.count().label("planned"))
        .where(blocks.c.state == "planned")
        .group_by(blocks.c.ladder)
        .subquery()
    )
    c = ladders.c
    asked = (
        select(c.name, c.kind, c.title, c.chain_length, func.coalesce(waiting.c.planned, 0), c.holder)
        .outerjoin(waiting, waiting.c.ladder == c.id)
        .order_by(c.id.desc())
    )
    with store.database.reading() as connection:
        return [
            Pulse(name, kind, title, length, planned, bool(planned) and _is_alive(holder))
            for name, kind, title, length, planned, holder in connection.execute(asked)
        ]


def faults(store: Store, limit: int, bot: tuple[str, str] | None = None) -> list[Fault]:
    """Judged seats of finished matches, newest first; of one bot (ladder and label) or of all."""
    s, b = seats.c, blocks.c
    asked = (
        select(
            matches.c.id, ladders.c.name, divisions.c.game, s.seat, bots.c.label, s.code, s.forfeited, b.finished
        )
        .select_from(_judged())
        .where(s.code != "", b.state == "final")
        .order_by(s.block.desc(), s.seating, s.seat)
        .limit(limit)
    )
    if bot is not None:
        asked = asked.where(ladders.c.name == bot[0], bots.c.label == bot[1])
    with store.database.reading() as connection:
        return [Fault(*row[:6], bool(row[6]), row[7]) for row in connection.execute(asked)]


def voids(store: Store, limit: int) -> list[Void]:
    """Blocks that do not count, newest first."""
    b, again = blocks.c, blocks.alias("again")
    asked = (
        select(ladders.c.name, b.number, divisions.c.game, b.planned, b.note, again.c.number)
        .select_from(
            blocks.join(ladders, ladders.c.id == b.ladder)
            .join(divisions, divisions.c.id == b.division)
            .outerjoin(again, (again.c.ladder == b.ladder) & (again.c.replaces == b.number))
        )
        .where(b.state == "void")
        .order_by(b.id.desc())
        .limit(limit)
    )
    with store.database.reading() as connection:
        return [Void(*row) for row in connection.execute(asked)]


def blocks_since(store: Store, ladder: Ladder, moment: datetime) -> list[int]:
    """Numbers of the blocks that were finished at that time or later."""
    c = blocks.c
    asked = select(c.number).where(c.ladder == ladder.id, c.state == "final", c.finished >= stamp(moment))
    with store.database.reading() as connection:
        return list(connection.execute(asked.order_by(c.number)).scalars())


def a_record(store: Store, ladder: Ladder) -> str | None:
    """Some finished match of a ladder, the newest: its record tells under which sandbox they play."""
    newest = (
        select(matches.c.id)
        .select_from(matches.join(blocks, blocks.c.id == matches.c.block))
        .where(blocks.c.ladder == ladder.id, blocks.c.state == "final")
        .order_by(blocks.c.number.desc(), matches.c.seating)
        .limit(1)
    )
    with store.database.reading() as connection:
        found: str | None = connection.execute(newest).scalar()
        return found


def size_of(store: Store) -> tuple[int, int]:
    """Finished matches and their decisions, for the metrics."""
    asked = select(func.count(), func.coalesce(func.sum(records.c.moves), 0)).select_from(records)
    with store.database.reading() as connection:
        count, moves = connection.execute(asked).one()
        return int(count), int(moves)


def _judged() -> Any:
    s = seats.c
    same: ColumnElement[bool] = (matches.c.block == s.block) & (matches.c.seating == s.seating)
    return (
        seats.join(matches, same)
        .join(blocks, blocks.c.id == s.block)
        .join(divisions, divisions.c.id == blocks.c.division)
        .join(ladders, ladders.c.id == blocks.c.ladder)
        .join(bots, bots.c.id == s.bot)
    )


def _is_alive(holder: str) -> bool:
    """Whether who signed for the ladder still runs.  The lock itself is never touched: a look must not hold it."""
    try:
        signed = json.loads(holder)
        if signed["host"] != socket.gethostname():
            return True  # it cannot be seen from here, and it has blocks under way
        os.kill(signed["pid"], 0)
    except PermissionError:
        return True
    except (OSError, ValueError, TypeError, KeyError):
        return False
    return True
