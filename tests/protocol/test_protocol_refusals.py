"""What a bot must not send, B2 to B10 of the fault catalogue: grammar, text, numbers, size."""

import json
import time

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from protocol_payloads import ANSWER, HELLO, ID, JSON, MSGPACK, both, changed, refusal, written

from protocol.codec import CODECS
from protocol.errors import QUOTE_LIMIT, quoted
from protocol.messages import FRAME_LIMIT, Answer, Choice
from protocol.strict import MAX_ELEMENTS


def quickest(work, *arguments):
    def once():
        began = time.perf_counter()
        work(*arguments)
        return time.perf_counter() - began

    return min(once() for _ in range(7))


@pytest.mark.parametrize(
    ("payload", "text"),
    [
        (b"\xc1", "a message is a map (byte 0 of 1)"),
        (b"\x81\xa4type\xc1", "byte 0xc1 is not msgpack (byte 6 of 7)"),
        (msgpack.packb(ANSWER) + b"\x00", "trailing bytes after the message (byte 51 of 52)"),
        (b"", "empty message (byte 0 of 0)"),
        (b"\x05", "a message is a map (byte 0 of 1)"),
        (msgpack.packb([ANSWER]), "a message is a map (byte 0 of 52)"),
        (b"\x81", "message ends too early (byte 1 of 1)"),
        (b"\x81\xa4ty", "message ends too early (byte 4 of 4)"),
        (b"\x81\xa4type\xdb\xff\xff\xff\xff", "message ends too early (byte 11 of 11)"),
        (b"\x81\xa4type\xcb\x00", "message ends too early (byte 8 of 8)"),
        (b"\x81\xa4type\xda\x00", "message ends too early (byte 8 of 8)"),
    ],
)
def test_b2_broken_msgpack_names_rule_and_byte(payload, text):
    assert refusal(MSGPACK, payload).text == text


@pytest.mark.parametrize(
    ("payload", "text"),
    [
        (b"", "empty message"),
        (b"42", "print to stderr instead. It began: '42'"),
        (b"[1]", "print to stderr instead. It began: '[1]'"),
        (b'{"type":"ready"} 1', "not JSON: Extra data (byte 17 of 18)"),
        ('{"ä" 1}'.encode(), "(byte 6 of 8)"),
        (b'{"a":', "not JSON: Expecting value (byte 5 of 5)"),
        (b"\xef\xbb\xbf{}", "stdout carries messages only"),
        ('{"type":"ready"}'.encode("utf-16"), "text is not UTF-8: ff fe"),
    ],
)
def test_b2_broken_json_names_rule_and_byte(payload, text):
    assert text in refusal(JSON, payload).text


@pytest.mark.parametrize("cut", range(50))
def test_b2_a_message_cut_inside_its_frame_is_told(cut):
    payload = msgpack.packb(ANSWER)[:cut]
    assert "early" in refusal(MSGPACK, payload).text or "empty" in refusal(MSGPACK, payload).text


@pytest.mark.parametrize("value", [None, 1, True, [], {}, "move", "Answer", "welcome", "x" * 9000])
@both
def test_b2_an_unknown_type_is_told_with_the_known_ones(codec, value):
    error = refusal(codec, written(codec, {"type": value}))
    assert error.path == "type" and error.text.startswith("type: ")


@both
def test_b2_a_missing_type_is_told(codec):
    assert refusal(codec, written(codec, {"answers": []})).path == "type"


def test_b3_duplicate_keys_are_refused_with_their_place():
    payload = b"\x82\xa6choice\x01\xa6choice\x02"
    assert refusal(MSGPACK, payload).text == 'duplicate key "choice" (byte 9 of 17)'
    assert refusal(JSON, b'{"choice":1,"choice":2}').text == 'duplicate key "choice"'


@given(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=8), st.integers(0, 5))
def test_b3_duplicate_keys_are_refused_wherever_they_are(keys, depth):
    packed = bytes([0x80 | len(keys)]) + b"".join(b"\xa1" + key.encode() + b"\x00" for key in keys)
    payload = b"\x81\xa1z" + b"\x91" * depth + packed
    line = '{"z":' + "[" * depth + "{" + ",".join(f'"{key}":0' for key in keys) + "}" + "]" * depth + "}"
    doubled = len(set(keys)) < len(keys)
    assert ("duplicate" in refusal(MSGPACK, payload).text) is doubled
    assert ("duplicate" in refusal(JSON, line.encode()).text) is doubled


