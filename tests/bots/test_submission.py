"""From files to a program that may play: rows E3, E4, G1, G7 and G9 for what is submitted."""

from __future__ import annotations

import json
import os
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from arena.bots.check import Step
from arena.bots.intake import remove_tree
from arena.bots.manifest import Bot, BotError, content_of
from arena.bots.shelf import Shelf
from arena.bots.submission import Submitted, submit
from arena.store import open_store
from arena.store.store import Store
from tests.arena.zoo import HOSTILE_BOTS

MANIFEST = 'name = "{name}"\nversion = "{version}"\nowner = "{owner}"\ngames = ["sheepzzz"]\nrun = {run}\n'
PLAYS = '["python3", "-ESs", "quiet.py"]'
FAILS = '["python3", "-ESs", "-c", "raise SystemExit(7)"]'


def folder_with(
    above: Path, name: str = "tiger", version: str = "0.1", owner: str = "ann", run: str = PLAYS
) -> Path:
    folder = above / "handed-in"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "bot.toml").write_text(MANIFEST.format(name=name, version=version, owner=owner, run=run), "utf-8")
    for file in ("quiet.py", "wire.py"):
        shutil.copyfile(HOSTILE_BOTS / file, folder / file)
    return folder


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db") as store:
        yield store


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "bots")


def hand_in(source: Path, shelf: Shelf, store: Store, games: tuple[str, ...] = ()) -> tuple[Submitted, list[Step]]:
    heard: list[Step] = []
    return submit(source, games, shelf, store, lambda bot: "none", heard.append), heard


def refusal(source: Path, shelf: Shelf, store: Store) -> str:
    """The sentence; nothing was checked, kept or recorded."""
    before = store.list_programs(), sorted(shelf.folder.glob("*"))

    def nobody(bot: Bot) -> str:
        raise AssertionError("it went as far as the check")

    with pytest.raises(BotError) as error:
        submit(source, (), shelf, store, nobody, lambda step: None)
    assert (store.list_programs(), sorted(shelf.folder.glob("*"))) == before
    return str(error.value)


def test_a_bot_is_checked_kept_and_recorded(tmp_path: Path, shelf: Shelf, store: Store) -> None:
    done, steps = hand_in(folder_with(tmp_path), shelf, store)
    program, bot = done.program, done.bot
    assert bot is not None and not done.known and done.note == ""
    assert (program.label, program.owner, program.games, program.status) == (
        "tiger@0.1",
        "ann",
        ("sheepzzz",),
        "ready",
    )
    assert [step["title"] for step in program.report] == [step.title for step in steps] and len(steps) > 9
    assert bot.content == program.content == content_of(bot.folder) and bot.folder.parent == shelf.folder.resolve()
    assert store.find_program("tiger") == program

    remove_tree(bot.folder)
    again, steps = hand_in(folder_with(tmp_path), shelf, store)
    assert again.known and again.program == program and steps == []
    assert again.bot == bot, "a copy that was lost is there again"

    source = folder_with(tmp_path)
    (source / "extra.txt").write_text("changed")
    assert "tiger@0.1 was submitted before with other content" in refusal(source, shelf, store)
    assert "same content as tiger 0.1" in refusal(folder_with(tmp_path, version="0.2"), shelf, store)
    assert "same content as tiger 0.1" in refusal(folder_with(tmp_path, name="lion"), shelf, store)
    belongs = 'the name "tiger" belongs to ann'
    assert belongs in refusal(folder_with(tmp_path, version="0.2", owner="bert"), shelf, store)


def test_e3_the_same_program_of_somebody_else_is_flagged(tmp_path: Path, shelf: Shelf, store: Store) -> None:
    hand_in(folder_with(tmp_path), shelf, store)
    done, _ = hand_in(folder_with(tmp_path, name="lion", owner="bert"), shelf, store)
    assert done.bot is not None and done.note == "same content as tiger@0.1 of ann"


def test_a_bot_that_fails_is_recorded_not_kept_and_may_be_mended(
    tmp_path: Path, shelf: Shelf, store: Store
) -> None:
    done, steps = hand_in(folder_with(tmp_path, run=FAILS), shelf, store)
    assert done.bot is None and done.program.status == "failed" and steps[-1].result == "FAILED"
    assert list(shelf.folder.iterdir()) == []
    mended, _ = hand_in(folder_with(tmp_path), shelf, store)
    assert mended.bot is not None and [program.status for program in store.list_programs()] == ["ready"]


