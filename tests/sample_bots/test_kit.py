"""The kit talks to the arena for its bot: scripted conversations with real processes, in both encodings."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.sample_bots.conversation import (
    BYE,
    PREPARE,
    ROOT,
    WELCOME,
    ask,
    end,
    request,
    running,
    start,
    written,
)

ENCODINGS = ["json", "msgpack"]

FIRST = "from flock_bot import run\nrun(lambda view, options: 0)\n"
LAST = "from flock_bot import run\nrun(lambda view, options: len(options) - 1)\n"

pytestmark = pytest.mark.parametrize("encoding", ENCODINGS)


def choosing(body: str, before: str = "") -> str:
    return f"from flock_bot import run\n{before}\ndef choose(view, options):\n    {body}\nrun(choose)\n"


def test_hello_introduces_the_bot_by_its_folder(tmp_path: Path, encoding: str) -> None:
    folder = tmp_path / "tiger"
    folder.mkdir()
    with written(folder, FIRST, encoding) as bot:
        assert bot.hear() == {"type": "hello", "protocol": (1,), "name": "tiger", "version": "0.1"}


def test_hello_carries_what_run_was_given(tmp_path: Path, encoding: str) -> None:
    source = FIRST.replace(
        "options: 0", 'options: 0, name="wolf", version="2", games=["sheepzzz"], tables=8, wants="both"'
    )
    with written(tmp_path, source, encoding) as bot:
        hello = bot.hear()
    assert hello["name"] == "wolf" and hello["version"] == "2" and hello["tables"] == 8
    assert hello["games"] == ("sheepzzz",) and hello["wants"] == "both"


def test_an_answer_is_the_index_in_the_compact_form_the_arena_reads_fastest(tmp_path: Path, encoding: str) -> None:
    with written(tmp_path, LAST, encoding) as bot:
        bot.greet()
        bot.send(ask(request(7, options=5)))
        assert bot.codec.decode_answer_fast(bot.payload()) == ("0000000000000007", 4)


def test_choose_is_given_view_and_options(tmp_path: Path, encoding: str) -> None:
    body = 'return int(view["hands"] == [["4/0", "W"], [None, None]] and options[2] == ["play", "2/0", 2])'
    with written(tmp_path, choosing(body), encoding) as bot:
        bot.greet()
        assert bot.choices(request()) == [1]


def test_several_requests_of_one_ask_are_answered_together(tmp_path: Path, encoding: str) -> None:
    with written(tmp_path, LAST, encoding) as bot:
        bot.greet(start("a"), start("b"))
        bot.send(ask(request(1, "a", options=2), request(2, "b", options=4)))
        answers = bot.hear()["answers"]
    assert [(answer["id"], answer["choice"]) for answer in answers] == [(f"{1:016d}", 1), (f"{2:016d}", 3)]


def test_many_answers_with_long_notes_stay_within_the_frame_limit(tmp_path: Path, encoding: str) -> None:
    source = choosing("return 0, '\\U0001f411' * 5000", "import flock_bot\nflock_bot.QUICK_SECONDS = 60")
    with written(tmp_path, source, encoding) as bot:
        bot.greet()
        bot.send(ask(*map(request, range(120))))
        answered: list[str] = []
        while len(answered) < 120:
            answered += [answer["id"] for answer in bot.hear()["answers"]]
    assert answered == [request(n)["id"] for n in range(120)]


def test_a_slow_thinker_does_not_keep_the_first_answer_for_the_last(tmp_path: Path, encoding: str) -> None:
    """The second decision waits for a file that appears only once the first answer has arrived."""
    body = f"while len(options) == 2 and not os.path.exists({str(tmp_path / 'go')!r}): pass\n    return 0"
    before = "import os\nimport flock_bot\nflock_bot.QUICK_SECONDS = -1"
    with written(tmp_path, choosing(body, before), encoding) as bot:
        bot.greet()
        bot.send(ask(request(1, options=3), request(2, options=2)))
        assert len(bot.hear()["answers"]) == 1
        (tmp_path / "go").touch()
        assert len(bot.hear()["answers"]) == 1


def test_a_request_may_arrive_in_pieces_cut_anywhere(tmp_path: Path, encoding: str) -> None:
    with written(tmp_path, LAST, encoding) as bot:
        bot.greet()
        assert bot.choices_of_frames_cut_anywhere(request()) == {2}


def test_everything_may_arrive_at_once(tmp_path: Path, encoding: str) -> None:
    with written(tmp_path, LAST, encoding) as bot:
        bot.send(WELCOME, PREPARE, start(), ask(request()), end(), BYE)
        assert [bot.hear()["type"] for _ in range(3)] == ["hello", "ready", "answer"]
        assert bot.leave() == (0, "")


def test_unknown_messages_and_fields_are_ignored(tmp_path: Path, encoding: str) -> None:
    with written(tmp_path, LAST, encoding) as bot:
        bot.greet({"type": "weather", "sky": [1, {"blue": None}]}, {**start(), "mood": "good"})
        bot.send({**ask({**request(), "hint": 1.5}), "batch": 3})
        assert bot.hear()["answers"][0]["choice"] == 2
        bot.send({**BYE, "until": "tomorrow"})
        assert bot.leave() == (0, "")


def test_prints_of_python_and_of_children_go_to_stderr(tmp_path: Path, encoding: str) -> None:
    body = 'print("thinking"); os.write(1, b"raw\\n"); os.system("echo child"); return 1'
    with written(tmp_path, choosing(body, "import os"), encoding) as bot:
        bot.greet()
        assert bot.choices(request()) == [1]
        code, stderr = bot.leave()
    assert code == 0
    assert stderr.split() == ["thinking", "raw", "child"]


def test_input_fails_at_once_and_eats_no_message(tmp_path: Path, encoding: str) -> None:
    with written(tmp_path, choosing("return input()"), encoding) as bot:
        bot.greet()
        assert bot.choices(request(0, default=1), request(1, default=2)) == [1, 2]
        assert "EOFError" in bot.leave()[1]


def test_an_exception_is_told_and_the_default_is_played(tmp_path: Path, encoding: str) -> None:
    with written(tmp_path, choosing('raise KeyError("pile 3")'), encoding) as bot:
        bot.greet()
        bot.send(ask(request(default=2)))
        (answer,) = bot.hear()["answers"]
        code, stderr = bot.leave()
    assert answer["choice"] == 2 and answer["note"] == "exception: KeyError: 'pile 3'"
    assert code == 0
    assert "Traceback" in stderr and 'raise KeyError("pile 3")' in stderr


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("options[0]", "the answer is the index of an option, a number, not ['play', '0/0', 0]"),
        ("None", "the answer is the index of an option, a number, not None"),
        ("3", "the answer 3 is no index: the options are 0 to 2"),
        ("-1", "the answer -1 is no index: the options are 0 to 2"),
    ],
)
def test_an_answer_that_is_no_index_is_told_too(tmp_path: Path, encoding: str, said: str, told: str) -> None:
    with written(tmp_path, choosing(f"return {said}"), encoding) as bot:
        bot.greet()
        assert bot.choices(request(default=1)) == [1]
        assert told in bot.leave()[1]


def test_numbers_of_other_libraries_are_indexes(tmp_path: Path, encoding: str) -> None:
    before = "class Int64:\n    def __index__(self):\n        return 2\n"
    with written(tmp_path, choosing("return Int64() if view['seat'] else True", before), encoding) as bot:
        bot.greet()
        other = {**request(1), "view": {"seat": 1}}
        assert bot.choices(request(0), other) == [1, 2]


def test_a_note_is_cut_and_made_sendable(tmp_path: Path, encoding: str) -> None:
    with written(tmp_path, choosing("return 1, '\\ud800\\0\\n\\u202eé' * 100"), encoding) as bot:
        bot.greet()
        bot.send(ask(request()))
        assert bot.hear()["answers"] == ({"id": request()["id"], "choice": 1, "note": "    é" * 40},)


STATEFUL = """
from flock_bot import run

