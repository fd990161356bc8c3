"""The match record: one document from which replay, verification and ratings follow.

As bytes: a magic line, a seal over the rest, and the packed document.  Whoever verifies plays the match
again from deal and inputs and compares every byte.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any

import msgpack
import msgspec

from arena import packing
from arena.clock import TimeControl
from arena.events import Seen, seen_by
from arena.game import Game
from arena.games import GAMES
from arena.match import Entrant, Match, Order
from arena.verdicts import Fault, Verdict

FORMAT = 1
MAGIC = b"flock 1\n"
SEAL = 16
"""Bytes of a SHA-256: enough to find any damage.  Against forgers no seal helps, but `differences` does."""

Document = packing.Document


class RecordError(Exception):
    """A record that cannot be read or does not hold; the text says what is wrong."""


class GameMissing(RecordError):
    """Nothing is wrong with the record: its game came with a package that is not here."""


def document_of(match: Match, sandbox: str) -> Document:
    """Everything that happened, as plain data.  `inputs` and `deal` are enough to play it all again."""
    outcome = match.game.outcome
    assert outcome is not None
    return {**unfinished(match, sandbox), "scores": outcome.scores, "ranks": match.ranks()}


def unfinished(match: Match, sandbox: str) -> Document:
    """What there is of a match that did not come to its end."""
    game = match.game
    return {
        "format": FORMAT,
        "match": match.id,
        "game": game.name,
        "rules": game.rules_version,
        "variant": game.variant.changes(),
        "deal": match.deal.hex(),
        "salt": match.salt.hex(),
        "bots": [fields_of(seat.entrant) for seat in match.seats],
        "clock": fields_of(match.control),
        "strikes": match.strikes,
        "sandbox": sandbox,
        "inputs": match.inputs,
        "late": match.late,
        "events": game.events,
        "verdicts": [fields_of(verdict) for verdict in match.verdicts],
        "transcripts": [seat.transcript.hexdigest() for seat in match.seats],
        "forfeits": [number for number, seat in enumerate(match.seats) if seat.forfeited],
        "thinking_us": [seat.clock.used_us for seat in match.seats],
        "moves": [seat.moves for seat in match.seats],
    }


def fields_of(value: Entrant | TimeControl | Verdict) -> dict[str, Any]:
    """As `asdict`, but sooner done: nothing inside needs a copy."""
    return {field.name: getattr(value, field.name) for field in fields(value)}


def pack(document: Document) -> bytes:
    """The record's bytes."""
    body = packing.pack(document)
    return MAGIC + _seal(body) + body


def unpack(data: bytes) -> Document:
    """Read a record's bytes; refuses what is not exactly what was written."""
    if not data.startswith(MAGIC):
        raise RecordError("this is no match record: it does not begin as one")
    seal, body = data[len(MAGIC) : len(MAGIC) + SEAL], data[len(MAGIC) + SEAL :]
    if _seal(body) == seal:
        return _decode(body)
    raise RecordError(f"the seal does not fit the contents: {_damage(body)}")


def _seal(body: bytes) -> bytes:
    return hashlib.sha256(body).digest()[:SEAL]


def _decode(body: bytes) -> Document:
    try:
        document = packing.unpack(body)
    except packing.EditionMissing as error:
        raise RecordError(f"this record was written by another version of the arena: {error}") from None
    except Exception as error:  # damaged bytes may break anything, anywhere
        raise RecordError(f"the contents cannot be unpacked ({type(error).__name__})") from None
    if document.get("format") != FORMAT:
        raise RecordError("this record was written by another version of the arena")
    return document


def _damage(body: bytes) -> str:
    """What a broken seal is about: the seal itself, or something in the document."""
    try:
        replayed = differences(_decode(body))
    except RecordError as error:
        return str(error)
    return replayed or "the contents hold, so the seal itself was changed"


def _plain(document: Document) -> bytes:
    return msgspec.msgpack.encode(document)


def play_again(document: Document) -> Document:
    """The record of a fresh match: the same rulebook, the same deal, the inputs as they came."""
    try:
        match = _replayed(document)
        if not match.over:
            raise RecordError("the inputs end before the match does")
        return document_of(match, document["sandbox"])
    except RecordError:
        raise
    except Exception as error:  # a damaged document may break anything, anywhere
        raise RecordError(f"the match cannot be played again from this record: {error!r}") from None


def _replayed(document: Document) -> Match:
    match = match_of(document)
    match.begin()
    for entry in document["inputs"]:
        take_in(match, entry)
    match.late = [tuple(entry) for entry in document["late"]]
    return match


def match_of(document: Document) -> Match:
    """The match of a record before it began."""
    game = game_of(document)
    if document["rules"] != game.rules_version:
        raise RecordError(f"played by rules version {document['rules']}, this arena has {game.rules_version}")
    return Match(
        game,
        [Entrant(**bot) for bot in document["bots"]],
        deal=bytes.fromhex(document["deal"]),
        salt=bytes.fromhex(document["salt"]),
        variant=game.variant_type.read(document["variant"]),
        control=TimeControl(**document["clock"]),
        strikes=document["strikes"],
    )


def take_in(match: Match, entry: Sequence[Any]) -> list[Order]:
    """Tell the match what happened next by its record."""
    seat, kind, *rest = entry
    if kind == "answer":
        return match.answered(seat, *rest)
    code, text, final, elapsed_us = rest
    return match.failed(seat, Fault(code, text, final), elapsed_us)


def differences(document: Document) -> str:
    """The first thing in which a fresh replay differs from the document; empty when it holds byte for byte."""
    again = play_again(document)
    try:
        if _plain(again) == _plain(document):
            return ""
        return _first_difference(document, msgpack.unpackb(_plain(again)), "")
    except Exception as error:  # as there: a time, say, which no document holds, or lists in lists without end
        raise RecordError(f"the contents are no plain data ({type(error).__name__})") from None


def _first_difference(told: Any, true: Any, path: str) -> str:
    if isinstance(told, dict) and isinstance(true, dict) and told.keys() == true.keys():
        pairs: Iterator[tuple[Any, Any, str]] = ((told[key], true[key], f"{path}.{key}") for key in told)
    elif isinstance(told, list) and isinstance(true, list) and len(told) == len(true):
        pairs = ((a, b, f"{path}[{at}]") for at, (a, b) in enumerate(zip(told, true, strict=True)))
    else:
        return f"{path.lstrip('.') or 'record'} says {_briefly(told)}, playing it again gives {_briefly(true)}"
    return next(
        (found for a, b, where in pairs if a != b and (found := _first_difference(a, b, where))),
        f"{path.lstrip('.') or 'record'}: same values in another order or encoding",
    )


def _briefly(value: Any) -> str:
    told = repr(value)
    return told if len(told) <= 200 else f"{told[:200]}..."


def game_of(document: Document) -> type[Game]:
    """The rulebook's class."""
    if document["game"] not in GAMES:
        raise GameMissing(f"a match of {document['game']}, a game that is not installed here")
    return GAMES[document["game"]]


def events_for(document: Document, viewer: int | None) -> list[Seen]:
    """The events as a viewer saw them, or all that happened (None); no rulebook runs."""
    events = [tuple(event) for event in document["events"]]
    return [list(event[1:]) for event in events] if viewer is None else seen_by(viewer, events)
