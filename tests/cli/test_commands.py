"""The commands as a stranger types them: real processes, real files."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import sample_bots
from arena import record
from arena.cli.event import jobs_here
from arena.games import GAMES
from ladders.ladder_keys import KEYS
from tests.cli.shell import arena, matches_in, store_in

SEED = "7f3a"
SAMPLES = Path(sample_bots.__file__).parent


@pytest.fixture(scope="module")
def series(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, object]]:
    """A short series, played once for the tests that only read."""
    folder = tmp_path_factory.mktemp("series")
    ran = arena("play", "sheepzzz", "greedy", "random", "--deals", "4", "--seed", SEED, "--json", cwd=folder)
    return folder, json.loads(ran.stdout)


def test_play_puts_greedy_clearly_ahead_of_random(series) -> None:
    _, summary = series
    assert [row["bot"] for row in summary["bots"]] == ["greedy", "random"]
    assert summary["bots"][0]["score"] >= 0.75
    assert summary["played"] == summary["planned"] == 8
    assert not any(match["verdicts"] for match in summary["matches"])


def test_every_deal_is_played_in_every_seating(series) -> None:
    _, summary = series
    for deal in range(4):
        seated = [tuple(match["bots"]) for match in summary["matches"] if match["deal"] == deal]
        assert sorted(seated) == [("greedy", "random"), ("random", "greedy")]


def test_the_same_seed_gives_the_same_matches(series, tmp_path: Path) -> None:
    _, summary = series
    words = ("play", "sheepzzz", "greedy", "random", "--deals", "4", "--seed", SEED, "--jobs", "3", "--json")
    again = json.loads(arena(*words, cwd=tmp_path).stdout)

    def outcomes(played):
        return sorted((match["match"], match["deal"], match["scores"]) for match in played["matches"])

    assert outcomes(again) == outcomes(summary)


def test_verify_says_that_a_record_is_true(series) -> None:
    folder, summary = series
    for match in summary["matches"]:
        said = arena("verify", match["match"], cwd=folder).stdout
        assert said.startswith(f"{match['match']} holds: ") and "byte for byte" in said


def test_verify_says_what_is_wrong_after_a_byte_is_changed(series, tmp_path: Path) -> None:
    folder, summary = series
    name = summary["matches"][0]["match"]
    with store_in(folder) as store:
        data = bytearray(store.record_of(name))
    data[len(data) // 2] ^= 4
    (tmp_path / "copy.match").write_bytes(data)
    said = arena("verify", "copy.match", cwd=tmp_path, code=6).stderr
    assert said.startswith("error: ") and "seal does not fit the contents" in said


def test_i2_no_escape_of_a_record_moves_the_cursor(series, tmp_path: Path) -> None:
    folder, summary = series
    with store_in(folder) as store:
        document = record.unpack(store.record_of(summary["matches"][0]["match"]))
    (tmp_path / "evil.match").write_bytes(record.pack({**document, "game": "\x1b[31mred\x1b]0;t\x07"}))
    said = arena("verify", "evil.match", cwd=tmp_path, code=6).stderr
    assert "\x1b" not in said and "\\x1b[31mred" in said


def test_replay_tells_a_game_and_hides_what_the_viewer_did_not_see(series) -> None:
    folder, summary = series
    name = summary["matches"][0]["match"]
    everything = arena("replay", name, cwd=folder).stdout
    public = arena("replay", name, "--seat", "public", cwd=folder).stdout
    own = arena("replay", name, "--seat", "0", cwd=folder).stdout
    assert "Result: 1. " in everything and "Result: 1. " in public
    assert len(public.splitlines()) > 50
    assert everything != public != own

    seen = json.loads(arena("replay", name, "--seat", "public", "--json", cwd=folder).stdout)["events"]
    draws = [event for event in seen if event[0] == "draw" and event[2].startswith("hands")]
    assert draws and all(event[-1] is None for event in draws)


def test_games_prints_options_and_an_example(tmp_path: Path) -> None:
    listed = arena("games", cwd=tmp_path).stdout
    assert "sheepzzz" in listed
    told = arena("games", "sheepzzz", cwd=tmp_path).stdout
    for word in ("reverse_power", "package | split | designate", "2 to 5 seats", "Fewest points win"):
        assert word in told
    facts = json.loads(arena("games", "sheepzzz", "--json", cwd=tmp_path).stdout)
    assert facts["example"]["view"]["hands"][facts["example"]["view"]["seat"]]


def test_one_line_per_match_when_piped(tmp_path: Path) -> None:
    ran = arena("play", "sheepzzz", "first", "first", "first", "--deals", "1", cwd=tmp_path)
    lines = [line for line in ran.stdout.splitlines() if line.startswith("m-")]
    assert len(lines) == 3
    assert "Next: arena replay m-" in ran.stdout
    assert "\r" not in ran.stderr


def test_a_place_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file, not a folder")
    words = ("play", "sheepzzz", "first", "first", "--deals", "1", "--dir", "taken")
    said = arena(*words, cwd=tmp_path, code=5).stderr
    assert said.startswith("error: the database cannot be opened (taken/arena.db: ")
    assert said.endswith("; see: arena doctor, or keep it elsewhere: --dir FOLDER\n")


def test_f18_too_few_descriptors_are_the_machines_fault(tmp_path: Path) -> None:
    limited = f"ulimit -n 200; exec {sys.executable} -m arena play sheepzzz first first --deals 30 --tables 200"
    ran = subprocess.run(["sh", "-c", limited], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 5
    assert "200 matches at once need 3,264 descriptors, the limit is 200: use --tables 8" in ran.stderr
    assert "Traceback" not in ran.stderr and "m-" not in ran.stdout


def test_f22_who_stops_reading_does_not_stop_the_matches(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "arena", "play", "sheepzzz", "first", "first", "--deals", "20"]
    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None and running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait() == 0
    assert len(matches_in(tmp_path)) == 40


def test_an_interrupt_keeps_what_was_played_and_leaves_no_process(tmp_path: Path) -> None:
    shutil.copytree(SAMPLES / "first", tmp_path / "first")
    shutil.copy(SAMPLES / "flock_bot.py", tmp_path)
    (tmp_path / "first/bot.toml").write_text(f'name = "first"\nrun = ["{sys.executable}", "bot.py"]\n', "utf-8")
    words = [sys.executable, "-m", "arena", "play", "sheepzzz", "./first", "./first", "--trust-bots"]
    with subprocess.Popen(
        [*words, "--deals", "100000"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as running:
        assert running.stdout is not None and running.stderr is not None
        lines = [running.stdout.readline() for _ in range(5)]
        assert processes_in(tmp_path / "first")
        running.send_signal(signal.SIGINT)
        rest = running.stdout.read()
        said = running.stderr.read()
        assert running.wait() == 130
    assert re.search(r"stopped after \d+ of \d+ matches\. Go on: the same command with --seed [0-9a-f]+", said), (
        said
    )
    assert "forfeits  ms/move" in rest
    stored = {line.match for line in matches_in(tmp_path)}
    assert {line.split()[0] for line in lines[1:]} <= stored, "what was shown is on disk"
    assert not processes_in(tmp_path / "first")


def processes_in(folder: Path) -> list[str]:
    """Processes whose working folder this is."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with contextlib.suppress(OSError):
                if os.readlink(entry / "cwd") == str(folder):
                    found.append(entry.name)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played_at_every_table_size_by_real_processes(game: str, tmp_path: Path) -> None:
    for seats in GAMES[game].seats_allowed:
        words = ("play", game, "random", "first", "--seats", str(seats), "--deals", "1", "--json")
        played = json.loads(arena(*words, cwd=tmp_path).stdout)
        assert played["played"] == seats
        assert not any(match["verdicts"] for match in played["matches"])
    widest = played["matches"][0]["match"]
    arena("verify", widest, cwd=tmp_path)
    arena("replay", widest, "--seat", "public", cwd=tmp_path)


