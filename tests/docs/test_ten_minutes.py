"""The first ten minutes, walked in an empty folder from the wheel: every step promises the next one."""

from __future__ import annotations

import re
import subprocess
import urllib.request
from pathlib import Path

import pytest

from arena import __version__
from tests.docs.pages import DOCS, blocks_of
from tests.docs.shell import Shell
from tests.docs.wheel import build_wheel, environment_with

PROMISED = {
    "arena": "arena help quickstart",
    "arena play sheepzzz greedy random --deals 10": "Next: arena replay m-",
    "arena new bot tiger": "Next: arena check tiger",
    "arena check tiger": "Next: arena play sheepzzz tiger random   |   arena submit tiger",
    "arena play sheepzzz tiger random --deals 2": "Next: arena replay m-",
    "arena play sheepzzz tiger random --deals 10": "Next: arena replay m-",
    "arena new bot quitter": "Next: arena check quitter",
    "arena play sheepzzz quitter random --deals 1": "See: arena log m-",
    "arena submit tiger": "arena new ladder spring --bot tiger",
    "arena new ladder spring --bot tiger": "Next: arena ladder run spring.toml",
    "arena ladder run spring.toml": "Next: arena ladder show spring   |   arena serve",
    "arena ladder show spring": "tiger@0.1",
}


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("installed")
    return environment_with(build_wheel(folder), folder / "environment")


@pytest.fixture
def shell(python: Path, tmp_path: Path) -> Shell:
    here = tmp_path / "here"
    here.mkdir()
    shell = Shell(here, str(python))
    shell.environment.pop("PYTHONPATH", None)
    return shell


def test_every_step_of_the_quickstart_works_and_names_the_next(shell: Shell) -> None:
    said: dict[str, str] = {}
    for block in blocks_of(DOCS / "quickstart.md"):
        if block.not_run or block.language == "text":
            continue
        if block.file is not None:
            shell.write(block)
        for command in block.commands:
            if command != "arena serve":
                said[command] = shell.type(command)
    assert list(said) == list(PROMISED)
    for command, promise in PROMISED.items():
        assert promise in said[command], f"$ {command}\n{said[command]}"
        assert "did not start" not in said[command], f"$ {command}\n{said[command]}"

    failed = said["arena play sheepzzz quitter random --deals 1"]
    assert re.search(r"EXIT: quitter left at move \d+: exit code 3", failed), failed
    told = re.findall(r"See: (arena log m-\w+ --stderr \d)", failed)[0]
    assert "I cannot see the wolf" in shell.type(told)
    (match,) = re.findall(r"Next: arena replay (m-\w+)", said["arena play sheepzzz tiger random --deals 10"])
    look_at_the_pages(shell, match)


def look_at_the_pages(shell: Shell, match: str) -> None:
    """The board, and the replay behind its link."""
    server = subprocess.Popen(
        ["arena", "serve", "--port", "0"],
        cwd=shell.folder,
        env=shell.environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        address = server.stdout.readline().split()[0].rstrip("/")
        assert "spring" in fetched(address)
        assert "tiger@0.1" in fetched(f"{address}/l/spring")
        assert match in fetched(f"{address}/m/{match}?move=5&seat=0")
    finally:
        server.terminate()
        server.communicate(timeout=20)


def fetched(address: str) -> str:
    with urllib.request.urlopen(address, timeout=30) as answer:
        return str(answer.read().decode())


def test_the_wheel_brings_documents_ladders_types_and_its_version(shell: Shell, python: Path) -> None:
    assert shell.type("arena --version").strip() == f"arena {__version__}"
    assert "### TIMEOUT" in shell.type("arena help TIMEOUT")
    (packages,) = python.parents[1].glob("lib/python*/site-packages")
    for package in ("arena", "protocol", "ladders", "sample_bots"):
        assert (packages / package / "py.typed").is_file()
    assert (packages / "ladders/quickstart.toml").is_file()
