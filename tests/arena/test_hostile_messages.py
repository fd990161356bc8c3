"""Bots that say the wrong thing: rows A7 to A9, A15, A16, A19, B2, B3, B7, B12, B14 and B17."""

from __future__ import annotations

import re
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from arena import record
from arena.clock import TimeControl
from tests.arena.zoo import (
    CONTROL,
    FORFEIT,
    SEAT,
    THIRD_STRIKE,
    Played,
    answers_of,
    between_quiet_ones,
    bot_called,
    check,
    check_others_unharmed,
    expected,
    fixture,
    play,
    play_one,
    quiet_match,
    strike,
)

STDOUT = "stdout carries messages only; print to stderr instead. It began: "
PATIENT = TimeControl(move_ms=5_000, start_ms=5_000, prepare_ms=5_000)


def check_told(played: Played, path: str) -> None:
    """For every strike one `error` that points at the mistake, and one `forced` with the verdict's own words."""
    errors, forced = played.told("error"), played.told("forced")
    assert [error["path"] for error in errors] == [path] * len(played.codes)
    assert all(error["text"] in text for error, text in zip(errors, played.texts, strict=True))
    assert [message["text"] for message in forced] == played.texts
    assert [message["choice"] for message in forced] == [0] * len(played.codes)
    assert [message["strikes_left"] for message in forced] == [2, 1, 0][: len(played.codes)]


BROKEN = {
    "b3-double_keys": ('duplicate key "choice"', ""),
    "b2-not_a_map": (STDOUT + "'[\"<id>\",0]'", ""),
    "b7-too_big_number": ("integer does not fit 64 bits", ""),
    "b12-unknown_field": ("answers[0].chioce: unknown field", "answers[0].chioce"),
    "a19-print_debug": (STDOUT + "'Debug: my hand is <hand>...'", ""),
}


@pytest.mark.parametrize("row", BROKEN)
async def test_a19_b2_b3_b7_b12_a_broken_message_is_a_strike_that_names_the_rule(row: str) -> None:
    name = row.partition("-")[2]
    reason, path = BROKEN[row]
    pattern = re.escape(reason).replace("<id>", "[0-9a-f]{16}").replace("<hand>", ".*")
    played = await play_one(bot_called(name))
    costs = enumerate([strike(1), strike(2), THIRD_STRIKE], 1)
    texts = [rf"{name} sent a broken message at move {move}: {pattern}\. {cost}" for move, cost in costs]
    check(played, expected(name), *texts)
    check_told(played, path)


async def test_b2_a_byte_that_is_not_msgpack_is_named_with_its_place() -> None:
    played = await play_one(bot_called("bad_byte", encoding="msgpack"))
    broken = r"sent a broken message at move \d: byte 0xc1 is not msgpack \(byte 6 of 7\)"
    costs = [strike(1), strike(2), THIRD_STRIKE]
    check(played, expected("bad_byte"), *(rf"bad_byte {broken}\. {cost}" for cost in costs))


@pytest.mark.parametrize("choice", [-1, -(2**63), 2**63 - 1, 2**64 - 1, None])
async def test_b7_an_index_that_is_no_option_is_a_strike_with_the_range(choice: int | None) -> None:
    played = await play_one(bot_called("illegal", *([] if choice is None else [str(choice)])))
    number = r"\d+" if choice is None else str(choice)
    texts = [
        rf"illegal played an illegal action at move {move}: choice {number}, allowed: 0\.\.\d+\. {cost}"
        for move, cost in enumerate([strike(1), strike(2), THIRD_STRIKE], 1)
    ]
    check(played, expected("illegal"), *texts)
    assert [message["text"] for message in played.told("forced")] == played.texts


async def test_b7_the_smallest_illegal_index_is_the_number_of_options() -> None:
    played = await play_one(bot_called("illegal"))
    for text in played.texts:
        found = re.search(r"choice (\d+), allowed: 0\.\.(\d+)", text)
        assert found is not None and int(found[1]) == int(found[2]) + 1


async def test_b14_an_endless_note_is_a_strike_and_a_long_one_is_cut() -> None:
    played = await play_one(bot_called("long_note"))
    text = r"long_note sent a broken message at move 1: answers\[0\]\.note: .*1024\. " + strike(1)
    check(played, expected("long_note"), text, forfeit=False)
    check_told(played, "answers[0].note")
    notes = [entry[4] for entry in played.document["inputs"] if entry[0] == SEAT and entry[1] == "answer"]
    assert notes[:2] == ["y" * 200, "<b>\x1b[31m\x07"]


@pytest.mark.parametrize(
    ("name", "encoding", "reason"),
    [
        ("mixed_json", "json", "expected JSON lines, got msgpack frames"),
        ("mixed_msgpack", "msgpack", "expected msgpack frames, got JSON lines"),
    ],
)
async def test_b17_the_other_encoding_cannot_be_read_any_further(name: str, encoding: str, reason: str) -> None:
    played = await play_one(bot_called(name, encoding=encoding))
    hint = "bot.toml says which encoding a bot speaks"
    check(played, expected(name), f"{name} sent a broken message at move 1: {reason}; {hint}. {FORFEIT}")


