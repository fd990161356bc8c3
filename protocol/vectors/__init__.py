"""Byte-exact examples for the tests of every kit, good and bad, and the JSON Schema of the messages.

`vectors.json` and `schema.json` are made from this file by `python -m protocol.vectors`.  A kit must write
the good bytes and read them back; the arena must refuse the bad ones in the words given.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any, Final

import msgspec

from protocol.codec import CODECS
from protocol.framing import FRAMINGS
from protocol.messages import (
    FROM_ARENA,
    FROM_BOT,
    PROTOCOL_VERSION,
    Answer,
    Ask,
    Bye,
    Choice,
    ClockRules,
    End,
    Error,
    Forced,
    Hello,
    Limits,
    Message,
    Prepare,
    Ready,
    Request,
    Start,
    Welcome,
)

HERE: Final = Path(__file__).parent
VECTORS: Final = HERE / "vectors.json"
SCHEMA: Final = HERE / "schema.json"

_ID: Final = "8f3k09aa71c2d4e5"
_OTHER_ID: Final = "00ffeeddccbbaa99"

_REQUEST: Final = Request(
    match="m-8f3k",
    id=_ID,
    move=17,
    question="play",
    options=[["play", 7, 0], ["play", 12, 1], "pass"],
    default=2,
    time_ms=1000,
    view={"seat": 1, "hands": [[7, 12], None], "piles": [[3, 5], []], "totals": [-4, 130]},
)

SAMPLES: Final[dict[str, Message]] = {
    "hello, as short as can be": Hello(protocol=(1,), name="tiger"),
    "hello, every field": Hello((1, 2), "tiger", "2.1", ("sheepzzz", "wolfpack"), tables=64, wants="both"),
    "welcome": Welcome(protocol=1, tables=8, limits=Limits(), seed="5eed5eed5eed5eed"),
    "prepare": Prepare(game="sheepzzz", variant={"rounds": 3, "wolves": True}, budget_ms=10_000),
    "ready": Ready(),
    "start": Start("m-8f3k", seat=1, seats=4, clock=ClockRules(1000, 30_000, 3), commitment="c0ffee" * 10),
    "ask, one request with a view": Ask([_REQUEST]),
    "ask, two requests with events": Ask(
        [
            msgspec.structs.replace(_REQUEST, view=None, events=[["drew", 0], ["played", 1, "wolf"]]),
            Request("m-9q2d", _OTHER_ID, 0, "name", ["ä", "羊", "🐑"], 0, 2**31, view={}, events=[]),
        ]
    ),
    "answer, one choice": Answer((Choice(_ID, 5),)),
    "answer, with a note": Answer((Choice(_ID, 300, "the wolf is at the bottom, surely"),)),
    "answer, several tables": Answer((Choice(_ID, 0), Choice(_OTHER_ID, 127), Choice(_ID[::-1], -1, "ü"))),
    "answer, large and negative": Answer((Choice(_ID, 2**31), Choice(_OTHER_ID, -(2**31)))),
    "forced": Forced("m-8f3k", _ID, 2, "TIMEOUT", "tiger took too long at move 17: limit 1000 ms", 2),
    "end": End("m-8f3k", [2, 1, 3, 3], [-4, 130, -20, -20], ["OK"], 8123, "ab" * 32),
    "error": Error("PROTOCOL", "answers[0].chioce: unknown field", "answers[0].chioce", "the default is played"),
    "bye": Bye(),
    "bye, with a reason": Bye("the ladder is finished"),
}

_ANSWER: Final = CODECS["msgpack"].encode(SAMPLES["answer, one choice"])
_JSON_ANSWER: Final = CODECS["json"].encode(SAMPLES["answer, one choice"])


def _framed(*payloads: bytes) -> bytes:
    return b"".join(map(FRAMINGS["msgpack"]().frame, payloads))


# name, codec, stream, code, a part of the text, whether the stream ends with it
_BAD: Final[list[tuple[str, str, bytes, str, str, bool]]] = [
    ("a length of 4 GiB", "msgpack", b"\xff\xff\xff\xff", "OUTPUT", "frame of 4294967295 bytes", True),
    ("one byte over the limit", "msgpack", b"\0\1\0\1", "OUTPUT", "65537 bytes, the limit is 65536", True),
    ("printed text", "msgpack", b"Debug: my hand\n", "PROTOCOL", "print to stderr instead", True),
    ("JSON to a msgpack arena", "msgpack", _JSON_ANSWER + b"\n", "PROTOCOL", "expected msgpack frames", True),
    ("empty frame", "msgpack", _framed(b""), "PROTOCOL", "empty message", False),
    ("byte 0xc1", "msgpack", _framed(b"\x81\xa4type\xc1"), "PROTOCOL", "0xc1 is not msgpack (byte 6 of 7)", False),
    ("trailing bytes", "msgpack", _framed(_ANSWER + b"\0"), "PROTOCOL", "trailing bytes", False),
    (
        "cut inside its frame",
        "msgpack",
        _framed(_ANSWER[:-1]),
        "PROTOCOL",
        "ends too early (byte 50 of 50)",
        False,
    ),
    ("a list", "msgpack", _framed(b"\x91\xa5ready"), "PROTOCOL", "a message is a map", False),
    (
        "doubled key",
        "msgpack",
        _framed(b"\x82\xa4type\xa5ready\xa4type\xa5ready"),
        "PROTOCOL",
        'duplicate key "type" (byte 12 of 23)',
        False,
    ),
    ("binary key", "msgpack", _framed(b"\x81\xc4\4type\xa5ready"), "PROTOCOL", "map keys must be text", False),
    ("not UTF-8", "msgpack", _framed(b"\x81\xa4type\xa2\xff\xfe"), "PROTOCOL", "not UTF-8: ff fe", False),
    ("bidi override", "msgpack", _framed(b"\x81\xa4type\xa3\xe2\x80\xae"), "PROTOCOL", "U+202E", False),
    (
        "timestamp",
        "msgpack",
        _framed(b"\x81\xa4type\xd6\xff\0\0\0\0"),
        "PROTOCOL",
        "extension types are not allowed (byte 6 of 12)",
        False,
    ),
    ("not a number", "msgpack", _framed(b"\x81\xa4type\xca\x7f\xc0\0\0"), "PROTOCOL", "not finite", False),
    ("nine levels", "msgpack", _framed(b"\x81\xa4type" + b"\x91" * 8 + b"\0"), "PROTOCOL", "too deep", False),
    ("1,025 elements", "msgpack", _framed(b"\xde\4\1"), "PROTOCOL", "too many elements", False),
    ("no type", "msgpack", _framed(b"\x80"), "PROTOCOL", "type:", False),
    ("unknown type", "msgpack", _framed(b"\x81\xa4type\xa4move"), "PROTOCOL", "unknown message 'move'", False),
    (
        "unknown field",
        "msgpack",
        _framed(b"\x82\xa4type\xa5ready\xa5hurry\xc3"),
        "PROTOCOL",
        "hurry: unknown field",
        False,
    ),
    (
        "true for a number",
        "msgpack",
        _framed(_ANSWER[:-1] + b"\xc3"),
        "PROTOCOL",
        "answers[0].choice: expected int, got bool",
        False,
    ),
    (
        "1.0 for a number",
        "json",
        _JSON_ANSWER.replace(b":5}", b":5.0}") + b"\n",
        "PROTOCOL",
        "answers[0].choice: expected int, got float",
        False,
    ),
    ("printed line", "json", b"Debug: my hand\n", "PROTOCOL", "It began: 'Debug: my hand'", False),
    ("msgpack to a JSON arena", "json", _framed(_ANSWER), "PROTOCOL", "expected JSON lines", True),
    ("doubled key in JSON", "json", b'{"type":"ready","type":"bye"}\n', "PROTOCOL", 'duplicate key "type"', False),
    ("NaN in JSON", "json", b'{"type":NaN}\n', "PROTOCOL", "not finite", False),
    ("lone surrogate in JSON", "json", b'{"type":"\\ud800"}\n', "PROTOCOL", "U+D800", False),
    ("half a line of JSON", "json", b'{"type":\n', "PROTOCOL", "not JSON", False),
]


def good_vectors() -> list[dict[str, Any]]:
    """Every sample as value and as the bytes of both codecs, frame included."""
    made = []
    for name, message in SAMPLES.items():
        vector = {"name": name, "from": sender(message), "value": msgspec.to_builtins(message)}
        vector["msgpack"] = FRAMINGS["msgpack"]().frame(CODECS["msgpack"].encode(message)).hex()
        vector["json"] = FRAMINGS["json"]().frame(CODECS["json"].encode(message)).decode()
        made.append(vector)
    return made


def bad_vectors() -> list[dict[str, Any]]:
    """What a bot might write in error, and what the arena says to it."""
    keys = ("name", "codec", "stream", "code", "text", "fatal")
    return [dict(zip(keys, (bad[0], bad[1], bad[2].hex(), *bad[3:]), strict=True)) for bad in _BAD]


def sender(message: Message) -> str:
    """Who says this: bot, arena or both."""
    if isinstance(message, Bye):
        return "both"
    return "bot" if type(message) in FROM_BOT.values() else "arena"


def vectors_text() -> str:
    """The content of `vectors.json`."""
    return _pretty({"protocol": PROTOCOL_VERSION, "good": good_vectors(), "bad": bad_vectors()})


def schema_text() -> str:
    """The content of `schema.json`: what each side may send."""
    sides: list[Any] = [reduce(or_, known.values()) for known in (FROM_BOT, FROM_ARENA)]
    (bot, arena), named = msgspec.json.schema_components(sides, ref_template="#/$defs/{name}")
    return _pretty(
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": f"Flock Arena protocol {PROTOCOL_VERSION}",
            "anyOf": [{"$ref": "#/$defs/FromBot"}, {"$ref": "#/$defs/FromArena"}],
            "$defs": {"FromBot": bot, "FromArena": arena, **named},
        }
    )


def _pretty(value: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"
