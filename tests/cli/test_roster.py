"""Bots come and go between two runs, and a draw that was made stays made."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from arena.bots.remote import remote_bot
from arena.cli import event
from arena.runner.tournament import Tournament
from arena.store.roster import Entry
from ladders.formats import FormatError
from tests.cli.shell import arena, matches_in, store_in

LADDER = """
game = "sheepzzz"
seats = 2
bots = ["first", "random", "greedy", "shepherd"]
[schedule]
format = "{format}"
deals = 1
{more}
same_owner = true
[run]
jobs = 1
seed = "1"
"""


@pytest.fixture
def knockout(tmp_path: Path) -> Path:
    (tmp_path / "ko.toml").write_text(LADDER.format(format="knockout", more="advance = 1"), "utf-8")
    arena("ladder", "run", "ko.toml", cwd=tmp_path)
    return tmp_path


def test_a_finished_knockout_plays_nothing_more_whoever_is_removed_or_added(knockout: Path) -> None:
    played = {line.match for line in matches_in(knockout)}
    for bot in ("random@0.1", "first@0.1"):
        arena("ladder", "remove", "ko", bot, cwd=knockout)
        said = arena("ladder", "resume", "ko", cwd=knockout).stdout
        assert f"{bot} is removed" in said and "ko is complete" in said
    arena("ladder", "add", "ko", "seer", cwd=knockout)
    said = arena("ladder", "resume", "ko", cwd=knockout).stdout
    assert said.count("is too late: a knockout takes nobody once it is drawn") == 1
    assert "is removed" not in said
    assert {line.match for line in matches_in(knockout)} == played


def test_a_knockout_tells_who_won_it(knockout: Path) -> None:
    told = json.loads(arena("ladder", "show", "ko", "--json", cwd=knockout).stdout)["knockouts"]
    assert len(told) == 1 and told[0]["game"] == "sheepzzz" and told[0]["complete"]
    places = told[0]["places"]
    assert sorted(places.values()) == [1, 2, 3, 3]
    winner = min(places, key=places.__getitem__)
    for words in (("show", "ko"), ("resume", "ko")):
        assert f"Knockout, sheepzzz, 2 seats: won by {winner}." in arena("ladder", *words, cwd=knockout).stdout
    again = arena("ladder", "resume", "ko", "--json", cwd=knockout).stdout.splitlines()
    assert json.loads(again[-1])["knockouts"] == told


def test_where_the_secret_is_not_the_standings_are_shown_all_the_same(knockout: Path) -> None:
    for secret in (knockout / ".arena/secrets").iterdir():
        secret.unlink()
    said = arena("ladder", "show", "ko", cwd=knockout).stdout
    assert "greedy@0.1" in said and "won by" not in said


def test_a_ladder_of_an_earlier_arena_goes_on_with_those_who_play(knockout: Path) -> None:
    with store_in(knockout) as store:
        ladder = store.find_ladder("ko")
        store.write_turns(ladder, {entry.label: () for entry in store.bots_of(ladder)})
    played = len(matches_in(knockout))
    assert "ko is complete" in arena("ladder", "resume", "ko", cwd=knockout).stdout
    assert len(matches_in(knockout)) == played
    with store_in(knockout) as store:
        assert all(turn.block == 0 for entry in store.bots_of(ladder) for turn in entry.turns)


def test_when_a_bot_joined_is_remembered_and_no_result_depends_on_it(tmp_path: Path) -> None:
    (tmp_path / "all.toml").write_text(LADDER.format(format="round_robin", more=""), "utf-8")
    arena("ladder", "run", "all.toml", cwd=tmp_path)
    arena("ladder", "add", "all", "alpha", cwd=tmp_path)
    assert "joins" in arena("ladder", "resume", "all", cwd=tmp_path).stdout
    assert "joins" not in arena("ladder", "resume", "all", cwd=tmp_path).stdout
    with store_in(tmp_path) as store:
        turns = {entry.name: entry.turns for entry in store.bots_of(store.find_ladder("all"))}
        assert turns["first"] == ((0, ()),) and turns["alpha"] == ((6, ()),)
    arena("ladder", "add", "all", "seer", cwd=tmp_path)
    assert "all holds" in arena("verify", "all", cwd=tmp_path).stdout


def test_who_left_the_file_is_named_and_an_older_version_stops(tmp_path: Path) -> None:
    file = tmp_path / "all.toml"
    file.write_text(LADDER.format(format="round_robin", more="").replace('"shepherd"', '"./mine"'), "utf-8")
    (tmp_path / "mine").mkdir()

    def version(number: int) -> None:
        bot = f'name = "mine"\nversion = "{number}"\nrun = ["python3", "bot.py"]\n'
        (tmp_path / "mine/bot.toml").write_text(bot, "utf-8")

    arena("new", "bot", "kit", cwd=tmp_path)
    for path in (tmp_path / "kit").glob("*.py"):
        path.rename(tmp_path / "mine" / path.name)
    version(1)
    assert "not in" not in arena("ladder", "run", "all.toml", cwd=tmp_path).stdout
    version(2)
    file.write_text(file.read_text("utf-8").replace('"random", ', ""), "utf-8")
    said = arena("ladder", "run", "all.toml", cwd=tmp_path).stdout
    assert "mine@2 plays from now on, in place of mine@1" in said
    assert "not in all.toml, and playing: random@0.1. To take one out: arena ladder remove all random@0.1" in said
    assert not any({"mine@1", "mine@2"} == {seat.bot for seat in line.seats} for line in matches_in(tmp_path))
    status = json.loads(arena("ladder", "status", "all", "--json", cwd=tmp_path).stdout)["bots"]
    assert (status["mine@1"], status["mine@2"], status["random@0.1"]) == ("removed", "playing", "playing")


def test_a_refused_newcomer_is_told_of_once_also_when_it_is_removed_and_again_when_it_is_added_again() -> None:
    class Drawn(Tournament):
        def enter(self, label, bot) -> None:
            raise FormatError(f"{label} is too late")

    bot = remote_bot("late")
    it = event.Event(None, None, None, b"", {"late": bot}, None, 1)
    said: list[str] = []
    screen = SimpleNamespace(say=said.append)
    drawn = Drawn("ko", b"", [], {}, None, None, screen, 0)
    for status, heard in (("playing", 1), ("removed", 1), ("playing", 2), ("benched", 2)):
        entry = Entry(1, "late", "late", "", "", bot.content, {"remote": True}, status, "")
        for _ in range(3):
            event._follow(it, drawn, entry, screen)
        assert said == ["late does not play: late is too late"] * heard