@pytest.mark.parametrize("key", [b"\xc4\x04type", b"\x01", b"\xc0", b"\xc3", b"\xcb" + bytes(8), b"\x90", b"\x80"])
def test_b4_keys_other_than_text_are_refused(key):
    assert "map keys must be text (byte 12" in refusal(MSGPACK, b"\x82\xa4type\xa5ready" + key + b"\x01").text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"\xff\xfe", "text is not UTF-8: ff fe"),
        (b"ab\xc3", "text is not UTF-8: c3 (byte 9 of 10)"),
        (b"\xed\xa0\x80", "text is not UTF-8: ed a0 80"),
        (b"\xc0\x80", "text is not UTF-8: c0 80"),
        (b"a\0b", "U+0000"),
        ("\u202e".encode(), "U+202E"),
        ("\u2066".encode(), "U+2066"),
        ("\u200f".encode(), "U+200F"),
        ("\u061c".encode(), "U+061C"),
    ],
)
def test_b5_bad_text_is_refused_as_value_and_as_key(raw, text):
    packed = bytes([0xA0 | len(raw)]) + raw
    assert text in refusal(MSGPACK, b"\x81\xa4type" + packed).text
    assert text.split(" (")[0] in refusal(MSGPACK, b"\x81" + packed + b"\x01").text


@pytest.mark.parametrize("escape", ["\\u0000", "\\ud800", "\\udc00\\ud800", "\\u202e", "\\u2069", "\\u200e"])
def test_b5_bad_text_hidden_behind_json_escapes_is_refused(escape):
    assert "forbidden character U+" in refusal(JSON, f'{{"type":"{escape}"}}'.encode()).text
    assert "forbidden character U+" in refusal(JSON, f'{{"type":"ready","{escape}":1}}'.encode()).text


def test_b5_a_pair_of_surrogates_in_json_is_one_character():
    line = f'{{"type":"answer","answers":[{{"id":"{ID}","choice":1,"note":"\\ud83d\\udc11"}}]}}'
    assert JSON.decode_from_bot(line.encode()).answers[0].note == "🐑"


@given(st.text())
def test_b5_a_quotation_is_short_printable_and_on_one_line(text):
    shown = quoted(text)
    assert shown.isprintable() and len(shown) <= QUOTE_LIMIT + 5


def test_b5_a_quotation_escapes_what_moves_the_cursor():
    assert quoted("a\x1b[2J\u202eb\n'") == "'a\\x1b[2J\\u202eb\\n\\''"


@both
@pytest.mark.parametrize(
    ("path", "value", "got"),
    [
        ("answers.0.choice", -0.0, "expected int, got float"),
        ("answers.0.choice", 1.0, "expected int, got float"),
        ("answers.0.choice", True, "expected int, got bool"),
        ("answers.0.choice", "40", "expected int, got str"),
        ("answers.0.choice", None, "expected int, got null"),
        ("answers.0.id", 1, "expected str, got int"),
        ("answers.0.id", "short", "expected str of length >= 16"),
        ("answers.0.id", "x" * 17, "expected str of length <= 16"),
        ("answers.0.note", 1, "expected str, got int"),
        ("answers.0", "5", "expected object, got str"),
        ("answers", {}, "expected array, got object"),
        ("answers", [], "expected array of length >= 1"),
    ],
)
def test_b6_a_wrong_type_names_the_field_and_the_type_expected(codec, path, value, got):
    message = {**ANSWER, "answers": [value]} if path == "answers.0" else changed(path, value)
    error = refusal(codec, written(codec, message))
    place = path.replace(".0", "[0]")
    assert (error.path, error.text, error.code) == (place, f"{place}: {got}", "PROTOCOL")


@both
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("protocol", 1), ("protocol", []), ("protocol", [True]), ("protocol", ["1"]), ("name", ""), ("name", 1),
        ("name", "x" * 65), ("version", 1.5), ("games", "sheepzzz"), ("games", [1]), ("tables", 0),
        ("tables", 1025), ("tables", 1.0), ("tables", True), ("wants", "all"), ("wants", None),
    ],
)  # fmt: skip
def test_b6_a_wrong_type_in_hello_names_the_field(codec, field, value):
    assert refusal(codec, written(codec, changed(field, value, HELLO))).path.split("[")[0] == field


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_b6_numbers_that_are_not_finite_are_refused(number):
    assert "not finite" in refusal(MSGPACK, msgpack.packb(changed("answers.0.choice", number))).text
    assert "not finite" in refusal(MSGPACK, msgpack.packb({"a": number}, use_single_float=True)).text
    assert "not finite" in refusal(JSON, json.dumps(changed("answers.0.choice", number)).encode()).text


def test_b6_a_json_number_too_large_for_a_float_is_not_finite():
    assert "not finite" in refusal(JSON, b'{"type":1e999}').text


def test_b6_binary_fits_no_field():
    assert refusal(MSGPACK, msgpack.packb(changed("answers.0.id", "") | {"type": b"answer"})).path == "type"
    packed = msgpack.packb({"type": "answer", "answers": [{"id": ID.encode(), "choice": 1}]})
    assert refusal(MSGPACK, packed).text == "answers[0].id: expected str, got bytes"


