"""Single matches: lists of them, one of them, its record, and what its bots said on stderr."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Connection, Select, select, tuple_

from arena.store.block import Division, Seat
from arena.store.errors import Damaged, StoreError, Unknown
from arena.store.roster import Ladder
from arena.store.schema import blocks, bots, divisions, ladders, matches, records, reviews, seats, stderr

_AT_ONCE = 500

SORTS: Final = {
    "newest": (matches.c.block.desc(), matches.c.seating.desc()),
    "oldest": (matches.c.block, matches.c.seating),
    "longest": (records.c.moves.desc(), matches.c.block.desc(), matches.c.seating),
    "slowest": (records.c.duration_ms.desc(), matches.c.block.desc(), matches.c.seating),
}
"""Ways to sort a list.  Newest is what was planned last, whatever the clocks said."""


@dataclass(frozen=True)
class Wanted:
    """Which matches to list; what is None does not matter."""

    ladder: str | None = None
    bot: str | None = None
    versus: str | None = None
    game: str | None = None
    code: str | None = None
    """Of a verdict that some seat got last."""

    since: datetime | None = None
    sort: str = "newest"
    limit: int = 20
    offset: int = 0


@dataclass(frozen=True)
class Line:
    """One finished match."""

    match: str
    ladder: str
    block: int
    seating: int
    division: Division
    finished: str
    moves: int
    duration_ms: int
    seats: tuple[Seat, ...]


@dataclass(frozen=True)
class Found:
    """One match, whatever its state: planned, final or void; `text` says what a reader must know."""

    match: str
    ladder: str
    block: int
    state: str
    commitment: str
    text: str
    line: Line | None


def stamp(moment: datetime) -> str:
    """A time as it is stored: UTC, to the millisecond, so that text compares as time does."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")


def match_list(connection: Connection, wanted: Wanted) -> list[Line]:
    """A page of finished matches."""
    if wanted.sort not in SORTS:
        raise StoreError(f'matches cannot be sorted by "{wanted.sort}"; known: {", ".join(SORTS)}')
    asked = _final()
    if wanted.ladder is not None:
        asked = asked.where(ladders.c.name == wanted.ladder)
    if wanted.game is not None:
        asked = asked.where(divisions.c.game == wanted.game)
    if wanted.since is not None:
        asked = asked.where(blocks.c.finished >= stamp(wanted.since))
    for label in (wanted.bot, wanted.versus):
        if label is not None:
            called = _some_seat().join(bots, bots.c.id == seats.c.bot).where(bots.c.label == label)
            asked = asked.where(called.exists())
    if wanted.code is not None:
        asked = asked.where(_some_seat().where(seats.c.code == wanted.code).exists())
    page = asked.order_by(*SORTS[wanted.sort]).limit(wanted.limit).offset(wanted.offset)
    return _lines(connection, connection.execute(page).all())


def all_matches(connection: Connection, ladder: Ladder) -> Iterator[Line]:
    """Every finished match of a ladder, in the order of blocks and seatings."""
    c = blocks.c
    numbers = connection.execute(
        select(c.number).where(c.ladder == ladder.id, c.state == "final").order_by(c.number)
    ).scalars().all()  # fmt: skip
    for at in range(0, len(numbers), _AT_ONCE):
        some = numbers[at : at + _AT_ONCE]
        chosen = c.number.between(some[0], some[-1])
        page = _final().where(c.ladder == ladder.id, chosen).order_by(c.number, matches.c.seating)
        yield from _lines(connection, connection.execute(page).all())


def find_match(connection: Connection, text: str) -> Found:
    """By id, or by a beginning of it that no other match has."""
    row = _matched(connection, text)
    line = None
    told = _void_text(connection, row) or f"match {row.id} is not finished"
    if row.state == "final":
        here = (matches.c.block == row.block) & (matches.c.seating == row.seating)
        lines = _lines(connection, connection.execute(_final().where(here)).all())
        if not lines:
            raise Damaged(f"match {row.id} is finished, but its record is missing: the database is damaged")
        line, told = lines[0], _review_text(connection, row)
    return Found(row.id, row.name, row.number, row.state, bytes(row.commitment).hex(), told, line)


def record_of(connection: Connection, text: str) -> bytes:
    """The record's bytes, as `arena.record.unpack` reads them.  There is none before the whole block is final."""
    row = _matched(connection, text)
    here = (records.c.block == row.block) & (records.c.seating == row.seating)
    record = connection.execute(select(records.c.record).where(here)).scalar()
    if record is None or row.state != "final":
        raise StoreError(_void_text(connection, row) or f"match {row.id} is not finished: its record is sealed")
    return bytes(record)


