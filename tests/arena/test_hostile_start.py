"""Bots that never come to play: rows A1, A12, A31, B15 and their kin."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from arena.clock import TimeControl
from tests.arena.zoo import (
    CONTROL,
    FORFEIT,
    HOSTILE_BOTS,
    QUIET,
    bot_called,
    check,
    expected,
    fixture,
    play,
    play_one,
    program,
)

SHORT_START = TimeControl(move_ms=1_000, start_ms=1_200, prepare_ms=1_200)


async def test_a1_a_bot_that_never_says_hello_did_not_start() -> None:
    played = await play_one(bot_called("sleep_hello"), control=SHORT_START)
    text = rf"sleep_hello did not start: no hello within 1\.2 s\. Does it flush its output\? {FORFEIT}"
    check(played, expected("sleep_hello"), text)


async def test_a1_a_bot_that_never_gets_ready_is_quoted_from_stderr() -> None:
    played = await play_one(bot_called("sleep_ready"), control=SHORT_START)
    text = (
        r"sleep_ready did not start: no ready within 1\.2 s\. "
        rf'Last stderr line: ".*loading weights\.bin .*u001b\[31m.*"\. {FORFEIT}'
    )
    check(played, expected("sleep_ready"), text)
    assert "\x1b" not in played.texts[0]


async def test_a1_the_next_match_of_the_others_starts_at_once() -> None:
    """The quiet bots that waited for a start that failed are warm, and are not charged for the waiting."""
    sleeper = bot_called("sleep_hello")
    table = await play(fixture(QUIET, sleeper, QUIET), fixture(QUIET, QUIET, QUIET, deal=1), control=SHORT_START)
    first, second = table.played
    assert first.codes == ["START"] and second.codes == []
    assert sum(first.document["thinking_us"]) < SHORT_START.start_ms * 1000


async def test_a31_a_slow_start_is_not_charged_to_any_move() -> None:
    played = await play_one(bot_called("slow_start"), control=replace(CONTROL, bank_ms=4_000))
    check(played, "OK", forfeit=False)
    # Both sleeps alone are longer than this; its moves are as quick as those of the others.
    assert played.document["thinking_us"][1] < 400_000


REFUSED = {
    "old_protocol": ("arena speaks protocol 1, bot offered 9", "protocol"),
    "other_game": ("the bot does not list sheepzzz among its games: chess, go", "games"),
    "misspelt_hello": ("tabels: unknown field", "tabels"),
    "print_hello": (
        "stdout carries messages only; print to stderr instead. It began: 'Hello, I am Debby the debugger!'",
        "",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
async def test_b15_a_hello_that_does_not_fit_is_answered_with_the_reason(name: str) -> None:
    reason, path = REFUSED[name]
    played = await play_one(bot_called(name))
    check(played, expected(name), re.escape(f"{name} did not start: {reason}. {FORFEIT}"))
    (error,) = played.told("error")
    assert (error["text"], error["path"]) == (reason, path)
    assert error["next"] == "the bot is not seated"


async def test_a1_a_bot_that_says_bye_instead_of_ready_is_not_started_again_and_again() -> None:
    table = await play(fixture(QUIET, bot_called("bye_first"), QUIET))
    check(
        table.played[0],
        expected("bye_first"),
        f"bye_first did not start: it said bye before it was ready. {FORFEIT}",
    )
    assert table.referee.restarts == 0


async def test_a32_bots_that_leave_as_soon_as_they_are_ready_cannot_keep_a_table_waiting() -> None:
    leaver = bot_called("ready_exit")
    table = await play(fixture(leaver, bot_called("slow_start"), leaver))
    (played,) = table.played
    assert played.document["forfeits"] == [0, 2]
    assert set(played.codes) == {expected("ready_exit")}
    for verdict in played.document["verdicts"]:
        assert verdict["text"].startswith("ready_exit left at move 1: exit code 0 before the match was over")
    assert 0 < table.referee.restarts <= 3


CANNOT_RUN = {
    "missing": ("./program does not exist in {folder}; check the name and where it is", None, 0),
    "not executable": ("./program is not executable; try: chmod +x ./program", b"#!/bin/sh\n", 0o644),
    "wrong machine": (
        "./program is no program for this machine: a script needs a first line that names its interpreter "
        "(such as #!/usr/bin/env python3), a compiled program must be built for this processor",
        b"\x7fELF\x02\x01\x01" + bytes(57),
        0o755,
    ),
    "no interpreter": (
        "the first line of ./program asks for /no/such/python, which does not exist here; "
        "install it or correct the line",
        b"#!/no/such/python\n",
        0o755,
    ),
    "windows line break": (
        "the first line of ./program ends in a Windows line break; convert it with dos2unix, "
        r"or sed -i 's/\r$//' ./program",
        b"#!/bin/sh\r\n",
        0o755,
    ),
}


@pytest.mark.parametrize("kind", CANNOT_RUN)
async def test_a12_what_cannot_be_executed_is_explained_with_a_remedy(kind: str, tmp_path: Path) -> None:
    text, content, mode = CANNOT_RUN[kind]
    if content is not None:
        (tmp_path / "program").write_bytes(content)
        (tmp_path / "program").chmod(mode)
    played = await play_one(program("tiger", "./program", folder=tmp_path))
    said = text.format(folder=tmp_path) if content is None else text
    check(played, "START", re.escape(f"tiger did not start: {said}. {FORFEIT}"))


async def test_a12_a_series_of_bots_that_cannot_start_ends_however_long_it_is(tmp_path: Path) -> None:
    """Such matches are over while they are being opened; that must not pile up."""
    nobody = program("nobody", "./nothing", folder=tmp_path)
    table = await play(*(fixture(nobody, nobody, deal=deal) for deal in range(400)))
    assert len(table.played) == 400
    assert all(played.codes == ["START", "START"] for played in table.played)


def test_every_hostile_bot_says_what_is_expected_and_what_it_does() -> None:
    codes = {"OK", "START", "TIMEOUT", "IDLE", "CRASH", "EXIT", "PROTOCOL", "ILLEGAL", "OUTPUT"}
    for path in HOSTILE_BOTS.iterdir():
        if path.suffix in (".py", ".sh") and path.stem not in ("__init__", "wire"):
            first, second, *_ = path.read_text("utf-8").splitlines()
            assert first.removeprefix("# expect: ") in codes, path
            assert re.fullmatch(r"# [A-Z].*\.", second), path
