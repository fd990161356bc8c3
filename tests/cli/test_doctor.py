"""`arena doctor`, and what is said when a machine lacks something: rows I5, I6 and I7."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import typer.main

from arena.cli.app import app
from arena.cli.failure import USAGE, Failure
from tests.cli.shell import arena
from tests.store.postgres_server import postgres  # noqa: F401  a fixture

ROOT = Path(__file__).parent.parent.parent
NO_SANDBOX = (
    "no sandbox here (user namespaces are off): refusing to run other people's bots; --trust-bots to run your own"
)


def masked(what: str, *words: str, cwd: Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.cli.masked", what, *words],
        cwd=cwd,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == code, ran.stderr + ran.stdout
    return ran


def test_doctor_tells_what_this_machine_can_do(tmp_path: Path) -> None:
    said = arena("doctor", cwd=tmp_path).stdout
    for what in (
        "sandbox",
        "full",
        "reduced",
        "groups",
        "python",
        "rules",
        "cores",
        "descriptors",
        "disk",
        "GiB free",
    ):
        assert what in said
    told = json.loads(arena("doctor", "--json", cwd=tmp_path).stdout)
    assert told["ok"] and {finding["state"] for finding in told["findings"]} <= {"ok", "warning"}
    assert list(tmp_path.iterdir()) == [], "looking makes nothing"


def test_doctor_tells_of_a_store_that_this_arena_cannot_read(tmp_path: Path) -> None:
    arena("play", "sheepzzz", "first", "first", "--deals", "1", cwd=tmp_path)
    assert "store          reached" in arena("doctor", cwd=tmp_path).stdout
    with closing(sqlite3.connect(tmp_path / ".arena/arena.db")) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.commit()
    said = arena("doctor", cwd=tmp_path, code=5).stdout
    assert "store          failed: .arena/arena.db was written by a newer arena" in said


def test_doctor_tries_the_database(tmp_path: Path, postgres) -> None:  # noqa: F811
    url = str(postgres.new_database())
    assert (
        "store          reached; nothing is stored there yet"
        in arena("doctor", "--store", url, cwd=tmp_path).stdout
    )
    nowhere = f"postgresql://anna@/arena?host={tmp_path}"
    said = arena("doctor", "--store", nowhere, cwd=tmp_path, code=5).stdout
    assert "store          failed: the database is out of reach" in said


def test_i6_root_is_warned_and_others_are_not(tmp_path: Path) -> None:
    assert "user           warning: you are root" in masked("as-root", "doctor", cwd=tmp_path).stdout
    told = json.loads(masked("as-user", "doctor", "--json", cwd=tmp_path).stdout)
    assert {"what": "user", "told": "number 1000", "state": "ok", "more": []} in told["findings"]


def test_i7_no_sandbox_is_a_sentence_and_exit_code_5(tmp_path: Path) -> None:
    arena("new", "bot", "tiger", cwd=tmp_path)
    said = masked("without-sandbox", "doctor", cwd=tmp_path, code=5).stdout
    assert f"sandbox        failed: {NO_SANDBOX}" in said
    for words in (
        ("check", "tiger"),
        ("submit", "tiger"),
        ("play", "sheepzzz", "tiger", "random", "--deals", "1"),
    ):
        assert masked("without-sandbox", *words, cwd=tmp_path, code=5).stderr == f"error: {NO_SANDBOX}\n"
    played = masked(
        "without-sandbox", "play", "sheepzzz", "tiger", "random", "--deals", "1", "--trust-bots", cwd=tmp_path
    )
    assert "sandbox none" in played.stdout.splitlines()[0]


def commands(group: Any, path: str = "arena") -> Iterator[tuple[str, Any]]:
    for name, command in getattr(group, "commands", {}).items():
        yield from commands(command, f"{path} {name}")
    if not hasattr(group, "commands"):
        yield path, group


def takes_a_path(option: Any) -> bool:
    """Typer has kept this in two places."""
    descriptor = getattr(option, "type_descriptor", None)
    return descriptor.annotation is Path if descriptor is not None else option.type.name == "path"


COMMANDS = dict(commands(typer.main.get_command(app)))
SECRET = re.compile(r"token|password|passwd|secret|passphrase|key|credential")


@pytest.mark.parametrize("path", COMMANDS)
def test_i5_no_command_takes_a_secret_as_an_argument(path: str) -> None:
    """Everybody on the machine can read arguments; a file, or standard input, is nobody else's business."""
    for option in COMMANDS[path].params:
        for spelling in (*option.opts, *option.secondary_opts):
            is_file = spelling.endswith("-file") or takes_a_path(option)
            assert not SECRET.search(spelling) or is_file, f"{path} {spelling}"
    assert len(COMMANDS) > 20


@pytest.mark.parametrize(
    "url",
    ["postgresql://anna:swordfish@db/arena", "postgresql:///arena?user=anna&password=swordfish"],
)
def test_i5_a_password_in_the_address_of_the_store_is_refused_and_not_repeated(url: str) -> None:
    for words in (["doctor"], ["match", "list"], ["bot", "list"], ["play", "sheepzzz", "first", "random"]):
        with pytest.raises(Failure, match=r"a password does not belong in an argument.*pgpass") as failure:
            app([*words, "--store", url], standalone_mode=False)
        assert failure.value.code == USAGE and "swordfish" not in failure.value.text
