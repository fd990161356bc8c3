"""Loaded by a Dask worker before it begins: it has an arena of long ago."""

from __future__ import annotations

from arena.cluster import muster

muster.__version__ = "0.0.9"
