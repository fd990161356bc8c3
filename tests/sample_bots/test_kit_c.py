"""The C kit talks to the arena for its bot: scripted conversations with compiled bots."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from tests.sample_bots.conversation import BYE, PREPARE, ROOT, WELCOME, Bot, ask, end, request, running, start
from tests.sample_bots.test_kit_vectors import FROM_ARENA, FROM_BOT, name_of

# The bots end in the middle of things, as bots may; what they held then is no leak.
WATCHED = {"ASAN_OPTIONS": "detect_leaks=0"}
STRICT = ["cc", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-fsanitize=undefined,address"]

Compiled = Callable[[str], AbstractContextManager[Bot]]


def compiled_program(folder: Path, source: str, kind: list[str] = STRICT) -> Path:
    (folder / "bot.c").write_text(f'#include "flock_bot.h"\n{source}')
    command = [*kind, "-I", ROOT / "sample_bots", "-o", folder / "bot", folder / "bot.c"]
    subprocess.run(command, check=True, timeout=120)
    return folder / "bot"


def choosing(body: str, more: str = "") -> str:
    return f"""
    static int choose(struct flock_request *request) {{ {body} }}
    int main(void) {{ return flock_run((struct flock_bot){{.name = "tiger", .choose = choose{more}}}); }}
    """


@pytest.fixture
def compiled(tmp_path: Path) -> Compiled:
    @contextmanager
    def of(source: str) -> Iterator[Bot]:
        with running([compiled_program(tmp_path, source)], "msgpack", **WATCHED) as bot:
            yield bot

    return of


@pytest.fixture(scope="module")
def last(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bot that chooses the last option."""
    return compiled_program(tmp_path_factory.mktemp("last"), choosing("return request->count - 1;"))


def test_a_conversation_from_hello_to_bye(last: Path) -> None:
    with running([last], "msgpack", **WATCHED) as bot:
        assert bot.greet() == {"type": "hello", "protocol": (1,), "name": "tiger", "version": "0.1"}
        assert bot.choices(request(1, options=3), request(2, options=300)) == [2, 299]
        bot.send({"type": "weather", "sky": 1.5, "sea": -3, "deep": {"x": [None, True, "a" * 300]}}, end())
        bot.send({**start("m2"), "mood": "good"}, {**ask({**request(3, "m2"), "hint": 1}), "batch": 3})
        assert bot.hear()["answers"][0]["choice"] == 2
        bot.send({**BYE, "until": "tomorrow"})
        assert bot.leave() == (0, "")


def test_an_answer_has_the_compact_form_the_arena_reads_fastest(last: Path) -> None:
    with running([last], "msgpack", **WATCHED) as bot:
        bot.greet()
        bot.send(ask(request(7, options=5)))
        assert bot.codec.decode_answer_fast(bot.payload()) == ("0000000000000007", 4)


def test_a_request_may_arrive_in_pieces_cut_anywhere(last: Path) -> None:
    with running([last], "msgpack", **WATCHED) as bot:
        bot.greet()
        assert bot.choices_of_frames_cut_anywhere(request()) == {2}
        assert bot.leave() == (0, "")


def test_everything_may_arrive_at_once(last: Path) -> None:
    with running([last], "msgpack", **WATCHED) as bot:
        bot.send(WELCOME, PREPARE, start(), ask(request(1), request(2)), end(), BYE)
        assert [bot.hear()["type"] for _ in range(4)] == ["hello", "ready", "answer", "answer"]
        assert bot.leave() == (0, "")


def test_a_message_larger_than_the_first_buffer_is_read_whole(last: Path) -> None:
    with running([last], "msgpack", **WATCHED) as bot:
        bot.greet()
        assert bot.choices(request(1, options=20_000)) == [19_999]