# --- Too much --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "encoding", "reason"),
    [
        ("a15-huge_len", "msgpack", "at move 1: frame of 4294967295 bytes, the limit is 65536"),
        ("a16-yes", "json", r"at move 1: frame of \d+ bytes, the limit is 65536"),
        ("a16-blank_lines", "json", r"(before its first move|at move 1): \d+ bytes without a message, .* 131072"),
    ],
)
async def test_a15_a16_a_flood_is_cut_before_it_fills_our_memory(row: str, encoding: str, reason: str) -> None:
    name = row.partition("-")[2]
    quiet_match()
    tracemalloc.start()
    played = await play_one(bot_called(name, encoding=encoding))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    check(played, expected(name), rf"{name} sent too much {reason}\. {FORFEIT}")
    assert peak < 8 * 1024 * 1024  # a whole match with its record, its replay and this test


async def test_a16_a_flood_of_lines_is_three_strikes_and_no_more_reading() -> None:
    played = await play_one(bot_called("yes_lines"))
    text = re.escape(f"{STDOUT}'y'. ")
    when = "(before its first move|at move 1)"
    texts = [rf"yes_lines sent a broken message {when}: {text}Strike {n} of 3.*" for n in (1, 2, 3)]
    check(played, expected("yes_lines"), *texts)


@pytest.mark.parametrize("name", ["yes", "yes_lines", "blank_lines"])
async def test_a16_who_floods_on_is_killed_and_not_given_the_time_to_say_goodbye(name: str) -> None:
    """A second of such a flood is hundreds of megabytes; no more is read than what was on its way."""
    played = await play_one(bot_called(name))
    assert played.bots[SEAT]._unheard < 4 * 1024 * 1024


# --- Answers nobody asked for ----------------------------------------------------------------------


async def test_a7_a_second_answer_is_dropped_in_silence() -> None:
    played = await play_one(bot_called("twice"))
    check(played, expected("twice"), forfeit=False)
    assert set(answers_of(played.document["inputs"], SEAT)) == {0}
    assert played.told("error") == []


async def test_a7_a_hundred_answers_to_one_request_cost_the_seat() -> None:
    played = await play_one(bot_called("twice_x100"))
    again = r"twice_x100 answered again and again by move \d: 9 answers beyond the first\."
    check(
        played,
        expected("twice_x100"),
        *(f"{again} {cost}" for cost in (r"Strike 1.*", r"Strike 2.*", THIRD_STRIKE)),
    )
    assert answers_of(played.document["inputs"], SEAT)[0] == 0
    heard = [message["text"] for message in played.told("error") + played.told("forced")]
    assert sorted(heard) == sorted(played.texts)


async def test_a8_an_answer_before_the_question_is_told_and_costs_a_strike() -> None:
    played = await play_one(bot_called("early"))
    when = "(before its first move|at move 1)"
    text = rf"early answered request '0123456789abcdef' {when}, which it was never sent\. Strike 1 of 3.*"
    check(played, expected("early"), text, forfeit=False)
    assert [message["text"] for message in played.told("error") + played.told("forced")] == played.texts


def without_times(document: record.Document) -> bytes:
    """All that a match is, but for how long the bots took, and the hashes that depend on it."""
    inputs: list[Any] = [[*entry[:3], *entry[4:]] for entry in document["inputs"]]
    return record.pack({**document, "inputs": inputs, "thinking_us": None})


async def test_a9_the_id_of_another_match_is_worth_nothing_there_or_here(tmp_path: Path) -> None:
    """Two matches at once: an accomplice in one leaks its open requests to a cheat in the other."""
    leaked = tmp_path / "ids"
    leaked.touch()
    accomplice = bot_called("leak_ids", str(leaked))
    cheat = bot_called("wrong_match", str(leaked))
    other = fixture(bot_called("quiet"), accomplice, bot_called("quiet"), deal=7)
    (alone,) = (await play(other, control=PATIENT)).played
    leaked.write_text("")
    both = (await play(between_quiet_ones(cheat), other, control=PATIENT, at_once=2)).played
    (cheated,) = [played for played in both if played.codes]
    (together,) = [played for played in both if not played.codes]
    assert without_times(together.document) == without_times(alone.document)
    ids = leaked.read_text().split()
    quoted = [re.search(r"answered request '(\w{16})'", text) for text in cheated.texts]
    assert all(found is not None for found in quoted)
    assert {found[1] for found in quoted if found} <= {*ids, "f" * 16}
    assert cheated.codes == [expected("wrong_match")] * 3
    assert cheated.document["forfeits"] == [SEAT]
    check_others_unharmed(cheated, quiet_match())


async def test_a9_hostile_bots_at_many_tables_do_not_disturb_each_other_or_a_quiet_one() -> None:
    names = ["sleep_move", "yes_lines", "reply_segv", "blank_lines", "spin", "twice_x100", "close_out", "illegal"]
    quiet = fixture(*[bot_called("quiet") for _ in range(3)], deal=7)
    (alone,) = (await play(quiet, control=PATIENT)).played
    zoo = [between_quiet_ones(bot_called(name), deal) for deal, name in enumerate(names, 10)]
    table = await play(quiet, *zoo, control=CONTROL, at_once=4)
    by_name = {played.document["bots"][SEAT]["name"]: played for played in table.played}
    clock = {"clock": alone.document["clock"], "transcripts": alone.document["transcripts"]}
    assert without_times({**by_name["quiet"].document, **clock}) == without_times(alone.document)
    for deal, name in enumerate(names, 10):
        assert set(by_name[name].codes) == {expected(name)}
        check_others_unharmed(by_name[name], quiet_match(deal))
