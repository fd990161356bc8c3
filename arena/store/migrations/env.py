"""Run by Alembic: do the steps on the connection, and inside the transaction, that was handed over."""

from __future__ import annotations

from alembic import context

from arena.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True
)
context.run_migrations()
