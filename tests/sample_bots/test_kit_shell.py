"""The shell kit talks to the arena for its bot: scripted conversations with one jq."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.sample_bots.conversation import BYE, PREPARE, ROOT, WELCOME, Bot, ask, end, request, running, start
from tests.sample_bots.test_kit_vectors import FROM_ARENA, FROM_BOT

LAST = ".options | length - 1"


@contextmanager
def written(
    folder: Path, choose: str, before: str = "", environment: dict[str, str] | None = None
) -> Iterator[Bot]:
    """A bot of a few lines, with the kit copied next to it as a user would."""
    folder.mkdir(exist_ok=True)
    shutil.copy(ROOT / "sample_bots" / "flock_bot.sh", folder)
    (folder / "bot.sh").write_text(f"cd '{folder}'\n. ./flock_bot.sh\n{before}\nrun '{choose}'\n")
    with running(["sh", folder / "bot.sh"], "json", **environment or {}) as bot:
        yield bot


def test_a_conversation_from_hello_to_bye(tmp_path: Path) -> None:
    with written(tmp_path / "tiger", LAST) as bot:
        assert bot.greet() == {"type": "hello", "protocol": (1,), "name": "tiger", "version": "0.1"}
        assert bot.choices(request(1, options=3), request(2, options=300)) == [2, 299]
        bot.send({"type": "weather", "sky": 1.5, "sea": -3, "deep": {"x": [None, True, "a" * 300]}}, end())
        bot.send({**start("m2"), "mood": "good"}, {**ask({**request(3, "m2"), "hint": 1}), "batch": 3})
        assert bot.hear()["answers"][0]["choice"] == 2
        bot.send({**BYE, "until": "tomorrow"})
        assert bot.process.wait(60) == 0
        assert bot.leave() == (0, "")


def test_an_answer_has_the_compact_form_the_arena_reads_fastest(tmp_path: Path) -> None:
    with written(tmp_path, LAST) as bot:
        bot.greet()
        bot.send(ask(request(7, options=5)))
        assert bot.codec.decode_answer_fast(bot.payload()) == ("0000000000000007", 4)


def test_choose_is_given_view_and_options_and_may_hold_comments(tmp_path: Path) -> None:
    choose = 'if .view.hands[0] == ["4/0", "W"] and .options[2][2] == 2 then 1 else 0 end # all is well'
    with written(tmp_path, choose) as bot:
        bot.greet()
        assert bot.choices(request()) == [1]


def test_a_request_may_arrive_in_pieces_cut_anywhere(tmp_path: Path) -> None:
    with written(tmp_path, LAST) as bot:
        bot.greet()
        assert bot.choices_of_frames_cut_anywhere(request()) == {2}
        assert bot.leave() == (0, "")


def test_everything_may_arrive_at_once(tmp_path: Path) -> None:
    with written(tmp_path, LAST) as bot:
        bot.send(WELCOME, PREPARE, start(), ask(request(1), request(2)), end(), BYE)
        assert [bot.hear()["type"] for _ in range(3)] == ["hello", "ready", "answer"]
        assert bot.leave() == (0, "")


def test_prints_of_the_script_and_of_jq_go_to_stderr(tmp_path: Path) -> None:
    with written(tmp_path, '("thinking" | debug) as $said | 1', before="echo hello") as bot:
        bot.greet()
        assert bot.choices(request()) == [1]
        assert bot.leave() == (0, 'hello\n["DEBUG:","thinking"]\n')


@pytest.mark.parametrize(
    ("choose", "told"),
    [
        ('error("pile 3")', "pile 3"),
        ("1 + {}", "cannot be added"),
        ("empty", "no answer"),
        ('"0"', "the answer is the index of an option, 0 to 2, not 0"),
        ("null", "not null"),
        ("0.5", "not 0.5"),
        ("3", "0 to 2, not 3"),
        ("-1", "0 to 2, not -1"),
        ('[[0], "note"]', "not [0]"),
    ],
)
def test_what_fails_is_noted_and_the_default_is_played(tmp_path: Path, choose: str, told: str) -> None:
    with written(tmp_path, choose) as bot:
        bot.greet()
        bot.send(ask(request(default=2)))
        (answer,) = bot.hear()["answers"]
    assert answer["choice"] == 2
    assert answer["note"].startswith("exception: ") and told in answer["note"]


def test_of_several_answers_the_first_counts_and_a_note_is_made_sendable(tmp_path: Path) -> None:
    with written(tmp_path, '[1, ("\\u0000\\n\\u202eé" * 100)], 2') as bot:
        bot.greet()
        bot.send(ask(request()))
        (answer,) = bot.hear()["answers"]
    assert answer["choice"] == 1
    assert len(answer["note"]) == 200 and answer["note"].isprintable()


def test_forced_moves_are_passed_on_and_a_hang_up_leaves_nothing(tmp_path: Path) -> None:
    with written(tmp_path, LAST) as bot:
        bot.greet()
        bot.send({"type": "error", "code": "SHAPE", "text": "no such field", "path": "nmae", "next": "ignored"})
        assert bot.process.stdout is not None and bot.process.stderr is not None
        bot.process.stdout.close()
        bot.send(ask(request()))
        assert b"no such field" in bot.process.stderr.read()
        bot.process.wait(60)


def test_a_missing_jq_is_named(tmp_path: Path) -> None:
    with written(tmp_path, LAST, before="PATH=/nowhere") as bot:
        code, stderr = bot.leave()
    assert code == 127 and "jq" in stderr


def test_the_kit_reads_every_vector_of_the_arena(tmp_path: Path) -> None:
    with written(tmp_path, "debug | 0") as bot:
        bot.hear()
        bot.send_bytes("".join(vector["json"] for vector in FROM_ARENA).encode())
        assert bot.hear() == {"type": "ready"}
        asked: list[Any] = [one for vector in FROM_ARENA for one in vector["value"].get("requests", [])]
        answered = [answer["id"] for _ in range(2) for answer in bot.hear()["answers"]]
        said = bot.leave()[1]
    assert answered == [one["id"] for one in asked]
    seen = [json.loads(line)[1] for line in said.splitlines()]
    told = [vector["value"] for vector in FROM_ARENA if vector["value"]["type"] in ("forced", "error")]
    assert seen == asked + told


@pytest.mark.parametrize("name", ["answer, one choice", "answer, with a note"])
def test_answers_are_the_very_bytes_of_the_vectors(tmp_path: Path, name: str) -> None:
    (vector,) = (vector for vector in FROM_BOT if vector["name"] == name)
    (answer,) = vector["value"]["answers"]
    said = [answer["choice"], answer["note"]] if "note" in answer else answer["choice"]
    with written(tmp_path, json.dumps(said)) as bot:
        bot.greet()
        bot.send(ask({**request(options=301), "id": answer["id"]}))
        assert bot.payload().decode() + "\n" == vector["json"]
