"""A12: a bot that cannot be started is told why, and what to do about it."""

import errno
import sys

import pytest

from arena.transports import Hub, StartError, obstacle, stdio
from tests.contracts.transport_contract import Recorder

ENV = {"PATH": "/usr/bin:/bin"}


@pytest.fixture
def hub():
    hub = Hub()
    yield hub
    hub.close()


@pytest.fixture
def refusal(hub, tmp_path):
    def start(*argv, cwd=None, env=ENV):
        with pytest.raises(StartError) as caught:
            stdio.start(hub, argv, cwd=str(cwd or tmp_path), env=env, owner=Recorder(), name="bot")
        assert not caught.value.our_fault
        return caught.value

    return start


def write(path, content, mode=0o755):
    path.write_bytes(content)
    path.chmod(mode)


def test_missing_file(refusal, tmp_path):
    error = refusal("./bot")
    assert str(error) == f"./bot does not exist in {tmp_path}; check the name and where it is"
    assert error.errno == errno.ENOENT


def test_not_executable(refusal, tmp_path):
    write(tmp_path / "bot", b"#!/bin/sh\n", mode=0o644)
    error = refusal("./bot")
    assert str(error) == "./bot is not executable; try: chmod +x ./bot"
    assert error.errno == errno.EACCES


@pytest.mark.parametrize("content", [b"print('hello')\n", b"\x7fELF\x02\x01\x01" + bytes(57)])
def test_wrong_architecture_or_no_first_line(refusal, tmp_path, content):
    write(tmp_path / "bot", content)
    error = refusal("./bot")
    assert "is no program for this machine" in str(error)
    assert "#!/usr/bin/env python3" in str(error)
    assert error.errno == errno.ENOEXEC


@pytest.mark.parametrize(
    ("line", "missing"),
    [
        (b"#!/usr/bin/pyhton3", "/usr/bin/pyhton3"),
        (b"#! /no/such/thing -u", "/no/such/thing"),
        (b"#!/usr/bin/env pyhton3", "pyhton3"),
        (b"#!/usr/bin/env -S pyhton3 -u", "pyhton3"),
    ],
)
def test_missing_interpreter(refusal, tmp_path, line, missing):
    write(tmp_path / "bot", line + b"\nprint('hello')\n")
    assert f"the first line of ./bot asks for {missing}, which does not exist here" in str(refusal("./bot"))


def test_missing_command(refusal):
    text = str(refusal("pyhton3", "bot.py"))
    assert "there is no program called pyhton3 on the PATH (/usr/bin:/bin)" in text
    assert "./pyhton3" in text


@pytest.mark.parametrize("line", [b"#!/bin/sh\r\n", b"#!/usr/bin/env python3\r\n"])
def test_windows_line_break(refusal, tmp_path, line):
    write(tmp_path / "bot", line + b"exit 0\r\n")
    assert str(refusal("./bot")) == (
        "the first line of ./bot ends in a Windows line break; convert it with dos2unix, "
        "or sed -i 's/\\r$//' ./bot"
    )


def test_missing_folder(refusal, tmp_path):
    assert "does not exist" in str(refusal("./bot", cwd=tmp_path / "nowhere"))


def test_a_folder_is_no_program(refusal, tmp_path):
    (tmp_path / "bot").mkdir()
    assert "is a folder" in str(refusal("./bot"))


def test_no_loader(refusal, tmp_path):
    """A compiled program whose loader is missing looks to the kernel like a missing file."""
    with open(sys.executable, "rb") as file:
        program = file.read()
    write(tmp_path / "bot", program.replace(b"/lib64/ld-linux", b"/lib64/ld-nosuc"))
    assert "asks for a loader" in str(refusal("./bot"))


def test_too_long(refusal, tmp_path):
    assert "too long" in str(refusal("true", "x" * 200_000))


def test_our_own_shortage_is_not_the_bots_fault(hub, monkeypatch):
    def no_more_pipes():
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr("os.pipe", no_more_pipes)
    with pytest.raises(StartError, match="ulimit -n") as caught:
        stdio.start(hub, ["true"], cwd="/", env=ENV, owner=Recorder(), name="bot")
    assert caught.value.our_fault


@pytest.mark.parametrize(
    "line",
    [b"#!/bin/sh\n", b"#!/usr/bin/env sh\n", b"#!/usr/bin/env -u X sh\n", b"#!/usr/bin/env A=1 sh\n", b"#!\n"],
)
def test_no_obstacle_is_seen_where_there_is_none(tmp_path, line):
    write(tmp_path / "bot", line)
    assert obstacle(["./bot"], cwd=str(tmp_path), env=ENV) is None
    assert obstacle([str(tmp_path / "bot")], cwd="/", env={}) is None
    assert obstacle(["sh"], cwd="/", env={}) is None
