"""Time to the microsecond: rows A4, A5, A6, the bank, the strikes, and what the arena itself delays (F17)."""

from __future__ import annotations

import time
from itertools import count

import pytest
import trio
from trio.testing import MockClock

from arena.clock import TimeControl
from arena.transports import Hub, trio_now_ns
from arena.transports.lag import LoopWatch
from tests.arena import zoo
from tests.arena.memory_bots import CONTROL, MOVE_MS, QUIET, Player, Room, Talk, codes, memory_bot, texts
from tests.arena.zoo import FORFEIT, THIRD_STRIKE, fixture, strike

TIGER = memory_bot("tiger")
LIMIT_US = MOVE_MS * 1000
ASLEEP = "Is it waiting for input, or not flushing its output?"


def thinks(*seconds: float, choice: int = 0) -> Player:
    """Takes so long for its first decisions, and no time for the others."""

    async def tiger(talk: Talk) -> None:
        times = iter(seconds)
        await talk.enter()
        while request := await talk.request():
            await trio.sleep(next(times, 0))
            await talk.answer(request, min(choice, len(request["options"]) - 1))

    return tiger


async def play_tiger(tiger: Player, **given: object) -> Room:
    room = Room(players={"tiger": [tiger]}, **given)  # type: ignore[arg-type]
    await room.play(fixture(TIGER, QUIET))
    return room


def own_inputs(room: Room) -> list[tuple[object, ...]]:
    return [entry for entry in room.matches[0].inputs if entry[0] == 0]


@pytest.mark.parametrize("early_us", [1, 0])
async def test_a5_an_answer_up_to_the_very_deadline_is_in_time(early_us: int, autojump_clock: MockClock) -> None:
    room = await play_tiger(thinks((LIMIT_US - early_us) / 1e6))
    assert room.matches[0].verdicts == []
    assert own_inputs(room)[0] == (0, "answer", 0, LIMIT_US - early_us, "")


async def test_a5_an_answer_a_microsecond_after_the_deadline_is_late(autojump_clock: MockClock) -> None:
    room = await play_tiger(thinks((LIMIT_US + 1) / 1e6, choice=1))
    (match,) = room.matches
    assert codes(match) == ["IDLE"]
    assert match.late == [(0, 1, 1)]
    assert own_inputs(room)[0][1] == "fault"
    assert match.seats[0].clock.used_us == LIMIT_US


async def test_a4_a_late_answer_is_noted_with_its_move_and_never_used_for_a_later_request(
    autojump_clock: MockClock,
) -> None:
    """It comes while the next request is already open, and that one is answered in time."""
    room = await play_tiger(thinks(0.150, choice=1))
    (match,) = room.matches
    assert match.late == [(0, 1, 50_000)]
    assert texts(match) == [f"tiger was silent at move 1: limit 100 ms, CPU used 0 ms. {ASLEEP} {strike(1)}"]
    kinds = [entry[1] for entry in own_inputs(room)]
    assert kinds == ["fault"] + ["answer"] * (len(kinds) - 1)
    assert own_inputs(room)[1][3] > 0  # the second request was open when the answer to the first one came


async def test_a4_the_late_answer_that_costs_the_seat_is_noted_too(autojump_clock: MockClock) -> None:
    """Before the next look at the deadlines: the answer itself shows that its time was up."""
    room = await play_tiger(thinks(*[0.101] * 3))
    (match,) = room.matches
    assert codes(match) == ["IDLE"] * 3 and match.seats[0].forfeited
    assert match.late == [(0, move, 1_000) for move in (1, 2, 3)]


async def test_a4_an_answer_after_the_end_of_its_match_is_nothing_to_the_next_match(
    autojump_clock: MockClock,
) -> None:
    """The tiger sleeps over its very last decision, and answers while its process sits at the next table."""
    last = (await play_tiger(thinks())).matches[0].seats[0].moves
    room = Room(players={"tiger": [thinks(*[0] * (last - 1), 0.150)]})
    first, second = await room.play(fixture(TIGER, QUIET), fixture(TIGER, QUIET, deal=1))
    assert codes(first) == ["IDLE"]
    assert codes(second) == []
    assert len(room.live["tiger"]) == 1


