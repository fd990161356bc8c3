"""Formats: who plays whom.  A new one is a file with a `Format`, a line in `FORMATS`, and the format contract."""

from __future__ import annotations

from typing import Any, Final

from ladders.formats.format import Entry, Format, FormatError, Options, Table
from ladders.formats.gauntlet import Gauntlet
from ladders.formats.knockout import Knockout
from ladders.formats.open import Open
from ladders.formats.round_robin import RoundRobin
from ladders.formats.swiss import Swiss

__all__ = ["FORMATS", "Entry", "Format", "FormatError", "Options", "Table"]

FORMATS: Final[dict[str, type[Format[Any]]]] = {
    format_.name: format_ for format_ in (RoundRobin, Gauntlet, Swiss, Knockout, Open)
}