CHATTY = """
import os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from flock_bot import run

def choose(view, options):
    print("my hand is", view["hands"][view["seat"]], flush=True)
    os._exit(3)

run(choose)
"""


def written_bot(folder: Path, program: str, name: str = "own") -> Path:
    folder.mkdir()
    shutil.copy(SAMPLES / "flock_bot.py", folder)
    (folder / "bot.py").write_text(program, "utf-8")
    (folder / "bot.toml").write_text(f'name = "{name}"\nrun = ["{sys.executable}", "bot.py"]\n', "utf-8")
    return folder


def test_a_replay_hides_what_a_failed_bot_said_from_everybody_but_its_own_seat(tmp_path: Path) -> None:
    written_bot(tmp_path / "chatty", CHATTY)
    words = ("play", "sheepzzz", "./chatty", "random", "--deals", "1", "--trust-bots")
    live = arena(*words, cwd=tmp_path).stdout
    lines = [line for line in live.splitlines() if line.startswith("m-") and "  deal " in line]
    assert lines and not any("my hand" in line for line in lines)
    for match in (line.split()[0] for line in lines):
        told = {seat: arena("replay", match, "--seat", seat, cwd=tmp_path).stdout for seat in ("0", "1", "public")}
        data = arena("replay", match, "--seat", "public", "--json", cwd=tmp_path).stdout
        assert sum("my hand" in text for text in told.values()) == 1
        assert "my hand" not in told["public"] + data
        assert "EXIT" in told["public"]


