"""The open format: the matchmaking of ratings §3.3."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise

import pytest

from ladders.formats import Entry, Table
from ladders.formats.bands import Bands
from ladders.formats.heaviest import heaviest
from ladders.formats.least_played import LeastPlayed
from ladders.formats.open import Open, OpenOptions, gain
from ladders.formats.order import Order
from ladders.formats.scoresheet import Scoresheet
from ladders.formats.snapshot import Snapshot
from ladders.lots import lot
from ladders.results import Block, Result
from tests.contracts.format_contract import finished

SEED = b"\x02" * 32


def names(bots: int) -> list[str]:
    return [f"b{at:03}" for at in range(bots)]


def known(bots: int, newcomers: Sequence[str] = (), distance: float = 0.1, variance: float = 0.01) -> Snapshot:
    """b000 is the strongest, and so on down."""
    return Snapshot(
        {bot: -distance * at for at, bot in enumerate(names(bots))},
        lambda _one, _other: variance,
        dict.fromkeys(names(bots), 40),
        frozenset(newcomers),
    )


def forfeit(number: int, winner: str, loser: str) -> Block:
    return Block(number, (Result(f"{number}", (winner, loser), (1, 2), (0, 0), (False, True)),))


def won(number: int, winner: str, loser: str) -> Block:
    return Block(number, (Result(f"{number}", (winner, loser), (1, 2), (0, 0), (False, False)),))


def ladder(bots: int, seats: int, snapshot: Snapshot, stop: float | None = None) -> Open:
    """With one block played, so that there is something to fit."""
    format_ = Open([Entry(bot) for bot in names(bots)], seats, OpenOptions(stop=stop), SEED, lambda *_: snapshot)
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
        assert (None if found is None else tuple(sorted(found[1]))) == best


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
        for _ in range(scheduled):
            format_._seat(("b000", "b001"))
        return set(format_._top(format_._in_order()) or ())

    # The pair below weighs half as much: less than 0.6 of the first, more than 0.6 times 0.6 of it.
    assert best(0) == best(1) == {"b000", "b001"}
    assert best(2) == {"b001", "b002"}


def test_in_a_large_field_the_top_is_searched_in_a_band_of_twelve_ranks() -> None:
    # Within a band nothing is left to gain, beyond it everything.
    found = Bands(60, 3, lambda one, other: 1e-9 if other - one < 12 else 1.0).heaviest()
    assert found is not None
    assert max(found) - min(found) < 12


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("field", [12, 41, 60])
def test_what_is_remembered_of_bands_is_what_a_new_search_would_find(seats: int, field: int) -> None:
    times: Counter[tuple[int, int]] = Counter()

    def weight(one: int, other: int) -> float | None:
        if lot(SEED, "may meet", one, other) < 0.1:
            return None
        return lot(SEED, "weight", one, other) * 0.6 ** times[one, other] / (1 + one)

    bands = Bands(field, seats, weight)
    tables = []
    for step in range(15):
        found = bands.heaviest()
        assert found == Bands(field, seats, weight).heaviest()
        assert found is not None
        # Now and then a table comes to nothing, and its pairs are wanted again.
        change, table = (-1, tables.pop(0)) if step % 5 == 4 else (1, found)
        if change == 1:
            tables.append(table)
        for one, other in combinations(sorted(table), 2):
            times[one, other] += change
            bands.weigh_again(other, one)


def test_in_bands_where_nobody_may_meet_there_is_no_table() -> None:
    assert Bands(50, 2, lambda _one, _other: None).heaviest() is None


def test_whoever_played_least_is_found_while_counts_go_up_and_down() -> None:
    count = Counter(dict(zip(names(6), (2, 1, 1, 3, 2, 5), strict=True)))
    least = LeastPlayed(names(6), count)
    for step in range(200):
        first = least.first()
        assert first == min(names(6), key=count.__getitem__)
        count[first] += 1
        other = names(6)[int(6 * lot(SEED, "other", step))]
        if step % 3 == 0 and count[other]:
            count[other] -= 1
            least.fewer(other)


def test_the_order_is_by_strength_with_newcomers_in_the_middle_and_of_equals_whoever_played_least() -> None:
    snapshot = Snapshot(
        {"weak": -1.0, "strong": 1.0, "busy": 0.0, "idle": 0.0},
        lambda _one, _other: 0.01,
        {"weak": 40, "strong": 40, "busy": 40, "idle": 20},
        frozenset({"idle"}),
    )
    lots = {"new": 0.7, "newer": 0.2}
    order = Order(
        ["weak", "busy", "new", "idle", "newer", "strong"], snapshot, Counter(), lambda b: lots.get(b, 0)
    )
    assert order.bots == ["strong", "newer", "new", "idle", "busy", "weak"]
    assert order.rated == ["strong", "idle", "busy", "weak"]
    assert order.established == ["strong", "busy", "weak"]
    assert order.newcomers.first() == "newer"
    assert list(order.around(4)) == ["busy", "weak", "idle", "new", "newer", "strong"]
    assert list(order.nearest("busy")) == ["idle", "new", "newer", "strong", "weak"]


def test_the_order_does_not_depend_on_when_it_is_asked_for() -> None:
    """Counts at the time of asking decide nothing: whoever comes back asks later, and must go on with the same."""
    early, late = (
        Open([Entry(bot) for bot in names(12)], 2, OpenOptions(), SEED, lambda *_: known(4)) for _ in "ab"
    )
    for number in range(3):
        for format_ in (early, late):
            format_.played(won(number, "b000", "b001"))
        early.next_table()
    assert early._in_order().bots == late._in_order().bots


def test_a_large_field_costs_a_table_no_look_at_everybody() -> None:
    class Counting(dict[str, float]):
        looks = 0

        def get(self, bot: str, default: float = 0.0) -> float:  # type: ignore[override]
            Counting.looks += 1
            return super().get(bot, default)

        def __getitem__(self, bot: str) -> float:
            Counting.looks += 1
            return super().__getitem__(bot)

    snapshot = known(2_000, newcomers=["b015", "b016"])
    counted = Snapshot(Counting(snapshot.logit), snapshot.variance, snapshot.blocks, snapshot.newcomers)
    format_ = ladder(2_000, 2, counted)
    tables(format_, 20)
    Counting.looks = 0
    tables(format_, 100)
    assert Counting.looks < 2_000


def test_blocks_are_kept_as_numbers() -> None:
    """What a fit needs of a match with two seats: 14 numbers."""
    sheet = Scoresheet()
    sheet.write(won(7, "b", "a"))
    sheet.write(won(8, "a", "c"))
    assert list(sheet.rows[: sheet.end(1)]) == [7, 0, 0, 0, 1, 0, 0, 7, 0, 1, 1, 2, 0, 0]
    assert sheet.names == {0: "b", 1: "a", 2: "c"}
    assert (len(sheet), sheet.end(0), sheet.end(2)) == (2, 0, 28)


def test_half_of_the_blocks_go_to_a_newcomer() -> None:
    snapshot = known(21, newcomers=["b020"])
    found = tables(ladder(21, 2, snapshot), 400)
    assert 180 < sum("b020" in table for table in found) < 290


def test_a_newcomer_first_meets_one_bot_of_each_band() -> None:
    format_ = Open([Entry(bot) for bot in [*names(30), "new"]], 4, OpenOptions(), SEED, lambda *_: known(30))
    format_.played(won(0, "b000", "b001"))
    first = [table for table in tables(format_, 12) if "new" in table][:5]
    assert len(first) == 5
    for table in first:
        assert [int(bot[1:]) // 10 for bot in table if bot != "new"] == [0, 1, 2]


def test_later_a_newcomer_meets_those_nearest_in_rating() -> None:
    format_ = ladder(31, 3, known(31, newcomers=["b015"]))
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
        (known(5, distance=0.2, newcomers=["b004"]), 0.001, False),
    ]:
        format_ = ladder(5, 2, snapshot, stop)
        assert format_.over is over
        assert (format_.next_table() is None) is over
        assert (format_.planned == 1) is over


@pytest.mark.parametrize("strength", [-99, 99])
def test_whoever_always_loses_or_always_wins_is_no_newcomer_for_ever(strength: int) -> None:
    bots = {"a": 0.2, "b": 0.1, "c": 0.0, "outlier": strength}
    format_ = Open([Entry(bot) for bot in bots], 2, OpenOptions(stop=200), SEED)
    played: Counter[str] = Counter()
    for number in range(400):
        table = format_.next_table()
        if table is None:
            break
        luck = {bot: bots[bot] + 2 * lot(SEED, "luck", number, bot) for bot in table}
        best, worst = sorted(table, key=luck.__getitem__, reverse=True)
        format_.played(won(number, best, worst))
        played.update(table)
    assert format_.over
    assert played["outlier"] < sum(played.values()) / 3


def test_the_margin_is_that_of_a_rating_relative_to_the_mean_of_all() -> None:
    # Independent errors with variance v: a difference has 2 v, a rating relative to the mean of n has v (n-1)/n.
    snapshot = known(4, variance=2 * 0.01)
    expected = 173.7178 * 2.0227 * math.sqrt(0.01 * 3 / 4)
    assert snapshot.widest_margin(names(4)) == pytest.approx(expected, rel=1e-4)


def test_it_is_fitted_again_only_when_blocks_have_grown_by_a_twentieth() -> None:
    fitted: list[int] = []

    def rate(_: Scoresheet, blocks: int) -> Snapshot:
        fitted.append(blocks)
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