@both
@pytest.mark.parametrize("choice", [2**63, 2**64 - 1, -1, -(2**63), 2**53 + 1, 128, 1000])
def test_b7_any_64_bit_choice_passes_so_that_the_match_can_call_it_illegal(codec, choice):
    assert codec.decode_from_bot(written(codec, changed("answers.0.choice", choice))) == Answer(
        (Choice(ID, choice),)
    )


@pytest.mark.parametrize("digits", [str(2**64), str(-(2**63) - 1), "9" * 21, "1" + "0" * 60_000])
def test_b7_an_integer_over_64_bits_is_refused(digits):
    assert refusal(JSON, f'{{"type":{digits}}}'.encode()).text == "integer does not fit 64 bits"


@pytest.mark.parametrize("kind", [-1, -2, 0, 5, 127])
@pytest.mark.parametrize("size", [1, 2, 4, 8, 12, 16, 3, 300])
def test_b8_extension_types_are_refused_timestamps_too(kind, size):
    packed = msgpack.packb({"type": msgpack.ExtType(kind, bytes(size))} if kind >= 0 else {"type": 0})
    if kind < 0:
        header = {1: b"\xd4", 2: b"\xd5", 4: b"\xd6", 8: b"\xd7", 16: b"\xd8"}
        head = header.get(size) or (b"\xc7" + bytes([size]) if size < 256 else b"\xc8" + size.to_bytes(2, "big"))
        packed = packed[:-1] + head + bytes([kind & 0xFF]) + bytes(size)
    assert "extension types are not allowed (byte 6" in refusal(MSGPACK, packed).text


@pytest.mark.parametrize("depth", [8, 9, 100, 1000, 1022, 1023, 1024, 2000, 20_000])
def test_b9_more_than_eight_levels_are_too_deep(depth):
    lists, maps = b"\x81\xa1a" + b"\x91" * depth + b"\x00", b"\x81\xa1a" * depth + b"\x81\xa1a\x00"
    line = b'{"a":' + b"[" * depth + b"]" * depth + b"}"
    tree = b'{"a":' * depth + b"{}" + b"}" * depth
    for codec, payload in ((MSGPACK, lists), (MSGPACK, maps), (JSON, line), (JSON, tree)):
        if len(payload) <= FRAME_LIMIT:
            assert refusal(codec, payload).text.startswith("too deep, the limit is 8 levels")


@pytest.mark.parametrize("depth", range(8))
@both
def test_b9_eight_levels_are_not_too_deep(codec, depth):
    value = 0
    for _ in range(depth):
        value = [value]
    assert "deep" not in refusal(codec, written(codec, {"a": value})).text


@both
def test_b10_the_1025th_element_is_one_too_many(codec):
    assert "elements" not in refusal(codec, written(codec, {"a": [0] * (MAX_ELEMENTS - 1)})).text
    for value in ([0] * MAX_ELEMENTS, [{}] * MAX_ELEMENTS, [[0] * 32] * 32, [{"a": 0}] * 600):
        assert "too many elements, the limit is 1024" in refusal(codec, written(codec, {"a": value})).text


def test_b10_a_list_is_refused_at_its_header():
    """None of the elements announced is there, so none can have been looked at."""
    assert refusal(MSGPACK, b"\x81\xa1a\xdd\xff\xff\xff\xff").text.startswith("too many elements")
    assert refusal(MSGPACK, b"\xdf\xff\xff\xff\xff").text == "too many elements, the limit is 1024 (byte 0 of 5)"


def test_b10_no_frame_takes_much_longer_than_an_honest_one():
    honest = quickest(msgpack.unpackb, msgpack.packb({"a": list(range(200, 20_000))}))
    worst = [
        (MSGPACK, b"\x81\xa1a\xdd\x00\x00\xff\xf0" + b"\x80" * 65_000),
        (MSGPACK, b"\x81\xa1a\xdc\x02\x00" + b"\x91\x80" * 600),
        (MSGPACK, msgpack.packb({"a": ["ä" * 28] * 1000})),
        (JSON, b'{"a":[' + b"{}," * 21_000 + b"{}]}"),
        (JSON, b'{"a":[' + b"[]," * 21_000 + b"[]]}"),
        (JSON, b'{"a":[' + b"0," * 32_000 + b"0]}"),
        (JSON, b'{"a":"' + b"\\n" * 32_000 + b'"}'),
    ]
    for codec, payload in worst:
        assert len(payload) <= FRAME_LIMIT
        assert quickest(refusal, codec, payload) < 300 * honest


def test_b10_a_payload_over_the_limit_is_not_looked_at():
    for codec in CODECS.values():
        error = refusal(codec, b" " * (FRAME_LIMIT + 1))
        assert (error.code, error.text) == ("OUTPUT", "frame of 65537 bytes, the limit is 65536")