def test_two_different_bots_of_one_name_are_refused(tmp_path: Path) -> None:
    written_bot(tmp_path / "one", CHATTY)
    written_bot(tmp_path / "two", CHATTY + "# changed")
    said = arena("play", "sheepzzz", "./one", "./two", "--trust-bots", cwd=tmp_path, code=2).stderr
    assert 'two different bots are called "own"' in said


def test_series_of_one_seed_do_not_overwrite_each_other(tmp_path: Path) -> None:
    for words in (
        ("sheepzzz", "first", "random"),
        ("wolfpack", "first", "random"),
        ("sheepzzz", "first", "first"),
    ):
        arena("play", *words, "--deals", "1", "--seed", SEED, cwd=tmp_path)
    assert len(matches_in(tmp_path)) == 6


def test_the_same_series_again_is_not_played_twice_but_gone_on_with(tmp_path: Path) -> None:
    words = ("play", "sheepzzz", "first", "random", "--seed", SEED, "--json")
    first = json.loads(arena(*words, "--deals", "2", cwd=tmp_path).stdout)
    more = json.loads(arena(*words, "--deals", "3", cwd=tmp_path).stdout)
    assert more["matches"][:4] == first["matches"] and more["played"] == len(matches_in(tmp_path)) == 6


def test_a_file_with_a_strange_name_does_not_stop_a_bot(tmp_path: Path) -> None:
    folder = written_bot(tmp_path / "own", CHATTY)
    (folder / os.fsdecode(b"caf\xe9")).touch()
    arena("play", "sheepzzz", "./own", "random", "--deals", "1", "--trust-bots", cwd=tmp_path)


