"""The record: replayed, verified, told apart from any changed byte."""

from __future__ import annotations

import hashlib
import json
import random
import zlib

import msgpack
import pytest

from arena import record
from arena.games import GAMES
from arena.match import Ask, Entrant, Match
from arena.packing import editions
from arena.packing.document import shortened
from arena.record import MAGIC, SEAL, RecordError
from arena.verdicts import Fault

SHEEP = GAMES["sheepzzz"]


def played(seed: int = 1, seats: int = 2) -> record.Document:
    """A random match with an illegal answer, a late one and a crash in it."""
    rng = random.Random(seed)
    match = Match(
        SHEEP,
        [Entrant(f"bot{seat}", wants=rng.choice(["view", "events", "both"])) for seat in range(seats)],
        deal=rng.randbytes(32),
        salt=rng.randbytes(32),
    )
    orders = match.begin()
    count = 0
    while not match.over:
        ask = next(order for order in reversed(orders) if isinstance(order, Ask))
        count += 1
        if count == 20:
            orders = match.answered(ask.seat, -1, 77)
        elif count == 40:
            orders = match.failed(ask.seat, Fault("IDLE", "too late"), 1_000_000)
            match.came_late(ask.seat, match.seats[ask.seat].moves, 1234)
        elif count == 60:
            orders = match.failed(0, Fault("CRASH", "bot0 died"))
            if ask.seat != 0:
                orders = match.answered(ask.seat, 0, 5)
        else:
            orders = match.answered(
                ask.seat, rng.randrange(len(match.game.options(ask.seat))), rng.randrange(999), ""
            )
    return msgpack.unpackb(msgpack.packb(record.document_of(match, "none")))


DOCUMENT = played()
PACKED = record.pack(DOCUMENT)


def sealed(body: bytes) -> bytes:
    return MAGIC + hashlib.sha256(body).digest()[:SEAL] + body


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_record_holds_when_it_is_played_again(seats: int) -> None:
    document = record.unpack(record.pack(played(seats, seats)))
    assert record.differences(document) == ""


def test_any_single_changed_byte_is_found_and_named() -> None:
    for place in range(len(PACKED)):
        changed = bytearray(PACKED)
        changed[place] ^= 1 << place % 8
        with pytest.raises(RecordError) as caught:
            record.unpack(bytes(changed))
        assert len(str(caught.value)) > 20


def test_a_cut_record_is_refused_at_every_length() -> None:
    for length in range(0, len(PACKED), 7):
        with pytest.raises(RecordError):
            record.unpack(PACKED[:length])


FORGERIES = {
    "scores": lambda d: d["scores"].__setitem__(0, d["scores"][0] - 1),
    "ranks": lambda d: d["ranks"].reverse(),
    "events": lambda d: d["events"][100].__setitem__(0, 255 ^ d["events"][100][0]),
    "transcripts": lambda d: d["transcripts"].__setitem__(0, "0" * 64),
    "verdicts": lambda d: d["verdicts"].pop(),
    "moves": lambda d: d["moves"].__setitem__(1, 3),
    "forfeits": lambda d: d["forfeits"].clear(),
    "thinking_us": lambda d: d["thinking_us"].__setitem__(0, 0),
    "deal": lambda d: d.__setitem__("deal", "00" * 32),
    "salt": lambda d: d.__setitem__("salt", "00" * 32),
    "inputs": lambda d: d["inputs"].pop(),
}


@pytest.mark.parametrize("part", FORGERIES)
def test_a_forged_part_is_found_even_under_a_fresh_seal(part: str) -> None:
    document = json.loads(json.dumps(DOCUMENT))
    FORGERIES[part](document)
    again = record.unpack(record.pack(document))
    try:
        wrong = record.differences(again)
    except RecordError as error:
        wrong = str(error)
    assert wrong, f"a changed {part} went unnoticed"


def test_the_difference_is_told_with_its_place_and_both_values() -> None:
    document = json.loads(json.dumps(DOCUMENT))
    true = document["scores"][1]
    document["scores"][1] = 0 if true else 1
    assert record.differences(document) == f"scores[1] says {document['scores'][1]}, playing it again gives {true}"


def test_a_record_of_other_rules_is_refused_with_both_versions() -> None:
    with pytest.raises(RecordError, match="rules version 99, this arena has 1"):
        record.differences({**DOCUMENT, "rules": 99})


def test_what_is_no_record_is_said_to_be_none() -> None:
    with pytest.raises(RecordError, match="no match record"):
        record.unpack(b"hello")
    with pytest.raises(RecordError, match="cannot be unpacked"):
        record.unpack(sealed(b"\x01not deflated"))
    with pytest.raises(RecordError, match="cannot be unpacked"):
        record.unpack(sealed(b""))


def header_with(**parts: bytes) -> bytes:
    """A record under a true seal, with some fields as these bytes."""
    header, hashes = shortened(DOCUMENT)
    spelled = b"".join(parts.get(name) or msgpack.packb(value) for name, value in header.items())
    books = editions.edition(editions.newest())
    deflate = zlib.compressobj(9, zlib.DEFLATED, -13, zdict=books.usual_header)
    small = deflate.compress(b"\xdc" + len(header).to_bytes(2, "big") + spelled) + deflate.flush()
    return sealed(b"".join([bytes([books.number]), small, *hashes]))


TIMESTAMP = b"\xd6\xff\x00\x00\x00\x01"
NO_PLAIN_DATA = {
    "a time": {"sandbox": TIMESTAMP},
    "a time in a list": {"ranks": b"\x91" + TIMESTAMP},
    "a deep list": {"sandbox": b"\x91" * 990 + b"\xc0"},
}


@pytest.mark.parametrize("parts", NO_PLAIN_DATA.values(), ids=list(NO_PLAIN_DATA))
def test_what_no_record_could_say_is_refused_in_a_sentence(parts: dict[str, bytes]) -> None:
    with pytest.raises(RecordError):
        record.differences(record.unpack(header_with(**parts)))
    with pytest.raises(RecordError):  # nor when a broken seal is looked into
        record.unpack(b"".join([MAGIC, bytes(SEAL), header_with(**parts)[len(MAGIC) + SEAL :]]))


def test_no_difference_is_told_at_endless_length() -> None:
    shorter = {**DOCUMENT, "events": DOCUMENT["events"][:-1]}
    assert len(record.differences(shorter)) < 1_000


def test_a_record_of_a_later_arena_is_told_from_a_damaged_one() -> None:
    with pytest.raises(RecordError, match=r"another version of the arena: it needs edition 250 .* up to \d+$"):
        record.unpack(sealed(b"\xfa" + PACKED[len(MAGIC) + SEAL + 1 :]))
    with pytest.raises(RecordError, match=r"another version of the arena$"):
        record.unpack(record.pack({**DOCUMENT, "format": 2}))


def test_the_same_deal_and_answers_give_the_same_record_everywhere() -> None:
    """Pinned: another machine or Python version must come to exactly these bytes."""
    plain = msgpack.packb(DOCUMENT)
    assert hashlib.sha256(plain).hexdigest() == "931a6c9ad2aace7607320a3d1f2c0b2326f5b672bff2ce85a0db95ed47db519e"
