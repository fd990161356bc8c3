"""Bots in any language start inside the full sandbox, and what cannot start there is told why."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio

import sample_bots
from arena.sandbox import SANDBOXES, cgroup, launcher_in
from arena.transports import Hub, StartError, stdio
from tests.arena.zoo import descriptors_before, open_descriptors
from tests.contracts.transport_contract import Recorder
from tests.sandbox.cells import nothing_left_outside, processes_called
from tests.sandbox.forms import FORMS, NEEDS, PYTHON

ENV = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
HELLO = "hello from inside"

C = """
#include <pthread.h>
#include <stdio.h>
static void *answer(void *line) { printf("%s", (char *)line); return 0; }
int main(void) {
    char line[256]; pthread_t thread;
    while (fgets(line, sizeof line, stdin)) {
        pthread_create(&thread, 0, answer, line); pthread_join(thread, 0); fflush(stdout);
    }
}
"""
NODE = """
const worker = require('child_process').spawn('/bin/cat', { stdio: ['pipe', 'inherit', 'inherit'] })
process.stdin.on('data', data => worker.stdin.write(data)).on('end', () => worker.stdin.end())
"""
PYTHON_ASYNCIO = """
import asyncio, sys, tempfile
async def main():
    line = await asyncio.to_thread(sys.stdin.readline)
    with tempfile.TemporaryFile("w+") as file:
        file.write(line)
        file.seek(0)
        print(file.read(), end="", flush=True)
asyncio.run(main())
"""
SHELL = """#!/bin/sh
while read -r line; do
    cat <<END
$line
END
done
"""
WITH_MSGPACK = """
import msgpack, sys
print(msgpack.unpackb(msgpack.packb(sys.stdin.readline())), end="", flush=True)
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """Folders of tests can only be entered by their owner, and bots are somebody else."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name)


def write(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text)
    path.chmod(0o755)
    return f"./{name}"


def program(language: str, folder: Path) -> list[str]:
    match language:
        case "c":
            write(folder, "bot.c", C)
            subprocess.run(["cc", "-pthread", "-o", folder / "bot", folder / "bot.c"], check=True)
            return ["./bot"]
        case "c, by its full name":
            return [str(folder / program("c", folder)[0])]
        case "node":
            return ["node", write(folder, "bot.js", NODE)]
        case "shell":
            return [write(folder, "bot.sh", SHELL)]
    return [PYTHON, "-BS", write(folder, "bot.py", PYTHON_ASYNCIO)]


async def converse(form: str, argv: list[str], folder: Path, needs: tuple[str, ...] = NEEDS) -> tuple[str, str]:
    """Say a line, and give back what the bot said, and what it complained about."""
    hub = Hub()
    with nothing_left_outside():
        async with trio.open_nursery() as nursery:
            await nursery.start(hub.run)
            owner = Recorder()
            launcher = launcher_in(FORMS[form], needs=needs)
            link = stdio.start(hub, argv, cwd=str(folder), env=ENV, owner=owner, name="bot", launcher=launcher)
            link.send(HELLO.encode() + b"\n")
            await owner.until(lambda: owner.data.endswith(b"\n") or owner.endings)
            link.stop()
            await owner.ends(link)
            nursery.cancel_scope.cancel()
    return owner.data.decode(), link.stderr_tail().decode()


@pytest.mark.parametrize("form", ["full", "reduced"])
@pytest.mark.parametrize("language", ["c", "c, by its full name", "node", "shell", "python"])
async def test_a_bot_in_any_language_starts_inside(form: str, language: str, folder: Path) -> None:
    said, complaint = await converse(form, program(language, folder), folder)
    assert (said, complaint) == (HELLO + "\n", "")


async def test_our_own_interpreter_and_its_packages_can_be_shown(folder: Path) -> None:
    run = [sys.executable, write(folder, "bot.py", WITH_MSGPACK)]
    said, complaint = await converse("full", run, folder, (sys.prefix, sys.base_prefix))
    assert (said, complaint) == (HELLO + "\n", "")


async def test_a_sample_bot_says_hello_inside(nursery: trio.Nursery) -> None:
    samples = Path(sample_bots.__file__).parent
    needs = (sys.prefix, sys.base_prefix, str(samples / "flock_bot.py"))
    hub = Hub()
    await nursery.start(hub.run)
    owner = Recorder()
    link = stdio.start(
        hub,
        [sys.executable, "bot.py"],
        cwd=str(samples / "random"),
        env={**ENV, "ARENA_ENCODING": "json", "PYTHONPATH": str(samples)},
        owner=owner,
        name="random",
        launcher=launcher_in(SANDBOXES["full"], needs=needs),
    )
    await owner.until(lambda: owner.data.endswith(b"\n") or owner.endings)
    assert json.loads(owner.data)["type"] == "hello", link.stderr_tail()
    link.stop()
    await owner.ends(link)
    nursery.cancel_scope.cancel()


@pytest.mark.parametrize("form", ["full", "reduced"])
def test_what_cannot_be_seen_inside_cannot_be_started(form: str, folder: Path) -> None:
    write(folder, "outside", "#!/bin/sh\n")
    inside = folder / "bot"
    inside.mkdir(mode=0o755)
    with pytest.raises(StartError, match="lies outside the bot's folder"):
        launcher_in(FORMS[form])([str(folder / "outside")], cwd=str(inside), env=ENV, mark="x")


@pytest.mark.parametrize(
    ("need", "words"),
    [("/", "shown to no bot"), ("/home", "shown to no bot"), ("/no/such", "does not exist here")],
)
def test_no_bot_is_promised_too_much(need: str, words: str) -> None:
    with pytest.raises(StartError, match=words):
        launcher_in(SANDBOXES["full"], needs=[need])(["true"], cwd="/usr", env=ENV, mark="x")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root runs bots as somebody else")
@pytest.mark.parametrize("form", ["full", "reduced"])
def test_i6_a_folder_that_only_root_may_enter_is_refused_with_the_remedy(form: str, tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    with pytest.raises(StartError, match="bots started by root run as nobody"):
        launcher_in(FORMS[form])(["true"], cwd=str(tmp_path), env=ENV, mark="x")


@pytest.mark.parametrize("form", ["full", "reduced"])
async def test_a_command_that_fails_inside_says_so(form: str, folder: Path) -> None:
    run = write(folder, "bot", "#!/usr/bin/env -S -i no-such-interpreter\n")
    said, complaint = await converse(form, [run], folder)
    assert said == ""
    assert "no-such-interpreter" in complaint and "No such file or directory" in complaint


ARENA = """
import sys, trio
from arena.sandbox import Limits, launcher_in
from arena.transports import Hub, stdio
from tests.contracts.transport_contract import Recorder
from tests.sandbox.forms import FORMS
async def main():
    hub, owner = Hub(), Recorder()
    async with trio.open_nursery() as nursery:
        await nursery.start(hub.run)
        script = "(setsid sleep 60 $0 </dev/null >/dev/null 2>&1 &); echo here; sleep 60 $0"
        argv = ["/bin/sh", "-c", script, sys.argv[2]]
        stdio.start(hub, argv, cwd="/usr", env={"PATH": "/usr/bin:/bin"}, owner=owner, name="bot",
                    launcher=launcher_in(FORMS[sys.argv[1]]))
        await owner.hears(b"here\\n")
        print("here", flush=True)
        await trio.sleep_forever()
