"""Where frames begin and end, whatever the cuts.  A and B numbers are rows of the fault catalogue."""

import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import CODECS
from protocol.errors import RemoteProtocolError
from protocol.framing import FRAMINGS, LengthPrefixed, Lines, Whole
from protocol.messages import FRAME_LIMIT
from protocol.vectors import SAMPLES

both = pytest.mark.parametrize("name", FRAMINGS)


def payloads(name):
    return [CODECS[name].encode(message) for message in SAMPLES.values()]


def fed(reader, stream, cuts):
    """What comes out of a stream delivered in pieces."""
    out, last = [], 0
    for cut in sorted({*(cut % (len(stream) + 1) for cut in cuts), len(stream)}):
        out += reader.feed(stream[last:cut])
        last = cut
    return out


@both
@given(cuts=st.lists(st.integers(0, 10_000), max_size=30))
def test_frames_come_out_the_same_however_the_stream_is_cut(name, cuts):
    reader = FRAMINGS[name]()
    stream = b"".join(map(reader.frame, payloads(name)))
    assert fed(reader, stream, cuts) == payloads(name)
    assert reader.pending == 0 and reader.broken is None


@both
def test_frames_come_out_the_same_byte_by_byte(name):
    reader = FRAMINGS[name]()
    stream = b"".join(map(reader.frame, payloads(name)))
    assert fed(reader, stream, range(len(stream))) == payloads(name)


@both
@pytest.mark.parametrize("sample", SAMPLES)
def test_b1_no_prefix_of_a_message_is_a_message_and_its_bytes_are_counted(name, sample):
    frame = FRAMINGS[name]().frame(CODECS[name].encode(SAMPLES[sample]))
    for cut in range(len(frame)):
        reader = FRAMINGS[name]()
        assert reader.feed(frame[:cut]) == []
        assert reader.pending == cut
        assert reader.feed(frame[cut:]) == [CODECS[name].encode(SAMPLES[sample])]
        assert reader.pending == 0


def test_an_empty_frame_is_a_frame():
    assert LengthPrefixed().feed(bytes(8)) == [b"", b""]


def test_nothing_fed_is_nothing_read():
    for reader in (LengthPrefixed(), Lines()):
        assert reader.feed(b"") == [] and reader.pending == 0


@both
def test_the_largest_frame_passes_and_one_byte_more_does_not(name):
    reader = FRAMINGS[name]()
    assert reader.feed(reader.frame(b"x" * FRAME_LIMIT)) == [b"x" * FRAME_LIMIT]
    assert reader.feed(reader.frame(b"x" * (FRAME_LIMIT + 1))) == []
    assert (reader.broken.code, reader.broken.fatal) == ("OUTPUT", True)
    assert reader.broken.text == "frame of 65537 bytes, the limit is 65536"


def test_a15_a_length_of_4_gib_is_refused_before_anything_is_reserved():
    reader = LengthPrefixed()
    tracemalloc.start()
    reader.feed(b"\xff\xff\xff\xff")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (reader.broken.code, reader.broken.fatal) == ("OUTPUT", True)
    assert reader.broken.text == "frame of 4294967295 bytes, the limit is 65536"
    assert most < 1024 * 1024


def test_a16_endless_output_without_a_line_is_refused_at_the_limit():
    reader = Lines()
    for fed_so_far in range(0, FRAME_LIMIT, 4096):
        reader.feed(b"x" * 4096)
        assert reader.broken is None and reader.pending == fed_so_far + 4096
    reader.feed(b"x")
    assert reader.broken.code == "OUTPUT" and reader.broken.fatal
    assert reader.pending == 0


@both
def test_frames_before_a_fault_are_delivered_and_bytes_after_it_dropped(name):
    reader = FRAMINGS[name]()
    good = payloads(name)
    bad = b"\xff" * 8 if name == "msgpack" else b"x" * (FRAME_LIMIT + 1) + b"\n"
    assert reader.feed(b"".join(map(reader.frame, good)) + bad) == good
    assert isinstance(reader.broken, RemoteProtocolError)
    assert reader.feed(reader.frame(good[0])) == []


@pytest.mark.parametrize(
    ("printed", "began"),
    [
        (b"Debug: my hand\n", "'Debug: my hand\\n'"),
        (b"Debu", "'Debu'"),
        ("Äpfel und Birnen\n".encode(), "'Äpfel und Birnen\\n'"),
        ("羊羊".encode()[:5], "'羊'"),
        (b"\x1b[31mred", "'\\x1b[31mred'"),
        (b"\r\n\r\nhello", "'\\r\\n\\r\\nhello'"),
        (b"[1, 2]" * 30, "'[1, 2][1, 2][1, 2][1, 2][1, 2][1, 2][1, ...'"),
    ],
)
@pytest.mark.parametrize("before", [0, 3])
def test_a19_printed_text_is_told_where_to_go_at_the_start_and_later(printed, began, before):
    reader = LengthPrefixed()
    reader.feed(reader.frame(b"\x80") * before + printed)
    assert (reader.broken.code, reader.broken.fatal) == ("PROTOCOL", True)
    assert reader.broken.text == f"stdout carries messages only; print to stderr instead. It began: {began}"


def test_b17_json_lines_to_a_msgpack_arena_are_named():
    reader = LengthPrefixed()
    reader.feed(b'{"type":"hello"}\n')
    assert (reader.broken.code, reader.broken.fatal) == ("PROTOCOL", True)
    assert "expected msgpack frames, got JSON lines" in reader.broken.text


@pytest.mark.parametrize("cut", [1, 5, 100])
def test_b17_msgpack_to_a_json_arena_is_named_at_its_first_byte(cut):
    reader = Lines()
    assert reader.feed(LengthPrefixed().frame(payloads("msgpack")[0])[:cut]) == []
    assert (reader.broken.code, reader.broken.fatal) == ("PROTOCOL", True)
    assert "expected JSON lines, got msgpack frames" in reader.broken.text


def test_lines_may_end_as_windows_ends_them_and_blank_ones_mean_nothing():
    reader = Lines()
    assert reader.feed(b'\n\r\n{"a":1}\r\n  \t\n{"b":2}\n\n') == [b'{"a":1}', b'{"b":2}']
    assert reader.feed(b'{"c":3}\r') == []
    assert reader.feed(b"\n") == [b'{"c":3}']


def test_a_whole_message_is_a_frame():
    reader = Whole()
    assert reader.feed(b"\x80") == [b"\x80"] and reader.frame(b"\x80") == b"\x80" and reader.pending == 0
    assert reader.feed(b"x" * (FRAME_LIMIT + 1)) == [] and reader.broken.code == "OUTPUT"
    assert reader.feed(b"\x80") == []


@both
def test_feeding_byte_by_byte_is_not_quadratic(name):
    """Sixteen times the bytes would take 256 times as long if each byte moved those before it."""

    def drip(size):
        reader = FRAMINGS[name]()
        stream = reader.frame(b"x" * size)
        began = time.perf_counter()
        for at in range(len(stream)):
            reader.feed(stream[at : at + 1])
        assert reader.pending == 0 and reader.broken is None
        return time.perf_counter() - began

    assert min(drip(60_000) for _ in range(3)) < 200 * min(drip(3_750) for _ in range(3))
