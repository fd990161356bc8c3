"""What bots say reaches a terminal as text and as nothing else: rows A18, I1 and I2, through every command."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli.app import app
from tests.arena.zoo import HOSTILE_BOTS
from tests.cli.shell import arena

PAYLOADS = [
    "[/]", "[bold red]x[/bold red]", "[link=http://evil]click[/link]", "[/nothing]", "\\[bold]", ":sheep:",
    "\x1b[2J", "\x1b[31mred\x1b[0m", "\x1b]0;owned\x07", "\x1b]8;;http://evil\x1b\\click", "\x1bP+q\x1b\\",
    "\x9b31m", "\r2026-01-01 00:00 m-1 random forfeits", "\x08\x08\x08", "\x07", "\x00", "\x7f", "\x0b\x0c",
    "\x85", "\u2028x\u2029y", "\u202egnidaer\u202c", "\u2066x\u2069", "\u200b\u200d\ufeff", "\u061c", "\U000e0041",
    "<script>alert(1)</script>", "%s %n {0} {x}", "$(id) `id`", "\ud7ff\ue000", "a\u0300\u0301\u0302", "=1+1",
]  # fmt: skip
BOT = """
import json, os, sys
from wire import enter, one, requests, say
payloads = json.load(open("payloads.json"))
enter(name=payloads[int(sys.argv[1])][:32] or "x") if "hello" in sys.argv else enter()
for number, request in enumerate(requests()):
    say(one(request, note=payloads[number % len(payloads)]))
    if number >= 3:
        for text in payloads:
            os.write(2, text.encode("utf-8", "surrogatepass") + b" end\\n")
        os.write(2, b"\\xff\\xfe\\x80 last words " + payloads[int(sys.argv[1])].encode("utf-8", "surrogatepass"))
        os._exit(5)
"""


def harmless(text: str, what: str) -> str:
    """Every character can be printed, but for the ends of lines, which are ours."""
    odd = {char for line in text.split("\n") for char in line if not char.isprintable()}
    assert not odd, f"{what}: {odd}"
    return text


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A place where a bot that says such things was played, and lost its seat."""
    folder = tmp_path_factory.mktemp("payloads")
    evil = folder / "evil"
    evil.mkdir()
    shutil.copyfile(HOSTILE_BOTS / "wire.py", evil / "wire.py")
    (evil / "payloads.json").write_text(json.dumps(PAYLOADS))
    (evil / "bot.py").write_text(BOT)
    (evil / "bot.toml").write_text(
        'name = "evil"\nversion = "[/]"\nowner = "[red]"\nrun = ["python3", "bot.py", "6"]\n'
    )
    ladder = 'name = "spring"\ntitle = "[/] [bold]t"\ngame = "sheepzzz"\nseats = 2\nbots = ["./evil", "first"]\n'
    (folder / "spring.toml").write_text(f"{ladder}[schedule]\ndeals = 1\n[run]\ntables = 2\n")
    for words in (("play", "sheepzzz", "./evil", "first", "--deals", "1"), ("ladder", "run", "spring.toml")):
        harmless(arena(*words, "--trust-bots", cwd=folder).stdout, words[0])
    return folder


@pytest.fixture(scope="module")
def match(played: Path) -> str:
    return str(json.loads(arena("match", "list", "--json", cwd=played).stdout)[0]["match"])


COMMANDS = [
    ("log", "{match}"), ("log", "{match}", "--stderr", "evil"), ("replay", "{match}"),
    ("match", "show", "{match}"), ("match", "list"), ("bot", "show", "evil"), ("bot", "list"),
    ("ladder", "show", "spring"), ("ladder", "list"), ("ladder", "status", "spring"), ("export", "spring"),
    ("export", "spring", "--as", "csv"), ("verify", "spring"),
]  # fmt: skip


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_i1_i2_no_command_prints_what_moves_a_cursor_or_reads_as_markup(
    words: tuple[str, ...],
    played: Path,
    match: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(played)
    app([word.format(match=match) for word in words], standalone_mode=False)
    said = harmless(capsys.readouterr().out, " ".join(words))
    assert said and ("title" not in said or "[/] [bold]t" in said)


def test_i1_i2_last_words_are_shown_escaped_and_begin_no_line(played: Path, match: str) -> None:
    said = arena("log", match, "--stderr", "evil", cwd=played).stdout
    assert "\\x1b[2J end" in said and "[bold red]x[/bold red] end" in said and "\\u202egnidaer\\u202c end" in said
    assert all(line.startswith(("  | ", "m-")) for line in said.splitlines())
    whole = arena("log", match, cwd=played).stdout
    assert re.search(
        r"EXIT: evil@\[/\], seat \d, move 5, thought [\d.]+ ms, forfeits\n  evil left at move 5: exit code 5",
        whole,
    )
    assert "last words \\x1b[2J" in whole


def test_a_forfeit_names_who_when_why_how_long_and_how_to_see_it_again(played: Path) -> None:
    said = arena(
        "play", "sheepzzz", "./evil", "first", "--deals", "1", "--seed", "7", "--trust-bots", cwd=played
    ).stdout
    line = next(line for line in said.splitlines() if "EXIT: evil left at move 5" in line)
    found = re.search(
        r"^(m-\w+)  evil  EXIT: evil left .* Last stderr line: \".*\".* See: arena log \1 --stderr (\d)$", line
    )
    assert found is not None, line
    log = arena("log", found[1], cwd=played).stdout
    again = re.search(r"^Next: (arena play .*? --deals 1)", log, re.MULTILINE)
    assert again is not None and "--seed 7" in again[1]
    ran = subprocess.run(
        [sys.executable, "-m", *again[1].split(), "--trust-bots"],
        cwd=played,
        capture_output=True,
        text=True,
        check=True,
    )
    assert found[1] in ran.stdout, "the same series: its matches are there already, or are played again"
    told = json.loads(arena("log", found[1], "--json", cwd=played).stdout)
    assert told["verdicts"][0]["code"] == "EXIT" and len(told["seats"][0]["decisions_ms"]) > 1
    shown = arena("bot", "show", "evil", cwd=played).stdout
    assert re.search(r"Needs attention\n  EXIT  \d+ times, \d+ forfeited, last .* by evil", shown)
    assert "last words \\x1b[2J" in shown and "arena log m-" in shown


@pytest.mark.parametrize("number", range(0, len(PAYLOADS), 9))
def test_i1_i2_a_check_shows_what_a_bot_calls_itself_as_text(number: int, played: Path) -> None:
    folder = played / "evil"
    manifest = (folder / "bot.toml").read_text()
    (folder / "bot.toml").write_text(manifest.replace('"6"', f'"{number}", "hello"'))
    try:
        harmless(
            arena("check", "./evil", "--game", "sheepzzz", "--trust-bots", cwd=played, code=3).stdout, "check"
        )
    finally:
        (folder / "bot.toml").write_text(manifest)
