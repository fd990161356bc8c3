"""How commands end: whatever listens, whatever it can show, and whatever was typed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli.failure import DAMAGED, USAGE
from arena.cli.plain import PLAIN
from tests.cli.shell import COMMAND, arena, ladder_file

PLAIN_TERMINALS = {
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "latin-1": {"PYTHONIOENCODING": "latin-1"},
    "POSIX": {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("place") / "Schöne Herde"
    folder.mkdir()
    arena("play", "sheepzzz", "greedy", "random", "--deals", "2", cwd=folder)
    return folder


@pytest.mark.parametrize("words", [["ply"], ["play"], ["play", "sheepzzz", "a", "b", "--deals", "x"], ["--jsn"]])
def test_a_wrong_word_is_data_when_json_is_asked_for(words: list[str], tmp_path: Path) -> None:
    ran = arena(*words, "--json", cwd=tmp_path, code=2)
    told = json.loads(ran.stdout)
    assert told["code"] == 2 and "; see: arena" in told["error"]


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", ["help protocol", "match list", "games sheepzzz"])
def test_f22_a_reader_that_leaves_is_no_failure(words: str, unbuffered: str, played: Path) -> None:
    """With a pipe that nobody reads from the beginning on, the first byte finds it closed."""
    reading, writing = os.pipe()
    os.close(reading)
    ran = subprocess.run(
        [*COMMAND, *words.split()],
        cwd=played,
        stdout=writing,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        check=False,
    )
    os.close(writing)
    assert (ran.returncode, ran.stderr) == (0, b"")


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_behind_the_output_is_a_sentence(unbuffered: str, tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        ran = subprocess.run(
            [*COMMAND, "help", "protocol"],
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            check=False,
        )
    assert ran.returncode == 5
    assert ran.stderr == "error: the output cannot be written: No space left on device; make room and try again\n"


@pytest.mark.parametrize("words", ["play sheepzzz first first --deals 1", "ladder run spring.toml"])
@pytest.mark.parametrize("form", ["", " --json"])
def test_a_result_that_a_full_disk_swallowed_is_no_success(words: str, form: str, tmp_path: Path) -> None:
    ladder_file(tmp_path, deals=1)
    line = f"exec {sys.executable} -m arena {words}{form} > /dev/full"
    ran = subprocess.run(["sh", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 5
    assert ran.stderr == "error: the output cannot be written: No space left on device; make room and try again\n"


def test_a_command_needs_no_output_to_write_to(tmp_path: Path) -> None:
    line = f"exec {sys.executable} -m arena help protocol >&-"
    ran = subprocess.run(["sh", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize("terminal", PLAIN_TERMINALS)
def test_a_terminal_that_is_not_utf_8_is_told_all_in_its_own_letters(terminal: str, played: Path) -> None:
    ran = {
        words: subprocess.run(
            [*COMMAND, *words.split()],
            cwd=played,
            capture_output=True,
            env={**os.environ, **PLAIN_TERMINALS[terminal]},
            check=False,
        )
        for words in ("help ratings", "play sheepzzz greedy random --deals 2 --seed 7", "doctor", "check greedy")
    }
    for words, one in ran.items():
        assert one.returncode == 0 and b"Traceback" not in one.stderr, words
    assert b"Next: arena replay" in ran["play sheepzzz greedy random --deals 2 --seed 7"].stdout
    assert {"ascii": b"Sch\\xf6ne", "latin-1": b"Sch\xf6ne", "POSIX": b"Sch\\udcc3\\udcb6ne"}[terminal] in ran[
        "doctor"
    ].stdout


def test_a_board_loses_no_line_on_a_plain_terminal(tmp_path: Path) -> None:
    ladder_file(tmp_path, deals=1)
    words = [*COMMAND, "ladder", "run", "spring.toml"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    ran = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, env=environment, check=True)
    assert "Elo" in ran.stdout and "spring is complete. Next: " in ran.stdout


def test_every_sign_of_the_documents_has_a_plain_form() -> None:
    docs = Path(__file__).parents[2] / "docs"
    signs = {sign for page in docs.glob("*.md") for sign in page.read_text("utf-8") if not sign.isascii()}
    letters = {sign for sign in signs if sign.isalpha()} - set(PLAIN)
    assert signs - letters <= set(PLAIN), "write a plain form into arena/cli/plain.py"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("replay m-zzzz", 'there is no match "m-zzzz"; see: arena match list'),
        ("replay m-", "write more of it"),
        ("ladder show spring", 'there is no ladder "spring"; begin one: arena new ladder NAME'),
        ("verify nothing.match", "there is no file nothing.match; name one, a match (m-…) or a ladder"),
        ("bot show tiger", "hand one in: arena submit FOLDER"),
        ("play sheepzzz first first --store mysql://here/x", "give a file, or postgresql://user@host/name"),
    ],
)
def test_what_is_not_there_is_told_with_a_next_step(words: str, expected: str, played: Path) -> None:
    ran = arena(*words.split(), cwd=played, code=2)
    assert expected in ran.stderr


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        (("--host", "192.0.2.1"), "192.0.2.1 is no address of this machine"),
        (("--host", "no such host"), "no such host is no address of this machine"),
    ],
)
def test_an_address_of_somebody_else_is_not_called_a_port(
    option: tuple[str, str], expected: str, played: Path
) -> None:
    said = arena("serve", *option, cwd=played, code=5).stderr
    assert expected in said and "port" not in said


def test_files_that_are_not_utf_8_are_told_with_the_remedy(tmp_path: Path) -> None:
    arena("new", "bot", "tiger", cwd=tmp_path)
    arena("new", "ladder", "spring", cwd=tmp_path)
    for path, words in (
        (tmp_path / "tiger/bot.toml", "check tiger"),
        (tmp_path / "spring.toml", "ladder run spring.toml"),
    ):
        path.write_bytes(path.read_bytes() + b"# Sch\xf6n\n")
        said = arena(*words.split(), cwd=tmp_path, code=2).stderr
        assert "is no text in UTF-8" in said and "save it as UTF-8" in said


AT_THE_FIRST_WORD = """
import builtins, signal, sys
say = builtins.print
def interrupted(*words, **options):
    builtins.print = say
    signal.raise_signal(signal.SIGINT)
