"""Every step of the check can fail: bots with one fault each get the right line, and what to do about it."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bots.check import Step, may_enter
from arena.bots.manifest import Bot, find_bot
from arena.clock import TimeControl
from tests.bots.checking import CONTROL, checked, made_of

# A good bot, but for the one fault it is started with.
FAULTY = """
import json, os, sys, time

fault = sys.argv[1]

def say(message):
    print(json.dumps(message), flush=True)

def hello():
    return {
        "old": {"protocol": [7]}, "other": {"games": ["chess"]}, "many": {"tables": 4}, "jumble": {"tables": 4},
        "painted": {"name": "\\x1b[2J"},
    }.get(fault, {})

if fault == "mute":
    time.sleep(60)
if fault == "exit":
    sys.exit("no model.bin here")
if fault == "debug":
    print("Debug: my hand", flush=True)
say({"type": "hello", "protocol": [1], "name": "faulty", **hello()})
seats, first = {}, None
for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
    if kind == "prepare":
        if fault == "unready" or (fault == "wolfless" and message["game"] == "wolfpack"):
            time.sleep(60)
        say({"type": "ready"})
    elif kind == "start":
        seats[message["match"]] = message["seats"]
        first = first or message["match"]
    elif kind == "ask":
        for request in message["requests"]:
            if fault == "silent":
                time.sleep(60)
            if fault == "slow" and request["time_ms"] <= 100:
                time.sleep(0.15)
            if fault == "crowded" and seats[request["match"]] > 3:
                raise KeyError("seat 3")
            if fault == "jumble" and request["match"] != first:
                continue
            if fault == "shout":
                print("thinking", flush=True)
            id = "0" * 16 if fault == "stranger" else request["id"]
            choice = len(request["options"]) if fault == "illegal" else 0
            say({"type": "answer", "answers": [{"id": id, "choice": choice}]})
    elif kind == "forced" and fault == "offended":
        sys.exit("I did answer!")
    elif kind == "end":
        first = None if message["match"] == first else first
        by_score = [1 + sum(other < score for other in message["scores"]) for score in message["scores"]]
        if fault == "mortal" or (fault == "pedant" and message["ranks"] != by_score):
            sys.exit("wrong ranks")
    elif kind == "bye":
        break
if fault == "stayer":
    time.sleep(60)
