"""Boards: the standings of a stored ladder, computed from its results and from nothing else.

A board is remembered in a file under the link of the chain it was computed from; without the file it is
computed again, and comes out the same.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena import __version__
from arena.store.block import Division, canonical
from arena.store.errors import Damaged
from ladders.ladder import Ladder

if TYPE_CHECKING:
    from arena.store.roster import Ladder as StoredLadder
    from arena.store.store import Store
    from ladders.standings import Standings

Board = dict[str, Any]
"""`Standings.as_data()` with the division's game, variant and seats."""


def definition_of(stored: StoredLadder) -> Ladder:
    """The ladder as it was when it began."""
    try:
        return Ladder.of(stored.settings)
    except (AttributeError, KeyError, TypeError):
        raise Damaged(
            f"the database is damaged: the settings of ladder {stored.name} are not a ladder's"
        ) from None


def boards_of(store: Store, ladder: StoredLadder, memory: Path | None = None) -> list[Board]:
    """One board for each division; `memory` is a folder to remember them in."""
    if memory is None:
        return [_board(store, ladder, division) for division in store.divisions_of(ladder)]
    path = memory / f"{ladder.name}.{_key(store, ladder)}.json"
    try:
        found: list[Board] = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        found = [_board(store, ladder, division) for division in store.divisions_of(ladder)]
        _remember(path, found, memory.glob(f"{ladder.name}.*.json"))
    return found


def standings_of(store: Store, ladder: StoredLadder, division: Division) -> Standings:
    """Computed anew."""
    from ladders.ledger import Ledger
    from ladders.standings import standings

    rows, names = store.rows_of(ladder, division)
    ledger = Ledger.from_rows(rows, names, store.passed_over(ladder, division))
    return standings(ledger, definition_of(ladder).rating.settings())


def named(board: Mapping[str, Any]) -> str:
    """A division in words."""
    changes = "" if board["variant"] == "{}" else f" {board['variant']}"
    return f"{board['game']}{changes}, {board['seats']} seats"


def _board(store: Store, ladder: StoredLadder, division: Division) -> Board:
    return {**division._asdict(), **standings_of(store, ladder, division).as_data()}


def _key(store: Store, ladder: StoredLadder) -> str:
    """Names everything a board depends on."""
    labels = [entry.label for entry in store.bots_of(ladder)]
    told = [__version__, ladder.name, ladder.settings, labels, store.head_of(ladder).hash]
    return hashlib.sha256(canonical(told).encode()).hexdigest()[:32]


def _remember(path: Path, boards: list[Board], outdated: Iterable[Path]) -> None:
    """Whole or not at all; whoever cannot write computes again next time."""
    half = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        for old in outdated:
            old.unlink(missing_ok=True)
        half.touch(mode=0o600)
        half.write_text(json.dumps(boards), "utf-8")
        half.replace(path)
    except OSError:
        half.unlink(missing_ok=True)
