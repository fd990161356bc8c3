"""What becomes of blocks: planned, then final or void.  Everything is written once, in the caller's transaction.

Handing in twice changes nothing, so after a commit that may or may not have happened the same is simply
handed in again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, bindparam, insert, select, update

from arena.store import chain
from arena.store.block import KNOWN, REVIEW, STORED, VOID, Division, Finished, Planned, Voided, canonical, decoded
from arena.store.errors import StoreError
from arena.store.reviews import set_aside
from arena.store.roster import Ladder
from arena.store.schema import blocks, bots, divisions, ladders, matches, records, seats, stderr

_AT_ONCE = 1000  # a question has room for some thousands of numbers


@dataclass
class _Standing:
    """A block as it stands in this transaction."""

    id: int
    number: int
    division: Division
    state: str
    members: list[str]
    replaces: int | None
    payload_hash: bytes | None
    matches: list[tuple[str, bytes]]

    def as_planned(self) -> Planned:
        matches = tuple((match, commitment.hex()) for match, commitment in self.matches)
        return Planned(self.number, self.division, tuple(self.members), matches, self.replaces)


class Ledger:
    """The blocks of one ladder within one transaction; others who write to it wait."""

    def __init__(self, connection: Connection, ladder: Ladder, now: str) -> None:
        self._connection = connection
        self._ladder = ladder
        self._now = now
        head = connection.execute(
            select(ladders.c.chain_length, ladders.c.chain_hash).where(ladders.c.id == ladder.id).with_for_update()
        ).one()
        self._length: int = head.chain_length
        self._head: bytes = head.chain_hash
        self._programs = {
            row.label: (row.id, [row.label, row.version, row.content])
            for row in connection.execute(select(bots).where(bots.c.ladder == ladder.id))
        }
        self._news: dict[Any, list[dict[str, Any]]] = {}
        self._links: list[dict[str, Any]] = []

    def plan(self, planned: Sequence[Planned]) -> None:
        """Before play: publish the commitments.  Planning the very same again changes nothing."""
        known = self._standing([block.number for block in planned])
        places = {division: self._place(division) for division in {block.division for block in planned}}
        new: dict[int, Planned] = {}
        for block in planned:
            self._check(block)
            there = known.get(block.number)
            same = new.setdefault(block.number, block) == block if there is None else _is_planned(block, there)
            if not same:
                raise StoreError(f"block {block.number} of {self._ladder.name} was already planned otherwise")
        if new:
            self._write_down(list(new.values()), places)
        self._flush()

    def _check(self, block: Planned) -> None:
        strangers = set(block.table) - self._programs.keys()
        if strangers:
            raise StoreError(f"block {block.number}: {min(strangers)} is not entered on {self._ladder.name}")
        if len(block.table) != block.division.seats or not block.matches:
            raise StoreError(f"block {block.number}: {len(block.table)} bots for {block.division.seats} seats")

    def _place(self, division: Division) -> int:
        asked = the_division(self._ladder, division)
        found = self._connection.execute(asked).scalar()
        if found is not None:
            return int(found)
        self._connection.execute(insert(divisions).values(ladder=self._ladder.id, **division._asdict()))
        return int(self._connection.execute(asked).scalar_one())

    def _write_down(self, planned: list[Planned], places: dict[Division, int]) -> None:
        rows = [
            {
                "ladder": self._ladder.id,
                "number": block.number,
                "division": places[block.division],
                "state": "planned",
                "members": canonical(sorted(block.table)),
                "replaces": block.replaces,
                "planned": self._now,
                "note": "",
            }
            for block in planned
        ]
        returning = insert(blocks).returning(blocks.c.id, sort_by_parameter_order=True)
        for id, block in zip(self._connection.execute(returning, rows).scalars(), planned, strict=True):
            for seating, (match, commitment) in enumerate(_commitments(block)):
                self._add(matches, block=id, seating=seating, id=match, commitment=commitment)

    def finish(self, handed_in: Sequence[Finished]) -> list[str]:
        """After play: what each hand-in came to."""
        known = self._standing([block.number for block in handed_in])
        outcomes = [self._finish(block, known.get(block.number)) for block in handed_in]
        self._flush()
        return outcomes

    def _finish(self, block: Finished, there: _Standing | None) -> str:
        if there is None:
            raise StoreError(f"block {block.number} of {self._ladder.name} was never planned")
        if there.state == "void":
            return VOID
        promised = dict(there.matches)
        hashes = [
            chain.match_hash(
                played.match, promised.get(played.match, b""), played.duration_ms, played.seats, played.record
            )
            for played in block.matches
        ]
        payload = self._payload(there, "final", hashes, "")
        if there.state == "final":
            if payload == there.payload_hash:
                return KNOWN
            return self._set_aside(block, there, payload, "two results differ")
        if not _as_planned(block, there):
            return self._set_aside(block, there, payload, "it is not what was planned")
        self._append(there, "final", payload, "")
        for seating, (played, hash) in enumerate(zip(block.matches, hashes, strict=True)):
            where = {"block": there.id, "seating": seating}
            self._add(
                records,
                **where,
                hash=hash,
                moves=played.moves,
                duration_ms=played.duration_ms,
                record=played.record,
            )
            for seat, told in enumerate(played.seats):
                values = told._asdict() | {"bot": self._programs[told.bot][0], "forfeited": int(told.forfeited)}
                self._add(seats, **where, seat=seat, **values)
            for seat, said in played.stderr.items():
                self._add(stderr, **where, seat=seat, said=said)
        return STORED

    def _set_aside(self, block: Finished, there: _Standing, payload: bytes, reason: str) -> str:
        set_aside(self._connection, self._now, there.id, payload, reason, block)
        return REVIEW

    def void(self, voided: Sequence[Voided]) -> list[Planned]:
        """Blocks that will not count; those that are final or void already stay what they are."""
        known = self._standing([block.number for block in voided])
        changed = []
        for number, why in voided:
            there = known.get(number)
            if there is None or there.state != "planned":
                continue
            payload = self._payload(there, "void", there.matches, why)
            self._append(there, "void", payload, why)
            changed.append(there.as_planned())
        self._flush()
        return changed

    def _payload(self, there: _Standing, state: str, matches: Sequence[Any], note: str) -> bytes:
        table = [self._programs[label][1] for label in there.members]
        return chain.block_payload(state, there.number, there.division, table, there.replaces, matches, note)

    def _append(self, there: _Standing, state: str, payload: bytes, note: str) -> None:
        self._length += 1
        self._head = chain.link(self._head, payload)
        there.state, there.payload_hash = state, payload
        self._links.append(
            {
                "key": there.id,
                "state": state,
                "finished": self._now,
                "chain_position": self._length,
                "payload_hash": payload,
                "chain_hash": self._head,
                "note": note,
            }
        )

    def _add(self, table: Any, **values: Any) -> None:
        self._news.setdefault(table, []).append(values)

    def _flush(self) -> None:
        for table, rows in self._news.items():
            self._connection.execute(insert(table), rows)
        self._news = {}
        if self._links:
            self._connection.execute(update(blocks).where(blocks.c.id == bindparam("key")), self._links)
            self._connection.execute(
                update(ladders)
                .where(ladders.c.id == self._ladder.id)
                .values(chain_length=self._length, chain_hash=self._head)
            )
        self._links = []

    def _standing(self, numbers: Sequence[int]) -> dict[int, _Standing]:
        found: dict[int, _Standing] = {}
        for at in range(0, len(numbers), _AT_ONCE):
            chosen = blocks.c.number.in_(numbers[at : at + _AT_ONCE])
            found |= {there.number: there for there in _standing(self._connection, self._ladder, chosen)}
        return found


def planned_of(connection: Connection, ladder: Ladder) -> list[Planned]:
    """The blocks that are neither final nor void, in the order of their numbers."""
    return [there.as_planned() for there in _standing(connection, ladder, blocks.c.state == "planned")]


def unreplaced_of(connection: Connection, ladder: Ladder) -> list[Planned]:
    """The void blocks that no other says it replaces, in the order of their numbers."""
    again = blocks.alias()
    replaced = select(again.c.id).where(again.c.ladder == ladder.id, again.c.replaces == blocks.c.number).exists()
    return [there.as_planned() for there in _standing(connection, ladder, (blocks.c.state == "void") & ~replaced)]


def _standing(connection: Connection, ladder: Ladder, chosen: ColumnElement[bool]) -> list[_Standing]:
    here = (blocks.c.ladder == ladder.id) & chosen
    by_id = {
        row.id: _standing_of(row) for row in connection.execute(block_rows().where(here).order_by(blocks.c.number))
    }
    asked = select(matches).join(blocks, blocks.c.id == matches.c.block).where(here)
    for row in connection.execute(asked.order_by(matches.c.block, matches.c.seating)):
        by_id[row.block].matches.append((row.id, row.commitment))
    return list(by_id.values())


def the_division(ladder: Ladder, division: Division) -> Select[Any]:
    """Its id."""
    c = divisions.c
    return select(c.id).where(
        c.ladder == ladder.id,
        c.game == division.game,
        c.variant == division.variant,
        c.seats == division.seats,
    )


def block_rows() -> Select[Any]:
    """Blocks with their divisions, which must be the ladder's own."""
    return select(blocks, divisions.c.game, divisions.c.variant, divisions.c.seats).join(
        divisions, (blocks.c.division == divisions.c.id) & (blocks.c.ladder == divisions.c.ladder)
    )


def _standing_of(row: Any) -> _Standing:
    division = Division(row.game, row.variant, row.seats)
    return _Standing(
        row.id,
        row.number,
        division,
        row.state,
        decoded(row.members, f"block {row.number}"),
        row.replaces,
        row.payload_hash,
        [],
    )


def _commitments(block: Planned) -> list[tuple[str, bytes]]:
    return [(match, bytes.fromhex(commitment)) for match, commitment in block.matches]


def _as_planned(block: Finished, there: _Standing) -> bool:
    return [played.match for played in block.matches] == [match for match, _ in there.matches] and all(
        sorted(seat.bot for seat in played.seats) == there.members for played in block.matches
    )


def _is_planned(block: Planned, there: _Standing) -> bool:
    told = (block.division, sorted(block.table), block.replaces, _commitments(block))
    return told == (there.division, there.members, there.replaces, there.matches)
