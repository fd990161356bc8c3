"""Bots that do not answer in time, as real processes: rows A2, A3, A4, A6 and A14."""

from __future__ import annotations

import pytest

from tests.arena.zoo import CONTROL, SEAT, THIRD_STRIKE, bot_called, check, expected, play_one, strike

LIMIT_US = CONTROL.move_ms * 1000
ASLEEP = r"Is it waiting for input, or not flushing its output\?"
UNREAD = r"It does not read its input\."


def silent(name: str, *hints: str) -> list[str]:
    costs = [*(strike(number) for number in range(1, len(hints))), THIRD_STRIKE]
    return [
        rf"{name} was silent at move {move}: limit 150 ms, CPU used \d ms\. {hint} {cost}"
        for move, (hint, cost) in enumerate(zip(hints, costs, strict=True), 1)
    ]


def faults(document: dict[str, list[list[object]]]) -> list[list[object]]:
    return [entry for entry in document["inputs"] if entry[1] == "fault"]


@pytest.mark.parametrize(("row", "name"), [("a2", "sleep_move"), ("a6", "drip")], ids=["a2-sleep", "a6-drip"])
async def test_a2_a6_silence_is_three_strikes_whether_or_not_it_drips(row: str, name: str) -> None:
    played = await play_one(bot_called(name))
    check(played, expected(name), *silent(name, ASLEEP, ASLEEP, ASLEEP))
    # Each costs exactly the limit, whenever it was noticed; nothing of it is anybody else's.
    assert [entry[5] for entry in faults(played.document)] == [LIMIT_US] * 3
    assert played.document["thinking_us"][SEAT] == 3 * LIMIT_US


async def test_a3_endless_computation_is_told_from_sleep_by_its_cpu_time() -> None:
    played = await play_one(bot_called("spin"))
    numbers = r"limit 150 ms, CPU used \d+ ms \(arena lag \d+ ms\)"
    costs = enumerate([strike(1), strike(2), THIRD_STRIKE], 1)
    check(
        played,
        expected("spin"),
        *(rf"spin took too long at move {move}: {numbers}\. {cost}" for move, cost in costs),
    )


async def test_a4_late_answers_are_noted_and_the_bot_is_told_what_was_played_instead() -> None:
    """With a strike to spare, so that the second late answer has time to come before the seat is lost."""
    played = await play_one(bot_called("late"), strikes=4)
    assert played.codes == [expected("late")] * 4
    # It chose the last option each time; not one of them was used, for that request or a later one.
    assert [entry[1] for entry in played.document["inputs"] if entry[0] == SEAT] == ["fault"] * 4
    assert [(seat, move) for seat, move, _ in played.document["late"]][:2] == [(SEAT, 1), (SEAT, 2)]
    assert all(late_us > 0 for _, _, late_us in played.document["late"])
    forced = played.told("forced")[:2]
    assert [(message["code"], message["strikes_left"]) for message in forced] == [("IDLE", 3), ("IDLE", 2)]
    assert [message["text"] for message in forced] == played.texts[:2]
    assert {message["choice"] for message in forced} == {0}


async def test_a14_a_closed_input_is_silence_and_never_a_broken_pipe_of_ours() -> None:
    played = await play_one(bot_called("close_in"))
    check(played, expected("close_in"), *silent("close_in", UNREAD, UNREAD, UNREAD))


async def test_a14_an_input_that_is_never_read_holds_up_nobody() -> None:
    """Its pipe is full after a few requests; our write ends with the deadline, and the text says why."""
    played = await play_one(bot_called("no_read"), strikes=8)
    assert played.codes == [expected("no_read")] * 8
    assert UNREAD.replace("\\", "") in played.texts[-1]
    assert played.document["forfeits"] == [SEAT]
