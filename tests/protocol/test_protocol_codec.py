"""Messages to bytes and back, by the long way and by the short cut."""

import msgpack
import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from protocol_payloads import ID, MSGPACK, both, written
from protocol_strategies import from_arena, from_bot, requests

from protocol.codec import joined_request, opening_of
from protocol.errors import RemoteProtocolError
from protocol.messages import FROM_ARENA, FROM_BOT, Answer, Ask, Bye, Choice, Hello


@both
@pytest.mark.parametrize("kind", FROM_BOT)
def test_whatever_a_bot_may_say_comes_back_equal(codec, kind):
    @given(from_bot[kind])
    def there_and_back(message):
        assert codec.decode_from_bot(codec.encode(message)) == message

    there_and_back()


@both
@pytest.mark.parametrize("kind", FROM_ARENA)
def test_whatever_the_arena_may_say_comes_back_equal(codec, kind):
    @given(from_arena[kind])
    def there_and_back(message):
        assert codec.decode_from_arena(codec.encode(message)) == message

    there_and_back()


@both
def test_fields_at_their_default_are_not_sent(codec):
    assert codec.encode(Answer((Choice(ID, 5),))) == codec.encode(Answer((Choice(ID, 5, ""),)))
    assert b"note" not in codec.encode(Answer((Choice(ID, 5),)))
    assert b"version" not in codec.encode(Hello((1,), "tiger"))


@both
def test_a_bot_ignores_fields_it_does_not_know(codec):
    assert codec.decode_from_arena(written(codec, {"type": "error", "code": "X", "text": "", "path": "",
                                                   "next": "", "later": [1]})).code == "X"  # fmt: skip


@both
@pytest.mark.parametrize("payload", [b"", b"\xc1", b"{", b"[]", b"\x80", b"{}", b"\x81\xa4type\xa3ask"])
def test_a_broken_arena_is_a_protocol_error_too(codec, payload):
    with pytest.raises(RemoteProtocolError):
        codec.decode_from_arena(payload)


# The hot path


@pytest.mark.parametrize("kind", FROM_ARENA)
def test_our_msgpack_is_byte_for_byte_that_of_the_msgpack_library(kind):
    @given(from_arena[kind])
    def the_same_bytes(message):
        assert MSGPACK.encode(message) == msgpack.packb(msgspec.to_builtins(message))

    the_same_bytes()


@both
@given(asked=st.lists(requests, max_size=20))
def test_an_ask_joined_from_packed_requests_is_the_ask_encoded_whole(codec, asked):
    packed = [codec.pack_request(msgspec.to_builtins(request)) for request in asked]
    assert codec.ask(packed) == codec.encode(Ask(asked))


@both
@pytest.mark.parametrize("count", [0, 1, 15, 16, 17, 65_535, 65_536])
def test_an_ask_of_any_length_has_the_right_header(codec, count):
    whole = written(codec, {"type": "ask", "requests": [{}] * count})
    assert codec.ask([codec.pack_request({})] * count) == whole.replace(b", ", b",").replace(b": ", b":")


@given(
    move=st.integers(1, 1 << 40),
    question=st.text(max_size=40),
    options=st.lists(st.tuples(st.text(max_size=3), st.integers(0, 300)), max_size=20),
    default=st.integers(0, 1 << 17),
    time_ms=st.integers(0, 1 << 33),
    view=st.dictionaries(st.text(max_size=3), st.integers(-5, 300), max_size=3),
)
@example(move=1024, question="moves", options=[], default=1025, time_ms=1000, view={})
def test_a_request_joined_from_bytes_is_the_request_packed_whole(move, question, options, default, time_ms, view):
    whole = {"match": "m-abc", "id": ID, "move": move, "question": question, "options": options,
             "default": default, "time_ms": time_ms, "view": view}  # fmt: skip
    packed, parts = msgpack.packb(options), [msgpack.packb(view)[:1], b"", msgpack.packb(view)[1:]]
    joined = joined_request(opening_of("m-abc"), ID, move, question, packed, default, time_ms, parts)
    assert joined == MSGPACK.pack_request(whole)


def test_a_packer_that_failed_starts_clean():
    with pytest.raises(TypeError):
        MSGPACK.pack_request({"match": "m", "view": object()})
    assert MSGPACK.pack_request({"a": 1}) == b"\x81\xa1a\x01"


@both
@given(choice=st.integers(0, 127))
def test_the_answer_of_a_kit_takes_the_short_cut(codec, choice):
    assert codec.decode_answer_fast(codec.encode(Answer((Choice(ID, choice),)))) == (ID, choice)


@both
@given(st.data())
def test_the_short_cut_agrees_with_the_long_way(codec, data):
    """Answers, and answers with a few bytes changed: what is quick is also right."""
    count = data.draw(st.sampled_from([1, 1, 2, 17]))
    near = [Choice(ID, data.draw(st.integers(-1, 1100))) for _ in range(count)]
    payload = bytearray(codec.encode(Answer(tuple(near))))
    for _ in range(data.draw(st.integers(0, 2))):
        at = data.draw(st.integers(0, len(payload) - 1))
        payload[at] = data.draw(st.integers(0, 255) | st.sampled_from(b'0"}]\x00\x7f\x80z'))
    agree_on(codec, bytes(payload))


@both
@pytest.mark.parametrize("count", [340, 341])
def test_the_short_cut_keeps_the_limit_of_elements(codec, count):
    agree_on(codec, codec.encode(Answer((Choice(ID, 1),) * count)))


@both
@given(st.binary(max_size=80))
@example(b"")
def test_the_short_cut_takes_no_junk(codec, payload):
    agree_on(codec, payload)


def agree_on(codec, payload):
    quick = codec.decode_answer_fast(payload)
    if quick is not None:
        assert codec.examine(payload) == Answer((Choice(*quick),))
    several = codec.decode_answers_fast(payload)
    if several is not None:
        assert codec.examine(payload) == several


@both
def test_bye_is_understood_from_both_sides(codec):
    payload = codec.encode(Bye("enough"))
    assert codec.decode_from_bot(payload) == codec.decode_from_arena(payload) == Bye("enough")
