"""What every format must do.  A format passes by subclassing `FormatContract` and saying which options to try.

Results are invented, but always the same: they follow from the table and from how often it has played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import pytest

from ladders.blocks import seatings
from ladders.formats import FORMATS, Entry, Format, FormatError, Options, Table
from ladders.lots import labelled, lot, shuffled
from ladders.results import Block, Result

SEED = b"seed" * 8
BOTS = tuple(f"bot-{letter}" for letter in "abcdefghijklmnopqrstuvwxyz")
FIELDS = [(seats, bots) for seats in range(2, 7) for bots in (seats, seats + 1, min(2 * seats + 1, 9))]
ENDLESS_ENOUGH = 50
fields = pytest.mark.parametrize(("seats", "bots"), FIELDS)


def entries(bots: int, owners: Sequence[str] = ()) -> list[Entry]:
    return [Entry(bot, owners[at] if owners else "") for at, bot in enumerate(BOTS[:bots])]


@cache
def finished(number: int, table: Table, time: int) -> Block:
    """A block as it always ends when this table plays for the so-manieth time: bot-a is best, with some luck."""
    matches = []
    for row, seating in enumerate(seatings(len(table), number)):
        bots = tuple(table[label] for label in seating)
        strength = [BOTS.index(bot) + 6 * lot(SEED, *table, time, row, bot) for bot in bots]
        places = tuple(1 + sum(other < own for other in strength) for own in strength)
        nobody = (False,) * len(table)
        matches.append(Result(f"{number}.{row}", bots, places, tuple(-place for place in places), nobody))
    return Block(number, tuple(matches))


class Ladder:
    """Plays what a format hands out and keeps the results."""

    def __init__(self, format_: Format[Any], stored: Iterable[Block] = ()) -> None:
        self.format = format_
        self.blocks = list(stored)
        self.times = Counter(block.table for block in self.blocks)
        self.under_way: list[Table] = []
        self.handed_out: list[Table] = []
        for block in self.blocks:
            format_.played(block)

    def hand_out(self) -> Table | None:
        table = self.format.next_table()
        if table is not None:
            self.under_way.append(table)
            self.handed_out.append(table)
        return table

    def finish(self, table: Table) -> Block:
        self.under_way.remove(table)
        block = finished(len(self.blocks), table, self.times[table])
        self.times[table] += 1
        self.blocks.append(block)
        self.format.played(block)
        return block

    def play(self, blocks: int = 10_000, at_once: int = 1) -> list[Table]:
        """The tables handed out until it is over or enough; several at once finish in a wild order."""
        start = len(self.handed_out)
        while len(self.handed_out) - start < blocks:
            while len(self.under_way) < at_once and self.hand_out():
                pass
            if not self.under_way:
                break
            self.finish(shuffled(SEED, self.under_way, "finish", len(self.blocks))[0])
        return self.handed_out[start:]


class FormatContract:
    """Subclass, name the format, and say how to make its options."""

    name: str
    takes_newcomers = True
    seats_owners_apart = True
    """False: refuses bots of one owner instead."""

    def options(self, bots: int, **more: Any) -> Options:
        return FORMATS[self.name].options_type(**more)

    def format(self, field: Sequence[Entry], seats: int, seed: bytes = SEED, **more: Any) -> Format[Any]:
        return FORMATS[self.name](field, seats, self.options(len(field), **more), seed)

    def find_opponents(self, field: Sequence[Entry]) -> set[str]:
        """Who plays at all when bots of one owner are kept apart."""
        return {entry.bot for entry in field}

    def ladder(self, bots: int, seats: int, stored: Iterable[Block] = ()) -> Ladder:
        return Ladder(self.format(entries(bots), seats), stored)

    def whole(self, ladder: Ladder, at_once: int = 1) -> list[Table]:
        return ladder.play(ENDLESS_ENOUGH if FORMATS[self.name].endless else 10_000, at_once)

    @fields
    def test_everybody_plays_at_full_tables(self, seats: int, bots: int) -> None:
        tables = self.whole(self.ladder(bots, seats))
        assert {bot for table in tables for bot in table} == set(BOTS[:bots])
        assert all(len(set(table)) == seats and list(table) == sorted(table) for table in tables)

    @fields
    def test_it_ends_as_planned_or_says_that_it_never_ends(self, seats: int, bots: int) -> None:
        ladder = self.ladder(bots, seats)
        planned = ladder.format.planned
        assert not ladder.format.over
        blocks = len(self.whole(ladder))
        if ladder.format.endless:
            assert planned is None and ladder.format.planned is None and not ladder.format.over
            assert blocks == ENDLESS_ENOUGH
        else:
            assert planned == blocks == ladder.format.planned and ladder.format.over
            assert ladder.format.next_table() is None

    @fields
    def test_everyone_has_every_seat_equally_often(self, seats: int, bots: int) -> None:
        sat: Counter[tuple[str, int]] = Counter()
        played: Counter[str] = Counter()
        for number, table in enumerate(self.whole(self.ladder(bots, seats))):
            labels = labelled(SEED, number, table)
            played.update(table)
            sat.update((labels[label], seat) for row in seatings(seats, number) for seat, label in enumerate(row))
        assert all(sat[bot, seat] == played[bot] for bot in played for seat in range(seats))

    @fields
    def test_it_goes_on_from_any_number_of_results(self, seats: int, bots: int) -> None:
        once = self.ladder(bots, seats)
        tables = self.whole(once)
        for played in range(len(tables)):
            again = self.ladder(bots, seats, once.blocks[:played])
            assert again.format.planned == once.format.planned
            assert again.hand_out() == tables[played]
        for played in (len(tables) // 3, len(tables) // 2):
            again = self.ladder(bots, seats, once.blocks[:played])
            assert again.play(len(tables) - played) == tables[played:]
            assert again.format.over == once.format.over

    @fields
    def test_results_may_come_in_any_order(self, seats: int, bots: int) -> None:
        tables = self.whole(self.ladder(bots, seats))
        wild = self.ladder(bots, seats)
        some = self.whole(wild, at_once=5)
        assert all(len(set(table)) == seats for table in some)
        if not wild.format.endless:
            assert Counter(some) == Counter(tables) and wild.format.over

    @fields
    def test_what_was_under_way_when_it_stopped_is_handed_out_again(self, seats: int, bots: int) -> None:
        tables = self.whole(self.ladder(bots, seats))
        ladder = self.ladder(bots, seats)
        for stop_after in (2, 5):
            while len(ladder.under_way) < 4 and ladder.hand_out():
                pass
            for table in ladder.under_way[:1:-1][:stop_after]:
                ladder.finish(table)
            ladder = self.ladder(bots, seats, ladder.blocks)
        self.whole(ladder, at_once=3)
        if not ladder.format.endless:
            assert Counter(block.table for block in ladder.blocks) == Counter(tables)

    @fields
    def test_a_void_block_is_handed_out_again(self, seats: int, bots: int) -> None:
        tables = self.whole(self.ladder(bots, seats))
        ladder = self.ladder(bots, seats)
        planned = ladder.format.planned
        first = ladder.hand_out()
        assert first is not None
        ladder.hand_out()
        ladder.under_way.remove(first)
        ladder.format.dropped(first)
        assert not ladder.format.over and ladder.format.planned == planned
        assert ladder.hand_out() == first
        self.whole(ladder)
        if not ladder.format.endless:
            assert Counter(block.table for block in ladder.blocks) == Counter(tables)

    def test_a_block_that_comes_in_after_it_was_given_up_is_not_played_again(self) -> None:
        tables = self.whole(self.ladder(4, 2))
        ladder = self.ladder(4, 2)
        first = ladder.hand_out()
        assert first is not None
        ladder.format.dropped(first)
        ladder.finish(first)
        self.whole(ladder)
        if not ladder.format.endless:
            assert Counter(block.table for block in ladder.blocks) == Counter(tables)

    def test_only_what_is_under_way_can_be_dropped(self) -> None:
        format_ = self.format(entries(4), 2)
        with pytest.raises(ValueError, match="no block of bot-a, bot-b is under way"):
            format_.dropped(("bot-a", "bot-b"))

    @fields
    def test_the_same_seed_gives_the_same_tables_whatever_the_order_of_entries(
        self, seats: int, bots: int
    ) -> None:
        tables = self.whole(self.ladder(bots, seats))
        assert self.whole(Ladder(self.format(entries(bots)[::-1], seats))) == tables

    def test_another_seed_gives_other_tables(self) -> None:
        tables = self.whole(self.ladder(9, 3))
        assert self.whole(Ladder(self.format(entries(9), 3, seed=b"other"))) != tables

    @fields
    def test_a_newcomer_plays_or_is_told_why_not(self, seats: int, bots: int) -> None:
        ladder = self.ladder(bots, seats)
        ladder.play(2)
        if not self.takes_newcomers:
            with pytest.raises(FormatError, match="late"):
                ladder.format.enter(Entry("late"))
            return
        ladder.format.enter(Entry(BOTS[-1]))
        assert any(BOTS[-1] in table for table in self.whole(ladder))
        assert ladder.format.over != ladder.format.endless

    @fields
    def test_whoever_withdraws_gets_no_new_blocks(self, seats: int, bots: int) -> None:
        ladder = self.ladder(bots, seats)
        ladder.play(1)
        first = ladder.hand_out()
        second = ladder.hand_out()
        assert first is not None
        leaver = first[-1]
        ladder.under_way.remove(first)
        ladder.format.dropped(first)
        ladder.format.withdraw(leaver)
        if second is not None and leaver in second:
            ladder.under_way.remove(second)
            ladder.format.dropped(second)
        tables = self.whole(ladder, at_once=2)
        assert not any(leaver in table for table in tables)
        assert ladder.format.over != ladder.format.endless
        if not ladder.format.endless:
            assert ladder.format.planned == len(ladder.blocks)
        with pytest.raises(FormatError, match="does not take part"):
            ladder.format.withdraw(leaver)

    def test_a_block_under_way_counts_though_its_bot_withdrew(self) -> None:
        ladder = self.ladder(6, 2)
        first = ladder.hand_out()
        assert first is not None
        ladder.format.withdraw(first[0])
        ladder.finish(first)
        assert not any(first[0] in table for table in self.whole(ladder))
        assert ladder.format.over != ladder.format.endless

    @fields
    def test_e1_bots_of_one_owner_never_share_a_table(self, seats: int, bots: int) -> None:
        owners = [f"owner-{at % (seats + 1)}" for at in range(bots + seats)]
        field = entries(bots + seats, owners)
        if not self.seats_owners_apart:
            with pytest.raises(FormatError, match="same_owner = true"):
                self.format(field, seats)
            return
        owner = {entry.bot: entry.owner for entry in field}
        tables = self.whole(Ladder(self.format(field, seats)))
        assert {bot for table in tables for bot in table} == self.find_opponents(field)
        assert all(len({owner[bot] for bot in table}) == seats for table in tables)

    @fields
    def test_e1_bots_of_one_owner_meet_where_that_is_wanted(self, seats: int, bots: int) -> None:
        tables = self.whole(Ladder(self.format(entries(bots, ["me"] * bots), seats, same_owner=True)))
        assert tables == self.whole(self.ladder(bots, seats))

    def test_e1_a_field_of_one_owner_is_refused_with_a_sentence(self) -> None:
        with pytest.raises(FormatError, match=r"3 bots of 1 owner cannot fill 2 seats: .* same_owner = true"):
            self.format(entries(3, ["me"] * 3), 2)

    def test_fewer_bots_than_seats_are_refused_with_a_sentence(self) -> None:
        with pytest.raises(FormatError, match="4 seats need 4 bots, and 3 entered: enter more"):
            self.format(entries(3), 4)
        with pytest.raises(FormatError, match="at least 2 seats, not 1"):
            self.format(entries(3), 1)

    def test_stored_blocks_of_bots_that_have_left_do_no_harm(self) -> None:
        strangers = finished(0, ("bot-x", "bot-y"), 0)
        ladder = self.ladder(5, 2, [strangers, finished(1, ("bot-a", "bot-y"), 0)])
        tables = self.whole(ladder)
        assert {bot for table in tables for bot in table} == set(BOTS[:5])

    def test_nobody_is_entered_twice(self) -> None:
        with pytest.raises(FormatError, match="bot-a is entered twice"):
            self.format([*entries(3), Entry("bot-a")], 2)

    def test_who_forfeits_more_than_a_fifth_of_fifty_games_is_reported(self) -> None:
        format_ = self.format(entries(4), 2)
        for number in range(11):
            assert format_.benched == frozenset()
            result = Result(f"{number}", ("bot-a", "bot-b"), (2, 1), (0, 0), (True, False))
            format_.played(Block(number, (result,)))
        assert format_.benched == {"bot-a"}
        for number in range(11, 51):
            result = Result(f"{number}", ("bot-a", "bot-b"), (2, 1), (0, 0), (False, False))
            format_.played(Block(number, (result,)))
        assert format_.benched == frozenset()
