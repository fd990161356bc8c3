"""The kit reads every message of the published vectors as what they say it is, in both encodings."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

import pytest

from sample_bots import flock_bot
from tests.sample_bots.conversation import ROOT

VECTORS = json.loads((ROOT / "protocol" / "vectors" / "vectors.json").read_text())
FROM_ARENA = [vector for vector in VECTORS["good"] if vector["from"] == "arena"]
FROM_BOT = [vector for vector in VECTORS["good"] if vector["from"] == "bot"]

CODECS: dict[str, tuple[Callable[[], Any], Callable[[str], bytes]]] = {
    "json": (flock_bot._JsonLines, str.encode),
    "msgpack": (flock_bot._Msgpack, bytes.fromhex),
}


def name_of(vector: Any) -> str:
    return str(vector["name"])


@pytest.mark.parametrize("encoding", CODECS)
@pytest.mark.parametrize("vector", FROM_ARENA, ids=name_of)
def test_the_kit_reads_what_the_arena_says(vector: Any, encoding: str) -> None:
    codec, to_bytes = CODECS[encoding]
    reading, writing = os.pipe()
    try:
        os.write(writing, to_bytes(vector[encoding]))
        os.close(writing)
        assert list(codec().messages(reading)) == [vector["value"]]
    finally:
        os.close(reading)


@pytest.mark.parametrize("encoding", CODECS)
@pytest.mark.parametrize("vector", FROM_BOT, ids=name_of)
def test_the_kit_writes_the_very_bytes_of_the_vectors(vector: Any, encoding: str) -> None:
    codec, to_bytes = CODECS[encoding]
    assert codec().frame(vector["value"]) == to_bytes(vector[encoding])
