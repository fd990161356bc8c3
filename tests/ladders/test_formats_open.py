"""The open format: the matchmaking of ratings §3.3."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise

import pytest

from ladders.formats import Entry, Table
from ladders.formats.heaviest import heaviest
from ladders.formats.open import Open, OpenOptions, gain
from ladders.formats.snapshot import Snapshot
from ladders.lots import lot
from ladders.results import Block, Result
from tests.contracts.format_contract import finished

SEED = b"\x02" * 32


def names(bots: int) -> list[str]:
    return [f"b{at:03}" for at in range(bots)]


def known(bots: int, provisional: Sequence[str] = (), distance: float = 0.1, variance: float = 0.01) -> Snapshot:
    """b000 is the strongest, and so on down."""
    return Snapshot(
        {bot: -distance * at for at, bot in enumerate(names(bots))},
        lambda _one, _other: variance,
        dict.fromkeys(names(bots), 40),
        frozenset(provisional),
    )


def forfeit(number: int, winner: str, loser: str) -> Block:
    return Block(number, (Result(f"{number}", (winner, loser), (1, 2), (0, 0), (False, True)),))


def won(number: int, winner: str, loser: str) -> Block:
    return Block(number, (Result(f"{number}", (winner, loser), (1, 2), (0, 0), (False, False)),))


def ladder(bots: int, seats: int, snapshot: Snapshot, stop: float | None = None) -> Open:
    """With one block played, so that there is something to fit."""
    format_ = Open([Entry(bot) for bot in names(bots)], seats, OpenOptions(stop=stop), SEED, lambda _: snapshot)
    format_.played(won(0, "b000", "b001"))
    return format_


def tables(format_: Open, blocks: int) -> list[Table]:
    found = [format_.next_table() for _ in range(blocks)]
    assert all(found)
    return [table for table in found if table]


def test_the_gain_of_a_meeting_is_that_of_the_page() -> None:
    # phi(1) (1 + 0.3) 0.04 p (1 - p) with p = 1 / (1 + exp(-0.2))
    p = 1 / (1 + math.exp(-0.2))
    assert gain(0.2, 0.04) == pytest.approx(0.2419707 * 1.3 * 0.04 * p * (1 - p), rel=1e-6)
    assert gain(0.0, 0.04) == pytest.approx(0.3989423 * 0.3 * 0.04 * 0.25, rel=1e-6)
    assert gain(0.5, 0.0) == 0.0


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_heaviest_table_is_found(seats: int) -> None:
    for bots in (seats, 8, 10):
        weights: list[dict[int, float]] = [{} for _ in range(bots)]
        for one, other in combinations(range(bots), 2):
            if lot(SEED, "may meet", seats, one, other) < 0.85 or bots == seats:
                weights[one][other] = weights[other][one] = lot(SEED, "weight", seats, one, other)
        legal = [
            table
            for table in combinations(range(bots), seats)
            if all(other in weights[one] for one, other in combinations(table, 2))
        ]
        best = max(legal, key=lambda table: sum(weights[a][b] for a, b in combinations(table, 2)), default=None)
        found = heaviest(weights, seats)
        assert (None if found is None else tuple(sorted(found))) == best


def test_nobody_can_fill_a_table_of_strangers() -> None:
    assert heaviest([{}, {}, {}], 2) is None


def test_six_of_ten_tables_are_neighbours_and_the_rest_top_and_spread() -> None:
    found = tables(ladder(30, 3, known(30)), 1_000)
    windows = sum(int(c[1:]) - int(a[1:]) == 2 for a, _, c in found)
    assert 560 < windows < 740  # some of the top tables are windows too
    met = Counter(pair for table in found for pair in combinations(table, 2))
    assert len(met) > 250  # the spread brings far pairs together
    played = Counter(bot for table in found for bot in table)
    assert min(played.values()) > 50


def test_the_top_is_looked_at_most() -> None:
    found = tables(ladder(30, 2, known(30)), 1_000)
    met = Counter(found)
    assert met["b000", "b001"] > 2 * met["b014", "b015"] > 0


def test_a_pair_that_is_scheduled_is_less_wanted_until_the_fit_knows_it() -> None:
    def best(scheduled: int) -> set[str]:
        format_ = ladder(6, 2, known(6))
        format_._refresh()
        format_._scheduled["b000", "b001"] = scheduled
        return set(format_._top(names(6)) or ())

    # The pair below weighs half as much: less than 0.6 of the first, more than 0.6 times 0.6 of it.
    assert best(0) == best(1) == {"b000", "b001"}
    assert best(2) == {"b001", "b002"}


def test_in_a_large_field_the_top_is_searched_in_a_band_of_twelve_ranks() -> None:
    format_ = ladder(60, 3, known(60, distance=0.0001))
    format_._refresh()
    for one, other in combinations(names(60), 2):
        # Within a band nothing is left to gain, beyond it everything.
        format_._gains[one, other] = 1e-9 if int(other[1:]) - int(one[1:]) < 12 else 1.0
    found = format_._top(names(60))
    assert found is not None
    ranks = sorted(int(bot[1:]) for bot in found)
    assert ranks[-1] - ranks[0] < 12


def test_half_of_the_blocks_go_to_a_newcomer() -> None:
    snapshot = known(21, provisional=["b020"])
    found = tables(ladder(21, 2, snapshot), 400)
    assert 180 < sum("b020" in table for table in found) < 290


def test_a_newcomer_first_meets_one_bot_of_each_band() -> None:
    format_ = Open([Entry(bot) for bot in [*names(30), "new"]], 4, OpenOptions(), SEED, lambda _: known(30))
    format_.played(won(0, "b000", "b001"))
    first = [table for table in tables(format_, 12) if "new" in table][:5]
    assert len(first) == 5
    for table in first:
        assert [int(bot[1:]) // 10 for bot in table if bot != "new"] == [0, 1, 2]


def test_later_a_newcomer_meets_those_nearest_in_rating() -> None:
    format_ = ladder(31, 3, known(31, provisional=["b015"]))
    found = [table for table in tables(format_, 100) if "b015" in table][12:]
    near = sum(all(abs(int(bot[1:]) - 15) <= 4 for bot in table) for table in found)
    assert near > 0.8 * len(found)


def test_8_4_5_a_benched_bot_gets_no_new_blocks() -> None:
    format_ = ladder(5, 2, known(5))
    for number in range(1, 12):
        format_.played(forfeit(number, "b000", "b003"))
    assert format_.benched == {"b003"}
    assert not any("b003" in table for table in tables(format_, 200))


def test_8_4_5_a_void_block_of_a_benched_bot_is_not_handed_out_again() -> None:
    format_ = ladder(5, 2, known(5))
    table = next(table for table in tables(format_, 50) if "b003" in table)
    for number in range(1, 12):
        format_.played(forfeit(number, "b000", "b003"))
    format_.dropped(table)
    assert format_.next_table() != table


def test_with_too_few_bots_left_nothing_is_handed_out_and_it_is_not_over() -> None:
    format_ = ladder(2, 2, known(2))
    format_.withdraw("b001")
    assert format_.next_table() is None
    assert not format_.over
    format_.enter(Entry("b001"))
    assert format_.next_table() == ("b000", "b001")


def test_it_stops_when_the_order_is_sure_or_all_ratings_are_known_well_enough() -> None:
    # 0.1 logits apart with a variance of 0.01: one standard error, and margins of about 17 Elo
    for snapshot, stop, over in [
        (known(5), None, False),
        (known(5), 10, False),
        (known(5), 30, True),
        (known(5, distance=0.2), 0.001, True),
        (known(5, distance=0.2, provisional=["b004"]), 0.001, False),
    ]:
        format_ = ladder(5, 2, snapshot, stop)
        assert format_.over is over
        assert (format_.next_table() is None) is over
        assert (format_.planned == 1) is over


def test_the_margin_is_that_of_a_rating_relative_to_the_mean_of_all() -> None:
    # Independent errors with variance v: a difference has 2 v, a rating relative to the mean of n has v (n-1)/n.
    snapshot = known(4, variance=2 * 0.01)
    expected = 173.7178 * 2.0227 * math.sqrt(0.01 * 3 / 4)
    assert snapshot.widest_margin(names(4)) == pytest.approx(expected, rel=1e-4)


def test_it_is_fitted_again_only_when_blocks_have_grown_by_a_twentieth() -> None:
    fitted: list[int] = []

    def rate(blocks: Sequence[Block]) -> Snapshot:
        fitted.append(len(blocks))
        return known(6)

    entries = [Entry(bot) for bot in names(6)]
    format_ = Open(entries, 2, OpenOptions(), SEED, rate)
    blocks = []
    for number in range(2_000):
        table = format_.next_table()
        assert table is not None
        blocks.append(won(number, *table))
        format_.played(blocks[-1])
    assert len(fitted) < 130
    assert all(later - earlier >= earlier // 20 for earlier, later in pairwise(fitted))

    expected, before = format_.next_table(), len(fitted)
    again = Open(entries, 2, OpenOptions(), SEED, rate)
    for block in blocks:
        again.played(block)
    assert again.next_table() == expected
    assert fitted[before:] == fitted[before - 1 : before]


def test_with_the_rating_of_record_it_goes_on_as_if_never_stopped() -> None:
    entries = [Entry(f"bot-{letter}") for letter in "abcdefg"]
    format_ = Open(entries, 3, OpenOptions(), SEED)
    blocks: list[Block] = []
    found = []
    for number in range(60):
        table = format_.next_table()
        assert table is not None
        found.append(table)
        blocks.append(finished(number, table, number))
        format_.played(blocks[-1])
    for stopped in (1, 2, 7, 30, 59):
        again = Open(entries, 3, OpenOptions(), SEED)
        for block in blocks[:stopped]:
            again.played(block)
        assert again.next_table() == found[stopped]
