"""The bots of the benchmark speak the protocol, though no kit helps them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.sample_bots.conversation import BYE, ROOT, ask, end, request, running, start

BOTS = ROOT / "bench" / "bots"


@pytest.fixture(scope="module", params=["trivial.c", "trivial.py"])
def command(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Sequence[Path]:
    source = BOTS / request.param
    if source.suffix == ".py":
        return [Path(sys.executable), source]
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler (cc) here")
    program = tmp_path_factory.mktemp("trivial") / "trivial"
    subprocess.run(
        [compiler, "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, source], check=True, timeout=120
    )
    return [program]


def test_a_conversation_from_hello_to_bye(command: Sequence[Path]) -> None:
    with running(command, "msgpack") as bot:
        assert bot.greet()["name"] == "trivial"
        assert bot.choices(request(1, options=3, default=2), request(2)) == [2, 0]
        bot.send(end(), {"type": "weather", "sky": 1.5, "sea": -3, "deep": {"x": [None, True, "a" * 300]}})
        bot.send(start("m2"))
        assert bot.choices(request(3, "m2", options=40, default=39)) == [39]
        bot.send(BYE)
        assert bot.leave() == (0, "")


def test_an_answer_has_the_compact_form(command: Sequence[Path]) -> None:
    with running(command, "msgpack") as bot:
        bot.greet()
        bot.send(ask(request(7, default=1)))
        assert bot.codec.decode_answer_fast(bot.payload()) == ("0000000000000007", 1)


def test_every_request_of_an_ask_is_answered(command: Sequence[Path]) -> None:
    asked = [request(n, f"m{n}", options=200, default=n) for n in range(130)]
    with running(command, "msgpack") as bot:
        bot.greet()
        bot.send(ask(*asked))
        answers: list[tuple[str, int]] = []
        while len(answers) < len(asked):
            answers += [(answer["id"], answer["choice"]) for answer in bot.hear()["answers"]]
    assert answers == [(one["id"], one["default"]) for one in asked]


def test_a_request_may_arrive_in_pieces_and_the_end_of_input_is_an_end(command: Sequence[Path]) -> None:
    with running(command, "msgpack") as bot:
        bot.greet()
        assert bot.choices_of_frames_cut_anywhere(request(5, default=2)) == {2}
        assert bot.leave() == (0, "")
