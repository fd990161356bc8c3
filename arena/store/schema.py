"""The tables.  Migrations make them; a test holds both descriptions together.

A block's rows in `matches` are written when it is planned; its rows in `records`, `seats` and `stderr`, its
state and its link of the chain in one transaction when its last match has ended, and never changed after.
Times are text in UTC and for people: every order is by number or by position in the chain.

An index over some rows is one in PostgreSQL too, as the migrations say.  To repeat `postgresql_where` here would
load all of SQLAlchemy's PostgreSQL, asyncio with it, at every command.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    text,
)

VERSION: Final = "0002"

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite knows one integer; in PostgreSQL four seats a match are worth counting bytes.
Small = Integer().with_variant(SmallInteger, "postgresql")
Long = Integer().with_variant(BigInteger, "postgresql")
Name = Text().with_variant(Text(collation="C"), "postgresql")  # so that an index finds prefixes
STRICT: Final[dict[str, Any]] = {"sqlite_strict": True}
CLUSTERED: Final[dict[str, Any]] = {"sqlite_strict": True, "sqlite_with_rowid": False}

ladders = Table(
    "ladders",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Name, nullable=False, unique=True),
    Column("kind", Text, CheckConstraint("kind IN ('ladder', 'series')", "kind"), nullable=False),
    Column("title", Text, nullable=False),
    Column("settings", Text, nullable=False),
    Column("seed_commitment", Text, nullable=False),
    Column("created", Text, nullable=False),
    Column("holder", Text, nullable=False),
    Column("chain_length", Integer, nullable=False),
    Column("chain_hash", LargeBinary, nullable=False),
    **STRICT,
)

bots = Table(
    "bots",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("ladder", ForeignKey("ladders.id"), nullable=False),
    Column("label", Name, nullable=False),
    Column("name", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("owner", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("manifest", Text, nullable=False),
    Column(
        "status",
        Text,
        CheckConstraint("status IN ('playing', 'paused', 'removed', 'benched')", "status"),
        nullable=False,
    ),
    Column("joined", Text, nullable=False),
    UniqueConstraint("ladder", "label"),
    **STRICT,
)

divisions = Table(
    "divisions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("ladder", ForeignKey("ladders.id"), nullable=False),
    Column("game", Text, nullable=False),
    Column("variant", Text, nullable=False),
    Column("seats", Small, nullable=False),
    UniqueConstraint("ladder", "game", "variant", "seats"),
    **STRICT,
)

blocks = Table(
    "blocks",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("ladder", ForeignKey("ladders.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("division", ForeignKey("divisions.id"), nullable=False),
    Column("state", Text, CheckConstraint("state IN ('planned', 'final', 'void')", "state"), nullable=False),
    Column("members", Text, nullable=False),  # labels of the table, alphabetical, as JSON
    Column("replaces", Integer),
    Column("planned", Text, nullable=False),
    Column("finished", Text),
    Column("chain_position", Integer),
    Column("payload_hash", LargeBinary),
    Column("chain_hash", LargeBinary),
    Column("note", Text, nullable=False),
    CheckConstraint("(state = 'planned') = (chain_position IS NULL)", "in_chain_or_planned"),
    UniqueConstraint("ladder", "number"),
    UniqueConstraint("ladder", "chain_position"),
    Index(None, "division", "number"),
    Index("ix_blocks_planned", "ladder", sqlite_where=text("state = 'planned'")),
    **STRICT,
)

matches = Table(
    "matches",
    metadata,
    Column("block", ForeignKey("blocks.id"), primary_key=True),
    Column("seating", Small, primary_key=True),
    Column("id", Name, nullable=False, unique=True),
    Column("commitment", LargeBinary, nullable=False),
    **CLUSTERED,
)


def _of_a_match() -> list[Column[int]]:
    return [
        Column("block", Integer, primary_key=True, autoincrement=False),
        Column("seating", Small, primary_key=True, autoincrement=False),
    ]


records = Table(
    "records",
    metadata,
    *_of_a_match(),
    Column("hash", LargeBinary, nullable=False),
    Column("moves", Integer, nullable=False),
    Column("duration_ms", Integer, nullable=False),
    Column("record", LargeBinary, nullable=False),
    ForeignKeyConstraint(["block", "seating"], ["matches.block", "matches.seating"]),
    **STRICT,  # not clustered: SQLite would push most of every record out to overflow pages
)

seats = Table(
    "seats",
    metadata,
    *_of_a_match(),
    Column("seat", Small, primary_key=True, autoincrement=False),
    Column("bot", ForeignKey("bots.id"), nullable=False),
    Column("place", Small, nullable=False),
    Column("points", Integer, nullable=False),
    Column("forfeited", Small, CheckConstraint("forfeited IN (0, 1)", "forfeited"), nullable=False),
    Column("strikes", Small, nullable=False),
    Column("moves", Integer, nullable=False),
    Column("thinking_us", Long, nullable=False),
    Column("code", Text, nullable=False),
    ForeignKeyConstraint(["block", "seating"], ["matches.block", "matches.seating"]),
    Index(None, "bot", "block"),
    Index("ix_seats_code", "code", sqlite_where=text("code <> ''")),
    **CLUSTERED,
)

stderr = Table(
    "stderr",
    metadata,
    *_of_a_match(),
    Column("seat", Small, primary_key=True, autoincrement=False),
    Column("said", LargeBinary, nullable=False),
    ForeignKeyConstraint(["block", "seating"], ["matches.block", "matches.seating"]),
    **STRICT,
)

reviews = Table(
    "reviews",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("block", ForeignKey("blocks.id"), nullable=False),
    Column("payload_hash", LargeBinary, nullable=False),
    Column("handed_in", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("contents", LargeBinary, nullable=False),  # all that was handed in, as msgpack
    UniqueConstraint("block", "payload_hash"),
    **STRICT,
)

programs = Table(
    "programs",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Name, nullable=False),
    Column("version", Text, nullable=False),
    Column("owner", Text, nullable=False),
    Column("games", Text, nullable=False),  # as JSON
    Column("source", Text, nullable=False),  # hash of what was handed in
    Column("content", Text, nullable=False),  # hash of what is run; the same unless it was built
    Column("status", Text, CheckConstraint("status IN ('ready', 'failed', 'retired')", "status"), nullable=False),
    Column("submitted", Text, nullable=False),
    Column("sandbox", Text, nullable=False),
    Column("report", Text, nullable=False),  # the steps of the check, as JSON
    UniqueConstraint("name", "version"),
    **STRICT,
)
