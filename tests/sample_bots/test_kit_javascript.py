"""The JavaScript kit talks to the arena for its bot: scripted conversations with real processes."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.sample_bots.conversation import BYE, PREPARE, ROOT, WELCOME, Bot, ask, end, request, running, start
from tests.sample_bots.test_kit_vectors import FROM_ARENA, FROM_BOT, name_of

KIT = ROOT / "sample_bots" / "flock_bot.mjs"
ENCODINGS = ["json", "msgpack"]

both_encodings = pytest.mark.parametrize("encoding", ENCODINGS)


@contextmanager
def written(folder: Path, source: str, encoding: str = "json") -> Iterator[Bot]:
    """A bot of a few lines, with the kit copied next to it as a user would."""
    shutil.copy(KIT, folder)
    (folder / "bot.mjs").write_text(f'import {{ run, random }} from "./flock_bot.mjs";\n{source}\n')
    with running(["node", folder / "bot.mjs"], encoding) as bot:
        yield bot


def choosing(body: str) -> str:
    return f"run((view, options) => {{ {body} }});"


LAST = choosing("return options.length - 1;")


@both_encodings
def test_a_conversation_from_hello_to_bye(tmp_path: Path, encoding: str) -> None:
    folder = tmp_path / "tiger"
    folder.mkdir()
    with written(folder, LAST, encoding) as bot:
        assert bot.greet() == {"type": "hello", "protocol": (1,), "name": "tiger", "version": "0.1"}
        assert bot.choices(request(1, options=3), request(2, options=300)) == [2, 299]
        bot.send({"type": "weather", "sky": 1.5, "sea": -3, "deep": {"x": [None, True, "a" * 300]}}, end())
        bot.send({**start("m2"), "mood": "good"}, {**ask({**request(3, "m2"), "hint": 1}), "batch": 3})
        assert bot.hear()["answers"][0]["choice"] == 2
        bot.send({**BYE, "until": "tomorrow"})
        assert bot.leave() == (0, "")


def test_hello_carries_what_run_was_given(tmp_path: Path) -> None:
    options = '{ name: "wolf", version: "2", games: ["sheepzzz"], tables: 8, wants: "both" }'
    with written(tmp_path, f"run(() => 0, {options});") as bot:
        hello = bot.hear()
    assert hello["name"] == "wolf" and hello["version"] == "2" and hello["tables"] == 8
    assert hello["games"] == ("sheepzzz",) and hello["wants"] == "both"


@both_encodings
def test_an_answer_has_the_compact_form_the_arena_reads_fastest(tmp_path: Path, encoding: str) -> None:
    with written(tmp_path, LAST, encoding) as bot:
        bot.greet()
        bot.send(ask(request(7, options=5)))
        assert bot.codec.decode_answer_fast(bot.payload()) == ("0000000000000007", 4)


@both_encodings
def test_a_request_may_arrive_in_pieces_cut_anywhere(tmp_path: Path, encoding: str) -> None:
    with written(tmp_path, LAST, encoding) as bot:
        bot.greet()
        assert bot.choices_of_frames_cut_anywhere(request()) == {2}


@both_encodings
def test_everything_may_arrive_at_once(tmp_path: Path, encoding: str) -> None:
    with written(tmp_path, LAST, encoding) as bot:
        bot.send(WELCOME, PREPARE, start(), ask(request()), end(), BYE)
        assert [bot.hear()["type"] for _ in range(3)] == ["hello", "ready", "answer"]
        assert bot.leave() == (0, "")


@both_encodings
def test_many_answers_with_long_notes_stay_within_the_frame_limit(tmp_path: Path, encoding: str) -> None:
    with written(tmp_path, choosing('return [0, "\U0001f411".repeat(5000)];'), encoding) as bot:
        bot.greet()
        bot.send(ask(*map(request, range(120))))
        answers: list[Any] = []
        while len(answers) < 120:
            answers += bot.hear()["answers"]
    assert [answer["id"] for answer in answers] == [request(n)["id"] for n in range(120)]
    assert {len(answer["note"]) for answer in answers} == {200}


def test_prints_go_to_stderr(tmp_path: Path) -> None:
    body = 'console.log("thinking"); console.info({ a: 1 }); process.stdout.write("raw\\n"); return 1;'
    with written(tmp_path, choosing(body)) as bot:
        bot.greet()
        assert bot.choices(request()) == [1]
        assert bot.leave() == (0, "thinking\n{ a: 1 }\nraw\n")


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ('throw new Error("pile 3");', "Error: pile 3"),
        ('return Promise.reject(new Error("pile 3"));', "Error: pile 3"),
        ("return options[0];", 'the answer is the index of an option, a number, not "play"'),
        ("return undefined;", "the answer is the index of an option, a number, not undefined"),
        ("return 0.5;", "the answer is the index of an option, a number, not 0.5"),
        ("return 3;", "the answer 3 is no index: the options are 0 to 2"),
        ("return -1;", "the answer -1 is no index: the options are 0 to 2"),
    ],
)
def test_what_fails_is_told_and_the_default_is_played(tmp_path: Path, body: str, told: str) -> None:
    with written(tmp_path, choosing(body)) as bot:
        bot.greet()
        bot.send(ask(request(default=2)))
        (answer,) = bot.hear()["answers"]
        code, stderr = bot.leave()
    assert answer["choice"] == 2 and answer["note"].startswith("exception: ") and told in answer["note"]
    assert code == 0 and told in stderr


@both_encodings
def test_a_note_is_made_sendable(tmp_path: Path, encoding: str) -> None:
    with written(tmp_path, choosing('return [1, "\\ud800\\0\\n\\u202eé".repeat(100)];'), encoding) as bot:
        bot.greet()
        bot.send(ask(request()))
        assert bot.hear()["answers"] == ({"id": request()["id"], "choice": 1, "note": "    é" * 40},)


def test_a_promise_holds_up_no_other_table(tmp_path: Path) -> None:
    source = """
    let finish;
    run(async (view, options) => {
        if (options.length === 2) await new Promise((resolve) => { finish = resolve; });
        else finish();
        return 1;
    });
    """
    with written(tmp_path, source) as bot:
        bot.greet()
        bot.send(ask(request(1, options=2)), ask(request(2, options=3)))
        answered = [answer["id"] for _ in range(2) for answer in bot.hear()["answers"]]
    assert sorted(answered) == [request(1)["id"], request(2)["id"]]


STATEFUL = """
class Counter {
    start(start) { this.seat = start.seat; this.asked = 0; }
    ask(request) { this.asked += 1; return [this.asked % 3, `seat ${this.seat}`]; }
    end(end) { console.log("rank", end.ranks[this.seat], "asked", this.asked); }
}
run(Counter, { tables: 2 });
"""


def test_a_class_gets_one_instance_per_match(tmp_path: Path) -> None:
    with written(tmp_path, STATEFUL) as bot:
        assert bot.greet(start("a", 0), start("b", 1))["tables"] == 2
        assert bot.choices(request(1, "a"), request(2, "a"), request(3, "b")) == [1, 2, 1]
        bot.send(end("a"), end("b"), start("a", 1))
        assert bot.choices(request(5, "a")) == [1]
        assert bot.leave() == (0, "rank 1 asked 2\nrank 2 asked 1\n")


def test_an_object_plays_all_matches_and_start_may_fail(tmp_path: Path) -> None:
    source = STATEFUL.replace("run(Counter,", "run(new Counter(),").replace(
        "this.seat = ", "this.asked = 0; no.such = "
    )
    with written(tmp_path, source) as bot:
        bot.greet(start("a"))
        assert bot.choices(request(1, "a"), request(2, "b")) == [1, 2]
        assert "ReferenceError" in bot.leave()[1]


def test_prepare_is_awaited_before_ready(tmp_path: Path) -> None:
    source = "run(() => 0, { prepare: async (game, variant) => { await null; console.log(game, variant); } });"
    with written(tmp_path, source) as bot:
        bot.greet()
        assert bot.leave() == (0, "sheepzzz {}\n")


def test_the_same_match_draws_the_same_numbers(tmp_path: Path) -> None:
    asked = [request(n, options=100) for n in range(8)]
    with written(tmp_path, choosing("return Math.floor(random() * options.length);")) as bot:
        bot.greet({**start(), "seed": "one"})
        once = bot.choices(*asked)
        bot.send(end(), {**start(), "seed": "two"})
        other = bot.choices(*asked)
        bot.send(end(), {**start(), "seed": "one"})
        assert bot.choices(*asked) == once != other
    assert len({*once, *other}) > 8


def test_errors_of_the_arena_are_passed_on_and_a_hang_up_is_no_error(tmp_path: Path) -> None:
    with written(tmp_path, LAST) as bot:
        bot.greet()
        bot.send({"type": "error", "code": "SHAPE", "text": "no such field", "path": "nmae", "next": "ignored"})
        assert bot.process.stdout is not None and bot.process.stderr is not None
        bot.process.stdout.close()
        bot.send(ask(request()))
        assert b"the arena says error" in bot.process.stderr.read()
        assert bot.process.wait(60) == 0


READ_AND_WRITE = """
import { readFileSync } from "node:fs";
import { codecs } from "./flock_bot.mjs";