def test_what_is_seen_can_be_read(compiled: Compiled) -> None:
    body = """
    flock_value hands = flock_get(request->view, "hands"), hand = flock_at(hands, 0), other = flock_at(hands, 1);
    flock_value option = flock_at(request->options, 2), numbers = flock_get(request->view, "numbers");
    char text[8];
    printf("%d %d ", flock_count(hand), flock_is(flock_at(hand, 1), "W"));
    printf("%s ", flock_text(flock_at(hand, 0), text, sizeof text));
    printf("%d %d %d ", flock_is_nil(flock_at(other, 0)), flock_is_nil(hand), flock_int(flock_at(option, 2)));
    printf("%d %d ", request->fallback, request->time_ms);
    printf("%s ", flock_text(flock_get(request->all, "question"), text, 4));
    for (int i = 0; i < flock_count(numbers); i++) printf("%.10g,", flock_number(flock_at(numbers, i)));
    flock_value nothing = flock_get(flock_at(flock_get(request->view, "none"), 7), "deep");
    printf(" %d %d %g [%s]\\n", flock_count(nothing), flock_int(flock_at(hand, 9)), flock_number(nothing),
           flock_text(nothing, text, sizeof text));
    return 1;
    """
    numbers = [0, -1, 127, 128, -32, -33, 255, 65536, -40000, 2**32, -(2**33), 1.5, True]
    asked = request(default=2)
    asked["view"]["numbers"] = numbers
    with compiled(choosing(body)) as bot:
        bot.greet()
        assert bot.choices(asked) == [1]
        said = bot.leave()[1]
    shown = "".join(f"{float(number):.10g}," for number in numbers)
    assert said == f"2 1 4/0 1 0 2 2 1000 mov {shown} 0 0 0 []\n"


def test_prints_of_the_bot_and_of_children_go_to_stderr_and_stdin_is_empty(compiled: Compiled) -> None:
    body = 'puts("thinking"); printf("%d\\n", getchar()); return request->count + system("echo child");'
    with compiled(choosing(body)) as bot:
        bot.greet()
        assert bot.choices(request(default=1)) == [1]
        assert bot.leave()[1].split("\n")[:3] == ["thinking", "-1", "child"]


@pytest.mark.parametrize("choice", [-1, 3])
def test_an_answer_that_is_no_index_is_told_and_the_default_is_played(compiled: Compiled, choice: int) -> None:
    with compiled(choosing(f"return request->count * 0 + {choice};")) as bot:
        bot.greet()
        assert bot.choices(request(default=2)) == [2]
        assert bot.leave() == (0, f"flock_bot: the answer {choice} is no index: the options are 0 to 2\n")


def test_a_note_is_cut_and_made_sendable(compiled: Compiled) -> None:
    body = 'memset(request->note, 1, FLOCK_NOTE); memcpy(request->note, "ev 3 \\xc3", 6); return 1;'
    with compiled(choosing(body)) as bot:
        bot.greet()
        bot.send(ask(request()))
        assert bot.hear()["answers"][0]["note"] == "ev 3 " + "?" * 195


def test_start_end_and_prepare_are_told_and_hello_carries_what_was_given(compiled: Compiled) -> None:
    source = """
    static void told(flock_value message) {
        char type[16];
        flock_value ranks = flock_get(message, "ranks");
        printf("%s %d %d\\n", flock_text(flock_get(message, "type"), type, sizeof type),
               flock_int(flock_get(message, "seats")), flock_int(flock_at(ranks, 1)));
    }
    static const char *const games[] = {"sheepzzz", "wolfpack", NULL};
    """
    more = """, .version = "2", .games = games, .tables = 8, .wants = "both",
        .prepare = told, .start = told, .end = told"""
    with compiled(source + choosing("return request->count - 1;", more)) as bot:
        hello = bot.greet()
        bot.send(end())
        assert bot.leave() == (0, "prepare 0 0\nstart 2 0\nend 0 2\n")
    assert hello["games"] == ("sheepzzz", "wolfpack") and hello["wants"] == "both"
    assert hello["version"] == "2" and hello["tables"] == 8


