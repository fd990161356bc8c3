"""Finished blocks for statistics, in the order of their numbers: as values, or as bare rows where speed counts.

Rows come straight from the driver: 400,000 of them must not take longer than a look at the board.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, func, select

from arena.store.block import Division
from arena.store.errors import Damaged
from arena.store.ledger import the_division
from arena.store.roster import Ladder
from arena.store.schema import blocks, bots, divisions, matches, reviews, seats
from ladders.results import Block, Result

_AT_ONCE = 5000

SeatRow = tuple[int, int, int, int, int, int, int]
"""Block number, seating, seat, bot id, place, points, forfeited (0 or 1)."""


class Rows(NamedTuple):
    """All seats of all final blocks of a division, and what the bots are called."""

    rows: list[SeatRow]
    names: dict[int, str]


class Counts(NamedTuple):
    """How many of what."""

    planned: int
    final: int
    void: int
    matches: int
    reviews: int


def divisions_of(connection: Connection, ladder: Ladder) -> dict[Division, int]:
    """Every division that was ever planned, with its number of final blocks."""
    c = divisions.c
    final = blocks.c.state == "final"
    asked = (
        select(c.game, c.variant, c.seats, func.count(blocks.c.id).filter(final))
        .outerjoin(blocks, blocks.c.division == c.id)
        .where(c.ladder == ladder.id)
        .group_by(c.id)
        .order_by(c.id)
    )
    return {Division(game, variant, seats): count for game, variant, seats, count in connection.execute(asked)}


def counts(connection: Connection, ladder: Ladder) -> Counts:
    """Of a whole ladder."""
    states: dict[str, int] = {}
    for state, count in connection.execute(
        select(blocks.c.state, func.count()).where(blocks.c.ladder == ladder.id).group_by(blocks.c.state)
    ):
        states[state] = count
    finished = (
        select(func.count())
        .select_from(matches.join(blocks, matches.c.block == blocks.c.id))
        .where(blocks.c.ladder == ladder.id, blocks.c.state == "final")
    )
    held = select(func.count(func.distinct(reviews.c.block))).join(blocks).where(blocks.c.ladder == ladder.id)
    return Counts(
        states.get("planned", 0),
        states.get("final", 0),
        states.get("void", 0),
        connection.execute(finished).scalar_one(),
        connection.execute(held).scalar_one(),
    )


def next_number(connection: Connection, ladder: Ladder) -> int:
    """The first block number that was never used."""
    highest = connection.execute(select(func.max(blocks.c.number)).where(blocks.c.ladder == ladder.id)).scalar()
    return 0 if highest is None else highest + 1


def rows_of(connection: Connection, ladder: Ladder, division: Division) -> Rows:
    """The quick way."""
    asked = _final_seats(connection, ladder, division)
    with _drive(connection, asked) as cursor:
        return Rows(cursor.fetchall(), _names(connection, ladder))


def passed_over(connection: Connection, ladder: Ladder, division: Division) -> list[int]:
    """Block numbers that will never have a result in this division: void, or of another one."""
    here = select(divisions.c.id).where(
        divisions.c.ladder == ladder.id,
        divisions.c.game == division.game,
        divisions.c.variant == division.variant,
        divisions.c.seats == division.seats,
    )
    c = blocks.c
    elsewhere = (c.state == "void") | (c.division != here.scalar_subquery())
    asked = select(c.number).where(c.ladder == ladder.id, elsewhere).order_by(c.number)
    return list(connection.execute(asked).scalars())


def blocks_of(connection: Connection, ladder: Ladder, division: Division) -> Iterator[Block]:
    """The plain way."""
    names = _names(connection, ladder)
    asked = _final_seats(connection, ladder, division).add_columns(matches.c.id).join(matches, _same_match())
    try:
        # Closed before the connection is: its cursor would complain when it is thrown away.
        with closing(_stream(connection, asked)) as stream:
            for number, of_block in groupby(stream, itemgetter(0)):
                told = [list(of_match) for _, of_match in groupby(of_block, itemgetter(1))]
                yield Block(number, tuple(_result(rows, names) for rows in told))
    except (KeyError, TypeError, ValueError):
        raise Damaged(f"the results of {ladder.name} cannot be read: the database is damaged") from None


def _result(rows: list[Any], names: dict[int, str]) -> Result:
    _, _, _, bot_ids, places, points, forfeited, ids = zip(*rows, strict=True)
    return Result(
        ids[0], tuple(names[bot] for bot in bot_ids), places, points, tuple(bool(gone) for gone in forfeited)
    )


def _final_seats(connection: Connection, ladder: Ladder, division: Division) -> Select[Any]:
    s, b = seats.c, blocks.c
    place = connection.execute(the_division(ladder, division)).scalar()
    return (
        select(b.number, s.seating, s.seat, s.bot, s.place, s.points, s.forfeited)
        .select_from(blocks.join(seats, s.block == b.id))
        .where(b.division == (-1 if place is None else place), b.state == "final")
        .order_by(b.number, s.seating, s.seat)
    )


def _same_match() -> ColumnElement[bool]:
    return (matches.c.block == seats.c.block) & (matches.c.seating == seats.c.seating)


@contextmanager
def _drive(connection: Connection, asked: Select[Any]) -> Iterator[Any]:
    written = asked.compile(connection.engine, compile_kwargs={"literal_binds": True})
    with closing(connection.connection.cursor()) as cursor:
        cursor.execute(str(written))
        yield cursor


def _stream(connection: Connection, asked: Select[Any]) -> Generator[tuple[Any, ...], None, None]:
    with _drive(connection, asked) as cursor:
        while some := cursor.fetchmany(_AT_ONCE):
            yield from some


def _names(connection: Connection, ladder: Ladder) -> dict[int, str]:
    asked = select(bots.c.id, bots.c.label).where(bots.c.ladder == ladder.id)
    return {row.id: row.label for row in connection.execute(asked)}