"""

# fault: the step that fails, and what is told
REFUSED = {
    "mute": ("hello, protocol 1", "START: faulty did not start: no hello within 2.0 s", "The first message is"),
    "exit": ("hello, protocol 1", "ended before it was ready (exit code 1)", "stderr: no model.bin here"),
    "debug": ("hello, protocol 1", "print to stderr instead", "came: Debug: my hand"),
    "old": ("hello, protocol 1", "arena speaks protocol 1, bot offered 7", '"protocol":[7]'),
    "other": ("hello agrees with bot.toml", "does not list sheepzzz among its games: chess", "the same games"),
    "unready": (
        "prepare for sheepzzz, ready",
        "no ready within 2.0 s",
        'sent: {"type":"prepare","game":"sheepzzz"',
    ),
    "silent": ("answer the first question", "IDLE: faulty was silent at move 1", "came: nothing", "flush"),
    "shout": ("answer the first question", "PROTOCOL: ", "print to stderr instead", "It began: 'thinking'"),
    "illegal": ("answer the first question", "ILLEGAL: ", '"choice":', "An answer is the index of an option"),
    "stranger": ("answer by the id of the request", "which it was never sent", '"id":"0000000000000000"'),
    "crowded": ("play sheepzzz, 2 to 5 seats", "EXIT: ", "stderr: KeyError: 'seat 3'", "came: nothing"),
    "jumble": ("play 4 tables at once", "IDLE: faulty was silent", "Keep what a bot remembers apart"),
    "pedant": ("survive an opponent's forfeit", "left after a match", "stderr: wrong ranks"),
    "offended": (
        "go on after a forced move",
        "EXIT: ",
        "stderr: I did answer!",
        "came: nothing",
        "the match goes on",
    ),
}

WARNED = {
    "mortal": ("stay for the next match", "left when a match was over", "go on reading after end"),
    "slow": ("decide within 100 ms", "limit 100 ms", "may enter ladders that give more time"),
    "stayer": ("leave within 1 s when told", 'still running 1.0 s after "bye"; it was killed', "leave its loop"),
}

IMPATIENT = TimeControl(move_ms=300, start_ms=2_000, prepare_ms=2_000)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bot.py").write_text(FAULTY)
    return tmp_path


def faulty(folder: Path, fault: str) -> Bot:
    return made_of(folder, sys.executable, "-BEsS", "bot.py", fault)


def failures(steps: list[Step]) -> list[Step]:
    return [step for step in steps if step.result == "FAILED"]


def check_told(step: Step, title: str, *parts: str) -> None:
    assert step.title == title
    told = "\n".join(step.told)
    assert all(line.isprintable() for line in step.told)
    for part in parts:
        assert part in told, told


@pytest.mark.parametrize("fault", REFUSED)
async def test_a_fault_fails_its_own_step_and_the_bot_may_not_enter(folder: Path, fault: str) -> None:
    waits = fault in ("mute", "unready", "silent", "jumble")
    steps = await checked(faulty(folder, fault), control=IMPATIENT if waits else CONTROL)
    failed = [step for step in failures(steps) if not step.warning]
    assert failed, steps
    check_told(failed[0], *REFUSED[fault])
    assert len(failed) == 1
    assert not may_enter(steps)


@pytest.mark.parametrize("fault", WARNED)
async def test_a_weakness_is_a_warning_and_the_bot_may_enter(folder: Path, fault: str) -> None:
    steps = await checked(faulty(folder, fault))
    assert may_enter(steps)
    check_told(next(step for step in failures(steps) if step.title == WARNED[fault][0]), *WARNED[fault])


async def test_a_good_bot_passes_every_step(folder: Path) -> None:
    steps = await checked(faulty(folder, "none"))
    assert may_enter(steps) and not [step for step in failures(steps) if step.title != "decide within 100 ms"]
    assert [step.title for step in steps] == [
        "start the process",
        "hello, protocol 1",
        "hello agrees with bot.toml",
        "prepare for sheepzzz, ready",
        "answer the first question",
        "answer by the id of the request",
        "play sheepzzz, 2 to 5 seats",
        "stay for the next match",
        "decide within 100 ms",
        "survive an opponent's forfeit",
        "go on after a forced move",
        "leave within 1 s when told",
    ]
    assert steps[6].detail.startswith("14 matches, ")


async def test_a_bot_that_claims_tables_plays_them_at_once(folder: Path) -> None:
    steps = await checked(faulty(folder, "many"))
    assert next(step for step in steps if step.title == "play 4 tables at once").result == "ok"


async def test_every_claimed_game_is_played(folder: Path) -> None:
    bot = replace(faulty(folder, "wolfless"), games=("sheepzzz", "wolfpack", "volle-woll"))
    steps = await checked(bot, None, control=replace(CONTROL, prepare_ms=1_000))
    failed = [step for step in failures(steps) if not step.warning]
    assert [step.title for step in failed] == ["play wolfpack, 2 to 5 seats", "play volle-woll"]
    assert 'did you mean "volle-wolle"?' in failed[1].told[0]


async def test_a_bot_of_unknown_games_only_is_not_started(folder: Path) -> None:
    steps = await checked(replace(faulty(folder, "none"), games=("chess",)), None)
    assert [(step.title, step.result) for step in steps] == [("play chess", "FAILED")]


@pytest.mark.parametrize(
    ("run", "told"),
    [
        (("./missing",), "./missing does not exist in"),
        (("./bot.py",), "not executable; try: chmod +x ./bot.py"),
        (("no-such-program",), "there is no program called no-such-program on the PATH"),
    ],
)
async def test_a_program_that_cannot_be_started_is_step_one(folder: Path, run: tuple[str, ...], told: str) -> None:
    (step,) = await checked(made_of(folder, *run))
    check_told(step, "start the process", "START: faulty did not start", told, "Check run in bot.toml")


async def test_i2_what_a_bot_calls_itself_or_its_program_cannot_move_the_cursor(folder: Path) -> None:
    steps = await checked(faulty(folder, "painted"))
    assert steps[2].detail == "\\x1b[2J"
    (step,) = await checked(made_of(folder, "\x1b[2J"))
    check_told(step, "start the process", "there is no program called \\x1b[2J")


async def test_tables_must_be_the_same_in_hello_and_manifest(folder: Path) -> None:
    steps = await checked(replace(faulty(folder, "none"), tables=4))
    check_told(steps[-1], "hello agrees with bot.toml", "bot.toml says tables = 4, hello says 1.")


async def test_a_build_that_fails_is_told_and_nothing_is_started(folder: Path) -> None:
    command = (sys.executable, "-c", "import sys; print('\\x1b[31mbot.c:3: error'); sys.exit(2)")
    (step,) = await checked(replace(faulty(folder, "none"), build=command))
    check_told(step, "build", "faulty was not built", "ended with 2", "\\x1b[31mbot.c:3: error", "by hand")


async def test_a_build_that_cannot_be_run_is_told(folder: Path) -> None:
    (step,) = await checked(replace(faulty(folder, "none"), build=("no-such-compiler",)))
    check_told(step, "build", "faulty cannot be built: there is no program called no-such-compiler on the PATH")


@pytest.mark.parametrize("name", ["random", "greedy"])
async def test_the_sample_bots_pass(name: str) -> None:
    """They speak msgpack, which must make no difference to the check."""
    steps = await checked(find_bot(name))
    assert may_enter(steps), steps