class Counter:
    asked = 0

    def start(self, start):
        self.seat = start["seat"]

    def ask(self, request):
        self.asked += 1
        return self.asked % 3, f"seat {self.seat}"

    def end(self, end):
        print("rank", end["ranks"][self.seat], "asked", self.asked)

run(Counter, tables=2)
"""


def test_a_class_gets_one_instance_per_match(tmp_path: Path, encoding: str) -> None:
    with written(tmp_path, STATEFUL, encoding) as bot:
        assert bot.greet(start("a", 0), start("b", 1))["tables"] == 2
        assert bot.choices(request(1, "a"), request(2, "a"), request(3, "b")) == [1, 2, 1]
        bot.send(ask(request(4, "b")))
        assert bot.hear()["answers"][0]["note"] == "seat 1"
        bot.send(end("a"), end("b"), start("a", 1))
        assert bot.choices(request(5, "a")) == [1]
        assert bot.leave() == (0, "rank 1 asked 2\nrank 2 asked 2\n")


def test_an_object_plays_all_matches(tmp_path: Path, encoding: str) -> None:
    source = STATEFUL.replace("run(Counter,", "run(Counter(),")
    with written(tmp_path, source, encoding) as bot:
        bot.greet(start("a"))
        assert bot.choices(request(1, "a"), request(2, "b")) == [1, 2]


def test_start_and_end_may_fail_or_be_missing(tmp_path: Path, encoding: str) -> None:
    source = STATEFUL.replace("self.seat = ", "self.seat = 0; 1 / 0; ")
    with written(tmp_path, source, encoding) as bot:
        bot.greet()
        assert bot.choices(request()) == [1]
        code, stderr = bot.leave()
    assert code == 0 and "ZeroDivisionError" in stderr


def test_prepare_is_called_before_ready(tmp_path: Path, encoding: str) -> None:
    source = FIRST.replace("options: 0", "options: 0, prepare=lambda game, variant: print(game, variant)")
    with written(tmp_path, source, encoding) as bot:
        bot.greet()
        assert bot.leave() == (0, "sheepzzz {}\n")


def test_random_is_seeded_by_the_arena(tmp_path: Path, encoding: str) -> None:
    source = choosing("return random.randrange(len(options))", "import random")

    def played(seed: str) -> list[int]:
        with written(tmp_path, source, encoding) as bot:
            bot.hear()
            bot.send({**WELCOME, "seed": seed}, PREPARE)
            bot.hear()
            return bot.choices(*[request(n, options=100) for n in range(8)])

    once = played("one")
    assert played("one") == once != played("two")


def test_the_same_match_draws_the_same_numbers_whatever_was_played_before(tmp_path: Path, encoding: str) -> None:
    source = choosing("return random.randrange(len(options))", "import random")
    asked = [request(n, options=100) for n in range(8)]
    with written(tmp_path, source, encoding) as bot:
        bot.greet()
        bot.send({**start(), "seed": "one"})
        once = bot.choices(*asked)
        bot.send(end(), {**start(), "seed": "two"})
        other = bot.choices(*asked)
        bot.send(end(), {**start(), "seed": "one"})
        assert bot.choices(*asked) == once != other


def test_forced_moves_and_errors_are_passed_on_to_stderr(tmp_path: Path, encoding: str) -> None:
    with written(tmp_path, FIRST, encoding) as bot:
        bot.greet()
        bot.send({"type": "error", "code": "SHAPE", "text": "no such field", "path": "nmae", "next": "ignored"})
        bot.send(BYE)
        assert "error: code='SHAPE' text='no such field'" in bot.leave()[1]


@pytest.mark.parametrize("farewell", ["bye", "end of input"])
def test_the_bot_leaves_in_peace(tmp_path: Path, encoding: str, farewell: str) -> None:
    with written(tmp_path, FIRST, encoding) as bot:
        bot.greet()
        if farewell == "bye":
            bot.send(BYE)
        assert bot.leave() == (0, "")


def test_an_arena_that_hangs_up_is_no_error(tmp_path: Path, encoding: str) -> None:
    with written(tmp_path, FIRST, encoding) as bot:
        bot.greet()
        assert bot.process.stdout is not None
        bot.process.stdout.close()
        bot.send(ask(request()))
        assert bot.process.stderr is not None
        assert bot.process.stderr.read() == b""
        assert bot.process.wait(60) == 0


def test_missing_msgpack_is_said_in_a_sentence(tmp_path: Path, encoding: str) -> None:
    """JSON needs nothing but the standard library, so there the same bot just plays."""
    source = "import sys\nsys.modules['msgpack'] = None\n" + FIRST
    with written(tmp_path, source, encoding) as bot:
        if encoding == "json":
            bot.greet()
            return
        code, stderr = bot.leave()
    assert code == 1
    assert 'say encoding = "json" in bot.toml' in stderr and "Traceback" not in stderr


def test_the_kit_imports_nothing_that_loads_slowly(encoding: str) -> None:
    slow = "{'typing', 'dataclasses', 'argparse', 'logging', 'traceback', 'json', 'msgpack', 'random'}"
    program = f"import sys; sys.path.append('sample_bots'); import flock_bot; print({slow} & {{*sys.modules}})"
    with running(
        [sys.executable, "-I", "-S", "-c", f"import os; os.chdir({str(ROOT)!r}); {program}"], encoding
    ) as bot:
        assert bot.process.communicate(timeout=60) == (f"set(){os.linesep}".encode(), b"")


MANY = """from flock_bot import run
def choose_many(requests):
    {body}
