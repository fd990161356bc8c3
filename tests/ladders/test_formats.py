"""Round robin, gauntlet, Swiss and knockout: what is particular to each."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from ladders.blocks import seatings
from ladders.formats import Entry, FormatError, Table
from ladders.formats.gauntlet import Gauntlet, GauntletOptions
from ladders.formats.knockout import Knockout, KnockoutOptions
from ladders.formats.planned import PlannedOptions
from ladders.formats.round_robin import RoundRobin
from ladders.formats.swiss import Swiss, SwissOptions
from ladders.results import Block, Result

SEED = b"\x01" * 32


def field(bots: int, *owners: str) -> list[Entry]:
    """b00 is the best, whatever happens."""
    return [Entry(f"b{at:02}", owners[at % len(owners)] if owners else "") for at in range(bots)]


def in_order(table: Table, number: int = 0) -> Block:
    """The better bot always wins."""
    matches = []
    for row, seating in enumerate(seatings(len(table), number)):
        bots = tuple(table[label] for label in seating)
        places = tuple(sorted(bots).index(bot) + 1 for bot in bots)
        matches.append(Result(f"{number}.{row}", bots, places, (0,) * len(bots), (False,) * len(bots)))
    return Block(number, tuple(matches))


def tied(table: Table) -> Block:
    same = (1,) * len(table)
    return Block(0, (Result("0", table, same, same, (False,) * len(table)),))


def play(format_: RoundRobin | Gauntlet | Swiss | Knockout) -> list[Table]:
    tables = []
    while table := format_.next_table():
        tables.append(table)
        format_.played(in_order(table, len(tables)))
    assert format_.over
    return tables


def meetings(tables: list[Table]) -> Counter[Table]:
    return Counter(pair for table in tables for pair in combinations(table, 2))


@pytest.mark.parametrize(("seats", "bots"), [(2, 5), (3, 6), (4, 6)])
def test_in_a_round_robin_every_combination_plays_the_same_number_of_deals(seats: int, bots: int) -> None:
    tables = play(RoundRobin(field(bots), seats, PlannedOptions(deals=3), SEED))
    names = [entry.bot for entry in field(bots)]
    assert Counter(tables) == dict.fromkeys(combinations(names, seats), 3)


def test_all_tables_have_played_once_before_any_plays_again() -> None:
    tables = play(RoundRobin(field(5), 3, PlannedOptions(deals=2), SEED))
    assert sorted(tables[:10]) == sorted(tables[10:])
    assert len(set(tables[:10])) == 10


@pytest.mark.parametrize(("seats", "bots", "deals"), [(4, 20, 3), (6, 18, 5), (3, 24, 4)])
def test_where_there_are_too_many_tables_every_pair_meets_about_equally_often(
    seats: int, bots: int, deals: int
) -> None:
    tables = play(RoundRobin(field(bots), seats, PlannedOptions(deals=deals), SEED))
    met = meetings(tables)
    assert len(met) == bots * (bots - 1) // 2
    assert {deals - 1, deals, deals + 1} >= set(met.values())
    blocks = Counter(bot for table in tables for bot in table)
    assert max(blocks.values()) - min(blocks.values()) <= 3
    assert len(tables) == -(-deals * len(met) // (seats * (seats - 1) // 2))


def test_two_seats_are_exact_however_many_bots() -> None:
    met = meetings(play(RoundRobin(field(50), 2, PlannedOptions(deals=2), SEED)))
    assert met == dict.fromkeys(combinations([entry.bot for entry in field(50)], 2), 2)


def test_a_design_of_pairs_stays_balanced_when_it_is_stopped_and_when_bots_come_and_go() -> None:
    def fresh(bots: int) -> RoundRobin:
        return RoundRobin(field(bots), 4, PlannedOptions(deals=4), SEED)

    format_ = fresh(20)
    tables = [format_.next_table() for _ in range(60)]
    done = [in_order(table) for table in tables[::2] if table]
    format_ = fresh(20)
    for block in done:
        format_.played(block)
    format_.withdraw("b03")
    format_.enter(Entry("b20"))
    met = meetings([block.table for block in done] + play(format_))
    still_there = [pair for pair in met if "b03" not in pair]
    assert len(still_there) == 190
    assert {met[pair] for pair in still_there} <= {3, 4, 5}


def test_e1_a_design_of_pairs_keeps_owners_apart_and_lets_everybody_play() -> None:
    entries = field(24, "ann", "ben", "cat", "dan", "eve")
    owner = {entry.bot: entry.owner for entry in entries}
    tables = play(RoundRobin(entries, 4, PlannedOptions(deals=3), SEED))
    assert all(len({owner[bot] for bot in table}) == 4 for table in tables)
    met = meetings(tables)
    assert len(met) == sum(owner[a] != owner[b] for a, b in combinations(owner, 2))
    assert max(met.values()) - min(met.values()) <= 2


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_in_a_gauntlet_one_challenger_sits_at_every_table(seats: int) -> None:
    options = GauntletOptions(challengers=("b01", "b04"), deals=2)
    tables = play(Gauntlet(field(7), seats, options, SEED))
    assert all(len({"b01", "b04"} & set(table)) == 1 for table in tables)
    others = ("b00", "b02", "b03", "b05", "b06")
    expected = [tuple(sorted((one, *rest))) for one in ("b01", "b04") for rest in combinations(others, seats - 1)]
    assert Counter(tables) == dict.fromkeys(expected, 2)


def test_a_large_gauntlet_brings_every_challenger_before_everybody_equally_often() -> None:
    options = GauntletOptions(challengers=("b00", "b01"), deals=6)
    tables = play(Gauntlet(field(30), 4, options, SEED))
    met = meetings(tables)
    assert {met[one, f"b{other:02}"] for one in ("b00", "b01") for other in range(2, 30)} == {6}
    assert met["b00", "b01"] == 0


@pytest.mark.parametrize(
    ("challengers", "said"),
    [((), "nobody is named: name some of b00, b01, b02"), (("tiger",), "tiger is not among the bots")],
)
def test_a_gauntlet_without_its_challengers_is_refused(challengers: tuple[str, ...], said: str) -> None:
    with pytest.raises(FormatError, match=said):
        Gauntlet(field(3), 2, GauntletOptions(challengers=challengers), SEED)


def test_a_gauntlet_that_nobody_can_play_is_refused() -> None:
    with pytest.raises(FormatError, match="no challenger finds 1 opponent of other owners"):
        Gauntlet(field(2), 2, GauntletOptions(challengers=("b00", "b01")), SEED)


@pytest.mark.parametrize(("seats", "bots"), [(2, 7), (3, 10), (4, 11), (5, 9), (6, 20)])
def test_nobody_is_ever_more_than_one_round_behind_in_a_swiss(seats: int, bots: int) -> None:
    format_ = Swiss(field(bots), seats, SwissOptions(deals=1, rounds=9), SEED)
    tables = play(format_)
    a_round = bots // seats
    assert len(tables) == 9 * a_round
    for rounds in range(1, 10):
        played = Counter(bot for table in tables[: rounds * a_round] for bot in table)
        assert max(played.values()) - min(played[entry.bot] for entry in field(bots)) <= 1


def test_a_swiss_has_as_many_rounds_as_it_takes_to_leave_one_unbeaten() -> None:
    for bots, rounds in [(2, 1), (8, 3), (9, 4), (16, 4)]:
        assert Swiss(field(bots), 2, SwissOptions(deals=1), SEED).planned == rounds * (bots // 2)


def test_a_swiss_seats_winners_with_winners_and_no_pair_twice() -> None:
    tables = play(Swiss(field(16), 2, SwissOptions(deals=1), SEED))
    wins: Counter[str] = Counter()
    for rounds in range(4):
        this_round = tables[8 * rounds : 8 * rounds + 8]
        # Sixteen halve evenly: nobody needs an opponent from another group of points.
        assert all(wins[one] == wins[other] for one, other in this_round)
        wins.update(min(table) for table in this_round)
    assert wins["b00"] == 4
    assert max(meetings(tables).values()) == 1


def test_the_next_round_waits_for_the_last_result() -> None:
    format_ = Swiss(field(4), 2, SwissOptions(deals=1), SEED)
    first, second = format_.next_table(), format_.next_table()
    assert first and second and format_.next_table() is None and not format_.over
    format_.played(in_order(second))
    assert format_.next_table() is None
    format_.played(in_order(first))
    assert format_.next_table() is not None


def test_e1_a_swiss_seats_as_many_as_one_large_owner_allows() -> None:
    entries = [*field(6, "ann"), *(Entry(f"c{at}") for at in range(4))]
    tables = play(Swiss(entries, 2, SwissOptions(deals=1, rounds=6), SEED))
    assert len(tables) == 6 * 4
    assert all(ann.startswith("b") and other.startswith("c") for ann, other in tables)
    assert set(Counter(ann for ann, _ in tables).values()) == {4}


def test_whoever_comes_in_the_last_round_is_too_late() -> None:
    format_ = Swiss(field(4), 2, SwissOptions(deals=1, rounds=1), SEED)
    with pytest.raises(FormatError, match="b09 is too late: the last round has begun"):
        format_.enter(Entry("b09"))


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("more", [0, 1, 2, 5, 11, 24])
def test_a_knockout_is_won_by_whoever_wins_every_game(seats: int, more: int) -> None:
    format_ = Knockout(field(seats + more), seats, KnockoutOptions(deals=1), SEED)
    planned = format_.planned
    tables = play(format_)
    assert len(tables) == planned
    assert format_.places["b00"] == 1
    assert set(format_.places) == {entry.bot for entry in field(seats + more)}
    final = tables[-1]
    assert sorted(format_.places[bot] for bot in final) == list(range(1, seats + 1))
    assert max(format_.places.values()) <= seats + more
    assert [format_.places[bot] for bot in sorted(final)] == list(range(1, seats + 1))


def test_with_two_seats_everyone_but_the_winner_loses_once() -> None:
    tables = play(Knockout(field(13), 2, KnockoutOptions(deals=1), SEED))
    assert len(tables) == 12
    assert Counter(max(table) for table in tables) == dict.fromkeys((f"b{at:02}" for at in range(1, 13)), 1)


def test_of_four_at_a_table_two_go_on_or_as_many_as_are_told() -> None:
    assert Knockout(field(16), 4, KnockoutOptions(deals=1), SEED).planned == 4 + 2 + 1
    assert Knockout(field(16), 4, KnockoutOptions(deals=1, advance=1), SEED).planned == 4 + 1
    with pytest.raises(FormatError, match="of 4 at a table 1 to 3 can go on, not 4"):
        Knockout(field(16), 4, KnockoutOptions(advance=4), SEED)


def test_ties_are_broken_by_first_places_and_then_by_the_lot_of_the_draw() -> None:
    format_ = Knockout(field(3), 3, KnockoutOptions(deals=1), SEED)
    table = format_.next_table()
    assert table is not None
    # Everyone beat as many: b00 as first and last, the others in the middle.
    results = [
        Result("0", table, (1, 2, 3), (0, 0, 0), (False,) * 3),
        Result("1", table, (3, 2, 1), (0, 0, 0), (False,) * 3),
        Result("2", table, (1, 3, 2), (0, 0, 0), (False,) * 3),
        Result("3", table, (3, 1, 2), (0, 0, 0), (False,) * 3),
    ]
    format_.played(Block(0, tuple(results)))
    assert format_.places["b00"] == 1

    winners = set()
    for seed in range(20):
        format_ = Knockout(field(2), 2, KnockoutOptions(deals=1), bytes([seed]))
        table = format_.next_table()
        assert table is not None
        format_.played(tied(table))
        winners |= {bot for bot, place in format_.places.items() if place == 1}
        assert sorted(format_.places.values()) == [1, 2]
    assert winners == {"b00", "b01"}


def test_a_bot_that_withdraws_from_the_final_is_last_in_it() -> None:
    format_ = Knockout(field(3), 3, KnockoutOptions(deals=5), SEED)
    table = format_.next_table()
    assert table is not None
    format_.withdraw("b00")
    assert format_.next_table() is None and not format_.over  # one block is still under way
    format_.played(in_order(table))
    assert format_.over and format_.planned == 1
    assert format_.places == {"b01": 1, "b02": 2, "b00": 3}


def test_when_too_few_are_left_for_a_final_the_last_round_decides() -> None:
    format_ = Knockout(field(5), 3, KnockoutOptions(deals=1), SEED)
    for bot in ("b00", "b01", "b02"):
        format_.withdraw(bot)
    assert format_.over
    assert {format_.places[bot] for bot in ("b03", "b04")} == {1, 2}
