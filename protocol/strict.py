"""What a bot's bytes may hold, checked before anything is built from them.  No messages here.

Both codecs keep the same rules; for msgpack the offset of the offending byte is known, for JSON only
that of a syntax error.  An element is a value in a list or a map; keys are not counted.
"""

from __future__ import annotations

import re
from math import isfinite
from struct import Struct
from typing import Any, Final

from protocol.errors import RemoteProtocolError, at_byte, in_hex, quoted

MAX_DEPTH: Final = 8
MAX_ELEMENTS: Final = 1024
SMALLEST_INT: Final = -(2**63)
LARGEST_INT: Final = 2**64 - 1

# NUL, lone surrogates, and the marks and overrides that reorder a line when it is shown.
_FORBIDDEN: Final = re.compile("[\0\ud800-\udfff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")

_FLOAT: Final = {0xCA: Struct(">f"), 0xCB: Struct(">d")}

# First byte -> bytes of the whole value, for values of one size.
_WHOLE: Final = {
    **dict.fromkeys([*range(0x80), *range(0xE0, 0x100), 0xC0, 0xC2, 0xC3], 1),
    **dict(zip(b"\xcc\xcd\xce\xcf\xd0\xd1\xd2\xd3\xca\xcb", (2, 3, 5, 9, 2, 3, 5, 9, 5, 9), strict=True)),
}
# First byte -> bytes of the length that follows it.
_TEXT: Final = {0xD9: 1, 0xDA: 2, 0xDB: 4}
_BINARY: Final = {0xC4: 1, 0xC5: 2, 0xC6: 4}
_LIST: Final = {0xDC: 2, 0xDD: 4}
_MAP: Final = {0xDE: 2, 0xDF: 4}
_EXTENSION: Final = frozenset([0xC7, 0xC8, 0xC9, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8])


def broken_text_rule(text: str) -> str | None:
    """Why this text may not travel, or None."""
    if text.isascii() and "\0" not in text:
        return None
    found = _FORBIDDEN.search(text)
    return None if found is None else f"forbidden character U+{ord(found[0]):04X} in text"


def check_msgpack(data: bytes) -> None:
    """Raise unless `data` is one msgpack value within the rules; looks at each byte once, stops early."""
    size = len(data)
    at, elements = 0, 0
    left, keys = 1, None
    outer: list[tuple[int, set[bytes] | None]] = []
    while True:
        while not left:
            if not outer:
                if at < size:
                    raise at_byte("trailing bytes after the message", at, size)
                return
            left, keys = outer.pop()
        left -= 1
        if keys is not None:
            start, end = _text(data, at, "map keys must be text")
            key = data[start:end]
            if key in keys:
                raise at_byte(f"duplicate key {quoted(key.decode(), mark=chr(34))}", at, size)
            keys.add(key)
            at = end
        if at >= size:
            raise _cut(size)
        first = data[at]
        whole = _WHOLE.get(first)
        if whole is not None:
            if first in _FLOAT:
                _check_float(data, at, whole)
            at += whole
        elif first <= 0x9F or first in _LIST or first in _MAP:
            is_map = first <= 0x8F or first in _MAP
            count, inside = _count(data, at)
            elements += count
            if elements > MAX_ELEMENTS:
                raise at_byte(f"too many elements, the limit is {MAX_ELEMENTS}", at, size)
            outer.append((left, keys))
            if len(outer) > MAX_DEPTH:
                raise at_byte(f"too deep, the limit is {MAX_DEPTH} levels", at, size)
            left, keys, at = count, set() if is_map else None, inside
        elif first <= 0xBF or first in _TEXT:
            at = _text(data, at, "")[1]
        elif first in _BINARY:
            at = _sized(data, at, _BINARY[first])[1]
        elif first in _EXTENSION:
            raise at_byte("extension types are not allowed", at, size)
        else:
            raise at_byte(f"byte 0x{first:02x} is not msgpack", at, size)
        if at > size:
            raise _cut(size)


def check_plain(value: Any) -> None:
    """Raise unless a decoded JSON value keeps the rules; its keys are known to be text and unique."""
    elements = 0
    waiting = [(value, 0)]
    while waiting:
        item, depth = waiting.pop()
        if isinstance(item, str):
            _check_text(item)
        elif isinstance(item, dict | list):
            elements += len(item)
            if elements > MAX_ELEMENTS:
                raise too_many_elements()
            if depth >= MAX_DEPTH:
                raise too_deep()
            if isinstance(item, dict):
                for key in item:
                    _check_text(key)
                item = list(item.values())
            waiting.extend((inner, depth + 1) for inner in item)
        elif isinstance(item, float) and not isfinite(item):
            raise RemoteProtocolError("number is not finite")
        elif isinstance(item, int) and not SMALLEST_INT <= item <= LARGEST_INT:
            raise RemoteProtocolError("integer does not fit 64 bits")


def too_deep() -> RemoteProtocolError:
    """More levels than anybody needs."""
    return RemoteProtocolError(f"too deep, the limit is {MAX_DEPTH} levels")


def too_many_elements() -> RemoteProtocolError:
    """More values than anybody needs."""
    return RemoteProtocolError(f"too many elements, the limit is {MAX_ELEMENTS}")


def _check_text(text: str) -> None:
    broken = broken_text_rule(text)
    if broken:
        raise RemoteProtocolError(broken)


def _cut(size: int) -> RemoteProtocolError:
    return at_byte("message ends too early", size, size)


def _check_float(data: bytes, at: int, whole: int) -> None:
    if at + whole > len(data):
        raise _cut(len(data))
    (number,) = _FLOAT[data[at]].unpack_from(data, at + 1)
    if not isfinite(number):
        raise at_byte("number is not finite", at, len(data))


def _text(data: bytes, at: int, otherwise: str) -> tuple[int, int]:
    """Where the text at this place begins and ends, its characters checked."""
    if at >= len(data):
        raise _cut(len(data))
    first = data[at]
    if 0xA0 <= first <= 0xBF:
        start = at + 1
        end = at + first - 0x9F
    elif first in _TEXT:
        start, end = _sized(data, at, _TEXT[first])
    else:
        raise at_byte(otherwise, at, len(data))
    if end > len(data):
        raise _cut(len(data))
    raw = data[start:end]
    if not raw.isascii() or 0 in raw:
        _check_unusual_text(raw, start, len(data))
    return start, end


def _check_unusual_text(raw: bytes, start: int, size: int) -> None:
    try:
        broken = broken_text_rule(raw.decode())
    except UnicodeDecodeError as error:
        shown = in_hex(raw[error.start :])
        raise at_byte(f"text is not UTF-8: {shown}", start + error.start, size) from None
    if broken:
        raise at_byte(broken, start, size)


def _count(data: bytes, at: int) -> tuple[int, int]:
    first = data[at]
    if first <= 0x9F:
        return first & 0x0F, at + 1
    width = _LIST.get(first) or _MAP[first]
    return int.from_bytes(data[at + 1 : at + 1 + width], "big"), at + 1 + width


def _sized(data: bytes, at: int, width: int) -> tuple[int, int]:
    start = at + 1 + width
    return start, start + int.from_bytes(data[at + 1 : start], "big")
