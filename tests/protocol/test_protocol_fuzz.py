"""A million damaged frames: whatever a bot sends, only messages and its own errors come out (B18).

FUZZ_FRAMES=100000000 makes a soak of it, FUZZ_SEED tries other damage.
"""

import os
import random

import pytest

from protocol.codec import CODECS
from protocol.errors import RemoteProtocolError
from protocol.messages import FROM_BOT
from protocol.session import Session
from protocol.vectors import SAMPLES, bad_vectors, sender

FRAMES = int(os.environ.get("FUZZ_FRAMES", "1000000"))
SEED = int(os.environ.get("FUZZ_SEED", "1"))
ALLOWED = {*FROM_BOT.values(), RemoteProtocolError}

TELLING = {
    "msgpack": [bytes([first]) for first in (*range(0x80, 0xA2), *range(0xC0, 0xE0), 0, 0x7F, 0xFF)],
    "json": [b'"', b"{", b"}", b"[", b"]", b",", b":", b"\\", b"\\u", b"0", b"-", b".", b"e9", b"NaN", b"\xff"],
}


def ready_session(codec):
    session = Session("arena", codec)
    framed = session.framing.frame
    session.receive(framed(codec.encode(SAMPLES["hello, as short as can be"])))
    session.send(SAMPLES["welcome"])
    session.send(SAMPLES["prepare"])
    session.receive(framed(codec.encode(SAMPLES["ready"])))
    return session


def damaged_streams(name, chance):
    """Endless streams of seven frames, a sound one first, the others damaged in one place each."""
    codec = CODECS[name]
    framed = Session("arena", codec).framing.frame
    recorded = [codec.encode(message) for message in SAMPLES.values()]
    recorded += 5 * [codec.encode(message) for message in SAMPLES.values() if sender(message) != "arena"]
    sound = framed(codec.encode(SAMPLES["answer, one choice"]))
    telling, any_part = TELLING[name], chance.random  # randrange would take longer than the session
    while True:
        frames = [sound]
        for payload in chance.choices(recorded, k=6):
            at, length, kind = int(any_part() * len(payload)), int(any_part() * 4), int(any_part() * 16)
            if kind < 7:
                payload = payload[:at] + telling[int(any_part() * len(telling))] + payload[at + length :]
            elif kind < 11:
                payload = payload[:at] + chance.randbytes(length) + payload[at + length :]
            elif kind < 13:
                payload = payload[:at] + chance.choice(recorded)[at:]
            elif kind == 13:
                payload = payload[:at]
            elif kind == 14:
                payload = chance.randbytes(at)
            frames.append(framed(payload))
        stream = b"".join(frames)
        if chance.random() < 0.05:
            at = chance.randrange(len(stream))
            stream = stream[:at] + chance.randbytes(3) + stream[at + 2 :]
        yield stream


@pytest.mark.parametrize("name", CODECS)
def test_b18_nothing_but_messages_and_errors_comes_out_of_damaged_frames(name):
    chance = random.Random(f"{name} {SEED}")
    session, seen, kinds = ready_session(CODECS[name]), 0, set()
    for stream in damaged_streams(name, chance):
        cut = chance.randrange(len(stream))
        heard = session.receive(stream[:cut]) + session.receive(stream[cut:])
        seen += len(heard)
        kinds.update(map(type, heard))
        assert session.pending <= 65_536 + 4
        if session.closed or session.broken is not None or session.pending:
            session = ready_session(CODECS[name])
        if seen >= FRAMES // len(CODECS):
            break
    assert kinds <= ALLOWED and RemoteProtocolError in kinds


@pytest.mark.parametrize("name", CODECS)
def test_b18_random_bytes_end_a_stream_or_are_refused(name):
    chance = random.Random(SEED)
    for _ in range(2000):
        session = ready_session(CODECS[name])
        for _ in range(5):
            heard = session.receive(chance.randbytes(chance.randrange(400)))
            assert {type(item) for item in heard} <= ALLOWED


@pytest.mark.parametrize("vector", bad_vectors(), ids=lambda vector: vector["name"])
def test_b18_a_bad_vector_cut_anywhere_is_still_only_refused(vector):
    stream = bytes.fromhex(vector["stream"])
    for cut in range(len(stream)):
        session = ready_session(CODECS[vector["codec"]])
        heard = session.receive(stream[:cut]) + session.receive(stream[cut:])
        assert [type(item) for item in heard] == [RemoteProtocolError]
