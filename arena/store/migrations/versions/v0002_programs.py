"""Programs that were handed in."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make their table."""
    op.create_table(
        "programs",
        sa.Column("id", sa.Integer(), nullable=False, autoincrement=True),
        sa.Column("name", NAME, nullable=False),
        sa.Column("version", sa.Text, nullable=False),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("games", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("submitted", sa.Text, nullable=False),
        sa.Column("sandbox", sa.Text, nullable=False),
        sa.Column("report", sa.Text, nullable=False),
        sa.CheckConstraint("status IN ('ready', 'failed', 'retired')", "status"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name", "version"),
        sqlite_strict=True,
    )