async def test_a6_drops_on_the_line_do_not_move_the_deadline(autojump_clock: MockClock) -> None:
    async def drip(talk: Talk) -> None:
        await talk.enter()
        while request := await talk.request():
            for _ in range(30):
                await talk.stream.send(b" ")
                await trio.sleep(0.010)
            await talk.answer(request)

    room = await play_tiger(drip)
    (match,) = room.matches
    assert codes(match) == ["IDLE"] * 3
    assert match.seats[0].clock.used_us == 3 * LIMIT_US
    assert match.ranks() == (2, 1)


async def test_three_strikes_are_told_one_by_one_and_cost_the_seat(autojump_clock: MockClock) -> None:
    room = await play_tiger(thinks(0.150, 0, 0.150, 0, 0.150, 0))
    (match,) = room.matches
    silent = f"limit 100 ms, CPU used 0 ms. {ASLEEP}"
    assert texts(match) == [
        f"tiger was silent at move {verdict.move}: {silent} {cost}"
        for verdict, cost in zip(match.verdicts, [strike(1), strike(2), THIRD_STRIKE], strict=True)
    ]
    assert [verdict.strike for verdict in match.verdicts] == [1, 2, 3]
    forced = room.talks["tiger"][0].told("forced")
    assert [message["strikes_left"] for message in forced] == [2, 1]  # whoever hangs is not waited for
    assert match.ranks() == (2, 1)


async def test_a3_busy_is_told_from_silent_by_the_time_the_process_computed(autojump_clock: MockClock) -> None:
    async def busy(talk: Talk) -> None:
        await talk.enter()
        while await talk.request():
            for _ in range(20):
                await trio.sleep(0.010)
                talk.stream.compute(9_000_000)

    room = await play_tiger(busy)
    text = texts(room.matches[0])[0]
    assert text.startswith("tiger took too long at move 1: limit 100 ms, CPU used ")
    assert text.endswith(f"ms (arena lag 0 ms). {strike(1)}")


async def test_the_bank_shortens_the_last_decision_and_then_costs_the_seat(autojump_clock: MockClock) -> None:
    control = TimeControl(move_ms=MOVE_MS, bank_ms=250, start_ms=1_000, prepare_ms=1_000)
    room = await play_tiger(thinks(0.090, 0.090, 0.090), control=control)
    (match,) = room.matches
    assert codes(match) == ["IDLE", "BANK"]
    assert texts(match)[0].startswith("tiger was silent at move 3: limit 70 ms")
    bank = f"tiger used up its match time: 0.2 s of thinking over 3 moves. {FORFEIT}"
    assert texts(match)[1] == bank
    (error,) = room.talks["tiger"][0].told("error")
    assert (error["code"], error["text"]) == ("BANK", bank)
    assert match.seats[0].clock.used_us == 250_000
    assert match.ranks() == (2, 1)


async def test_f17_what_the_arena_slept_through_is_charged_to_nobody(autojump_clock: MockClock) -> None:
    """Time leaps by half a second while the tiger thinks: our loop stood still, not the tiger."""

    async def tiger(talk: Talk) -> None:
        leapt = False
        await talk.enter()
        while request := await talk.request():
            if not leapt:
                leapt = True
                await trio.sleep(0.010)
                autojump_clock.jump(0.5)
                await trio.sleep(0.060)
            await talk.answer(request)

    room = await play_tiger(tiger)
    assert room.matches[0].verdicts == []
    assert 60_000 <= room.matches[0].seats[0].clock.used_us <= LIMIT_US


