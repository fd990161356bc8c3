"""The table a ladder prints."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from random import Random

import numpy as np
import pytest

from ladders.flags import FLAGS
from ladders.ledger import Ledger
from ladders.ratings import RatingSettings, live_elo
from ladders.results import Block
from ladders.standings import standings
from tests.contracts.rating_contract import played
from tests.ladders.luck import World
from tests.ladders.results_of import block, result

WORLD = World(bots=8, seed=11)
LEDGER = WORLD.ledger(120)
TABLE = standings(LEDGER)


def as_bytes(ledger: Ledger) -> bytes:
    return json.dumps(standings(ledger).as_data(), allow_nan=False).encode()


def test_rows_are_ordered_by_elo_and_ranked() -> None:
    elos = [row.elo for row in TABLE.rows]
    assert elos == sorted(elos, key=lambda elo: -(elo or 0))
    assert [row.rank for row in TABLE.rows] == list(range(1, 9))
    assert sum(elo or 0 for elo in elos) / 8 == pytest.approx(1500)


def test_rank_intervals_hold_the_rank_and_overlap_where_bots_cannot_be_told_apart() -> None:
    for row, after in zip(TABLE.rows, TABLE.rows[1:], strict=False):
        assert row.rank is not None and row.rank_interval is not None and after.rank_interval is not None
        assert row.rank_interval[0] <= row.rank <= row.rank_interval[1]
        assert row.los is not None
        if row.los < 0.9:
            assert row.rank_interval[1] >= after.rank_interval[0]
    assert TABLE.rows[0].rank_interval != (1, 8)
    assert TABLE.rows[-1].los is None


def test_shares_add_up() -> None:
    games = sum(row.games for row in TABLE.rows)
    assert games == 4 * LEDGER.games
    assert sum(row.first * row.games for row in TABLE.rows) == pytest.approx(LEDGER.games)
    assert sum(row.beaten * row.games for row in TABLE.rows) == pytest.approx(games / 2)


def test_points_and_their_margin_are_those_of_the_blocks() -> None:
    row = next(row for row in TABLE.rows if row.bot == "bot0003")
    tables = LEDGER.tables[0]
    means = []
    for number in range(len(tables.numbers)):
        players = tables.bots[:, number].tolist()
        if 3 in players:
            means.append(tables.points[players.index(3), 4 * number : 4 * number + 4].mean())
    assert row.points == pytest.approx(np.mean(means))
    assert row.points_margin == pytest.approx(2.0 * np.std(means, ddof=1) / len(means) ** 0.5, rel=0.02)


def test_shuffled_and_doubled_input_gives_the_same_bytes() -> None:
    blocks = played(seed=4, count=60)
    expected = as_bytes(Ledger.of(blocks))
    for seed in range(5):
        again = [*blocks, *Random(seed).sample(blocks, 20)]
        Random(seed).shuffle(again)
        assert as_bytes(Ledger.of(again)) == expected


def test_neither_order_nor_number_of_threads_changes_a_byte_of_a_large_pool() -> None:
    code = """if True:
        import hashlib, json, sys
        import numpy as np
        from ladders.ledger import Ledger
        from ladders.standings import standings
        from tests.ladders.luck import World

        world = World(bots=250, seed=2)
        rows = world.williams(1500)
        rows = rows[np.random.RandomState(int(sys.argv[1])).permutation(len(rows))]
        data = standings(Ledger.from_rows(rows, world.names)).as_data()
        print(hashlib.sha256(json.dumps(data).encode()).hexdigest())
    """
    said = [
        subprocess.run(
            [sys.executable, "-c", code, threads],
            env={**os.environ, "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads},
            check=True,
            capture_output=True,
        ).stdout
        for threads in ("1", "4")
    ]
    assert said[0] == said[1] != b""


def test_provisional_bots_follow_in_a_section_of_their_own() -> None:
    rows = WORLD.williams(100)
    star = [(1000, 0, 0, 99, 1, 0, 0), (1000, 0, 1, 1, 2, 0, 0)]
    table = standings(Ledger.from_rows([*rows.tolist(), *star], {**WORLD.names, 99: "aaa", 100: "zzz"}))
    assert [row.bot for row in table.provisional] == ["aaa", "zzz"]
    star_row, unrated = table.provisional
    assert star_row.elo is not None and star_row.elo > 1500
    assert (star_row.rank, star_row.rank_interval, star_row.margin) == (None, None, None)
    assert star_row.flags == ("few blocks", "few wins", "few losses", "unconnected")
    assert (unrated.elo, unrated.flags, unrated.games) == (None, ("unrated",), 0)
    assert len(table.established) == 8


def test_every_flag_has_its_words() -> None:
    raised = {flag for row in standings(Ledger.of([block(0, "AB->12")])).rows for flag in row.flags}
    assert raised == {"few blocks", "few wins", "few losses", "unconnected"}
    assert raised | {"unrated", "remembers deals"} == set(FLAGS)


def test_a_bot_that_remembers_deals_is_flagged() -> None:
    rows = WORLD.williams(400)
    rows[(rows[:, 3] == 2) & (rows[:, 1] > 0) & (rows[:, 4] > 1), 4] -= 1
    table = standings(Ledger.from_rows(rows, WORLD.names))
    assert [row.bot for row in table.rows if "remembers deals" in row.flags] == ["bot0002"]


def test_a_shared_first_place_counts_in_part_and_a_forfeit_never() -> None:
    shared = Block(0, (result("ABC", [1, 1, 3]), result("ABC", [1, 1, 1], forfeited=[2])))
    firsts = {row.bot: row.first for row in standings(Ledger.of([shared])).rows}
    assert firsts == {"A": 0.5, "B": 0.5, "C": 0}
    assert {row.bot: row.forfeits for row in standings(Ledger.of([shared])).rows} == {"A": 0, "B": 0, "C": 1}
    nobody = Block(0, (result("AB", [1, 1], forfeited=[0, 1]),))
    assert [row.first for row in standings(Ledger.of([nobody])).rows] == [0, 0]


def test_the_head_says_how_the_numbers_came_about() -> None:
    head = TABLE.head
    assert (head.blocks, head.games, head.live_blocks) == (120, 480, 120)
    assert head.inputs == LEDGER.fingerprint
    assert "the mean of the established bots is 1500" in head.method
    assert "not convergent" not in head.method
    changed = standings(LEDGER, RatingSettings(anchor="bot0000", constant_k=16)).head.method
    assert "bot0000 is fixed at 1000" in changed
    assert "not convergent" in changed
    assert "has not played yet" in standings(LEDGER, RatingSettings(anchor="later")).head.method


def test_live_elo_stands_beside_the_rating_of_record() -> None:
    live = live_elo.play(LEDGER).checkpoint.ratings
    assert {row.bot: row.live_elo for row in TABLE.rows} == live


@pytest.mark.parametrize("blocks", [[], [block(0, "AB->12")], [block(n, "ABC->111") for n in range(3)]])
def test_the_smallest_ladders_have_standings_too(blocks: list[Block]) -> None:
    data = json.loads(as_bytes(Ledger.of(blocks)))
    assert len(data["rows"]) == len({bot for block in blocks for bot in block.table})
    assert all(row["rank"] is None for row in data["rows"])


def test_one_bot_alone_is_listed() -> None:
    (row,) = standings(Ledger.from_rows([], {1: "alone"})).rows
    assert (row.bot, row.elo, row.provisional) == ("alone", None, True)
