"""Blocks as the tests hand them in: made up from their numbers, the same every time."""

from __future__ import annotations

import hashlib

from arena.store import Division, Finished, Planned, Played, Seat
from arena.store.roster import Ladder, NewEntry
from arena.store.store import Store
from ladders.blocks import seatings
from ladders.results import Block, Result

SHEEP = Division.of("sheepzzz", {}, 2)
LABELS = ("greedy", "random", "tiger")
OWNERS = {"greedy": "anna", "random": "anna", "tiger": "bert"}


def spring(store: Store, name: str = "spring") -> Ladder:
    """A ladder with three bots and nothing played."""
    ladder = store.create_ladder(name, seed_commitment="5e" * 32, settings={"format": "open", "deals": 10})
    for label in LABELS:
        store.add_bot(ladder, NewEntry(label, label, "1", OWNERS[label], f"hash of {label}"))
    return ladder


def planned(
    number: int,
    table: tuple[str, ...] = ("greedy", "random"),
    *,
    ladder: str = "spring",
    replaces: int | None = None,
    division: Division | None = None,
) -> Planned:
    matches = [_bytes(ladder, number, seating).hex() for seating in range(len(table))]
    return Planned(
        number,
        division or Division.of("sheepzzz", {}, len(table)),
        table,
        tuple((f"m-{id[:12]}", id) for id in matches),
        replaces,
    )


def finished(plan: Planned, *, first_points: int = 7, record_bytes: int = 600) -> Finished:
    """Every seating of the block, won by whoever sits first."""
    matches = []
    for (match, _), seating in zip(plan.matches, seatings(len(plan.table)), strict=True):
        seats = tuple(
            Seat(plan.table[player], seat + 1, first_points + 10 * seat, False, 0, 20 + seat, 1000 * seat, "")
            for seat, player in enumerate(seating)
        )
        record = hashlib.shake_256(match.encode()).digest(record_bytes)
        matches.append(Played(match, seats, record, 40 + plan.number))
    return Finished(plan.number, tuple(matches))


def as_block(block: Finished) -> Block:
    """What statistics must get of it."""
    return Block(
        block.number,
        tuple(
            Result(
                played.match,
                tuple(seat.bot for seat in played.seats),
                tuple(seat.place for seat in played.seats),
                tuple(seat.points for seat in played.seats),
                tuple(seat.forfeited for seat in played.seats),
            )
            for played in block.matches
        ),
    )


def play(store: Store, ladder: Ladder, *numbers: int) -> list[Finished]:
    """Plan and finish blocks."""
    plans = [planned(number, ladder=ladder.name) for number in numbers]
    store.plan_blocks(ladder, plans)
    blocks = [finished(plan) for plan in plans]
    assert store.finish_blocks(ladder, blocks) == ["stored"] * len(numbers)
    return blocks


def _bytes(*name: str | int) -> bytes:
    return hashlib.sha256(repr(name).encode()).digest()
