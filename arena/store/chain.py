"""The hash chain of a ladder: what became of every block, each link over the one before.  Pure.

A payload is canonical msgpack: lists in fixed order, no maps, no floats.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

import msgpack

from arena.store.block import Division, Seat


def digest(*parts: Any) -> bytes:
    """SHA-256 over the canonical spelling."""
    return hashlib.sha256(msgpack.packb(parts)).digest()


def beginning(name: str, kind: str, settings: str, seed_commitment: str) -> bytes:
    """The link before the first: it binds what was promised when the ladder was made."""
    return digest("ladder", name, kind, settings, seed_commitment)


def match_hash(
    id: str, commitment: bytes, duration_ms: int, seats: Iterable[Sequence[Any]], record: bytes
) -> bytes:
    """Everything that is stored of a match."""
    told = [tuple(Seat(*seat)._replace(forfeited=bool(seat[3]))) for seat in seats]
    return digest("match", id, commitment, duration_ms, told, hashlib.sha256(record).digest())


def block_payload(
    state: str,
    number: int,
    division: Division,
    table: Sequence[Sequence[str]],
    replaces: int | None,
    matches: Sequence[Any],
    note: str,
) -> bytes:
    """What became of a block.  Void ones are told too: nobody can drop the deals he dislikes unseen.

    `table` says label, version and content of every bot; `matches` are the hashes of a final block's
    matches, or the ids and commitments of a void one's.
    """
    return digest(state, number, tuple(division), table, replaces, matches, note)


def link(before: bytes, payload: bytes) -> bytes:
    """The next link."""
    return hashlib.sha256(before + payload).digest()
