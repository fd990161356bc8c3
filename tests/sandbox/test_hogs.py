"""Bots that take too much: rows A17, A18, A20, A21, A23, A24, A25, and those who leave others behind."""

from __future__ import annotations

import os
import re

import pytest

from arena.sandbox import Limits, cgroup
from tests.arena.zoo import FORFEIT
from tests.sandbox.cells import expected, play_inside
from tests.sandbox.forms import FORMS, FULL


@pytest.mark.parametrize("form", FORMS)
async def test_a20_a_fork_bomb_ends_at_its_limit_and_leaves_nobody(form: str) -> None:
    played = await play_inside(form, "forkbomb", limits=Limits(processes=32))
    assert played.codes == []
    exact = form in FULL or (form == "reduced" and os.geteuid() == 0)
    assert 20 <= played.got["made"] <= (32 if exact else 400), "an ordinary user's processes are counted together"


@pytest.mark.parametrize("how", ["as somebody else", "again"])
@pytest.mark.parametrize("form", FORMS)
async def test_a21_a_daemon_does_not_outlive_its_bot(form: str, how: str) -> None:
    played = await play_inside(form, "daemon", how)
    assert played.codes == []


@pytest.mark.parametrize("form", FORMS)
async def test_a21_whoever_forks_and_flees_is_caught(form: str) -> None:
    played = await play_inside(form, "respawn", limits=Limits(processes=16))
    assert played.codes == [expected("respawn")]
    assert played.texts == [f"respawn left at move 1: exit code 3 before the match was over. {FORFEIT}"]


@pytest.mark.parametrize("form", FORMS)
async def test_a23_a_bot_that_fills_its_memory_is_said_to_have_died_of_that(form: str) -> None:
    played = await play_inside(form, "memhog", limits=Limits(memory_mb=96))
    assert len(played.codes) == 1
    assert [ending.memory_mb for ending in played.endings] == [96]
    assert expected("memhog") == "MEMORY"


@pytest.mark.skipif(not cgroup.available(), reason="no control group can be made here")
@pytest.mark.parametrize("form", ["full", "reduced"])
async def test_a23_children_share_one_memory_where_it_can_be_counted(form: str) -> None:
    played = await play_inside(form, "memhog_children", "96", limits=Limits(memory_mb=96))
    assert played.codes == []
    assert played.got["filled"] == 1


@pytest.mark.parametrize("form", FULL)
async def test_a24_a_bot_fills_only_its_own_disk(form: str) -> None:
    played = await play_inside(form, "diskhog", limits=Limits(scratch_mb=24))
    assert played.codes == []
    assert (played.got["scratch"], played.got["shared"], played.got["large"]) == (24, 24, False)


@pytest.mark.parametrize("form", [form for form in FORMS if form not in FULL])
async def test_a24_where_disk_cannot_be_sized_a_bot_that_fills_it_is_ended(form: str) -> None:
    played = await play_inside(form, "diskhog", "stay", limits=Limits(scratch_mb=24))
    assert played.codes == ["CRASH"]
    assert played.endings[0].signal == "SIGKILL"


@pytest.mark.parametrize("form", FORMS)
async def test_a25_descriptors_end_at_their_limit(form: str) -> None:
    played = await play_inside(form, "fdhog", limits=Limits(descriptors=64))
    assert played.codes == []
    assert played.got["opened"] <= 61


@pytest.mark.parametrize("form", ["full", "reduced"])
async def test_a17_error_output_is_drained_and_cut(form: str) -> None:
    played = await play_inside(form, "stderr_flood")
    assert played.codes == []
    dropped = re.search(r"\[(\d+) bytes dropped\]", played.stderr[1])
    assert dropped is not None and int(dropped[1]) >= (64 << 20) - (256 << 10)
    assert len(played.stderr[1]) < 132 << 10


@pytest.mark.parametrize("form", ["full", "reduced"])
async def test_a18_last_words_are_quoted_and_start_no_line(form: str) -> None:
    played = await play_inside(form, "stderr_evil")
    assert played.codes == [expected("stderr_evil")]
    (text,) = played.texts
    assert "Last stderr line:" in text
    assert text.isprintable()
