"""Packing: whatever a match document says comes back as it was, in few bytes, and only from the bytes written."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import zlib
from dataclasses import fields
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import packing, record
from arena.clock import TimeControl
from arena.games import GAMES
from arena.match import Ask, Entrant, Match
from arena.packing import codebook, document, editions, events, outline, prefix, training
from arena.packing.document import shortened
from arena.verdicts import Fault

EDITIONS = {1: "27ab455b640f68a30a202e0b8c202a5f1a686eb2e1aa6a022cc312222677545a"}
"""A record cannot be read without the edition it was written with: one that was released stays as it is."""


def played(game: str, seats: int, seed: int = 1) -> record.Document:
    """A random match, live: with tuples where a document that was read has lists."""
    rng = random.Random(seed)
    entrants = [Entrant(f"bot{seat}", "0.1", rng.randbytes(32).hex()) for seat in range(seats)]
    match = Match(GAMES[game], entrants, deal=rng.randbytes(32), salt=rng.randbytes(32))
    orders = match.begin()
    while not match.over:
        asks = [order for order in orders if isinstance(order, Ask)]
        orders = [
            order
            for ask in asks
            for order in match.answered(
                ask.seat, rng.randrange(match.seats[ask.seat].choices), round(rng.lognormvariate(6.5, 1))
            )
        ]
    return record.document_of(match, "none")


def plain(data: Any) -> bytes:
    return bytes(msgpack.packb(data))


def json_lines(match: record.Document) -> bytes:
    return b"\n".join(json.dumps(event, separators=(",", ":")).encode() for event in match["events"])


SHEEP = played("sheepzzz", 2)


def changed(**parts: Any) -> record.Document:
    return {**msgpack.unpackb(plain(SHEEP)), **parts}


def same_again(given: record.Document) -> packing.Document:
    again = packing.unpack(packing.pack(given))
    assert plain(again) == plain(given)
    return again


# --- Any document -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("most", [False, True])
def test_a_match_of_any_game_comes_back_to_the_letter(game: str, most: bool) -> None:
    allowed = GAMES[game].seats_allowed
    same_again(played(game, allowed[-1] if most else allowed[0]))


def test_a_game_that_no_codebook_knows_is_written_out() -> None:
    known, unknown = packing.pack(SHEEP), packing.pack(changed(game="patience"))
    assert len(unknown) > len(known)
    same_again(changed(game="patience"))


def test_an_unfinished_match_has_no_scores_and_no_ranks() -> None:
    unfinished = {key: value for key, value in SHEEP.items() if key not in ("scores", "ranks")}
    assert list(same_again({**unfinished, "events": SHEEP["events"][:50]})) == list(unfinished)


STRANGE = [
    [255, "juggle", "hands.0", 3],
    [255, "draw", "deck", "hands.0", "a face that nobody has seen before"],
    [1, "draw", "deck", "hands.0", "long " * 100],
    [255, "draw", "deck", "attic.7", "10/1"],
    [255, "set", "round", 123456789012],
    [255, "set", "round", -1.5],
    [255, "set", "round", {"of": [1, 2]}],
    [255, "answer", 0, ["play", "10/1", 1, [None, [True]]]],
    [255],
    [],
]


@pytest.mark.parametrize("event", STRANGE, ids=repr)
def test_an_event_without_words_in_the_book_is_written_out_where_it_stood(event: list[Any]) -> None:
    told = list(SHEEP["events"])
    for place in (0, 40, 41, len(told)):
        told.insert(place, event)
    same_again(changed(events=told))


def test_true_is_not_one_although_python_says_so() -> None:
    for first, second in ((1, True), (True, 1), (0, False), (1, 1.0)):
        same_again(changed(events=[[255, "set", "round", first], [255, "set", "round", second]]))


INPUTS = [
    [0, "answer", -1, 5, ""],
    [0, "answer", 1 << 40, 5, ""],
    [1, "answer", 0, 0, "I take this"],
    [1, "answer", 0, 1 << 39, ""],
    [1, "answer", 0, 1 << 40, ""],
    [1, "answer", 0, -1, ""],
    [1, "answer", 0, None, ""],
    [9, "answer", 0, 5, ""],
    [0, "fault", "IDLE", "too late", False, 1000],
    [0, "remark", 0, 5, ""],
]


@pytest.mark.parametrize("entry", INPUTS, ids=repr)
def test_inputs_of_any_kind_keep_their_place(entry: list[Any]) -> None:
    given = list(SHEEP["inputs"])
    for place in (0, 20, 21, len(given)):
        given.insert(place, entry)
    same_again(changed(inputs=given))
    same_again(changed(inputs=[entry]))


def test_no_inputs_and_no_events_are_a_document_too() -> None:
    same_again(changed(inputs=[], events=[]))


def test_a_hash_is_any_text_as_far_as_packing_goes() -> None:
    for text in ("", "no hash", "F" * 64, " " * 64, "é" * 64, "00" * 32):
        same_again(changed(deal=text, salt=text, transcripts=[text, "ab" * 32], match="m-other"))


def test_a_document_with_other_fields_is_refused() -> None:
    with pytest.raises(ValueError, match="has the fields format, match"):
        packing.pack({**SHEEP, "weather": "fine"})


def test_the_fields_are_those_of_the_record() -> None:
    assert tuple(SHEEP) == packing.FIELDS
    assert tuple(SHEEP["bots"][0]) == document.BOT_FIELDS == tuple(field.name for field in fields(Entrant))
    assert tuple(SHEEP["clock"]) == document.CLOCK_FIELDS == tuple(field.name for field in fields(TimeControl))


# --- Few bytes, always the same ---------------------------------------------------------------------------


def test_p12_a_sheepzzz_match_takes_less_than_half_of_its_events_as_json_under_gzip() -> None:
    matches = [played("sheepzzz", 2, seed) for seed in range(10)]
    stored = sum(len(record.pack(match)) for match in matches)
    assert stored <= 0.5 * sum(len(gzip.compress(json_lines(match))) for match in matches)


def test_what_was_packed_before_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    before = packing.pack(SHEEP)
    for seed in range(5):
        packing.pack(played("sheepzzz", 2, seed))
    assert packing.pack(SHEEP) == before
    monkeypatch.setattr(codebook, "_KEPT", 10)  # so it forgets all the time
    assert packing.pack(SHEEP) == before


def test_a_live_document_packs_as_one_that_was_read() -> None:
    assert packing.pack(msgpack.unpackb(plain(SHEEP))) == packing.pack(SHEEP)


@pytest.mark.parametrize("number", editions.published())
def test_an_edition_stays_as_it_was_released(number: int) -> None:
    data = (editions.FOLDER / f"{number}.codebook").read_bytes()
    assert hashlib.sha256(data).hexdigest() == EDITIONS[number]


# --- Bytes that nobody wrote ------------------------------------------------------------------------------


def forged(header: list[Any] | bytes, rest: bytes = b"") -> bytes:
    books = editions.edition(editions.newest())
    deflate = zlib.compressobj(9, zlib.DEFLATED, -13, zdict=books.usual_header)
    spelled = header if isinstance(header, bytes) else plain(header)
    return bytes([books.number]) + deflate.compress(spelled) + deflate.flush() + rest


def header_with(**parts: Any) -> tuple[list[Any], bytes]:
    header, hashes = shortened(SHEEP)
    return list({**header, **parts}.values()), b"".join(hashes)


def test_a_small_record_cannot_claim_events_without_end() -> None:
    header, hashes = header_with(inputs=[0, [0, 0], [], []], events=[1 << 40, []])
    with pytest.raises(ValueError, match="1099511627776 events"):
        packing.unpack(forged(header, hashes))


def test_a_small_record_cannot_unfold_into_gigabytes() -> None:
    bomb = forged(b"\x90" * (1 << 23) + b"\x90")
    assert len(bomb) < 10_000
    with pytest.raises(ValueError, match="header"):
        packing.unpack(bomb)


def test_a_document_that_could_not_be_read_again_is_not_packed() -> None:
    with pytest.raises(ValueError, match="the limit is"):
        packing.pack(changed(sandbox="x" * (1 << 23)))


def test_a_small_record_cannot_take_hours() -> None:
    """Times are read seat by seat: as many rounds as there are seats, whatever the header says."""
    inputs = [1 << 17, [0] * 1_000_000, [[at, None] for at in range(1 << 17)], []]
    header, hashes = header_with(inputs=inputs, events=[0, []])
    with pytest.raises(ValueError, match="1000000 middle times for 2 seats"):
        packing.unpack(forged(header, hashes))


@pytest.mark.parametrize("empty", [b"\x80", b"\x90"], ids=["maps", "lists"])
def test_a_small_record_cannot_unfold_into_millions_of_containers(empty: bytes) -> None:
    many = 8_000_000
    header, hashes = shortened(SHEEP)
    parts = {
        **{name: plain(value) for name, value in header.items()},
        "late": b"\xdd" + many.to_bytes(4) + empty * many,
    }
    bomb = forged(b"\xdc" + len(parts).to_bytes(2) + b"".join(parts.values()), b"".join(hashes))
    assert len(bomb) < 12_000
    with pytest.raises(ValueError, match="too many"):
        packing.unpack(bomb)


def test_nothing_may_follow_after_the_end() -> None:
    with pytest.raises(ValueError, match="more bits"):
        packing.unpack(packing.pack(SHEEP) + b"\0")


def test_missing_hashes_are_missed() -> None:
    header, hashes = header_with(inputs=[], events=[])
    packing.unpack(forged(header, hashes))
    with pytest.raises(ValueError, match="hashes are missing"):
        packing.unpack(forged(header, hashes[:-1]))


# --- The parts --------------------------------------------------------------------------------------------


@given(st.dictionaries(st.integers(), st.integers(1, 1000), min_size=1, max_size=50), st.data())
def test_words_are_told_apart_without_marks_between_them(counts: dict[int, float], data: st.DataObject) -> None:
    words = prefix.words_of(prefix.lengths_of(counts))
    message = data.draw(st.lists(st.sampled_from(sorted(counts)), max_size=30))
    bits = prefix.Reader(prefix.as_bytes("".join(words[symbol] for symbol in message)))
    heard = {word: (symbol,) for symbol, word in words.items()}
    assert [bits.read(heard)[0] for _ in message] == message
    bits.finish()


scalars = st.none() | st.booleans() | st.integers(-(1 << 63), 1 << 63) | st.text(max_size=5)
things = st.recursive(scalars, lambda inner: st.lists(inner, max_size=4), max_leaves=8)
verbs = st.sampled_from(["ask", "answer", "set", "draw", "move", "roll", "end"]) | st.text(max_size=4)


@given(st.integers(0, 255), verbs, st.lists(things, max_size=5))
def test_an_event_taken_apart_can_be_put_together(witnesses: int, verb: str, rest: list[Any]) -> None:
    event = [witnesses, verb, *rest]
    outlined, cards, numbers = outline.taken_apart(event)
    plan = msgpack.unpackb(outlined)
    assert outline.gaps_of(plan) == (len(cards), len(numbers))
    assert plain(outline.filled_in(plan, iter(cards), iter(numbers))) == plain(event)


def test_events_that_differ_in_cards_and_numbers_have_the_same_outline() -> None:
    one = outline.taken_apart([255, "pour", "piles.0", "taken.1", 3])
    other = outline.taken_apart([255, "pour", "piles.0", "taken.1", 11])
    assert one.outline == other.outline
    played_here = outline.taken_apart([255, "answer", 0, ["play", "10/1", 1]])
    played_there = outline.taken_apart([255, "answer", 0, ["play", "10/1", 2]])
    assert played_here.outline != played_there.outline  # which pile decides what follows
    assert played_here.cards == ("10/1",)


def test_training_gives_a_book_that_has_words_for_what_it_saw() -> None:
    matches = [training.played(GAMES["wolfpack"], 2, number) for number in range(4)]
    book = codebook.Codebook(msgpack.unpackb(msgpack.packb(training.book_of(matches)), strict_map_key=False))
    said, left = events.say(matches[0]["events"], book)
    assert len(left.written_out) < len(matches[0]["events"]) / 10
    assert events.hear(left, prefix.Reader(prefix.as_bytes(said)), book) == matches[0]["events"]


def test_a_match_with_faults_packs_and_holds() -> None:
    match = Match(GAMES["sheepzzz"], [Entrant("a"), Entrant("b")], deal=bytes(32), salt=bytes(32))
    orders = match.begin()
    while not match.over:
        ask = next(order for order in orders if isinstance(order, Ask))
        if ask.seat:
            orders = match.failed(ask.seat, Fault("IDLE", "b was silent"), 1_000_000)
        else:
            orders = match.answered(ask.seat, 0, 250, f"note {len(match.inputs)}")
    again = record.unpack(record.pack(record.document_of(match, "none")))
    assert record.differences(again) == ""
