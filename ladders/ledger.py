"""The ledger: all finished blocks of a ladder, column by column.

It is the same, bit for bit, in whatever order blocks were handed in and however often: bots stand in
alphabetical order, blocks by number, matches by row.  No rating here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from ladders.results import Block, Row

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
_COLUMNS = 7
_LAST = np.iinfo(np.int16).max
_TWICE = "comes twice with different content; keep the one that was played"


@dataclass(frozen=True, eq=False)
class Tables:
    """The blocks of one table size.

    Per block, its players in alphabetical order are number 0, 1, … of the block; every two-dimensional array
    has one line per player, so `places[1]` are the places of each block's second player, match after match.
    """

    size: int
    numbers: Ints
    """Per block, ascending."""

    bots: Ints
    """Player by block: who it is, as an index into the ledger's bots."""

    matches: Ints
    """Per block, how many were played."""

    seats: Ints
    """Player by match, as all that follow."""

    places: npt.NDArray[np.int16]
    """1 is best, equal places are ties; whoever forfeited is behind everybody else."""

    points: Ints
    forfeited: Bools

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Every two players of a block."""
        return list(combinations(range(self.size), 2))

    @cached_property
    def starts(self) -> Ints:
        """Per block, its first match."""
        return np.cumsum(self.matches) - self.matches

    def per_block(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Sums over the matches of each block; the last axis runs over matches."""
        if values.shape[-1] == len(self.numbers):
            return values  # blocks of one match: nothing to add up
        return np.add.reduceat(values, self.starts, axis=-1, dtype=np.result_type(values, np.int64))

    @cached_property
    def half_wins(self) -> Ints:
        """Pair by block: twice the score of the first player of the pair against the second, ties being half."""
        lines = []
        for one, other in self.pairs:
            mine, yours = self.places[one], self.places[other]
            lines.append(self.per_block((mine < yours).view(np.int8) + (mine <= yours).view(np.int8)))
        return np.array(lines, dtype=np.int64)

    @cached_property
    def half_beaten(self) -> Ints:
        """Player by match: twice the number of others it finished ahead of."""
        beaten = np.zeros(self.places.shape, dtype=np.int64)
        for one, other in self.pairs:
            mine, yours = self.places[one], self.places[other]
            score = (mine < yours).view(np.int8) + (mine <= yours).view(np.int8)
            beaten[one] += score
            beaten[other] += 2 - score
        return beaten