def test_errors_of_the_arena_are_passed_on_and_a_hang_up_is_no_error(last: Path) -> None:
    with running([last], "msgpack", **WATCHED) as bot:
        bot.greet()
        bot.send({"type": "error", "code": "SHAPE", "text": "no such field", "path": "nmae", "next": "ignored"})
        assert bot.process.stdout is not None and bot.process.stderr is not None
        bot.process.stdout.close()
        bot.send(ask(request()))
        assert bot.process.stderr.read() == b"flock_bot: the arena says error: no such field\n"
        assert bot.process.wait(60) == 0


def test_the_other_encoding_is_refused_in_a_sentence(last: Path) -> None:
    with running([last], "json", **WATCHED) as bot:
        assert bot.leave() == (1, 'flock_bot: say encoding = "msgpack" in bot.toml\n')


@pytest.mark.parametrize(
    "broken", ["81a474797065", "81a474797065c1", "dfffffffff", "db7fffffff", "91" * 100 + "c0", ""]
)
def test_a_broken_message_ends_the_bot_and_harms_nothing(last: Path, broken: str) -> None:
    data = bytes.fromhex(broken)
    with running([last], "msgpack", **WATCHED) as bot:
        bot.greet()
        bot.send_bytes(len(data).to_bytes(4, "big") + data)
        assert bot.leave() == (1, "flock_bot: the arena sent a broken message\n")


# Shows every value as JSON, and writes it again by the kit's own writers, which know what bots say.
TRANSCRIBE = r"""
static void show(flock_value value, struct flock_frame *out) {
    const uint8_t *at;
    uint64_t size;
    char kind = flock_kind(value, &at, &size);
    int parts = flock_count(value);
    if (kind == 'm') {
        printf("{");
        if (parts < 16) flock_put_map(out, parts);
        for (int i = 0; i < parts; i++) {
            printf(i ? "," : "");
            show(flock_at(value, 2 * i), out);
            printf(":");
            show(flock_at(value, 2 * i + 1), out);
        }
        printf("}");
    } else if (kind == 'l') {
        printf("[");
        flock_put_list(out, parts);
        for (int i = 0; i < parts; i++) {
            printf(i ? "," : "");
            show(flock_at(value, i), out);
        }
        printf("]");
    } else if (kind == 't') {
        char text[512];
        printf("\"%s\"", flock_text(value, text, sizeof text));
        flock_put_text(out, text, size);
    } else if (kind == 'i') {
        printf("%.0f", flock_number(value));
        flock_put_int(out, (int64_t)flock_number(value));
    } else printf(kind == 'n' ? "null" : flock_int(value) ? "true" : "false");
}

int main(void) {
    static struct flock_frame out;
    static uint8_t in[1 << 16];
    size_t size = fread(in, 1, sizeof in, stdin);
    flock_value message = {in + 4, in + size};
    if (flock_skip(message, 0) != message.end) return 1;
    out.size = 4;
    show(message, &out);
    fflush(stdout);
    flock_send(2, &out);
    return 0;
}
"""


@pytest.fixture(scope="module")
def transcriber(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled_program(tmp_path_factory.mktemp("transcribe"), TRANSCRIBE)


@pytest.mark.parametrize("vector", [*FROM_ARENA, *FROM_BOT], ids=name_of)
def test_the_kit_reads_and_writes_the_very_bytes_of_the_vectors(transcriber: Path, vector: dict[str, str]) -> None:
    frame = bytes.fromhex(vector["msgpack"])
    ran = subprocess.run([transcriber], input=frame, capture_output=True, check=True, timeout=60, env=WATCHED)
    assert json.loads(ran.stdout) == vector["value"]
    if vector in FROM_BOT:
        assert ran.stderr == frame


@pytest.mark.parametrize("standard", ["c99", "c11", "c17"])
def test_the_kit_compiles_without_a_warning(tmp_path: Path, standard: str) -> None:
    kind = ["cc", f"-std={standard}", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    compiled_program(tmp_path, choosing("return request->fallback;"), kind)