trio.run(main)
"""


@pytest.mark.parametrize("form", FORMS)
def test_no_bot_outlives_an_arena_that_was_killed(form: str) -> None:
    token = f"{time.monotonic_ns()}.5"
    with nothing_left_outside() as scratch:
        environment = {**os.environ, "TMPDIR": str(scratch)}
        command = [sys.executable, "-c", ARENA, form, token]
        arena = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=Path.cwd())
        assert arena.stdout is not None
        assert arena.stdout.readline() == "here\n"
        assert len(processes_called(token)) >= 2
        arena.send_signal(signal.SIGKILL)
        arena.wait()
        arena.stdout.close()
        due = time.monotonic() + 5
        while processes_called(token) or os.listdir(scratch):
            assert time.monotonic() < due
            time.sleep(0.01)
    while groups_swept_by_the_next(arena.pid):  # one that is dying has no command line any more, but still a group
        assert time.monotonic() < due
        time.sleep(0.01)


def groups_swept_by_the_next(arena: int) -> list[Path]:
    """The control groups that are left of an arena when another begins."""
    cgroup._homes.cache_clear()
    return [group for home in cgroup._homes() or () for group in home.glob(f"{cgroup.NAME}{arena}-*")]


def test_what_these_bots_are_written_in_is_here() -> None:
    """A machine without them would test nothing above."""
    assert all(shutil.which(tool) for tool in ("cc", "node", "sh"))


@pytest.mark.parametrize("form", ["full", "reduced"])
def test_a_start_that_fails_for_want_of_descriptors_keeps_none(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    create = os.memfd_create

    def one_only(name: str) -> int:
        if len(made) == (form == "full"):
            raise OSError(errno.EMFILE, "Too many open files")
        made.append(create(name))
        return made[-1]

    monkeypatch.setattr(os, "memfd_create", one_only)
    before = descriptors_before()
    with nothing_left_outside(), pytest.raises(OSError, match="Too many open files"):
        launcher_in(FORMS[form])(["true"], cwd="/usr", env=ENV, mark="x")
    assert open_descriptors() <= before
