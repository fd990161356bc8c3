"""What a bot must not send, B11 to B18 of the fault catalogue: fields, notes, encodings, junk."""

import importlib.metadata
import json
from pathlib import Path

import msgpack
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from protocol_payloads import ANSWER, HELLO, ID, JSON, MSGPACK, both, changed, refusal, written

import protocol.codec
from protocol.errors import RemoteProtocolError
from protocol.messages import FROM_BOT, Answer, Choice, Ready
from protocol.session import Session
from protocol.strict import check_msgpack


@both
def test_b11_many_unknown_keys_stop_at_the_limit_of_elements(codec):
    assert "too many elements" in refusal(codec, written(codec, {f"{n:x}": 0 for n in range(4000)})).text


@both
@pytest.mark.parametrize(
    ("message", "path"),
    [
        ({**ANSWER, "hurry": 1}, "hurry"),
        (changed("answers.0.chioce", 1), "answers[0].chioce"),
        ({"type": "ready", "x": None}, "x"),
        ({"type": "bye", "why": "tired"}, "why"),
        (changed("answers.0.a b", 1), "answers[0].'a b'"),
        (changed("answers.0.` - at `$", 1), "answers[0].'` - at `$'"),
    ],
)
def test_b12_an_unknown_field_is_an_error_with_its_path(codec, message, path):
    error = refusal(codec, written(codec, message))
    assert (error.path, error.text) == (path, f"{path}: unknown field")


@both
def test_b12_a_long_unknown_field_is_cut(codec):
    assert len(refusal(codec, written(codec, {**ANSWER, "\x1b" * 5000: 1})).text) < 80


@both
@pytest.mark.parametrize(
    "name", ["\x1b[2J" * 900 + " - at `$.a`", "x - at `$." + "a" * 5000, "` - at `$\n", "`", "\n"]
)
def test_b12_a_field_named_like_a_sentence_of_ours_fools_nobody(codec, name):
    for message in ({**ANSWER, name: 1}, changed(f"answers.0.{name.replace('.', '')}", 1)):
        error = refusal(codec, written(codec, message))
        assert error.text.isprintable() and error.path.isprintable() and len(error.text) < 200


@both
def test_b12_a_missing_field_is_an_error_with_its_path(codec):
    error = refusal(codec, written(codec, {"type": "answer", "answers": [{"choice": 1}]}))
    assert (error.path, error.text) == ("answers[0].id", "answers[0].id: missing")


def test_b13_no_decoder_outlives_a_failure():
    """A streaming Unpacker is the only decoder with a memory; there is none in the package."""
    assert "Unpacker" not in Path(protocol.codec.__file__).with_name("codec.py").read_text("utf-8")
    assert tuple(map(int, importlib.metadata.version("msgpack").split(".")[:3])) >= (1, 2, 1)


@both
def test_b13_a_good_message_is_read_after_every_bad_one(codec):
    good = written(codec, ANSWER)
    for cut in range(1, len(good)):
        refusal(codec, good[:cut])
        assert codec.decode_from_bot(good) == Answer((Choice(ID, 5),))


@both
@pytest.mark.parametrize(("note", "fits"), [("x" * 1024, True), ("x" * 1025, False), ("🐑" * 256, True),
                                            ("🐑" * 257, False), ("x" * 60_000, False)])  # fmt: skip
def test_b14_a_note_over_one_kibibyte_is_refused(codec, note, fits):
    payload = json.dumps(changed("answers.0.note", note), ensure_ascii=False).encode()
    if codec is MSGPACK:
        payload = msgpack.packb(changed("answers.0.note", note))
    if fits:
        assert codec.decode_from_bot(payload).answers[0].note == note
    else:
        assert refusal(codec, payload).path == "answers[0].note"


@both
def test_b14_markup_in_a_note_is_only_text(codec):
    note = "<b>[/]\x1b[31m"
    assert codec.decode_from_bot(written(codec, changed("answers.0.note", note))).answers[0].note == note


@both
@pytest.mark.parametrize("message", [ANSWER, HELLO, {"type": "ready"}, {"type": "bye"}])
def test_b16_what_was_decoded_cannot_be_changed(codec, message):
    decoded = codec.decode_from_bot(written(codec, message))
    hash(decoded)
    with pytest.raises(AttributeError):
        decoded.type = "other"
    for field in decoded.__struct_fields__:
        with pytest.raises(AttributeError):
            setattr(decoded, field, None)


def test_b17_the_other_encoding_is_named():
    assert "expected msgpack, got JSON" in refusal(MSGPACK, JSON.encode(Ready())).text
    assert "expected JSON lines, got msgpack" in refusal(JSON, MSGPACK.encode(Answer((Choice(ID, 200),)))).text


@both
@given(st.binary(max_size=200))
def test_b18_random_bytes_are_refused_or_a_message(codec, payload):
    heard = Session("arena", codec).read(payload)
    assert type(heard) in FROM_BOT.values() or heard.text.isprintable()


@given(st.binary(max_size=60))
@example(b"\x81\xa1a\xcb\x7f\xf8" + bytes(6))
def test_b18_what_the_examination_passes_the_library_reads(payload):
    """The examination knows the grammar as well as msgpack does: neither accepts what the other calls broken."""
    try:
        check_msgpack(payload)
    except RemoteProtocolError as error:
        if "early" in error.text or "trailing" in error.text or "0xc1" in error.text:
            assert not readable(payload)
    else:
        assert readable(payload)


def readable(payload):
    try:
        msgpack.unpackb(payload, strict_map_key=False, unicode_errors="replace", object_pairs_hook=list)
    except ValueError:
        return False
    return True


def test_a19_a_printed_line_among_json_is_told_where_to_go():
    error = refusal(JSON, b"Debug: my hand is 7, 12")
    assert error.text == (
        "stdout carries messages only; print to stderr instead. It began: 'Debug: my hand is 7, 12'"
    )
