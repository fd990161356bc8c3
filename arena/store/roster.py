"""Ladders and the bots entered on them."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, insert, select, update

from arena.store import chain
from arena.store.block import canonical, decoded
from arena.store.errors import StoreError, Unknown
from arena.store.schema import bots, ladders

KINDS: Final = ("ladder", "series")
STATUSES: Final = ("playing", "paused", "removed", "benched")


@dataclass(frozen=True)
class Ladder:
    """A ladder, or the series of one `arena play`."""

    id: int
    name: str
    kind: str
    title: str
    settings: Mapping[str, Any]
    seed_commitment: str
    """Binds the ladder to its secret, which is not in the database; see `secrets`."""

    created: str
    finished: bool = False
    """It was played to its end, and nobody has gone on since."""


class Turn(NamedTuple):
    """When a bot came or went: before block `block` was handed out, while those `under_way` were played."""

    block: int
    under_way: tuple[int, ...] = ()


@dataclass(frozen=True)
class Entry:
    """A bot as it was entered: results belong to exactly this content."""

    id: int
    label: str
    name: str
    version: str
    owner: str
    content: str
    manifest: Mapping[str, Any]
    status: str
    joined: str
    turns: tuple[Turn, ...] = ()
    """When it came, went, came again and so on, as the arena that played wrote down; see `write_turns`."""


@dataclass(frozen=True)
class NewEntry:
    """A bot to be entered.  The label is what boards call it; it is unique on its ladder and never changes."""

    label: str
    name: str
    version: str = ""
    owner: str = ""
    content: str = ""
    manifest: Mapping[str, Any] | None = None
    status: str = "playing"


class Head(NamedTuple):
    """Where a ladder's chain stands; who publishes this can be held to everything before."""

    length: int
    hash: str


def create_ladder(
    connection: Connection,
    now: str,
    name: str,
    kind: str,
    title: str,
    settings: Mapping[str, Any],
    seed_commitment: str,
) -> Ladder:
    """A new ladder with nothing played."""
    if kind not in KINDS:
        raise ValueError(f"a ladder is one of {KINDS}, not {kind!r}")
    if connection.execute(select(ladders.c.id).where(ladders.c.name == name)).first():
        raise StoreError(f'there is already a {kind} called "{name}"; choose another name')
    written = canonical(dict(settings))
    connection.execute(
        insert(ladders).values(
            name=name,
            kind=kind,
            title=title,
            settings=written,
            seed_commitment=seed_commitment,
            created=now,
            holder="",
            chain_length=0,
            chain_hash=chain.beginning(name, kind, written, seed_commitment),
        )
    )
    return find_ladder(connection, name)


def find_ladder(connection: Connection, name: str) -> Ladder:
    """By name; the nearest name is suggested."""
    row = connection.execute(select(ladders).where(ladders.c.name == name)).first()
    if row is not None:
        return _ladder(row)
    # A series is a ladder to the store, but its name is a number that nobody remembers.
    named = select(ladders.c.name).where(ladders.c.kind == "ladder")
    known = [str(other) for other in connection.execute(named).scalars()]
    near = difflib.get_close_matches(name, known, 1)
    if not known:
        raise Unknown(f'there is no ladder "{name}"', "begin one: arena new ladder NAME")
    hint = f'did you mean "{near[0]}"?' if near else f"known: {', '.join(sorted(known))}"
    raise Unknown(f'there is no ladder "{name}"; {hint}')


def head_of(connection: Connection, ladder: Ladder) -> Head:
    """The last link of its chain."""
    length, hash = connection.execute(
        select(ladders.c.chain_length, ladders.c.chain_hash).where(ladders.c.id == ladder.id)
    ).one()
    return Head(length, bytes(hash).hex())


def list_ladders(connection: Connection, kind: str | None) -> list[Ladder]:
    """In the order they were made."""
    asked = select(ladders).order_by(ladders.c.id)
    if kind is not None:
        asked = asked.where(ladders.c.kind == kind)
    return [_ladder(row) for row in connection.execute(asked)]


def add_bot(connection: Connection, now: str, ladder: Ladder, bot: NewEntry) -> Entry:
    """Enter a bot; doing it twice with the same content is doing it once."""
    found = next((entry for entry in bots_of(connection, ladder) if entry.label == bot.label), None)
    if found is not None and found.content == bot.content:
        return found
    if found is not None:
        raise StoreError(
            f'ladder {ladder.name} already has another program called "{bot.label}"; '
            "give the new one another version or name"
        )
    connection.execute(
        insert(bots).values(
            ladder=ladder.id,
            label=bot.label,
            name=bot.name,
            version=bot.version,
            owner=bot.owner,
            content=bot.content,
            manifest=canonical(dict(bot.manifest or {})),
            status=bot.status,
            joined=now,
        )
    )
    return next(entry for entry in bots_of(connection, ladder) if entry.label == bot.label)


def set_bot_status(connection: Connection, ladder: Ladder, label: str, status: str) -> None:
    """Playing, paused, removed or benched."""
    if status not in STATUSES:
        raise ValueError(f"a bot is one of {STATUSES}, not {status!r}")
    changed = connection.execute(
        update(bots).where(bots.c.ladder == ladder.id, bots.c.label == label).values(status=status)
    )
    if not changed.rowcount:
        raise Unknown(f'ladder {ladder.name} has no bot "{label}"', f"see: arena ladder status {ladder.name}")


def write_turns(connection: Connection, ladder: Ladder, turns: Mapping[str, Sequence[Turn]]) -> None:
    """When bots came and went.  It is no result: no link of the chain depends on it."""
    for entry in bots_of(connection, ladder):
        if entry.label in turns:
            manifest = {
                **entry.manifest,
                "turns": [[block, *under_way] for block, under_way in turns[entry.label]],
            }
            connection.execute(update(bots).where(bots.c.id == entry.id).values(manifest=canonical(manifest)))


def bots_of(connection: Connection, ladder: Ladder) -> Sequence[Entry]:
    """In the order they were entered."""
    asked = select(bots).where(bots.c.ladder == ladder.id).order_by(bots.c.id)
    return [_entry(row) for row in connection.execute(asked)]


def labels_of(connection: Connection, name: str) -> list[str]:
    """What the versions of a bot are called, in the order they were first entered."""
    asked = select(bots.c.label).where(bots.c.name == name).order_by(bots.c.id)
    return list(dict.fromkeys(connection.execute(asked).scalars()))


def _ladder(row: Any) -> Ladder:
    return Ladder(
        row.id,
        row.name,
        row.kind,
        row.title,
        decoded(row.settings, f"the settings of ladder {row.name}"),
        row.seed_commitment,
        row.created,
        _finished(row.holder),
    )


def _finished(holder: str) -> bool:
    """The last who played it signed so; see `lock`."""
    try:
        return bool(json.loads(holder).get("finished"))
    except (AttributeError, ValueError):
        return False


def _entry(row: Any) -> Entry:
    manifest = decoded(row.manifest, f"the manifest of bot {row.label}")
    # Databases of earlier arenas know no turns.
    turns = tuple(Turn(block, tuple(under_way)) for block, *under_way in manifest.get("turns", ()))
    return Entry(
        row.id, row.label, row.name, row.version, row.owner, row.content, manifest, row.status, row.joined, turns
    )
