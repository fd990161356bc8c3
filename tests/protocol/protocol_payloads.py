"""Payloads as a bot might write them, and what is said of the bad ones."""

import json

import msgpack
import pytest

from protocol.codec import CODECS
from protocol.errors import RemoteProtocolError

MSGPACK, JSON = CODECS["msgpack"], CODECS["json"]
ID = "0123456789abcdef"
ANSWER = {"type": "answer", "answers": [{"id": ID, "choice": 5}]}
HELLO = {"type": "hello", "protocol": [1], "name": "tiger"}

both = pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)


def written(codec, value):
    return msgpack.packb(value) if codec is MSGPACK else json.dumps(value).encode()


def refusal(codec, payload):
    with pytest.raises(RemoteProtocolError) as caught:
        codec.decode_from_bot(payload)
    assert not caught.value.fatal
    assert len(caught.value.text) < 200
    return caught.value


def changed(path, value, message=ANSWER):
    """A copy of a message with one field set, e.g. `answers.0.choice`."""
    copy = json.loads(json.dumps(message))
    *way, last = path.split(".")
    inner = copy
    for step in way:
        inner = inner[int(step) if step.isdigit() else step]
    inner[last] = value
    return copy
