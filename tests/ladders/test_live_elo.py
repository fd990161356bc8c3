"""Live Elo: one number for the impatient, the same whatever order blocks end in."""

from __future__ import annotations

import json
from random import Random
from statistics import pstdev

import pytest

from ladders.ledger import Ledger
from ladders.ratings import RATINGS, RatingSettings
from ladders.ratings.live_elo import Checkpoint, play
from ladders.results import Block
from tests.ladders.luck import World
from tests.ladders.results_of import block


def blocks_of(count: int) -> list[Block]:
    chance = Random(3)
    found = []
    for number in range(count):
        size = chance.choice([2, 3, 4])
        table = "".join(chance.sample("ABCDE", size))
        places = ["".join(chance.choice("1234") for _ in table) for _ in range(chance.choice([1, size]))]
        found.append(block(number, *(f"{table}->{line}" for line in places)))
    return found


BLOCKS = blocks_of(40)


def test_a_restart_between_any_two_blocks_changes_no_bit() -> None:
    whole = play(Ledger.of(BLOCKS))
    for cut in range(len(BLOCKS) + 1):
        saved = json.dumps(play(Ledger.of(BLOCKS[:cut])).checkpoint.as_data())
        resumed = play(Ledger.of(BLOCKS), after=Checkpoint.from_data(json.loads(saved)))
        assert resumed.checkpoint == whole.checkpoint
        rest = play(Ledger.of(BLOCKS[cut:]), after=Checkpoint.from_data(json.loads(saved)))
        assert rest.checkpoint == whole.checkpoint


def test_only_blocks_before_the_first_gap_count() -> None:
    assert play(Ledger.of(BLOCKS[:7] + BLOCKS[8:])).checkpoint == play(Ledger.of(BLOCKS[:7])).checkpoint
    assert play(Ledger.of(BLOCKS[:7] + BLOCKS[8:])).checkpoint.next_block == 7
    assert play(Ledger.of(BLOCKS[1:])).checkpoint.ratings == {}


def test_a_void_block_is_no_gap() -> None:
    played = play(Ledger.of([*BLOCKS[:7], Block(7, ()), *BLOCKS[8:], Block(40, ())]))
    assert played.checkpoint.next_block == 41


def test_the_order_in_which_blocks_end_does_not_matter() -> None:
    shuffled = Random(1).sample(BLOCKS, len(BLOCKS))
    assert play(Ledger.of(shuffled)) == play(Ledger.of(BLOCKS))


def test_ladders_may_count_from_one() -> None:
    settings = RatingSettings(first_block=1)
    assert play(Ledger.of([block(1, "AB->12")]), settings).checkpoint.next_block == 2


def test_history_has_a_line_for_every_block_a_bot_played() -> None:
    played = play(Ledger.of(BLOCKS))
    for bot, line in played.history.items():
        assert [number for number, _ in line] == [b.number for b in BLOCKS if bot in b.table]
        assert line[-1][1] == played.checkpoint.ratings[bot]


def test_a_block_is_atomic() -> None:
    """Ratings are frozen at its start, so the order of its matches does not matter."""
    one = play(Ledger.of([block(0, "AB->12", "AB->11", "AB->21")])).checkpoint
    assert one == play(Ledger.of([block(0, "AB->21", "AB->12", "AB->11")])).checkpoint


def test_a_new_version_may_start_where_its_parent_stood() -> None:
    ledger = Ledger.of([block(0, "AB->11")])
    started = play(ledger, after=Checkpoint(0, {"A": 1700.0})).checkpoint.ratings
    assert started["A"] < 1700
    assert started["B"] > 1500


def test_live_elo_ends_near_the_batch_fit_and_constant_k_does_not() -> None:
    ledger = World(bots=12, share=0.5, seed=4).ledger(1000)
    record = RATINGS["bradley-terry"].rate(ledger).values

    def away(system: str) -> float:
        pairs = zip(RATINGS[system].rate(ledger).values, record, strict=True)
        return pstdev([a - b for a, b in pairs if a is not None and b is not None])

    assert away("live-elo") < 3
    assert away("constant-k") > 10
    assert not RATINGS["constant-k"].settles
    assert "not convergent" in RATINGS["constant-k"].method


def test_constant_k_takes_the_k_it_is_given() -> None:
    ledger = Ledger.of([block(0, "AB->12")])
    assert RATINGS["constant-k"].rate(ledger).values == pytest.approx((1516, 1484))
    assert RATINGS["constant-k"].rate(ledger, RatingSettings(constant_k=10)).values == pytest.approx((1505, 1495))
