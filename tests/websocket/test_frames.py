"""Frames of a client, well and badly made."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.transports import websocket_frames as frames
from arena.transports.websocket_frames import FrameReader, Heard, close_frame, frame
from tests.websocket.peer import BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, masked

BIG = bytes(frames.MESSAGE_BYTES)


def said(*messages: bytes) -> list[Heard]:
    return [Heard("message", message) for message in messages]


@given(st.lists(st.binary(max_size=300), max_size=6), st.lists(st.integers(0, 2000), max_size=8), st.booleans())
@settings(deadline=None)
def test_c13_messages_are_the_same_however_they_are_cut(messages, cuts, in_pieces):
    data = b""
    for message in messages:
        if in_pieces:
            half = len(message) // 2
            data += masked(BINARY, message[:half], final=False) + masked(PING, b"x")
            data += masked(CONTINUATION, message[half:])
        else:
            data += masked(BINARY, message)
    reader = FrameReader(BINARY)
    places = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    heard = []
    for begin, end in itertools.pairwise(places):
        heard += reader.feed(data[begin:end])
    assert [payload for kind, payload, _ in heard if kind == "message"] == messages
    assert reader.broken is None
    assert not reader.unfinished


@given(st.binary(max_size=600))
@settings(max_examples=300, deadline=None)
def test_b18_random_bytes_never_raise(data):
    reader = FrameReader(TEXT)
    whole = reader.feed(data)
    other = FrameReader(TEXT)
    pieces = [heard for at in range(len(data)) for heard in other.feed(data[at : at + 1])]
    assert whole == pieces
    assert reader.broken == other.broken


@pytest.mark.parametrize(
    ("data", "code"),
    [
        pytest.param(masked(BINARY, BIG + b"x"), 1009, id="too big"),
        pytest.param(masked(BINARY, BIG, final=False) + masked(CONTINUATION, b"x"), 1009, id="too big in pieces"),
        pytest.param(b"\x82\xff" + b"\xff" * 8, 1009, id="claims 2^64"),
        pytest.param(masked(TEXT, b"{}"), 1003, id="text where binary was agreed on"),
        pytest.param(masked(BINARY, b"x", reserved=0x40), 1002, id="compressed, though nobody agreed"),
        pytest.param(masked(BINARY, b"x", reserved=0x10), 1002, id="reserved bit"),
        pytest.param(masked(BINARY, b"x", mask=False), 1002, id="no mask"),
        pytest.param(masked(0x3, b"x"), 1002, id="unknown kind"),
        pytest.param(masked(0xB, b"x"), 1002, id="unknown control"),
        pytest.param(masked(PING, bytes(126)), 1002, id="long ping"),
        pytest.param(masked(PING, b"", final=False), 1002, id="ping in pieces"),
        pytest.param(masked(CONTINUATION, b"x"), 1002, id="goes on with nothing"),
        pytest.param(masked(BINARY, b"x", final=False) + masked(BINARY, b"y"), 1002, id="one inside the other"),
        pytest.param(masked(CLOSE, b"x"), 1002, id="close with half a code"),
        pytest.param(masked(CLOSE, (1006).to_bytes(2, "big")), 1002, id="close with a code nobody may send"),
        pytest.param(b"\x82\xfe\x00\x05" + bytes(9), 1002, id="length written too long"),
        pytest.param(
            masked(BINARY, b"", final=False) + masked(CONTINUATION, b"", final=False) * 1000, 1008, id="c12"
        ),
    ],
)
def test_c13_who_breaks_a_rule_is_told_which(data, code):
    reader = FrameReader(BINARY)
    assert reader.feed(data) == []
    assert reader.broken is not None
    assert reader.broken.code == code
    assert reader.feed(masked(BINARY, b"more")) == []


def test_c13_a_frame_is_refused_by_its_head_before_anything_of_it_is_kept():
    reader = FrameReader(BINARY)
    reader.feed(b"\x82\xfe\xff\xff")
    assert reader.broken is None
    reader = FrameReader(BINARY)
    reader.feed(b"\x82\xff" + (frames.MESSAGE_BYTES + 1).to_bytes(8, "big"))
    assert reader.broken is not None and reader.broken.code == 1009


def test_c13_text_must_be_utf_8_also_across_pieces():
    word = "Schäfchen".encode()
    reader = FrameReader(TEXT)
    assert reader.feed(masked(TEXT, word[:4], final=False) + masked(CONTINUATION, word[4:])) == said(word)
    reader.feed(masked(TEXT, word[:4]))
    assert reader.broken is not None and reader.broken.code == 1007


def test_a_close_tells_its_code():
    reader = FrameReader(BINARY)
    assert reader.feed(masked(CLOSE, (1001).to_bytes(2, "big") + b"bye")) == [Heard("close", b"bye", 1001)]
    assert FrameReader(BINARY).feed(masked(CLOSE)) == [Heard("close", b"", 1005)]
    assert FrameReader(BINARY).feed(masked(PONG, b"7")) == [Heard("pong", b"7")]


def test_what_we_send_is_read_by_wsproto():
    from wsproto import ConnectionType
    from wsproto.connection import Connection
    from wsproto.events import BytesMessage, CloseConnection

    for size in (0, 125, 126, 65535, 65536, 200_000):
        client = Connection(ConnectionType.CLIENT)
        client.receive_data(frame(BINARY, bytes(size)))
        assert b"".join(event.data for event in client.events() if isinstance(event, BytesMessage)) == bytes(size)
    client = Connection(ConnectionType.CLIENT)
    client.receive_data(close_frame(4409, "schön " * 40))
    (closed,) = client.events()
    assert isinstance(closed, CloseConnection) and closed.code == 4409 and closed.reason.startswith("schön schön")