def test_a_bare_program_gets_a_name_and_a_number(tmp_path: Path, shelf: Shelf, store: Store) -> None:
    program = tmp_path / "leopard.sh"
    run = f"#!/bin/sh\ncd {HOSTILE_BOTS} && exec python3 -ESs quiet.py\n"
    program.write_text(run)
    program.chmod(0o755)
    first, _ = hand_in(program, shelf, store, ("sheepzzz",))
    assert first.bot is not None and (first.program.label, first.program.games) == ("leopard@1", ("sheepzzz",))
    assert hand_in(program, shelf, store, ("sheepzzz",))[0].known
    program.write_text(run + "# changed\n")
    second, _ = hand_in(program, shelf, store, ("sheepzzz",))
    assert second.program.label == "leopard@2"


@pytest.mark.parametrize(
    "name", ["../../x", "-rf", "Tiger", "tigеr", "x" * 33, "admin", "random", "rand0m"], ids=ascii
)
def test_g1_e4_a_bad_name_writes_nothing(name: str, tmp_path: Path, shelf: Shelf, store: Store) -> None:
    said = refusal(folder_with(tmp_path, name=name), shelf, store)
    assert "name" in said and said.isprintable()


def test_e4_a_name_that_looks_like_one_that_is_taken_is_refused(
    tmp_path: Path, shelf: Shelf, store: Store
) -> None:
    hand_in(folder_with(tmp_path, name="lion"), shelf, store)
    assert 'would be taken for "lion"' in refusal(folder_with(tmp_path, name="li0n", owner="bert"), shelf, store)


def test_g9_what_a_shell_would_act_on_is_a_word_in_the_copy_too(
    tmp_path: Path, shelf: Shelf, store: Store
) -> None:
    words = ("; touch ../pwned", "$(touch ../pwned)", "`touch ../pwned`", "&&", "|")
    done, _ = hand_in(folder_with(tmp_path, run=json.dumps(["python3", "-ESs", "quiet.py", *words])), shelf, store)
    assert done.bot is not None and done.bot.run[3:] == words
    assert not list(tmp_path.rglob("pwned"))


def test_g7_a_file_swapped_while_it_is_taken_in_is_what_was_hashed(tmp_path: Path, shelf: Shelf) -> None:
    """Whatever the swapper does, what lies on the shelf is what its name says, and stays it."""
    source, stop = folder_with(tmp_path), threading.Event()

    def swap() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            (source / "new").write_bytes(bytes([number % 256]) * (1 + 70_000 * (number % 2)))
            (source / "new").replace(source / "quiet.py")

    swapper = threading.Thread(target=swap)
    swapper.start()
    kept = []
    try:
        for _ in range(40):
            with suppress(BotError), shelf.receive(source) as tree:  # a file that is gone by now is a refusal
                kept.append(shelf.put(tree))
    finally:
        stop.set()
        swapper.join()
    assert len({bot.content for bot in kept}) > 1, "nothing was swapped"
    for bot in kept:
        assert shelf.find(bot.content).folder == bot.folder and content_of(bot.folder) == bot.content


def test_g7_a_copy_that_was_changed_is_not_played(tmp_path: Path, shelf: Shelf) -> None:
    with shelf.receive(folder_with(tmp_path)) as tree:
        bot = shelf.put(tree)
    (bot.folder / "quiet.py").chmod(0o644)
    (bot.folder / "quiet.py").write_text("cheat()\n")
    with pytest.raises(BotError, match="is damaged: its files are not what was submitted"):
        shelf.find(bot.content)


def test_what_a_killed_arena_left_is_swept(tmp_path: Path, shelf: Shelf) -> None:
    for name, age_s in ((".new-old", 2 * 24 * 3600), (".new-now", 60)):
        (shelf.folder / name / "received").mkdir(parents=True)
        os.utime(shelf.folder / name, (time.time() - age_s,) * 2)
    with shelf.receive(folder_with(tmp_path)) as tree:
        kept = shelf.put(tree)
    assert sorted(path.name for path in shelf.folder.iterdir()) == [".new-now", kept.content]