async def test_f17_what_lies_in_the_pipe_is_read_before_its_sender_is_judged(autojump_clock: MockClock) -> None:
    """The answer was written a moment before the deadline, and nobody has looked at the pipe since."""
    pipe: list[tuple[bytes, int]] = []

    async def tiger(talk: Talk) -> None:
        await talk.enter()
        request = await talk.request()
        assert request is not None
        await trio.sleep((LIMIT_US - 1) / 1e6)
        line = f'{{"type":"answer","answers":[{{"id":"{request["id"]}","choice":1}}]}}\n'
        pipe.append((line.encode(), trio_now_ns()))
        while request := await talk.request():
            await talk.answer(request)

    def tap(hub: Hub) -> None:
        def turn() -> None:
            while pipe:
                data, written_ns = pipe.pop()
                (live,) = room.live["tiger"]
                assert live.link is not None
                live.received(live.link, data, hub.now_ns(), hub.now_ns() - written_ns)

        hub.turn = turn  # type: ignore[method-assign]

    room = Room(players={"tiger": [tiger]}, tap=tap)
    await room.play(fixture(TIGER, QUIET))
    assert room.matches[0].verdicts == []
    assert own_inputs(room)[0] == (0, "answer", 1, LIMIT_US - 1, "")


def test_f17_a_slow_look_at_the_pipes_is_not_taken_for_sleep() -> None:
    """On a crowded machine a look takes longer than a nap; what was ready before it has still waited for us."""
    now_ns = 0
    watch = LoopWatch(lambda: now_ns, count().__next__)

    def look(timeout: float) -> None:
        nonlocal now_ns
        watch.before_io_wait(timeout)
        now_ns += 4_000_000
        watch.after_io_wait(timeout)

    now_ns = 210_000_000  # the loop stood still until now
    look(timeout=0)
    assert watch.quiet_ns == 0
    look(timeout=0.02)
    assert watch.quiet_ns == now_ns


@pytest.mark.parametrize(("times_slept", "quiet_ns"), [((3, 3), 0), ((3, 4), 900_000)])
def test_f17_a_loop_whose_processor_was_taken_away_did_not_sleep(
    times_slept: tuple[int, ...], quiet_ns: int
) -> None:
    """It was ready to sleep for long, but something was there already; only then it had to wait for its turn."""
    watch = LoopWatch(iter([0, 500_000, 900_000]).__next__, iter(times_slept).__next__)
    watch.before_io_wait(20.0)
    watch.after_io_wait(20.0)
    assert watch.quiet_ns == quiet_ns


def test_f16_a_sleep_that_went_on_for_too_long_was_no_sleep() -> None:
    """The process or the machine was stopped while it waited: an answer may have come at any time since."""
    now_ns = 0
    watch = LoopWatch(lambda: now_ns, count().__next__)
    watch.before_io_wait(0.02)
    asleep_ns = now_ns
    now_ns += 300_000_000
    watch.after_io_wait(0.02)
    assert watch.quiet_ns == asleep_ns


async def test_f17_bots_are_not_blamed_when_our_loop_blocks_again_and_again() -> None:
    """Real processes that answer at once, and an arena that sleeps for longer than their limit, eight times."""
    blocks = 0

    def block(now_ns: int, lag_ns: int) -> None:
        nonlocal blocks
        blocks += 1
        if blocks <= 8:
            time.sleep(zoo.CONTROL.move_ms * 1.4 / 1000)

    def tap(hub: Hub) -> None:
        hub.every(0.002, block)

    table = await zoo.play(zoo.between_quiet_ones(zoo.QUIET), tap=tap)
    (played,) = table.played
    assert blocks >= 8
    assert played.document["verdicts"] == []
    assert sum(played.document["thinking_us"]) < 8 * zoo.CONTROL.move_ms * 1000 / 2


async def test_a1_a_start_is_forgiven_our_delay_as_well(autojump_clock: MockClock) -> None:
    async def tiger(talk: Talk) -> None:
        await trio.sleep(0.9)
        autojump_clock.jump(2)
        await trio.sleep(0.05)
        await talk.enter()
        while request := await talk.request():
            await talk.answer(request)

    room = await play_tiger(tiger, control=CONTROL)
    assert room.matches[0].verdicts == []
