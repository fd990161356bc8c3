"""What a bot's folder says of itself, and the sentence that every wrong word in it gets."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.bots.manifest import SAMPLES, BotError, bare_bot, find_bot, read_bot

WHOLE = """
name = "tiger"
version = "0.1"
owner = "ann"
games = ["sheepzzz", "wolfpack"]
run = ["./bot", "--fast"]
build = ["cc", "-O2", "-o", "bot", "bot.c"]
encoding = "msgpack"
tables = 8
needs = ["/opt/model"]
"""


def folder_with(tmp_path: Path, manifest: str | bytes) -> Path:
    data = manifest if isinstance(manifest, bytes) else manifest.encode()
    (tmp_path / "bot.toml").write_bytes(data)
    return tmp_path


def refusal(tmp_path: Path, manifest: str | bytes) -> str:
    with pytest.raises(BotError) as caught:
        read_bot(folder_with(tmp_path, manifest))
    (line,) = str(caught.value).splitlines()
    assert line.startswith(f"{tmp_path / 'bot.toml'}")
    return line.removeprefix(f"{tmp_path / 'bot.toml'}")


def test_every_key_is_read(tmp_path: Path) -> None:
    bot = read_bot(folder_with(tmp_path, WHOLE))
    assert (bot.name, bot.version, bot.owner, bot.encoding) == ("tiger", "0.1", "ann", "msgpack")
    assert bot.games == ("sheepzzz", "wolfpack") and bot.run == ("./bot", "--fast")
    assert bot.build == ("cc", "-O2", "-o", "bot", "bot.c")
    assert bot.tables == 8 and bot.needs == ("/opt/model",)
    assert bot.folder == tmp_path and not bot.sample


def test_name_and_run_are_enough(tmp_path: Path) -> None:
    bot = read_bot(folder_with(tmp_path, 'name = "tiger"\nrun = ["./bot"]'))
    assert (bot.version, bot.owner, bot.games, bot.encoding) == ("", "", (), "json")
    assert (bot.build, bot.tables, bot.needs) == ((), 1, ())


BAD_NAMES = [
    "../../x", "/etc/passwd", "-rf", "", "\n", "tiger\n", "x" * 33, "x" * 300, ".", "..", "a b", "a/b", "Tiger",
    "tïger", "_x", "a.b", "a\0b", "[/]", "\x1b[31m", "tiger\u202e", "$(id)", "`id`", "'", '"', "%s", "a;b", "~",
    "羊", " tiger", "tiger ", "\\x", "a\tb", "con:", "a,b", "*", "?", "{}", "<b>",
]  # fmt: skip


@pytest.mark.parametrize("name", BAD_NAMES, ids=ascii)
def test_g1_a_bad_name_gets_the_rule(tmp_path: Path, name: str) -> None:
    written = "".join(f"\\U{ord(char):08x}" for char in name)
    said = refusal(tmp_path, f'run = ["./bot"]\nname = "{written}"\n')
    assert said.startswith(" line 2: name may use a-z 0-9 - _ (1 to 32)")
    assert os.listdir(tmp_path) == ["bot.toml"]


@pytest.mark.parametrize("name", ["x", "0", "tiger-2_b", "x" * 32])
def test_g1_a_good_name_is_taken(tmp_path: Path, name: str) -> None:
    assert read_bot(folder_with(tmp_path, f'name = "{name}"\nrun = ["./bot"]')).name == name


WRONG = {
    "misspelt": ('rn = ["x"]', ' line 3: unknown key "rn"; did you mean "run"?'),
    "misspelt build": ('biuld = ["x"]', ' line 3: unknown key "biuld"; did you mean "build"?'),
    "quoted key": ('"tabels" = 3', ' line 3: unknown key "tabels"; did you mean "tables"?'),
    "table": ("[limits]\nmove_ms = 3", ' line 3: unknown key "limits"; known: name, version'),
    "dotted": ("game.one = 3", ' line 3: unknown key "game"; did you mean "games"?'),
    "strange key": ('"a\\u001bb" = 3', ': unknown key "a\\x1bb"; known: '),
    "number for a text": ("version = 1.5", " line 3: version must be a text"),
    "text for a list": ('games = "sheepzzz"', " line 3: games must be a list of texts"),
    "list of numbers": ("games = [1]", " line 3: games must be a list of texts"),
    "not a game": ('games = ["\\u001b[2J"]', " line 3: games must be a list of names"),
    "no tables": ("tables = 0", " line 3: tables must be a number from 1 to 1024"),
    "too many tables": ("tables = 1025", " line 3: tables must be a number"),
    "yes for a number": ("tables = true", " line 3: tables must be a number"),
    "half a table": ("tables = 1.5", " line 3: tables must be a number"),
    "encoding": ('encoding = "xml"', ' line 3: encoding is "json" or "msgpack"'),
    "escapes": ('owner = "\\u001b[2J"', " line 3: owner must be printable"),
    "long": (f'owner = "{"x" * 65}"', " line 3: owner must be printable, 64 characters at most"),
    "needs, relative": ('needs = ["model"]', " line 3: needs must be whole paths"),
    "needs, up": ('needs = ["/opt/../root"]', " line 3: needs must be whole paths"),
    "needs, all": ('needs = ["/"]', " line 3: needs must be whole paths"),
    "needs, all again": ('needs = ["//"]', " line 3: needs must be whole paths"),
    "empty build": ('build = [""]', " line 3: build must begin with a program"),
    "twice": ('name = "lion"\n# end', ": Cannot overwrite a value (at line 3"),
    "unclosed": ("games = [", ": Invalid value (at end of document"),
    "too deep": ("x = " + "[" * 5000 + "]" * 5000, ": maximum recursion depth"),
    "too many digits": ("tables = " + "9" * 5000, ": Exceeds the limit"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_word_is_told_with_file_line_and_nearest_key(tmp_path: Path, case: str) -> None:
    line, expected = WRONG[case]
    assert refusal(tmp_path, f'name = "tiger"\nrun = ["./bot"]\n{line}').startswith(expected)


def test_what_is_no_text_or_too_long_is_told(tmp_path: Path) -> None:
    assert "can't decode byte" in refusal(tmp_path, b'name = "\xff"')
    assert " is longer than 65536 bytes" in refusal(tmp_path, "#" * 70_000)
    assert refusal(tmp_path, 'name = "tiger"') == ': run is missing; write run = ["./program"] (a list, no shell)'


@pytest.mark.parametrize(
    "run",
    ['"bot; rm -rf ."', '"./bot $(id)"', '"./bot"', '["./bot", 3]', '[["./bot"]]', "{}", '["./bot\\u0000"]'],
)
def test_g9_run_is_a_list_of_arguments_and_no_shell(tmp_path: Path, run: str) -> None:
    assert refusal(tmp_path, f'name = "tiger"\nrun = {run}').startswith(" line 2: run ")


def test_g9_what_a_shell_would_act_on_arrives_as_it_was_written(tmp_path: Path) -> None:
    words = ["; touch x", "$(touch x)", "`touch x`", "'", '"', "| touch x", "&& touch x", "*", "$HOME", "a b"]
    escaped = ", ".join('"' + word.replace('"', '\\"') + '"' for word in words)
    (tmp_path / "show.py").write_text("import sys\nprint(sys.argv[1:])")
    bot = read_bot(folder_with(tmp_path, f'name = "tiger"\nrun = ["{sys.executable}", "show.py", {escaped}]'))
    ran = subprocess.run(
        bot.run, cwd=bot.folder, env=bot.environment(), capture_output=True, text=True, check=True
    )
    assert ran.stdout == f"{words}\n"
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ('env = {LD_PRELOAD = "x.so"}', "env"),
        ('[env]\nPYTHONPATH = "."', "env"),
        ('environment = ["LD_PRELOAD=x"]', "environment"),
        ('LD_PRELOAD = "x.so"', "LD_PRELOAD"),
        ('PYTHONPATH = "."', "PYTHONPATH"),
        ('PATH = "."', "PATH"),
    ],
)
def test_g10_no_environment_variable_is_set_through_the_manifest(tmp_path: Path, line: str, key: str) -> None:
    said = refusal(tmp_path, f'name = "tiger"\nrun = ["./bot"]\n{line}')
    assert said.startswith(f' line 3: unknown key "{key}": environment variables cannot be set by a bot')


@pytest.mark.parametrize("key", ["run", "build"])
def test_g10_a_command_does_not_begin_with_a_variable(tmp_path: Path, key: str) -> None:
    commands = {"run": ["./bot"], "build": ["make"]} | {key: ["LD_PRELOAD=x.so", "./bot"]}
    said = refusal(tmp_path, f'name = "tiger"\nrun = {commands["run"]}\nbuild = {commands["build"]}')
    assert f"{key} must begin with a program; environment variables cannot be set" in said


def test_g10_the_environment_of_the_arena_stays_with_the_arena(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_PRELOAD", "x.so")
    monkeypatch.setenv("PYTHONPATH", ".")
    assert find_bot("random").environment().keys() == {"PATH", "LANG", "ARENA_ENCODING"}


def test_a_bare_program_is_a_bot(tmp_path: Path) -> None:
    program = tmp_path / "tiger.sh"
    program.write_text("#!/bin/sh\nexit 0\n")
    program.chmod(0o755)
    (tmp_path / "other").write_text("not part of it")
    bot = bare_bot(program, ("sheepzzz",))
    assert (bot.name, bot.run, bot.folder, bot.games) == ("tiger", ("./tiger.sh",), tmp_path, ("sheepzzz",))
    (tmp_path / "other").write_text("changed")
    assert find_bot(str(program)).content == bot.content
    program.write_text("#!/bin/sh\nexit 1\n")
    assert find_bot(str(program)).content != bot.content


def test_a_bare_program_must_be_executable_and_well_named(tmp_path: Path) -> None:
    (tmp_path / "tiger").touch()
    (tmp_path / "-rf").touch(0o755)
    with pytest.raises(BotError, match="not executable; try: chmod"):
        bare_bot(tmp_path / "tiger")
    with pytest.raises(BotError, match="name may use a-z 0-9 - _"):
        bare_bot(tmp_path / "-rf")
    with pytest.raises(BotError, match="is no file"):
        bare_bot(tmp_path / "lion")


@pytest.mark.parametrize("text", ["x" * 300, "x" * 5000, "a\0b", "", "\x1b[2J", "gredy"], ids=ascii)
def test_g1_a_bot_that_is_not_there_is_told_whatever_was_typed(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BotError) as caught:
        find_bot(text)
    assert str(caught.value).isprintable()
    assert str(caught.value).startswith('no bot "') or "holds no bot.toml" in str(caught.value)


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*/bot.toml")), ids=lambda path: path.parent.name)
def test_the_sample_bots_are_read(path: Path) -> None:
    bot = read_bot(path.parent)
    assert bot.sample and bot.name == path.parent.name