builtins.print = interrupted
sys.argv = ["arena", *sys.argv[1:]]
from arena.cli import main
main()
"""


@pytest.mark.parametrize("words", ["help protocol", "match list", "games"])
def test_ctrl_c_ends_a_command_in_a_sentence(words: str, played: Path) -> None:
    command = [sys.executable, "-c", AT_THE_FIRST_WORD, *words.split()]
    ran = subprocess.run(command, cwd=played, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (130, "error: stopped; what was shown is kept\n")


def test_a_ladder_file_that_is_missing_can_be_made_by_the_command_that_is_named(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    for path in ("night.toml", "mine/night.toml"):
        said = arena("ladder", "run", path, cwd=tmp_path, code=USAGE).stderr
        _, _, command = said.strip().rpartition(": arena ")
        assert f"there is no file {path}" in said and command.startswith("new ladder night")
        arena(*command.split(), cwd=tmp_path)
        assert (tmp_path / path).is_file()


def test_a_database_that_is_none_is_told_with_where_to_read_of_backups(tmp_path: Path) -> None:
    (tmp_path / ".arena").mkdir()
    (tmp_path / ".arena/arena.db").write_text("no database, but longer than the head that one begins with " * 9)
    said = arena("ladder", "list", cwd=tmp_path, code=DAMAGED).stderr
    _, _, command = said.strip().rpartition(": arena ")
    assert "put a backup in its place" in said
    assert "Backup" in arena(*command.split(), cwd=tmp_path).stdout
