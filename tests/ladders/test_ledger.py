"""What gets into the ledger, in which order, and what is refused."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import numpy as np
import pytest

from ladders.ledger import Ledger
from ladders.results import Block
from tests.ladders.luck import World
from tests.ladders.results_of import block, games, result

NAMES = {7: "zoe", 3: "ann", 5: "mia"}
ROWS = [
    (0, 0, 0, 7, 1, 10, 0), (0, 0, 1, 3, 2, 5, 0), (0, 1, 0, 3, 1, 9, 0), (0, 1, 1, 7, 1, 9, 0),
    (1, 9, 0, 5, 2, 0, 1), (1, 9, 1, 3, 1, 4, 0),
]  # fmt: skip


def test_bots_are_in_alphabetical_order_and_matches_in_the_order_of_players() -> None:
    ledger = Ledger.from_rows(ROWS, NAMES)
    (tables,) = ledger.tables
    assert ledger.bots == ("ann", "mia", "zoe")
    assert tables.numbers.tolist() == [0, 1]
    assert tables.bots.tolist() == [[0, 0], [2, 1]]
    assert tables.matches.tolist() == [2, 1]
    assert tables.points.tolist() == [[5, 9, 4], [10, 9, 0]]
    assert tables.seats.tolist() == [[1, 0, 1], [0, 1, 0]]
    assert (ledger.blocks, ledger.games) == (2, 3)


def test_blocks_and_rows_make_the_same_ledger() -> None:
    blocks = [
        Block(0, (result(["zoe", "ann"], [1, 2], points=[10, 5]), result(["ann", "zoe"], [1, 1], points=[9, 9]))),
        Block(1, (result(["mia", "ann"], [2, 1], forfeited=[0], points=[0, 4]),)),
    ]
    assert Ledger.of(blocks).fingerprint == Ledger.from_rows(ROWS, NAMES).fingerprint


def test_shuffled_and_doubled_rows_make_the_same_ledger() -> None:
    ledger = Ledger.from_rows(ROWS, NAMES)
    for seed in range(10):
        rows = ROWS + Random(seed).sample(ROWS, 4)
        Random(seed).shuffle(rows)
        other = Ledger.from_rows(rows, dict(reversed(NAMES.items())))
        assert other.fingerprint == ledger.fingerprint
        assert all(
            np.array_equal(getattr(one, name), getattr(two, name))
            for one, two in zip(ledger.tables, other.tables, strict=True)
            for name in ("numbers", "bots", "matches", "seats", "places", "points", "forfeited")
        )


def test_a_block_counts_once_however_often_it_is_handed_in() -> None:
    once = Ledger.of([block(4, "AB->12"), block(2, "CB->11")])
    assert Ledger.of([block(2, "CB->11"), block(4, "AB->12"), block(2, "CB->11")]).fingerprint == once.fingerprint


def test_a_block_that_comes_twice_with_different_content_is_named() -> None:
    with pytest.raises(ValueError, match="block 4 comes twice with different content"):
        Ledger.of([block(4, "AB->12"), block(4, "AB->21")])
    with pytest.raises(ValueError, match="block 1 comes twice with different content"):
        Ledger.from_rows([*ROWS, (1, 9, 1, 3, 2, 4, 0)], NAMES)


def test_every_change_of_the_content_changes_the_fingerprint() -> None:
    seen = {Ledger.from_rows(ROWS, NAMES).fingerprint, Ledger.from_rows(ROWS, {**NAMES, 8: "new"}).fingerprint}
    for column in (4, 5, 6):
        rows = [list(row) for row in ROWS]
        rows[0][column] += 1
        seen.add(Ledger.from_rows(rows, NAMES).fingerprint)
    seen.add(Ledger.from_rows(ROWS, NAMES, void=[2]).fingerprint)
    assert len(seen) == 6


def test_tables_of_several_sizes_lie_side_by_side() -> None:
    ledger = Ledger.of(
        [block(3, "ABC->123"), block(1, "AB->12", "BA->12"), block(2, "BCD->112"), block(0, "AD->12")]
    )
    assert [tables.size for tables in ledger.tables] == [2, 3]
    assert [tables.numbers.tolist() for tables in ledger.tables] == [[0, 1], [2, 3]]


def test_pair_scores_are_whole_numbers_that_add_up_to_the_games() -> None:
    ledger = World(bots=9, size=4).ledger(50)
    scores = ledger.half_wins(ledger.tables[0])
    assert np.array_equal(scores, scores.round())
    assert scores.sum() == 2 * 6 * ledger.games
    slow = np.zeros((9, 9))
    tables = ledger.tables[0]
    for match in range(ledger.games):
        at = np.searchsorted(tables.starts, match, side="right") - 1
        for one in range(4):
            for other in range(4):
                mine, yours = tables.places[one, match], tables.places[other, match]
                if one != other:
                    slow[tables.bots[one, at], tables.bots[other, at]] += (mine < yours) * 2 + (mine == yours)
    assert np.array_equal(scores, slow)


def test_whoever_forfeits_loses_to_everybody_else_and_ties_with_its_like() -> None:
    ledger = Ledger.of([Block(0, (result("ABCD", [1, 2, 3, 3], forfeited=[0, 2]),))])
    assert ledger.half_wins(ledger.tables[0]).tolist() == [[0, 0, 1, 0], [2, 0, 2, 2], [1, 0, 0, 0], [2, 0, 2, 0]]


@pytest.mark.parametrize(
    ("blocks", "said"),
    [
        (games("AA->12"), "A sits twice at the table of block 0"),
        ([Block(3, (result("ABB", [1, 2, 3]),))], "B sits twice at the table of block 3"),
        ([block(2, "AB->12", "ABC->123")], "block 2 has tables of different sizes"),
        ([block(2, "AB->12", "AC->12")], "block 2 was played by different bots"),
        ([block(2, "A->1")], "block 2 has a match with a single seat"),
        ([block(2, "AB->01")], "block 2 says place 0; places count from 1"),
        ([Block(1, (result("AB", [1]),))], "match m of block 1 does not say the same number of seats"),
    ],
)
def test_what_cannot_be_rated_is_refused_in_a_sentence(blocks: list[Block], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Ledger.of(blocks)


@pytest.mark.parametrize(
    ("rows", "names", "void", "said"),
    [
        (ROWS[1:], NAMES, [], "block 0 has a match without all its seats"),
        (ROWS, {7: "zoe", 3: "ann"}, [], "bot 5 has results and no name"),
        (ROWS, {}, [], "bot 7 has results and no name"),
        (ROWS, {7: "zoe", 3: "ann", 5: "ann"}, [], "two bots are called 'ann'"),
        (ROWS, NAMES, [1], "block 1 is said to be void, and has results"),
    ],
)
def test_broken_rows_are_refused_in_a_sentence(
    rows: list[tuple[int, ...]], names: dict[int, str], void: list[int], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        Ledger.from_rows(rows, names, void)


def test_an_empty_ledger_is_a_ledger() -> None:
    ledger = Ledger.from_rows([], {})
    assert (ledger.bots, ledger.tables, ledger.blocks, ledger.games) == ((), (), 0, 0)
    assert Ledger.of([]).fingerprint == ledger.fingerprint


def test_a_block_without_matches_is_void() -> None:
    assert Ledger.of([block(0, "AB->12"), Block(1, ())]).void == (1,)


def test_reading_results_and_drawing_seats_does_not_load_numpy() -> None:
    light = "ladders.results, ladders.blocks, ladders.duel, ladders.ratings"
    subprocess.run([sys.executable, "-c", f"import sys, {light}; assert 'numpy' not in sys.modules"], check=True)
