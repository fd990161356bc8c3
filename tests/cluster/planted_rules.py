"""Loaded by a Dask worker before it begins: its worker processes know the rulebooks with planted mistakes."""

from __future__ import annotations

from functools import partial

from arena.cluster import room
from arena.runner.local import LocalRunner
from tests.runner.test_local_runner import PLANTED

room.LocalRunner = partial(LocalRunner, command=PLANTED)  # type: ignore[assignment,misc]
