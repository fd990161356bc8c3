"""Walk a ladder's chain from its beginning: is everything there, unchanged and in order?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, Table, exc, func, select, text

from arena.store import chain
from arena.store.block import Division, decoded
from arena.store.errors import Damaged, Unavailable
from arena.store.ledger import block_rows
from arena.store.roster import Ladder
from arena.store.schema import blocks, bots, ladders, matches, records, seats
from arena.store.wording import in_words

_AT_ONCE = 50  # blocks, whose records are held in memory together
_FIRST_OF_SEAT = list(seats.c.keys()).index("place")


class Verified(NamedTuple):
    """How far the chain holds; `damage` names the first bad record, or is empty."""

    blocks: int
    matches: int
    damage: str


class _Broken(Exception):
    pass


@dataclass
class _Link:
    """A block with its matches and, by seating, their records and seats."""

    block: Any
    matches: list[Any] = field(default_factory=list)
    records: dict[int, Any] = field(default_factory=dict)
    seats: dict[int, list[Any]] = field(default_factory=dict)


class _Walk:
    def __init__(self, connection: Connection, ladder: Ladder) -> None:
        self.connection = connection
        self.ladder = ladder
        self.blocks = 0
        self.matches = 0
        self.at = "the beginning"

    def go(self) -> None:
        head = self.connection.execute(select(ladders).where(ladders.c.id == self.ladder.id)).one()
        self.programs = {
            row.id: [row.label, row.version, row.content]
            for row in self.connection.execute(select(bots).where(bots.c.ladder == self.ladder.id))
        }
        self.by_label = {program[0]: program for program in self.programs.values()}
        reached = chain.beginning(head.name, head.kind, head.settings, head.seed_commitment)
        for block in self.chained():
            reached = self.check(block, reached)
        missing = head.chain_length - self.blocks
        if missing > 0:
            raise _Broken(f"{missing} of {head.chain_length} blocks are missing at the end, after {self.at}")
        if (self.blocks, reached) != (head.chain_length, head.chain_hash) or self.strays():
            raise _Broken(f"the chain does not end with {self.at}: the ladder's row was changed, or blocks added")

    def chained(self) -> Iterator[_Link]:
        """Blocks in the order of the chain, with all that is stored of them."""
        c = blocks.c
        asked = block_rows().where(c.ladder == self.ladder.id, c.state != "planned").order_by(c.chain_position)
        page = self.connection.execute(asked.limit(_AT_ONCE)).all()
        while page:
            links = {row.id: _Link(row) for row in page}
            for row in self.connection.execute(_of_blocks(matches, links)):
                links[row.block].matches.append(row)
            for row in self.connection.execute(_of_blocks(records, links)):
                links[row.block].records[row.seating] = row
            for row in self.connection.execute(_of_blocks(seats, links)):
                links[row.block].seats.setdefault(row.seating, []).append(row)
            yield from links.values()
            page = self.connection.execute(
                asked.where(c.chain_position > page[-1].chain_position).limit(_AT_ONCE)
            ).all()

    def strays(self) -> bool:
        """Whether blocks count that the chain does not reach."""
        ended = select(func.count()).where(blocks.c.ladder == self.ladder.id, blocks.c.state != "planned")
        return bool(self.connection.execute(ended).scalar() != self.blocks)

    def check(self, link: _Link, before: bytes) -> bytes:
        if link.block.chain_position != self.blocks + 1:
            raise _Broken(f"the block at position {self.blocks + 1} of the chain is missing, after {self.at}")
        last, self.at = self.at, f"block {link.block.number}"
        payload = self.payload(link)
        if payload != link.block.payload_hash:
            raise _Broken(f"{self.at}: its plan, its table or its number of matches was changed")
        reached = chain.link(before, payload)
        if reached != link.block.chain_hash:
            raise _Broken(f"{self.at} does not follow {last}: blocks were moved, or taken out")
        self.blocks += 1
        return reached

    def payload(self, link: _Link) -> bytes:
        block = link.block
        division = Division(block.game, block.variant, block.seats)
        members = decoded(block.members, self.at)
        if not all(label in self.by_label for label in members):
            raise _Broken(f"{self.at}: a bot of its table is missing")
        table = [self.by_label[label] for label in members]
        if not _in_order([match.seating for match in link.matches]):
            raise _Broken(f"{self.at}: a match of it is missing")
        bound: list[Any] = [(match.id, match.commitment) for match in link.matches]
        if block.state == "final":
            bound = [self.match(match, link) for match in link.matches]
        if link.records or link.seats:
            raise _Broken(f"{self.at}: there is a result of a match that was never planned")
        return chain.block_payload(block.state, block.number, division, table, block.replaces, bound, block.note)

    def match(self, match: Any, link: _Link) -> bytes:
        name = f"match {match.id} ({self.at})"
        record = link.records.pop(match.seating, None)
        if record is None:
            raise _Broken(f"{name}: its record is missing")
        told = link.seats.pop(match.seating, [])
        found = [(self.programs.get(row.bot, [""])[0], *row[_FIRST_OF_SEAT:]) for row in told]
        hash = chain.match_hash(match.id, match.commitment, record.duration_ms, found, record.record)
        whole = _in_order([row.seat for row in told]) and record.moves == sum(row.moves for row in told)
        if hash != record.hash or not whole:
            raise _Broken(f"{name}: its result or its record was changed")
        self.matches += 1
        return hash


def verify_chain(connection: Connection, ladder: Ladder) -> Verified:
    """Recompute every link from the rows; then, in SQLite, look at the file itself."""
    walk = _Walk(connection, ladder)
    damage = ""
    try:
        walk.go()
        damage = _of_the_file(connection)
    except (_Broken, Damaged) as broken:
        damage = str(broken)
    except Exception as error:  # damaged rows may break anything, anywhere
        known = in_words(error) if isinstance(error, exc.DBAPIError) else None
        if isinstance(known, Unavailable):
            raise
        damage = f"what is stored at or after {walk.at} cannot be read: {known or type(error).__name__}"
    return Verified(walk.blocks, walk.matches, damage)


def _in_order(numbers: list[int]) -> bool:
    return numbers == list(range(len(numbers)))


def _of_blocks(table: Table, ids: Iterable[int]) -> Select[Any]:
    return select(table).where(table.c.block.in_(list(ids))).order_by(*table.primary_key)


def _of_the_file(connection: Connection) -> str:
    if connection.dialect.name != "sqlite":
        return ""
    found = str(connection.execute(text("PRAGMA integrity_check(1)")).scalar())
    return "" if found == "ok" else f"the database file is damaged: {' '.join(found.split())}"
