"""Bots that go away: rows A10, A11, A13, A22, A32, A33, B1, and those who leave others behind."""

from __future__ import annotations

import os
import re

import pytest

from arena.clock import TimeControl
from tests.arena.zoo import (
    FORFEIT,
    GAME,
    QUIET,
    SEAT,
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
)

ROUNDS = int(os.environ.get("ARENA_SOAK", "1"))
LAST_MOVE = quiet_match().seats[SEAT].moves


@pytest.mark.parametrize("answers", [1, 3])
async def test_a10_a_reply_counts_though_its_sender_is_gone(answers: int) -> None:
    played = await play_one(bot_called("reply_exit", str(answers)))
    left = f"reply_exit left at move {answers + 1}: exit code 0 before the match was over. {FORFEIT}"
    check(played, expected("reply_exit"), re.escape(left))
    assert len(answers_of(played.document["inputs"], SEAT)) == answers


async def test_a10_a_reply_before_the_exit_may_end_the_match() -> None:
    """Nothing is due after its last answer, so there is nothing to charge."""
    played = await play_one(bot_called("reply_exit", str(LAST_MOVE)))
    check(played, "OK", forfeit=False)
    assert len(answers_of(played.document["inputs"], SEAT)) == LAST_MOVE


async def test_a10_replies_before_the_exit_are_never_lost() -> None:
    leaver = bot_called("reply_exit", "1")
    fixtures = [between_quiet_ones(leaver, deal) for deal in range(20 * ROUNDS)]
    table = await play(*fixtures, at_once=4)
    assert len(table.played) == len(fixtures)
    for played in table.played:
        assert played.codes == ["EXIT"] and " at move 2: " in played.texts[0]
        assert len(answers_of(played.document["inputs"], SEAT)) == 1


async def test_a11_a_reply_in_flight_counts_and_the_signal_is_named() -> None:
    played = await play_one(bot_called("reply_segv"))
    check(played, expected("reply_segv"), re.escape(f"reply_segv died at move 3: signal SIGSEGV. {FORFEIT}"))
    assert len(answers_of(played.document["inputs"], SEAT)) == 2


ENDINGS = {
    "a13-close_out": "left at move 1: closed its output before the match was over",
    "a22-pipe_holder": "left at move 1: exit code 7 before the match was over",
    "b1-cut_exit": "left at move 1: exit code 0 before the match was over, 22 bytes of an unfinished message",
    "b1-cut_crash": "died at move 1: signal SIGKILL, 32 bytes of an unfinished message",
    "bye_and_stay": "left at move 1: it said bye before the match was over",
    "stumble": "left at move 2: exit code 1 before the match was over. "
    'Last stderr line: "ZeroDivisionError: integer division or modulo by zero"',
}


@pytest.mark.parametrize("row", ENDINGS)
async def test_a13_a22_b1_an_ending_says_how_and_at_which_move(row: str) -> None:
    name = row.rpartition("-")[2]
    played = await play_one(bot_called(name))
    check(played, expected(name), re.escape(f"{name} {ENDINGS[row]}. {FORFEIT}"))


async def test_a11_e6_a_bot_that_crashes_when_it_dislikes_the_score_ranks_last() -> None:
    """It cannot take the match away from the others, even when its score would have won."""
    variant = GAME.variant_type.read({"target": 40})
    assert quiet_match(0, variant).ranks()[SEAT] == 1
    played = await play_one(bot_called("rage_quit"), variant=variant)
    check(played, expected("rage_quit"), rf"rage_quit died at move \d+: signal SIGABRT\. {FORFEIT}")
    assert len(answers_of(played.document["inputs"], SEAT)) > 3


async def test_a33_children_of_a_bot_are_not_left_behind() -> None:
    """`play` itself looks for zombies of ours, and for processes that carry the mark."""
    check(await play_one(bot_called("zombies")), "OK", forfeit=False)


async def test_a32_a_bot_that_ends_with_its_match_is_started_again_and_charged_nothing() -> None:
    mayfly = bot_called("die_idle")
    table = await play(*(between_quiet_ones(mayfly, deal) for deal in range(6)))
    assert [played.codes for played in table.played] == [[]] * 6
    for deal, played in enumerate(table.played):
        check_others_unharmed(played, quiet_match(deal))
    assert 0 < table.referee.restarts <= 5


async def test_a32_thinking_before_leaving_is_not_dying_idle() -> None:
    """Who was asked and took its time has used that time: no fresh process answers for it."""
    dodger, patient = bot_called("dodge"), TimeControl(move_ms=5_000)
    table = await play(*(between_quiet_ones(dodger, deal) for deal in range(2)), control=patient)
    assert [played.codes for played in table.played] == [[], ["EXIT"]]
    assert table.referee.restarts == 0


async def test_a33_no_zombie_after_many_matches_of_warm_and_cold_bots() -> None:
    """Half of the bots last for one match, some crash in it; `play` counts children when all is over."""
    bots = [QUIET, bot_called("die_idle"), bot_called("reply_segv"), QUIET]
    fixtures = [fixture(QUIET, bots[deal % 4], deal=deal) for deal in range(200 * ROUNDS)]
    table = await play(*fixtures, at_once=4)
    assert len(table.played) == len(fixtures)
    codes = [code for played in table.played for code in played.codes]
    assert set(codes) == {"CRASH"} and len(codes) == len(fixtures) / 4