@dataclass(frozen=True, eq=False)
class Ledger:
    """Everything ratings are computed from."""

    bots: tuple[str, ...]
    """In alphabetical order; also those who have not played yet."""

    tables: tuple[Tables, ...]
    """By table size."""

    void: tuple[int, ...] = ()
    """Numbers of blocks that were given up: they will never come, so nothing waits for them."""

    @classmethod
    def of(cls, blocks: Iterable[Block]) -> Ledger:
        """From results in any order; a block that comes twice counts once, one without matches is void."""
        known: dict[int, Block] = {}
        for block in blocks:
            if known.setdefault(block.number, block) != block:
                raise ValueError(f"block {block.number} {_TWICE}")
        played = [block for block in known.values() if block.matches]
        labels = sorted({bot for block in played for match in block.matches for bot in match.bots})
        ids = {label: index for index, label in enumerate(labels)}
        rows = chain.from_iterable(block.rows(ids) for block in played)
        void = [block.number for block in known.values() if not block.matches]
        return cls.from_rows(rows, dict(enumerate(labels)), void)

    @classmethod
    def from_rows(cls, rows: Iterable[Row] | Ints, names: Mapping[int, str], void: Collection[int] = ()) -> Ledger:
        """From rows `(block_number, match_row, seat, bot_id, place, points, forfeited)` in any order.

        A row that comes twice counts once; names gives each bot_id its label.
        """
        labels = tuple(sorted(names.values()))
        for one, other in pairwise(labels):
            if one == other:
                raise ValueError(f"two bots are called {one!r}; give each version a label of its own")
        table = _settled(_columns(rows))
        _refuse_broken_matches(table)
        table[3] = _indices_of(table[3], names, labels)
        for number in sorted(void):
            if number in table[0]:
                raise ValueError(f"block {number} is said to be void, and has results")
        return cls(labels, tuple(_tables_of(table, labels)), tuple(sorted(set(void))))

    @property
    def blocks(self) -> int:
        """How many count."""
        return sum(len(tables.numbers) for tables in self.tables)

    @property
    def games(self) -> int:
        """Matches of all blocks."""
        return sum(tables.places.shape[1] for tables in self.tables)

    def tally(self, per_block: Iterable[npt.NDArray[Any]]) -> Floats:
        """Per bot, the sum of values given player by block for each of `tables`; summed in block order."""
        total = np.zeros(len(self.bots))
        for tables, values in zip(self.tables, per_block, strict=True):
            total += add_up(tables.bots.T.reshape(-1), values.T.reshape(-1), len(self.bots))
        return total

    def blocks_of_each_bot(self) -> Ints:
        """Per bot."""
        return self.tally(np.ones_like(tables.bots) for tables in self.tables).astype(np.int64)

    def half_wins(self, tables: Tables) -> Floats:
        """For one table size: twice the score of each bot (line) against each other; whole numbers, so exact."""
        count = len(self.bots)
        above = np.concatenate([tables.bots[one] * count + tables.bots[other] for one, other in tables.pairs])
        won = tables.half_wins
        lost = 2 * tables.matches - won
        # Players of a block are in alphabetical order: this fills the upper triangle, the mirror is the lower one.
        upper = add_up(above, won.reshape(-1), count * count).reshape(count, count)
        lower = add_up(above, lost.reshape(-1), count * count).reshape(count, count)
        return upper + lower.T

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of all that is in here."""
        digest = hashlib.sha256(repr((self.bots, self.void)).encode())
        for tables in self.tables:
            digest.update(f"{tables.size} {tables.places.shape}".encode())
            columns = (tables.numbers, tables.matches, tables.bots, tables.seats, tables.places, tables.points)
            for column in (*columns, tables.forfeited):
                digest.update(column.astype(column.dtype.newbyteorder("<")).tobytes())
        return digest.hexdigest()


def add_up(at: Ints, values: npt.NDArray[Any], size: int) -> Floats:
    """Sums of values that belong to the same number, one after the other in the order given."""
    return np.asarray(np.bincount(at, values, size), dtype=np.float64)


def _columns(rows: Iterable[Row] | Ints) -> Ints:
    """One line per column of the rows."""
    flat = rows if isinstance(rows, np.ndarray) else np.fromiter(chain.from_iterable(rows), np.int64)
    return np.array(flat.reshape(-1, _COLUMNS).T, dtype=np.int64, order="C")


def _settled(table: Ints) -> Ints:
    """Sorted by block, row and seat, each once."""
    if not _sorted(table[:3]):
        table = table[:, np.lexsort((table[2], table[1], table[0]))]
    again = (table[:3, 1:] == table[:3, :-1]).all(axis=0)
    if not again.any():
        return table
    differs = again & (table[3:, 1:] != table[3:, :-1]).any(axis=0)
    if differs.any():
        raise ValueError(f"block {table[0, 1:][differs][0]} {_TWICE}")
    return table[:, np.concatenate([[True], ~again])]


def _sorted(keys: Ints) -> bool:
    """Whether lines of keys ascend, the first that differs deciding; databases mostly hand rows in like this."""
    ascends = np.ones(max(0, keys.shape[1] - 1), dtype=np.bool_)
    for key in keys[::-1]:
        ascends = (key[:-1] < key[1:]) | ((key[:-1] == key[1:]) & ascends)
    return bool(ascends.all())


def _indices_of(ids: Ints, names: Mapping[int, str], labels: Sequence[str]) -> Ints:
    known = np.array(sorted(names), dtype=np.int64)
    found = np.minimum(np.searchsorted(known, ids), max(0, len(known) - 1))
    strangers = ids[known[found] != ids] if len(known) else ids
    if len(strangers):
        raise ValueError(f"bot {strangers[0]} has results and no name")
    position = {label: index for index, label in enumerate(labels)}
    return np.array([position[names[bot]] for bot in known.tolist()], dtype=np.int64)[found]


def _matches_of(table: Ints) -> tuple[Ints, Ints]:
    """Where each match starts, and how many seats it has."""
    fresh = np.concatenate([[True], (table[:2, 1:] != table[:2, :-1]).any(axis=0)])[: table.shape[1]]
    starts = np.flatnonzero(fresh)
    return starts, np.diff(np.append(starts, table.shape[1]))


def _refuse_broken_matches(table: Ints) -> None:
    number, _, seat, _, place, _, _ = table
    starts, sizes = _matches_of(table)
    missing = number[seat != np.arange(len(seat)) - np.repeat(starts, sizes)]
    if len(missing):
        raise ValueError(f"block {missing[0]} has a match without all its seats; hand it in when it is complete")
    alone = number[starts[sizes < 2]]
    if len(alone):
        raise ValueError(f"block {alone[0]} has a match with a single seat; there was nobody to beat")
    number = number[starts]
    mixed = (number[1:] == number[:-1]) & (sizes[1:] != sizes[:-1])
    if mixed.any():
        raise ValueError(f"block {number[1:][mixed][0]} has tables of different sizes; a block is one table")
    strange = (place < 1) | (place >= _LAST)
    if strange.any():
        raise ValueError(f"block {table[0][strange][0]} says place {place[strange][0]}; places count from 1")


def _tables_of(table: Ints, labels: Sequence[str]) -> Iterator[Tables]:
    starts, sizes = _matches_of(table)
    for size in np.unique(sizes).tolist():
        lines = starts[sizes == size][:, None] + np.arange(size)
        lines = np.take_along_axis(lines, np.argsort(table[3][lines], axis=1), axis=1)
        number, lines = table[0, lines[:, 0]], np.ascontiguousarray(lines.T)  # player by match
        seats, bots, places, points, forfeited = (column[lines] for column in table[2:])
        twice = bots[1:] == bots[:-1]
        if twice.any():
            player, match = np.argwhere(twice)[0]
            raise ValueError(
                f"{labels[bots[player, match]]} sits twice at the table of block {number[match]};"
                " such a match is not for a ladder"
            )
        same = number[1:] == number[:-1]
        stranger = same & (bots[:, 1:] != bots[:, :-1]).any(axis=0)
        if stranger.any():
            raise ValueError(f"block {number[1:][stranger][0]} was played by different bots; a block is one table")
        first = np.flatnonzero(np.concatenate([[True], ~same]))
        yield Tables(
            size=size,
            numbers=number[first],
            bots=np.ascontiguousarray(bots[:, first]),
            matches=np.diff(np.append(first, len(number))),
            seats=seats,
            places=np.where(forfeited, _LAST, places).astype(np.int16),
            points=points,
            forfeited=forfeited != 0,
        )