const { encoding, vectors } = JSON.parse(readFileSync(0));
console.log(JSON.stringify(vectors.map(([value, hex]) => {
    const read = codecs[encoding].reader();
    const pieces = [...Buffer.from(hex, "hex")].map((byte) => read(Uint8Array.of(byte)));
    const together = codecs[encoding].reader()(Buffer.from(hex + hex, "hex"));
    return [Buffer.from(codecs[encoding].frame(value)).toString("hex"), pieces.flat(), together];
})));
"""


@both_encodings
def test_the_kit_reads_and_writes_the_very_bytes_of_the_vectors(tmp_path: Path, encoding: str) -> None:
    """In single bytes and in one piece; what only the arena says is written by nobody but proves the codec too."""
    vectors = [*FROM_ARENA, *FROM_BOT]
    frames = [vector["json"].encode().hex() if encoding == "json" else vector["msgpack"] for vector in vectors]
    shutil.copy(KIT, tmp_path)
    (tmp_path / "vectors.mjs").write_text(READ_AND_WRITE)
    given = [(vector["value"], frame) for vector, frame in zip(vectors, frames, strict=True)]
    ran = subprocess.run(
        ["node", tmp_path / "vectors.mjs"],
        input=json.dumps({"encoding": encoding, "vectors": given}).encode(),
        capture_output=True,
        check=True,
        timeout=60,
    )
    for vector, frame, (written_as, in_pieces, together) in zip(
        vectors, frames, json.loads(ran.stdout), strict=True
    ):
        assert written_as == frame, name_of(vector)
        assert in_pieces == [vector["value"]] and together == [vector["value"]] * 2, name_of(vector)


def test_msgpack_numbers_of_every_width_come_back(tmp_path: Path) -> None:
    edges = [
        sign * 2**bits + more for bits in (5, 7, 8, 15, 16, 31, 32, 52) for sign in (1, -1) for more in (-1, 0, 1)
    ]
    source = f"""
    import {{ codecs }} from "./flock_bot.mjs";
    const {{ frame, reader }} = codecs.msgpack;
    const edges = {[*edges, 0.5, -1e300]};
    const texts = [31, 32, 255, 256, 65535, 65536].map((size) => "x".repeat(size));
    const lists = [15, 16, 65535, 65536].map((size) => Array(size).fill(null));
    for (const value of [...edges, ...texts, ...lists, "\\ufeffbom"]) {{
        const [back] = reader()(frame({{ value }}));
        if (JSON.stringify(back) !== JSON.stringify({{ value }})) throw new Error(`${{value}}`.slice(0, 99));
    }}
    """
    shutil.copy(KIT, tmp_path)
    (tmp_path / "widths.mjs").write_text(source)
    subprocess.run(["node", tmp_path / "widths.mjs"], check=True, timeout=60)