run(choose_many=choose_many, tables=64)
"""


def many(body: str) -> str:
    return MANY.format(body=body)


def test_choose_many_gets_all_requests_of_an_ask_at_once(tmp_path: Path, encoding: str) -> None:
    with written(tmp_path, many("return [(len(requests), 'together') for _ in requests]"), encoding) as bot:
        assert bot.greet()["tables"] == 64
        bot.send(ask(*[request(number, options=5) for number in range(3)]))
        answers = bot.hear()["answers"]
        assert [answer["choice"] for answer in answers] == [3, 3, 3]
        assert [answer["id"] for answer in answers] == [f"{number:016x}" for number in range(3)]
        assert answers[0]["note"] == "together"


@pytest.mark.parametrize(
    ("body", "excuse"),
    [("return [0]", "choose_many gave 1 choices for 2 requests"), ("raise KeyError('x')", "KeyError")],
)
def test_when_choose_many_fails_the_defaults_are_played(
    tmp_path: Path, encoding: str, body: str, excuse: str
) -> None:
    with written(tmp_path, many(body), encoding) as bot:
        bot.greet()
        bot.send(ask(request(1, options=5), request(2, options=5)))
        answers = bot.hear()["answers"]
        assert [answer["choice"] for answer in answers] == [request(1)["default"]] * 2
        assert excuse in answers[0]["note"]


def test_one_bad_choice_of_many_costs_only_its_own_default(tmp_path: Path, encoding: str) -> None:
    with written(tmp_path, many("return [4, 99]"), encoding) as bot:
        bot.greet()
        bot.send(ask(request(1, options=5), request(2, options=5)))
        first, second = bot.hear()["answers"]
        assert first["choice"] == 4
        assert second["choice"] == request(2)["default"] and "99" in second["note"]


def test_a_bot_and_choose_many_do_not_go_together(tmp_path: Path, encoding: str) -> None:
    with written(tmp_path, "from flock_bot import run\nrun(len, choose_many=len)\n", encoding) as bot:
        code, said = bot.leave()
        assert code == 1 and "a bot or choose_many, and not both" in said
