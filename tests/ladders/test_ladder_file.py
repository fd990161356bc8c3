"""Ladder files: what they may say, and what is said when they are broken."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import ladders
from arena.bots.manifest import find_bot
from arena.cli.entering import label_of
from arena.clock import TimeControl
from arena.games import GAMES
from ladders.formats import FORMATS, Entry
from ladders.formats.gauntlet import GauntletOptions
from ladders.formats.open import Open, OpenOptions
from ladders.formats.planned import PlannedOptions
from ladders.ladder import changes
from ladders.ladder_file import read_ladder
from ladders.ladder_keys import KEYS
from ladders.ladder_text import LadderError, LadderText
from tests.ladders.test_formats import tied

SHIPPED = sorted(Path(ladders.__file__).parent.glob("*.toml"))
BROKEN = Path(__file__).parent / "broken_files"
SMALL = 'game = "sheepzzz"\nbots = ["greedy", "random"]\n'


def broken_files() -> list[tuple[str, str, str]]:
    found = []
    for path in sorted(BROKEN.glob("*.txt")):
        for part in path.read_text("utf-8").split("=== ")[1:]:
            title, _, rest = part.partition("\n")
            text, _, said = rest.partition("---\n")
            found.append((f"{path.stem}: {title}", text, said.strip()))
    return found


@pytest.mark.parametrize(("text", "said"), [pytest.param(*rest, id=title) for title, *rest in broken_files()])
def test_f25_a_broken_file_is_told_where_what_and_what_would_do(text: str, said: str) -> None:
    with pytest.raises(LadderError) as caught:
        read_ladder(text, "spring.toml")
    error = caught.value
    assert str(error) == said
    assert error.file == "spring.toml" and error.message and error.hint
    assert 1 <= error.line <= text.count("\n") + 1 and error.column >= 1
    assert str(error).endswith("\nnothing was started")


def test_f25_there_are_at_least_sixty_broken_files_and_no_two_are_alike() -> None:
    assert len({text for _, text, _ in broken_files()}) == len(broken_files()) >= 60


def test_f25_a_file_nested_without_end_is_a_sentence_too() -> None:
    with pytest.raises(LadderError, match="line 1: nested too deeply"):
        read_ladder("bots = " + "[" * 100_000, "spring.toml")


@pytest.mark.parametrize("number", ["9" * 5_000, "9" * 20, "0x" + "f" * 5_000, "[1, 9999999999999999999]"])
def test_a_number_without_end_is_a_sentence_too(number: str) -> None:
    with pytest.raises(LadderError, match="line 4: this number is too long"):
        read_ladder(f"{SMALL}[variant]\ntarget = {number}\n", "spring.toml")


@pytest.mark.parametrize("moment", ["1" * 5_000, "[" * 50_000, "3"])
def test_a_time_that_is_anything_else_is_a_sentence_too(moment: str) -> None:
    with pytest.raises(LadderError, match="line 4: freeze_at cannot be "):
        read_ladder(f'{SMALL}[publish]\nfreeze_at = "{moment}"\n', "spring.toml")


def test_only_game_and_bots_are_needed() -> None:
    ladder = read_ladder(SMALL, "spring.toml")
    assert (ladder.name, ladder.title) == ("spring", "spring")
    assert (ladder.games, ladder.bots, ladder.seats) == (("sheepzzz",), ("greedy", "random"), ())
    assert ladder.schedule.format == "round_robin" and ladder.schedule.options == PlannedOptions()
    assert ladder.schedule.anonymous and not ladder.schedule.options.same_owner


def test_the_limits_are_those_of_a_single_match() -> None:
    limits, control = read_ladder(SMALL, "spring.toml").limits, TimeControl()
    assert (limits.move_ms, limits.bank_ms, limits.start_ms) == (
        control.move_ms,
        control.bank_ms,
        control.start_ms,
    )


def test_everything_can_be_said() -> None:
    ladder = read_ladder(
        """
        name = "spring"
        title = "Spring [/] 2027"
        game = ["sheepzzz", "wolfpack"]
        bots = ["bots/*", "greedy", "ws:remote-lion"]
        seats = [2, 4]
        variant.sheepzzz.target = 50
        [variant.wolfpack]
        pile_choice = true
        [schedule]
        format = "gauntlet"
        challengers = ["greedy"]
        deals = 5
        same_owner = true
        anonymous = false
        [limits]
        start_ms = 1
        move_ms = 2
        bank_ms = 3
        strikes = 4
        memory_mb = 50
        ponder = true
        [run]
        jobs = 6
        tables = 7
        sandbox = "trust-bots"
        seed = "00fF"
        [rating]
        anchor = "random"
        provisional_blocks = 8
        live = 32
        [publish]
        open_after = "ladder"
        notes = "all"
        live = false
        freeze_at = 2027-05-01T18:00:00Z
        """,
        "anything at all",
    )
    assert ladder.title == "Spring [/] 2027" and ladder.seats == (2, 4)
    assert ladder.variants == {"sheepzzz": {"target": 50}, "wolfpack": {"pile_choice": True}}
    assert ladder.schedule.options == GauntletOptions(same_owner=True, deals=5, challengers=("greedy",))
    assert not ladder.schedule.anonymous
    assert list(vars(ladder.limits).values()) == [1, 2, 3, 4, 50, True]
    assert list(vars(ladder.run).values()) == [6, 7, "trust-bots", "00fF"]
    assert list(vars(ladder.publish).values()) == ["ladder", "all", False, "2027-05-01T18:00:00+00:00"]
    settings = ladder.rating.settings()
    assert (settings.anchor, settings.anchor_elo, settings.provisional_blocks) == ("random", 1000, 8)
    assert settings.constant_k == 32


def test_without_an_anchor_the_base_is_the_mean_of_the_pool() -> None:
    settings = read_ladder(SMALL, "spring.toml").rating.settings()
    assert (settings.base, settings.anchor, settings.constant_k) == (1500, None, None)


def test_a_time_may_be_written_as_a_text_and_a_byte_order_mark_is_forgiven() -> None:
    ladder = read_ladder("\ufeff" + SMALL + '[publish]\nfreeze_at = "2027-05-01T18:00:00+02:00"\n', "spring.toml")
    assert ladder.publish.freeze_at == "2027-05-01T18:00:00+02:00"


def test_every_format_can_be_chosen_and_begins() -> None:
    more = {"gauntlet": 'challengers = ["a"]', "open": 'stop = "interval:12.5"', "swiss": "rounds = 2"}
    for name in FORMATS:
        ladder = read_ladder(f'{SMALL}[schedule]\nformat = "{name}"\n{more.get(name, "")}', "spring.toml")
        format_ = ladder.begin([Entry("a"), Entry("b"), Entry("c")], 2, b"seed")
        assert type(format_) is FORMATS[name]
        assert format_.options is ladder.schedule.options
        assert format_.next_table()
    assert (
        OpenOptions(stop=12.5)
        == read_ladder(
            f'{SMALL}[schedule]\nformat = "open"\nstop = "interval:12.5"\n', "spring.toml"
        ).schedule.options
    )


def test_an_open_ladder_asks_for_as_many_blocks_as_its_file_before_a_rating_counts() -> None:
    for blocks, newcomers in [(1, 0), (1_000, 2)]:
        text = f'{SMALL}[schedule]\nformat = "open"\n[rating]\nprovisional_blocks = {blocks}\n'
        format_ = read_ladder(text, "spring.toml").begin([Entry("a"), Entry("b")], 2, b"seed")
        assert isinstance(format_, Open)
        for number in range(40):
            format_.played(replace(tied(("a", "b")), number=number))
        format_._in_order()
        assert len(format_._snapshot.newcomers) == newcomers


def test_settings_are_json_with_every_default_filled_in() -> None:
    settings = read_ladder(SMALL, "spring.toml").settings()
    assert json.loads(json.dumps(settings)) == settings
    written = {table: set(keys) for table, keys in KEYS.items() if table and table != "schedule"}
    assert {table: set(settings[table]) for table in written} == written
    assert set(settings) - set(written) == {*KEYS[""], "variant", "schedule"}
    assert settings["limits"]["move_ms"] == 1000 and settings["run"]["jobs"] == "auto"
    assert settings["schedule"] == {"format": "round_robin", "anonymous": True, "same_owner": False, "deals": 10}


def test_i3_what_changed_since_the_start_is_told() -> None:
    old = read_ladder(SMALL + "[limits]\nmove_ms = 1000\n", "spring.toml").settings()
    new = read_ladder(
        'game = "sheepzzz"\nbots = ["greedy"]\n[variant]\ntarget = 5\n[limits]\nmove_ms = 500\n'
        '[rating]\nlive = 16\n[schedule]\nformat = "open"\n',
        "spring.toml",
    ).settings()
    assert changes(old, new) == [
        'bots ["greedy", "random"] -> ["greedy"]',
        "format round_robin -> open",
        "deals 10 -> nothing",
        "move_ms 1000 -> 500",
        "rating.live decaying -> 16",
        "target nothing -> 5",
        "stop nothing -> none",
    ]
    assert changes(old, old) == []


def test_i3_what_is_settled_for_each_run_may_change() -> None:
    old = read_ladder(SMALL, "spring.toml").settings()
    new = read_ladder(f"{SMALL}[run]\njobs = 1\ntables = 1\n[publish]\nlive = false\n", "spring.toml")
    assert changes(old, new.settings()) == []
    assert changes(old, new.settings(), harmless=("run",)) == ["publish.live true -> false"]


def test_i3_what_was_promised_to_those_who_look_on_does_not_change_unsaid() -> None:
    old = read_ladder(SMALL, "spring.toml").settings()
    file = f'title = "T"\n{SMALL}[publish]\nopen_after = "ladder"\nfreeze_at = "2027-05-01T18:00:00Z"\n'
    assert changes(old, read_ladder(file, "spring.toml").settings()) == [
        "title spring -> T",
        "open_after block -> ladder",
        'freeze_at "" -> 2027-05-01T18:00:00+00:00',
    ]


def test_the_runner_can_point_at_what_only_it_can_see_is_wrong() -> None:
    ladder = read_ladder(SMALL + "[variant]\ntarget = -5\n", "spring.toml")
    assert ladder.text is not None
    error = ladder.text.error(("variant", "target"), "target = -5: choose 1 to 10000", "see: arena games sheepzzz")
    assert (error.line, error.column) == (4, 1)
    assert ladder.text.error(("bots",), "no such bot", "…").line == 2
    assert ladder.text.error(("limits", "move_ms"), "too short for this game", "…").line == 1


def test_every_key_is_found_where_it_stands() -> None:
    text = (
        '# a = 1\n"a b".c = 1 # d = 2\nlist = [ { x = 1 }, { y = "}" }, # z = 3\n  [1, 2]]\n'
        "long = '''\nk = 1\n'''\n[one.\"two\"]\n  deep = { er = { est = 1 }, too = [] }\n"
        "[[many]]\nkey = 1\n[[many]]\nkey = 2\n"
    )
    places = LadderText(text, "x")._places
    assert {".".join(path): (place.line, place.column) for path, place in places.items()} == {
        "a b.c": (2, 1),
        "list": (3, 1),
        "list.x": (3, 12),
        "list.y": (3, 23),
        "long": (5, 1),
        "one.two": (8, 2),
        "one.two.deep": (9, 3),
        "one.two.deep.er": (9, 12),
        "one.two.deep.er.est": (9, 19),
        "one.two.deep.too": (9, 30),
        "many": (10, 3),
        "many.key": (11, 1),
    }


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_shipped_ladders_can_be_played(path: Path) -> None:
    ladder = read_ladder(path.read_text("utf-8"), path.name)
    for name in ladder.games:
        game = GAMES[name]
        game.variant_type.read(ladder.variants.get(name, {}))
        bots = [find_bot(bot) for bot in ladder.bots]
        assert all(not bot.games or name in bot.games for bot in bots)
        for seats in ladder.seats:
            assert seats in game.seats_allowed
            assert ladder.begin([Entry(label_of(bot), bot.owner) for bot in bots], seats, b"seed").next_table()


def test_there_is_a_quickstart_and_a_ladder_for_every_game() -> None:
    assert {path.stem for path in SHIPPED} == {"quickstart", *GAMES}
