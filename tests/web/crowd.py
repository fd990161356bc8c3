"""A ladder of 100 bots and 100,000 matches, real in size and not in content, beside one with nothing."""

from __future__ import annotations

from sqlalchemy import insert

from arena.store import Division
from arena.store.schema import blocks, divisions, matches, records, seats
from arena.store.store import Store
from tests.web import flock

BOTS = 100
BLOCKS = 50_000


def crowd(store: Store) -> None:
    """Put both into a store, as "crowd" and "nobody"."""
    flock.begin(store, "nobody", bots=())
    ladder = flock.begin(store, "crowd", bots=tuple(f"bot{number}@1" for number in range(BOTS)))
    ids = [entry.id for entry in store.bots_of(ladder)]
    with store.database.writing() as connection:
        _fill(connection, ladder.id, ids)


def _fill(connection, ladder: int, ids: list[int]) -> None:
    place = connection.execute(
        insert(divisions).values(ladder=ladder, **Division.of("sheepzzz", {}, 2)._asdict())
    ).inserted_primary_key[0]
    told: dict = {table: [] for table in (blocks, matches, records, seats)}
    for number in range(BLOCKS):
        one, other = number % BOTS, (number + 1 + number // BOTS % (BOTS - 1)) % BOTS
        key = number + 1
        told[blocks].append(
            (key, ladder, number, place, "final", "[]", "", "2026-11-16T10:00:00.000+00:00", number, b"", b"", "")
        )
        luck = flock.hashed(number)[0]
        for seating in (0, 1):
            told[matches].append((key, seating, f"m-{key}-{seating}", b""))
            told[records].append((key, seating, b"", 40, 50, b""))
            first = int(luck + (other - one) < 128)
            for seat, bot in enumerate((one, other) if seating == 0 else (other, one)):
                won = first == (bot == one)
                told[seats].append(
                    (key, seating, seat, ids[bot], 1 if won else 2, 20 if won else 80, 0, 0, 20, 900, "")
                )
    columns = {
        blocks: "id ladder number division state members planned finished "
        "chain_position payload_hash chain_hash note",
        matches: "block seating id commitment",
        records: "block seating hash moves duration_ms record",
        seats: "block seating seat bot place points forfeited strikes moves thinking_us code",
    }
    for table, rows in told.items():
        names = columns[table].split()
        marks = ", ".join("?" * len(names))
        cursor = connection.connection.cursor()
        cursor.executemany(f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({marks})", rows)
        cursor.close()
