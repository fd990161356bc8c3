"""What `arena new bot` makes is a bot at once: in every language it is built, checked and played."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from arena.bots.build import build_in_place
from arena.bots.check import may_enter
from arena.bots.manifest import SAMPLES, BotError, find_bot, read_bot
from arena.bots.starters import LANGUAGES, make_bot
from arena.chance import derive
from arena.clock import TimeControl
from arena.example import example_of
from arena.games import GAMES
from arena.referee import Fixture
from tests.arena.zoo import play
from tests.bots.checking import checked

LINES_TO_EDIT = 15
PAIRS = list(zip(LANGUAGES, GAMES, strict=True))  # four of each: every one has its turn


@pytest.mark.parametrize(("language", "game"), PAIRS)
async def test_a_new_bot_passes_the_check_and_plays(language: str, game: str, tmp_path: Path) -> None:
    make_bot("tiger", language, GAMES[game], tmp_path / "tiger")
    steps = await checked(read_bot(tmp_path / "tiger"), None)
    failed = [step for step in steps if step.result == "FAILED" and step.title != "decide within 100 ms"]
    assert may_enter(steps) and not failed, failed

    bots, rules = (read_bot(tmp_path / "tiger"), find_bot("random")), GAMES[game]
    seatings = (bots, bots[::-1])
    fixtures = [
        Fixture(
            rules, rules.variant_type(), seating, derive(bytes(32), "deal", deal), derive(bytes(32), row, deal)
        )
        for deal in range(20)
        for row, seating in enumerate(seatings)
    ]
    table = await play(*fixtures, control=TimeControl(), at_once=2)
    assert len(table.played) == 40
    assert not [text for played in table.played for text in played.texts]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_a_bot_for_every_game(language: str, game: str, tmp_path: Path) -> None:
    made = make_bot("tiger", language, GAMES[game], tmp_path / "new" / "tiger")
    bot = read_bot(tmp_path / "new" / "tiger")
    assert (bot.name, bot.version, bot.games) == ("tiger", "0.1", (game,))
    assert sorted(path.name for path in bot.folder.iterdir()) == sorted(path.name for path in made)
    assert made[3].read_bytes() == (SAMPLES / LANGUAGES[language].kit).read_bytes()

    program = made[0].read_text()
    for key in example_of(GAMES[game])["view"]:
        assert f" {key} " in program, "the fields of the view are listed"
    comment = "#" if language in ("python", "shell") else ("//", "/*")
    code = [line for line in program.splitlines() if line.strip() and not line.startswith(comment)]
    assert len(code) <= LINES_TO_EDIT
    for path in made[:3]:
        text = path.read_text()
        assert "@" not in text and not any(line != line.rstrip() for line in text.splitlines())


def test_the_python_bot_needs_no_package(tmp_path: Path) -> None:
    make_bot("tiger", "python", GAMES["sheepzzz"], tmp_path / "tiger")
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", "import sys; sys.path[0:0] = ['.']; import bot"],
        cwd=tmp_path / "tiger",
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert json.loads(ran.stdout)["type"] == "hello"


async def test_a_c_bot_says_how_it_is_built(tmp_path: Path) -> None:
    make_bot("tiger", "c", GAMES["sheepzzz"], tmp_path / "tiger")
    manifest = tomllib.loads((tmp_path / "tiger" / "bot.toml").read_text())
    assert manifest["build"] == ["cc", "-O2", "-o", "bot", "bot.c"] and manifest["run"] == ["./bot"]
    assert not (tmp_path / "tiger" / "bot").exists()
    await build_in_place(read_bot(tmp_path / "tiger"))
    assert (tmp_path / "tiger" / "bot").exists()


async def test_a_build_error_is_shown(tmp_path: Path) -> None:
    make_bot("tiger", "c", GAMES["sheepzzz"], tmp_path / "tiger")
    (tmp_path / "tiger" / "bot.c").write_text("int main(void) { return choose(; }\n")
    with pytest.raises(BotError, match=r"(?s)tiger was not built: cc -O2 -o bot bot.c ended with 1.*error"):
        await build_in_place(read_bot(tmp_path / "tiger"))


@pytest.mark.parametrize("name", ["../../x", "/x", "-rf", "", "a\nb", "x" * 300, ".", "Tiger"], ids=ascii)
def test_g1_a_bad_name_makes_nothing(name: str, tmp_path: Path) -> None:
    with pytest.raises(BotError, match="name may use a-z 0-9 - _ "):
        make_bot(name, "python", GAMES["sheepzzz"], tmp_path / "new")
    assert not list(tmp_path.iterdir())


def test_what_is_there_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "tiger").mkdir()
    with pytest.raises(BotError, match="is there already"):
        make_bot("tiger", "python", GAMES["sheepzzz"], tmp_path / "tiger")
    assert not list((tmp_path / "tiger").iterdir())


def test_a_sample_bots_name_is_taken(tmp_path: Path) -> None:
    """By name one would always get the sample."""
    with pytest.raises(BotError, match='a sample bot called "random"'):
        make_bot("random", "python", GAMES["sheepzzz"], tmp_path / "random")


def test_an_unknown_language_gets_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(BotError, match='unknown language "javscript"; did you mean "javascript"'):
        make_bot("tiger", "javscript", GAMES["sheepzzz"], tmp_path / "tiger")
