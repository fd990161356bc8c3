"""What the store must do, whatever database lies under it.

A database passes by subclassing `StoreContract` and giving a fixture `where`: the path or URL of an empty one.
"""

from __future__ import annotations

import csv
import io
import json
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from arena.store import Division, Finished, Seat, StoreError, Unknown, Voided, open_store
from arena.store.matches import SORTS, Wanted
from arena.store.programs import NewProgram
from arena.store.roster import NewEntry, Turn
from tests.store.sheep_blocks import LABELS, SHEEP, as_block, finished, planned, play, spring


def with_seat(block: Finished, **changes: object) -> Finished:
    """The block, but its first match's first seat differs."""
    first, *rest = block.matches
    seats = (first.seats[0]._replace(**changes), *first.seats[1:])
    return replace(block, matches=(replace(first, seats=seats), *rest))


class StoreContract:
    @pytest.fixture
    def store(self, where):
        with open_store(where) as store:
            yield store

    @pytest.fixture
    def ladder(self, store):
        return spring(store)

    def test_what_was_stored_is_there_when_opened_again(self, store, ladder, where):
        blocks = play(store, ladder, 0, 1)
        store.close()
        with open_store(where) as again:
            assert again.find_ladder("spring") == ladder
            assert list(again.blocks_of(ladder, SHEEP)) == [as_block(block) for block in blocks]

    def test_a_name_is_taken_once_and_a_wrong_one_gets_a_hint(self, store, ladder):
        with pytest.raises(StoreError, match='already a ladder called "spring"'):
            store.create_ladder("spring", seed_commitment="00" * 32)
        with pytest.raises(Unknown, match='no ladder "sprin"; did you mean "spring"'):
            store.find_ladder("sprin")
        series = store.create_ladder("run-1", kind="series", seed_commitment="11" * 32)
        assert store.list_ladders() == [ladder, series]
        assert store.list_ladders("series") == [series]
        assert ladder.settings == {"deals": 10, "format": "open"}

    def test_a_bot_is_entered_once_and_another_program_needs_another_label(self, store, ladder):
        assert [entry.label for entry in store.bots_of(ladder)] == list(LABELS)
        tiger = NewEntry("tiger", "tiger", "1", "bert", "hash of tiger", {"run": ["./tiger"]})
        assert store.add_bot(ladder, tiger) == store.bots_of(ladder)[2]
        with pytest.raises(StoreError, match='already has another program called "tiger"'):
            store.add_bot(ladder, replace(tiger, content="something else"))
        assert store.add_bot(ladder, replace(tiger, label="tiger-2", content="new")).manifest == {
            "run": ["./tiger"]
        }
        store.set_bot_status(ladder, "tiger", "benched")
        assert [entry.status for entry in store.bots_of(ladder)] == ["playing", "playing", "benched", "playing"]
        with pytest.raises(Unknown, match='no bot "lion"'):
            store.set_bot_status(ladder, "lion", "paused")

    def test_e9_a_planned_block_shows_its_commitments_and_nothing_else(self, store, ladder):
        plan = planned(0)
        store.plan_blocks(ladder, [plan])
        assert list(store.blocks_of(ladder, SHEEP)) == []
        assert store.rows_of(ladder, SHEEP).rows == []
        assert store.match_list(Wanted()) == []
        assert list(store.export_json_lines(ladder)) == []
        for match, commitment in plan.matches:
            found = store.match(match)
            assert (found.state, found.commitment, found.line) == ("planned", commitment, None)
            with pytest.raises(StoreError, match=f"{match} is not finished: its record is sealed"):
                store.record_of(match)
            with pytest.raises(StoreError, match="no finished seat 0"):
                store.stderr_of(match, 0, None)
        assert store.counts(ladder) == (1, 0, 0, 0, 0)

    def test_a_finished_block_is_there_as_a_whole(self, store, ladder):
        (block,) = play(store, ladder, 4)
        assert list(store.blocks_of(ladder, SHEEP)) == [as_block(block)]
        rows, names = store.rows_of(ladder, SHEEP)
        assert [(*row[:3], names[row[3]], *row[4:]) for row in rows] == [
            (4, seating, seat, told.bot, told.place, told.points, 0)
            for seating, played in enumerate(block.matches)
            for seat, told in enumerate(played.seats)
        ]
        for played in block.matches:
            assert store.record_of(played.match) == played.record
            line = store.match(played.match).line
            assert line is not None and line.seats == played.seats and line.moves == 41
            assert store.match(played.match).text == ""
        assert store.counts(ladder) == (0, 1, 0, 2, 0)
        assert store.next_number(ladder) == 5

    def test_f13_hand_ins_twice_and_shuffled_count_once_in_the_order_of_numbers(self, store, ladder):
        plans = [planned(number) for number in range(12)]
        blocks = [finished(plan) for plan in plans]
        handed_in = blocks * 2
        random.Random(13).shuffle(handed_in)
        store.plan_blocks(ladder, plans)
        outcomes = [
            outcome for at in range(0, 24, 5) for outcome in store.finish_blocks(ladder, handed_in[at : at + 5])
        ]
        assert sorted(outcomes) == ["known"] * 12 + ["stored"] * 12
        assert list(store.blocks_of(ladder, SHEEP)) == [as_block(block) for block in blocks]
        assert store.counts(ladder) == (0, 12, 0, 24, 0)
        assert store.verify_chain(ladder) == (12, 24, "")

    def test_f13_a_different_hand_in_is_kept_aside_and_changes_nothing(self, store, ladder):
        (block,) = play(store, ladder, 0)
        lie = with_seat(block, points=999)
        assert store.finish_blocks(ladder, [lie, lie, block]) == ["review", "review", "known"]
        assert store.finish_blocks(ladder, [lie]) == ["review"]
        shorter = replace(block, matches=block.matches[:1])
        longer = replace(block, matches=(*block.matches, block.matches[0]))
        assert store.finish_blocks(ladder, [shorter, longer]) == ["review", "review"]
        assert list(store.blocks_of(ladder, SHEEP)) == [as_block(block)]
        assert store.counts(ladder).reviews == 1
        assert [(held.number, held.reason) for held in store.reviews_of(ladder)] == [(0, "two results differ")] * 3
        assert store.reviews_of(ladder)[0].handed_in == lie
        match = block.matches[0].match
        assert store.match(match).text == f"match {match} is held for review: two results differ"
        assert store.verify_chain(ladder).damage == ""

    def test_what_was_not_planned_is_held_for_review(self, store, ladder):
        plan = planned(0)
        store.plan_blocks(ladder, [plan])
        stranger = with_seat(finished(plan), bot="tiger")
        assert store.finish_blocks(ladder, [stranger]) == ["review"]
        assert store.counts(ladder) == (1, 0, 0, 0, 1)
        assert store.finish_blocks(ladder, [finished(plan)]) == ["stored"]

    def test_a_batch_is_written_as_a_whole_or_not_at_all(self, store, ladder):
        plan = planned(0)
        store.plan_blocks(ladder, [plan])
        with pytest.raises(StoreError, match="block 1 of spring was never planned"):
            store.finish_blocks(ladder, [finished(plan), finished(planned(1))])
        assert store.counts(ladder) == (1, 0, 0, 0, 0)
        assert store.verify_chain(ladder) == (0, 0, "")

    def test_the_same_plan_twice_is_one_plan_and_another_is_refused(self, store, ladder):
        store.plan_blocks(ladder, [planned(0), planned(0)])
        store.plan_blocks(ladder, [planned(0), planned(1)])
        assert store.counts(ladder).planned == 2
        for other in (
            replace(planned(0), matches=planned(7).matches),
            planned(0, ("greedy", "tiger")),
            planned(0, replaces=1),
        ):
            with pytest.raises(StoreError, match="block 0 of spring was already planned otherwise"):
                store.plan_blocks(ladder, [other])
        with pytest.raises(StoreError, match="lion is not entered on spring"):
            store.plan_blocks(ladder, [planned(2, ("greedy", "lion"))])

    def test_f1_what_a_killed_arena_left_is_void_and_replayed_with_a_new_deal(self, store, ladder):
        play(store, ladder, 0)
        store.plan_blocks(ladder, [planned(1), planned(2)])
        void = store.void_unfinished(ladder)
        assert void == [planned(1), planned(2)]
        assert store.void_unfinished(ladder) == []
        assert store.finish_blocks(ladder, [finished(planned(1))]) == ["void"]
        again = planned(store.next_number(ladder), replaces=1)
        store.plan_blocks(ladder, [again])
        old, new = void[0].matches[1][0], again.matches[1][0]
        assert store.match(old).text == (
            f"match {old} was void: the arena stopped. It is replayed with a new deal as {new}"
        )
        assert store.finish_blocks(ladder, [finished(again)]) == ["stored"]
        with pytest.raises(StoreError, match="was void: the arena stopped"):
            store.record_of(old)
        assert [block.number for block in store.blocks_of(ladder, SHEEP)] == [0, 3]
        assert store.counts(ladder) == (0, 2, 2, 4, 0)
        assert store.verify_chain(ladder) == (4, 4, "")

    def test_when_bots_came_and_went_is_kept_and_no_link_depends_on_it(self, store, ladder):
        play(store, ladder, 0)
        head, before = store.head_of(ladder), store.bots_of(ladder)
        label = before[0].label
        store.write_turns(ladder, {label: [Turn(0), Turn(7, (4, 6))]})
        after = store.bots_of(ladder)
        assert after[0].turns == (Turn(0), Turn(7, (4, 6))) and after[1:] == before[1:]
        assert store.head_of(ladder) == head and not store.verify_chain(ladder).damage

    def test_one_block_can_be_void_by_the_operator(self, store, ladder):
        plan = planned(0)
        store.plan_blocks(ladder, [plan, planned(1)])
        store.write(ladder, voided=[Voided(0, "stopped by the operator"), Voided(9, "never planned")])
        assert (
            store.match(plan.matches[0][0]).text
            == f"match {plan.matches[0][0]} was void: stopped by the operator."
        )
        assert store.counts(ladder) == (1, 0, 1, 0, 0)

    def test_divisions_and_ladders_do_not_mix(self, store, ladder):
        other = spring(store, "autumn")
        three, short = Division.of("sheepzzz", {}, 3), Division.of("sheepzzz", {"rounds": 1}, 2)
        plans = [planned(0), planned(1, LABELS), planned(2, division=short)]
        store.plan_blocks(ladder, plans)
        store.finish_blocks(ladder, [finished(plan) for plan in plans])
        play(store, other, 0, 1)
        assert store.divisions_of(ladder) == {SHEEP: 1, three: 1, short: 1}
        assert store.divisions_of(other) == {SHEEP: 2}
        assert [block.number for block in store.blocks_of(ladder, three)] == [1]
        assert [block.number for block in store.blocks_of(ladder, short)] == [2]
        assert list(store.blocks_of(other, short)) == []
        assert store.rows_of(other, three).rows == []

    def test_matches_are_listed_by_what_is_wanted(self, store, ladder):
        plans = [planned(0), planned(1, ("greedy", "tiger")), planned(2, ("random", "tiger"))]
        blocks = [finished(plan) for plan in plans]
        blocks[2] = with_seat(blocks[2], code="CRASH", forfeited=True, strikes=3, moves=500)
        store.plan_blocks(ladder, plans)
        store.finish_blocks(ladder, blocks)

        def found(**wanted: object) -> list[int]:
            return [line.block for line in store.match_list(Wanted(**wanted))]

        assert found() == [2, 2, 1, 1, 0, 0]
        assert found(sort="oldest", limit=3) == [0, 0, 1]
        assert found(sort="oldest", limit=3, offset=3) == [1, 2, 2]
        assert found(bot="greedy") == [1, 1, 0, 0]
        assert found(bot="tiger", versus="random") == [2, 2]
        assert found(code="CRASH") == [2]
        assert found(sort="longest", limit=1) == found(sort="slowest", limit=1) == [2]
        assert found(ladder="autumn") == found(game="wolfpack") == found(bot="lion") == []
        assert len(found(ladder="spring", game="sheepzzz")) == 6
        now = datetime.now(UTC)
        assert len(found(since=now - timedelta(hours=1))) == 6
        assert found(since=now + timedelta(hours=1)) == []
        crashed = store.match_list(Wanted(code="CRASH"))[0]
        assert crashed.seats[0] == Seat("random", 1, 7, True, 3, 500, 0, "CRASH")
        with pytest.raises(StoreError, match=f"known: {', '.join(SORTS)}"):
            store.match_list(Wanted(sort="moves; drop table"))

    def test_a_match_is_found_by_a_beginning_that_only_it_has(self, store, ladder):
        plans = [replace(planned(0), matches=(("m-ab12", "00" * 32), ("m-ab34", "11" * 32)))]
        store.plan_blocks(ladder, plans)
        assert store.match("m-ab1").match == "m-ab12"
        assert store.match("m-ab34").match == "m-ab34"
        with pytest.raises(Unknown, match='several matches begin with "m-ab": m-ab12, m-ab34'):
            store.match("m-ab")
        for nothing in ("m-ac", "M-AB12", "%", "m_ab12", "m-ab12'"):
            with pytest.raises(Unknown, match="there is no match"):
                store.match(nothing)

    def test_stderr_is_for_the_owner_and_the_operator(self, store, ladder):
        plan = planned(0, ("greedy", "tiger"))
        block = finished(plan)
        first = replace(block.matches[0], stderr={1: b"Segmentation fault\n"})
        store.plan_blocks(ladder, [plan])
        store.finish_blocks(ladder, [replace(block, matches=(first, block.matches[1]))])
        assert first.seats[1].bot == "tiger"
        assert store.stderr_of(first.match, 1, None) == b"Segmentation fault\n"
        assert store.stderr_of(first.match, 1, "bert") == b"Segmentation fault\n"
        assert store.stderr_of(first.match, 0, "anna") == b""
        for other in ("anna", ""):
            with pytest.raises(StoreError, match="only its owner and the operator"):
                store.stderr_of(first.match, 1, other)

    def test_h14_exports_hold_every_seat_and_no_formula(self, store, ladder):
        store.add_bot(ladder, NewEntry("=cmd()", "cmd"))
        plan = planned(0, ("=cmd()", "greedy"))
        store.plan_blocks(ladder, [plan])
        block = with_seat(finished(plan), points=-5)
        store.finish_blocks(ladder, [block])
        lines = [json.loads(line) for line in store.export_json_lines(ladder)]
        assert [[seat["bot"] for seat in line["seats"]] for line in lines] == [
            [seat.bot for seat in played.seats] for played in block.matches
        ]
        rows = list(csv.DictReader(io.StringIO("".join(store.export_csv(ladder)))))
        assert [row["bot"] for row in rows] == ["'=cmd()", "greedy", "greedy", "'=cmd()"]
        assert rows[0]["points"] == "-5"
        assert {row["match"] for row in rows} == {played.match for played in block.matches}

    def test_f15_a_clock_that_jumps_changes_no_order(self, where):
        moments = iter(
            datetime(2030, 1, 1, tzinfo=UTC) + timedelta(days=day) for day in (0, 5, -900, 3, 0, -1) * 20
        )
        with open_store(where, clock=lambda: next(moments)) as store:
            ladder = spring(store)
            for number in range(8):
                play(store, ladder, number)
            assert [block.number for block in store.blocks_of(ladder, SHEEP)] == list(range(8))
            assert [line.block for line in store.match_list(Wanted(sort="oldest"))] == sorted([*range(8)] * 2)
            assert store.verify_chain(ladder) == (8, 16, "")

    def test_readers_see_one_moment_while_others_write(self, store, ladder, where):
        play(store, ladder, 0, 1)
        reading = store.blocks_of(ladder, SHEEP)
        assert next(reading).number == 0
        with open_store(where) as other:
            play(other, ladder, 2)
        assert [block.number for block in reading] == [1]
        assert [block.number for block in store.blocks_of(ladder, SHEEP)] == [0, 1, 2]

    def test_many_blocks_at_once(self, store, ladder):
        blocks = play(store, ladder, *range(1100))
        assert list(store.blocks_of(ladder, SHEEP)) == [as_block(block) for block in blocks]
        assert sum(1 for _ in store.export_json_lines(ladder)) == 2200
        store.plan_blocks(ladder, [planned(number) for number in range(1100, 1150)])
        assert len(store.void_unfinished(ladder)) == 50
        assert store.verify_chain(ladder) == (1150, 2200, "")

    def test_e3_a_program_is_recorded_once_and_never_replaced(self, store):
        tiger = NewProgram("tiger", "0.1", "ann", ("sheepzzz",), "s1", "c1", "failed", "full", [{"number": 1}])
        assert store.add_program(tiger).status == "failed"
        ready = store.add_program(replace(tiger, source="s2", content="c2", status="ready"))
        assert (ready.label, ready.content, ready.report) == ("tiger@0.1", "c2", ({"number": 1},))
        with pytest.raises(StoreError, match=r'already a program called "tiger@0\.1"'):
            store.add_program(replace(tiger, content="c3"))
        newer = store.add_program(replace(tiger, version="0.2", content="c4", status="ready"))
        assert store.list_programs() == store.list_programs("tiger") == [ready, newer]
        assert store.find_program("tiger") == newer and store.find_program("tiger@0.1") == ready
        with pytest.raises(Unknown, match=r'has no version "7"; known: tiger@0\.1, tiger@0\.2'):
            store.find_program("tiger@7")
        with pytest.raises(Unknown, match='no bot "tigre" was submitted') as wrong:
            store.find_program("tigre")
        assert 'did you mean "tiger"' in wrong.value.next_step

    def test_g11_a_retired_program_leaves_its_ladders_and_stays_in_history(self, store, ladder):
        tiger = NewProgram("tiger", "2", "bert", (), "s1", "c1", "ready", "full")
        program = store.add_program(tiger)
        older = store.add_program(replace(tiger, version="1", content="c0"))
        store.add_bot(ladder, NewEntry("tiger@2", "tiger", "2", "bert", "c1"))
        assert store.retire_program(program) == ["spring"]
        assert [entry.status for entry in store.bots_of(ladder)] == ["playing"] * 3 + ["removed"]
        assert store.find_program("tiger@2").status == "retired"
        assert store.find_program("tiger") == older, "by name alone one that may play is found"
        assert store.labels_of("tiger") == ["tiger", "tiger@2"]
