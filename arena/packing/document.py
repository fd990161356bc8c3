"""A match document as few bytes, and back: edition, header, hashes, then inputs and events in bits.

No rulebook runs here.  Whatever a match did can be packed; what matches usually do packs small.
"""

from __future__ import annotations

import zlib
from typing import Any, Final

import msgpack

from arena.match import match_id
from arena.packing import events, inputs
from arena.packing.codebook import Codebook
from arena.packing.editions import edition, newest, published
from arena.packing.outline import spell
from arena.packing.prefix import Reader, as_bytes

Document = dict[str, Any]

FIELDS: Final = (
    "format", "match", "game", "rules", "variant", "deal", "salt", "bots", "clock", "strikes", "sandbox", "inputs",
    "late", "events", "verdicts", "transcripts", "forfeits", "thinking_us", "moves", "scores", "ranks",
)  # fmt: skip
"""In this order; a match that did not come to its end lacks the last ones."""

BOT_FIELDS: Final = ("name", "version", "content", "encoding", "wants")
CLOCK_FIELDS: Final = ("move_ms", "bank_ms", "start_ms", "prepare_ms")

# What is small must not unpack without end.
_MOST_EVENTS: Final = 1 << 17
_MOST_HEADER_BYTES: Final = 1 << 23
_MOST_CONTAINERS: Final = 1 << 20

# Deflate without a head of its own, and with a small window, which is sooner set up.
_WINDOW: Final = -13
_DEFLATE_MEMORY: Final = 5

_HASH_BYTES: Final = 32
_ELSEWHERE: Final = b""
"""In the header, as no document holds bytes: a hash, which stands with the others, or what follows from one."""


class EditionMissing(Exception):
    """Written by a later arena."""


def pack(document: Document) -> bytes:
    """As few bytes as the newest codebooks allow."""
    if tuple(document) != FIELDS[: len(document)]:
        raise ValueError(f"a match document has the fields {', '.join(FIELDS)}, in this order")
    books = edition(newest())
    header, hashes = shortened(document)
    seats = len(document["bots"])
    book = books.book(document["game"], seats)
    bits = ""
    if book is not None and max(len(document["events"]), len(document["inputs"])) <= _MOST_EVENTS:
        answered, header["inputs"] = inputs.say(document["inputs"], seats, book)
        happened, header["events"] = events.say(document["events"], book)
        bits = answered + happened
    spelled = spell(list(header.values()))
    if len(spelled) > _MOST_HEADER_BYTES:
        raise ValueError(f"a match document of {len(spelled)} bytes; the limit is {_MOST_HEADER_BYTES}")
    deflate = zlib.compressobj(9, zlib.DEFLATED, _WINDOW, _DEFLATE_MEMORY, zdict=books.usual_header)
    small = deflate.compress(spelled) + deflate.flush()
    return b"".join([bytes([books.number]), small, *hashes, as_bytes(bits)])


def unpack(data: bytes) -> Document:
    """The document again.  Raises EditionMissing, or whatever bytes may cause that `pack` never wrote."""
    if data[0] not in published():
        raise EditionMissing(f"it needs edition {data[0]} of the codebooks, this arena has up to {newest()}")
    books = edition(data[0])
    inflate = zlib.decompressobj(_WINDOW, zdict=books.usual_header)
    spelled = inflate.decompress(data[1:], _MOST_HEADER_BYTES)
    if not inflate.eof:
        raise ValueError("its header does not end")
    values = _spelled_out(spelled)
    document = dict(zip(FIELDS[: len(values)], values, strict=True))
    bits = Reader(_put_hashes_back(document, inflate.unused_data))
    if document["events"] and isinstance(document["events"][0], int):  # a count: the events themselves are in bits
        _hear(document, bits, books.book(document["game"], len(document["bots"])))
    bits.finish()
    return document


def _spelled_out(spelled: bytes) -> Any:
    """Plain data, unless it is made of more lists and maps than any document of this size."""
    left = _MOST_CONTAINERS

    def counted(container: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise ValueError("its header holds too many lists")
        return container

    return msgpack.unpackb(spelled, list_hook=counted, object_hook=counted)


def _hear(document: Document, bits: Reader, book: Codebook | None) -> None:
    answered, happened = inputs.LeftOver(*document["inputs"]), events.LeftOver(*document["events"])
    if book is None or max(answered.total, happened.total) > _MOST_EVENTS:
        raise ValueError(f"{happened.total} events cannot be read with these codebooks")
    if len(answered.middles) != len(document["bots"]):
        raise ValueError(f"{len(answered.middles)} middle times for {len(document['bots'])} seats")
    document["inputs"] = inputs.hear(answered, bits, book)
    document["events"] = events.hear(happened, bits, book)


def shortened(document: Document) -> tuple[Document, list[bytes]]:
    """The document with no name said that need not be, and its hashes apart, which nothing makes smaller."""
    hashes: list[bytes] = []

    def moved(text: Any) -> Any:
        found = _hash_of(text)
        if found is None:
            return text
        hashes.append(found)
        return _ELSEWHERE

    header = dict(document)
    header["deal"] = moved(document["deal"])
    header["salt"] = moved(document["salt"])
    if header["salt"] == _ELSEWHERE and document["match"] == match_id(hashes[-1]):
        header["match"] = _ELSEWHERE
    header["bots"] = [
        [name, version, moved(content), encoding, wants]
        for name, version, content, encoding, wants in map(dict.values, document["bots"])
    ]
    header["transcripts"] = [moved(text) for text in document["transcripts"]]
    header["clock"] = list(document["clock"].values())
    return header, hashes


def _hash_of(text: Any) -> bytes | None:
    if not isinstance(text, str) or len(text) != 2 * _HASH_BYTES:
        return None
    try:
        found = bytes.fromhex(text)
    except ValueError:
        return None
    return found if found.hex() == text else None


def _put_hashes_back(document: Document, data: bytes) -> bytes:
    """Make the document whole again, but for inputs and events; what remains of the data is theirs."""
    at = 0

    def restored(value: Any) -> Any:
        nonlocal at
        if value != _ELSEWHERE:
            return value
        at += _HASH_BYTES
        if at > len(data):
            raise ValueError("its hashes are missing")
        return data[at - _HASH_BYTES : at].hex()

    document["deal"] = restored(document["deal"])
    document["salt"] = restored(document["salt"])
    if document["match"] == _ELSEWHERE:
        document["match"] = match_id(bytes.fromhex(document["salt"]))
    document["bots"] = [dict(zip(BOT_FIELDS, map(restored, bot), strict=True)) for bot in document["bots"]]
    document["transcripts"] = [restored(text) for text in document["transcripts"]]
    document["clock"] = dict(zip(CLOCK_FIELDS, document["clock"], strict=True))
    return data[at:]