def stderr_of(connection: Connection, text: str, seat: int, reader: str | None) -> bytes:
    """What the bot of a seat said, for its owner (the reader's name) and the operator (None)."""
    row = _matched(connection, text)
    here = (seats.c.block == row.block) & (seats.c.seating == row.seating) & (seats.c.seat == seat)
    bot = connection.execute(select(bots.c.label, bots.c.owner).join(seats).where(here)).first()
    if bot is None or row.state != "final":
        raise StoreError(f"match {row.id} has no finished seat {seat}")
    if reader is not None and (not reader or reader != bot.owner):
        raise StoreError(f"only its owner and the operator may read what {bot.label} said")
    c = stderr.c
    said = select(c.said).where(c.block == row.block, c.seating == row.seating, c.seat == seat)
    return bytes(connection.execute(said).scalar() or b"")


def _matched(connection: Connection, text: str) -> Any:
    asked = (
        select(matches, blocks.c.number, blocks.c.state, blocks.c.note, blocks.c.ladder, ladders.c.name)
        .select_from(matches.join(blocks, matches.c.block == blocks.c.id).join(ladders))
        .where(matches.c.id >= text, matches.c.id < text + "\U0010ffff")
        .order_by(matches.c.id)
        .limit(4)
    )
    found = connection.execute(asked).all()
    if found and (len(found) == 1 or found[0].id == text):
        return found[0]
    if found:
        some = ", ".join(row.id for row in found[:3]) + (", …" if len(found) > 3 else "")
        raise Unknown(f'several matches begin with "{text}": {some}', "write more of it")
    raise Unknown(f'there is no match "{text}"', "see: arena match list")


def _void_text(connection: Connection, row: Any) -> str:
    if row.state != "void":
        return ""
    told = f"match {row.id} was void: {row.note}."
    again = connection.execute(
        select(matches.c.id)
        .join(blocks, matches.c.block == blocks.c.id)
        .where(blocks.c.ladder == row.ladder, blocks.c.replaces == row.number, matches.c.seating == row.seating)
    ).scalar()
    return f"{told} It is replayed with a new deal as {again}" if again else told


def _review_text(connection: Connection, row: Any) -> str:
    reason = connection.execute(select(reviews.c.reason).where(reviews.c.block == row.block)).scalar()
    return f"match {row.id} is held for review: {reason}" if reason else ""


def _final() -> Select[Any]:
    return (
        select(
            matches.c.block,
            matches.c.seating,
            matches.c.id,
            ladders.c.name,
            blocks.c.number,
            blocks.c.finished,
            divisions.c.game,
            divisions.c.variant,
            divisions.c.seats,
            records.c.moves,
            records.c.duration_ms,
        )
        .select_from(
            matches.join(records, (records.c.block == matches.c.block) & (records.c.seating == matches.c.seating))
            .join(blocks, blocks.c.id == matches.c.block)
            .join(divisions, divisions.c.id == blocks.c.division)
            .join(ladders, ladders.c.id == blocks.c.ladder)
        )
        .where(blocks.c.state == "final")
    )


def _some_seat() -> Select[Any]:
    here = (seats.c.block == matches.c.block) & (seats.c.seating == matches.c.seating)
    return select(seats.c.seat).where(here).correlate(matches)


def _lines(connection: Connection, page: Sequence[Any]) -> list[Line]:
    s = seats.c
    keys = [(row.block, row.seating) for row in page]
    told: dict[tuple[int, int], tuple[Seat, ...]] = {}
    asked = (
        select(
            s.block,
            s.seating,
            bots.c.label,
            s.place,
            s.points,
            s.forfeited,
            s.strikes,
            s.moves,
            s.thinking_us,
            s.code,
        )
        .join(bots, bots.c.id == s.bot)
        .where(tuple_(s.block, s.seating).in_(keys))
        .order_by(s.block, s.seating, s.seat)
    )
    for key, rows in groupby(connection.execute(asked), lambda row: (row.block, row.seating)):
        told[key] = tuple(Seat._make(row[2:])._replace(forfeited=bool(row.forfeited)) for row in rows)
    return [
        Line(
            row.id,
            row.name,
            row.number,
            row.seating,
            Division(row.game, row.variant, row.seats),
            row.finished,
            row.moves,
            row.duration_ms,
            told.get((row.block, row.seating), ()),
        )
        for row in page
    ]


def closed(ladder: Ladder, found: Found) -> str:
    """Why nobody may look into a match yet, and until when; nothing when it is open to everybody."""
    if found.state == "void":
        return found.text
    if ladder.settings.get("publish", {}).get("open_after") == "ladder" and not ladder.finished:
        return f"match {found.match} opens when the whole ladder {ladder.name} is finished: its file says so"
    if found.line is None:
        return (
            f"match {found.match} is still being played, or another seating of its deal is: "
            f"it opens when all of block {found.block} is finished"
        )
    return ""
