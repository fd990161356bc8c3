"""The first tables."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

SMALL = sa.Integer().with_variant(sa.SmallInteger, "postgresql")
LONG = sa.Integer().with_variant(sa.BigInteger, "postgresql")
NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def needed(name: str, kind: Any) -> sa.Column[Any]:
    """A column that always holds something."""
    return sa.Column(name, kind, nullable=False)


def key(name: str = "id", kind: sa.types.TypeEngine[int] | None = None) -> sa.Column[int]:
    """A part of a primary key; alone it numbers itself."""
    return sa.Column(name, kind or sa.Integer(), nullable=False, autoincrement=name == "id")


def to(table: str, *columns: str, target: tuple[str, ...] = ("id",)) -> sa.ForeignKeyConstraint:
    """A reference."""
    return sa.ForeignKeyConstraint(columns, [f"{table}.{column}" for column in target])


def upgrade() -> None:
    """Make them."""
    _make_the_people()
    _make_the_plan()
    _make_the_results()


def _make_the_people() -> None:
    op.create_table(
        "ladders",
        key(),
        needed("name", NAME),
        needed("kind", sa.Text),
        needed("title", sa.Text),
        needed("settings", sa.Text),
        needed("seed_commitment", sa.Text),
        needed("created", sa.Text),
        needed("holder", sa.Text),
        needed("chain_length", sa.Integer),
        needed("chain_hash", sa.LargeBinary),
        sa.CheckConstraint("kind IN ('ladder', 'series')", "kind"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
        sqlite_strict=True,
    )
    op.create_table(
        "bots",
        key(),
        needed("ladder", sa.Integer),
        needed("label", NAME),
        needed("name", sa.Text),
        needed("version", sa.Text),
        needed("owner", sa.Text),
        needed("content", sa.Text),
        needed("manifest", sa.Text),
        needed("status", sa.Text),
        needed("joined", sa.Text),
        sa.CheckConstraint("status IN ('playing', 'paused', 'removed', 'benched')", "status"),
        to("ladders", "ladder"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("ladder", "label"),
        sqlite_strict=True,
    )
    op.create_table(
        "divisions",
        key(),
        needed("ladder", sa.Integer),
        needed("game", sa.Text),
        needed("variant", sa.Text),
        needed("seats", SMALL),
        to("ladders", "ladder"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("ladder", "game", "variant", "seats"),
        sqlite_strict=True,
    )


def _make_the_plan() -> None:
    op.create_table(
        "blocks",
        key(),
        needed("ladder", sa.Integer),
        needed("number", sa.Integer),
        needed("division", sa.Integer),
        needed("state", sa.Text),
        needed("members", sa.Text),
        sa.Column("replaces", sa.Integer),
        needed("planned", sa.Text),
        sa.Column("finished", sa.Text),
        sa.Column("chain_position", sa.Integer),
        sa.Column("payload_hash", sa.LargeBinary),
        sa.Column("chain_hash", sa.LargeBinary),
        needed("note", sa.Text),
        sa.CheckConstraint("state IN ('planned', 'final', 'void')", "state"),
        sa.CheckConstraint("(state = 'planned') = (chain_position IS NULL)", "in_chain_or_planned"),
        to("ladders", "ladder"),
        to("divisions", "division"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("ladder", "number"),
        sa.UniqueConstraint("ladder", "chain_position"),
        sqlite_strict=True,
    )
    op.create_index(None, "blocks", ["division", "number"])
    planned = sa.text("state = 'planned'")
    op.create_index("ix_blocks_planned", "blocks", ["ladder"], sqlite_where=planned, postgresql_where=planned)
    op.create_table(
        "matches",
        key("block"),
        key("seating", SMALL),
        needed("id", NAME),
        needed("commitment", sa.LargeBinary),
        to("blocks", "block"),
        sa.PrimaryKeyConstraint("block", "seating"),
        sa.UniqueConstraint("id"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )


def _make_the_results() -> None:
    op.create_table(
        "records",
        key("block"),
        key("seating", SMALL),
        needed("hash", sa.LargeBinary),
        needed("moves", sa.Integer),
        needed("duration_ms", sa.Integer),
        needed("record", sa.LargeBinary),
        to("matches", "block", "seating", target=("block", "seating")),
        sa.PrimaryKeyConstraint("block", "seating"),
        sqlite_strict=True,
    )
    op.create_table(
        "seats",
        key("block"),
        key("seating", SMALL),
        key("seat", SMALL),
        needed("bot", sa.Integer),
        needed("place", SMALL),
        needed("points", sa.Integer),
        needed("forfeited", SMALL),
        needed("strikes", SMALL),
        needed("moves", sa.Integer),
        needed("thinking_us", LONG),
        needed("code", sa.Text),
        sa.CheckConstraint("forfeited IN (0, 1)", "forfeited"),
        to("bots", "bot"),
        to("matches", "block", "seating", target=("block", "seating")),
        sa.PrimaryKeyConstraint("block", "seating", "seat"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_index(None, "seats", ["bot", "block"])
    faulty = sa.text("code <> ''")
    op.create_index("ix_seats_code", "seats", ["code"], sqlite_where=faulty, postgresql_where=faulty)
    op.create_table(
        "stderr",
        key("block"),
        key("seating", SMALL),
        key("seat", SMALL),
        needed("said", sa.LargeBinary),
        to("matches", "block", "seating", target=("block", "seating")),
        sa.PrimaryKeyConstraint("block", "seating", "seat"),
        sqlite_strict=True,
    )
    op.create_table(
        "reviews",
        key(),
        needed("block", sa.Integer),
        needed("payload_hash", sa.LargeBinary),
        needed("handed_in", sa.Text),
        needed("reason", sa.Text),
        needed("contents", sa.LargeBinary),
        to("blocks", "block"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("block", "payload_hash"),
        sqlite_strict=True,
    )
