"""Hand-ins that differ from what is stored or planned: both are kept, nothing changes, somebody must look."""

from __future__ import annotations

from typing import NamedTuple

import msgpack
from sqlalchemy import Connection, insert, select

from arena.store.block import Finished, Played, Seat
from arena.store.errors import Damaged
from arena.store.roster import Ladder
from arena.store.schema import blocks, reviews


class Review(NamedTuple):
    """A hand-in that was set aside."""

    number: int
    reason: str
    when: str
    handed_in: Finished


def set_aside(
    connection: Connection, now: str, block_id: int, payload: bytes, reason: str, block: Finished
) -> None:
    """Keep it, once."""
    kept = select(reviews.c.id).where(reviews.c.block == block_id, reviews.c.payload_hash == payload)
    if connection.execute(kept).first():
        return
    contents = [
        [played.match, played.seats, played.record, played.duration_ms, list(played.stderr.items())]
        for played in block.matches
    ]
    connection.execute(
        insert(reviews).values(
            block=block_id,
            payload_hash=payload,
            handed_in=now,
            reason=reason,
            contents=msgpack.packb(contents),
        )
    )


def reviews_of(connection: Connection, ladder: Ladder) -> list[Review]:
    """In the order they came."""
    asked = (
        select(blocks.c.number, reviews.c.reason, reviews.c.handed_in, reviews.c.contents)
        .join(blocks, reviews.c.block == blocks.c.id)
        .where(blocks.c.ladder == ladder.id)
        .order_by(reviews.c.id)
    )
    return [
        Review(number, reason, when, Finished(number, _unpacked(number, contents)))
        for number, reason, when, contents in connection.execute(asked)
    ]


def _unpacked(number: int, contents: bytes) -> tuple[Played, ...]:
    try:
        return tuple(
            Played(match, tuple(Seat(*seat) for seat in seats), record, duration_ms, dict(stderr))
            for match, seats, record, duration_ms, stderr in msgpack.unpackb(contents)
        )
    except (TypeError, ValueError):
        raise Damaged(f"what was handed in for block {number} cannot be read: the database is damaged") from None