BROKEN = {
    "unknown game": (("play", "shepzzz", "random", "random"), 2, 'did you mean "sheepzzz"?'),
    "unknown bot": (("play", "sheepzzz", "gredy", "random"), 2, 'did you mean "greedy"?'),
    "too few bots": (("play", "sheepzzz", "random"), 2, "2 to 5 seats"),
    "too many bots": (("play", "sheepzzz", *["random"] * 6), 2, "2 to 5 seats"),
    "unknown option": (
        ("play", "sheepzzz", "random", "random", "--variant", "taget=3"),
        2,
        'did you mean "target"?',
    ),
    "bad value": (
        ("play", "sheepzzz", "random", "random", "--variant", "round_end=x"),
        2,
        "choose all_hands_empty",
    ),
    "no value": (("play", "sheepzzz", "random", "random", "--variant", "target"), 2, "write name=value"),
    "an option for other tables": (
        ("play", "herr-der-ziegen", *["random"] * 3, "--variant", "layout=0,0@0 1,0@4"),
        2,
        "layout",
    ),
    "a huge level": (
        ("play", "volle-wolle", "random", "random", "--variant", "board_levels=99999999999999999999,2,3,4,5,6"),
        2,
        "below 1000",
    ),
    "bad seed": (("play", "sheepzzz", "random", "random", "--seed", "xyz"), 2, "hexadecimal"),
    "no seed": (("play", "sheepzzz", "random", "random", "--seed", ""), 2, "1 to 64 hexadecimal digits"),
    "a seed with gaps": (("play", "sheepzzz", "random", "random", "--seed", "7f 3a 1"), 2, "hexadecimal digits"),
    "no seats": (("play", "sheepzzz", "random", "random", "--seats", "0"), 2, "--seats"),
    "no record": (("replay", "m-0000000000"), 2, "nothing was played under .arena"),
    "unknown command": (("ply",), 2, "No such command"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_wrong_word_gets_a_sentence_with_a_next_step(case: str, tmp_path: Path) -> None:
    words, code, expected = BROKEN[case]
    said = arena(*words, cwd=tmp_path, code=code).stderr
    assert expected in said
    assert not (tmp_path / ".arena").exists()


@pytest.mark.parametrize("option", ["move-ms", "bank-ms", "start-ms", "strikes"])
def test_a_limit_may_be_as_large_as_in_a_ladder_file(option: str, tmp_path: Path) -> None:
    most = KEYS["limits"][option.replace("-", "_")].says.rpartition("..")[2]
    words = ("play", "sheepzzz", "first", "first", "--deals", "1", f"--{option}")
    said = arena(*words, "9" * 20, cwd=tmp_path, code=2).stderr
    assert f"--{option}" in said and f"<={most}" in said
    arena(*words, most, cwd=tmp_path)


def test_an_error_is_data_when_json_is_asked_for(tmp_path: Path) -> None:
    ran = arena("play", "shepzzz", "random", "random", "--json", cwd=tmp_path, code=2)
    assert json.loads(ran.stdout)["code"] == 2


def own_bot(folder: Path, run: str = '["./bot.sh"]', more: str = "") -> Path:
    folder.mkdir()
    (folder / "bot.toml").write_text(f'name = "own"\nrun = {run}\n{more}', "utf-8")
    (folder / "bot.sh").write_text("#!/bin/sh\nexit 3\n", "utf-8")
    (folder / "bot.sh").chmod(0o755)
    return folder


def test_a_bot_of_somebody_else_runs_in_a_sandbox_unless_trusted(tmp_path: Path) -> None:
    own_bot(tmp_path / "own")
    words = ("play", "sheepzzz", "./own", "random", "--deals", "1")
    assert "sandbox full" in arena(*words, cwd=tmp_path).stdout
    ran = arena(*words, "--trust-bots", cwd=tmp_path)
    assert "sandbox none" in ran.stdout
    assert "{START: seat 0 at move 1, forfeits}" in ran.stdout
    assert "own did not start: it ended before it was ready (exit code 3)" in ran.stdout


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ('rn = ["x"]', 'unknown key "rn"; did you mean "run"?'),
        ('encoding = "xml"', 'encoding is "json" or "msgpack"'),
        ('games = "sheepzzz"', "games must be a list of texts"),
        ("games = [", "bot.toml"),
    ],
)
def test_a_broken_manifest_is_told_with_its_file(more: str, expected: str, tmp_path: Path) -> None:
    own_bot(tmp_path / "own", more=more)
    said = arena("play", "sheepzzz", "./own", "random", "--trust-bots", cwd=tmp_path, code=2).stderr
    assert expected in said and "bot.toml" in said


def test_records_are_not_readable_by_others(series) -> None:
    folder, _ = series
    kept = [path for path in (folder / ".arena").rglob("*") if path.is_file()]
    assert kept and all(path.stat().st_mode & 0o077 == 0 for path in kept)


LOADED = """
import sys
heavy, sys.argv = sys.argv[1].split(), ["arena", *sys.argv[2:]]
try:
    from arena.cli import main
    main()
finally:
    print([name for name in heavy if name in sys.modules])
"""


@pytest.mark.parametrize(
    ("words", "heavy"),
    [
        (["--help"], "trio msgspec msgpack numpy sqlalchemy arena.games"),
        (["match", "list"], "pydantic sqlalchemy.dialects.postgresql"),
    ],
    ids=["help", "the store"],
)
def test_a_command_does_not_load_what_it_does_not_need(series, words: list[str], heavy: str) -> None:
    folder, _ = series
    command = [sys.executable, "-c", LOADED, heavy, *words]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    assert ran.stdout.strip().endswith("[]")


@pytest.mark.parametrize(("wanted", "blocks", "jobs"), [(4, None, 4), (4, 2, 2), (2, 50, 2), (None, 1, 1)])
def test_no_more_workers_are_started_than_there_are_blocks(
    wanted: int | None, blocks: int | None, jobs: int
) -> None:
    assert jobs_here(wanted, blocks) == jobs
