"""The vectors every kit is tested with: current, and true of our own codecs."""

import json

import msgspec
import pytest

from protocol.codec import CODECS
from protocol.errors import RemoteProtocolError
from protocol.framing import FRAMINGS
from protocol.messages import FROM_ARENA, FROM_BOT
from protocol.session import Session
from protocol.vectors import SAMPLES, SCHEMA, VECTORS, schema_text, vectors_text

STORED = json.loads(VECTORS.read_text(encoding="utf-8"))


def named(vectors):
    return pytest.mark.parametrize("vector", vectors, ids=[vector["name"] for vector in vectors])


def test_the_vectors_are_current():
    assert VECTORS.read_text(encoding="utf-8") == vectors_text(), "run: python -m protocol.vectors"


def test_the_schema_is_current():
    assert SCHEMA.read_text(encoding="utf-8") == schema_text(), "run: python -m protocol.vectors"


def test_every_message_has_a_vector():
    assert {type(message) for message in SAMPLES.values()} == {*FROM_BOT.values(), *FROM_ARENA.values()}


def test_every_reference_in_the_schema_leads_somewhere():
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    references = set()

    def walk(value):
        if isinstance(value, dict):
            references.update([value["$ref"]] if "$ref" in value else [])
        for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            walk(inner)

    walk(schema)
    assert references == {f"#/$defs/{name}" for name in schema["$defs"]}


@pytest.mark.parametrize("codec", CODECS)
@named(STORED["good"])
def test_a_good_vector_is_what_we_write_and_what_we_read(vector, codec):
    stream = bytes.fromhex(vector["msgpack"]) if codec == "msgpack" else vector["json"].encode()
    message, reader = SAMPLES[vector["name"]], FRAMINGS[codec]()
    (payload,) = reader.feed(stream)
    assert reader.frame(CODECS[codec].encode(message)) == stream
    assert vector["value"] == json.loads(msgspec.json.encode(message))
    if vector["from"] in ("bot", "both"):
        assert CODECS[codec].decode_from_bot(payload) == message
    if vector["from"] in ("arena", "both"):
        assert CODECS[codec].decode_from_arena(payload) == message


@named(STORED["bad"])
def test_a_bad_vector_is_refused_in_the_words_given(vector):
    (error,) = Session("arena", CODECS[vector["codec"]]).receive(bytes.fromhex(vector["stream"]))
    assert isinstance(error, RemoteProtocolError)
    assert vector["text"] in error.text
    assert (error.code, error.fatal) == (vector["code"], vector["fatal"])
