"""Frames of a websocket (RFC 6455) as bytes and back, seen from the server.  No socket and no clock.

What waits unfinished is bounded; whoever breaks a rule is read no further, and `broken` says why and with which
code the connection is to be closed.
"""

from __future__ import annotations

import struct
from typing import Final, Literal, NamedTuple

TEXT: Final = 0x1
BINARY: Final = 0x2
CLOSE: Final = 0x8
PING: Final = 0x9
PONG: Final = 0xA
_CONTINUATION: Final = 0x0
_CONTROL: Final = 0x8
_FINAL: Final = 0x80
_RESERVED: Final = 0x70
_MASKED: Final = 0x80

NORMAL: Final = 1000
GOING_AWAY: Final = 1001
PROTOCOL_ERROR: Final = 1002
WRONG_TYPE: Final = 1003
NO_CODE: Final = 1005
BAD_TEXT: Final = 1007
POLICY: Final = 1008
TOO_BIG: Final = 1009

MESSAGE_BYTES: Final = 64 * 1024
MOST_FRAGMENTS: Final = 1000
_CONTROL_BYTES: Final = 125

Kind = Literal["message", "ping", "pong", "close"]


class Heard(NamedTuple):
    """A whole message, or a control frame; `code` is that of a close."""

    kind: Kind
    payload: bytes
    code: int = NO_CODE


class Broken(NamedTuple):
    """The rule that was broken."""

    code: int
    text: str


class _Offence(Exception):
    pass


class FrameReader:
    """Cuts what a client sends into messages; text and binary are different things, and only one is wanted."""

    def __init__(self, wanted: int) -> None:
        self.broken: Broken | None = None
        self._wanted = wanted
        self._waiting = bytearray()
        self._needed = 2
        self._fragments: list[bytes] = []
        self._size = 0
        self._count = 0  # fragments of the message that is not finished

    @property
    def unfinished(self) -> bool:
        """A message or a frame has begun and not ended."""
        return bool(self._waiting) or self._count > 0

    def feed(self, data: bytes) -> list[Heard]:
        """What these bytes complete, up to the first that breaks a rule."""
        heard: list[Heard] = []
        if self.broken is not None:
            return heard
        if self._waiting:
            self._waiting += data
            if len(self._waiting) < self._needed:
                return heard
            data = bytes(self._waiting)
            self._waiting.clear()
        at = 0
        try:
            whole = True
            while whole and len(data) - at >= 2:
                at, whole = self._one(data, at, heard)
        except _Offence as offence:
            code, text = offence.args
            self.broken = Broken(code, text)
            return heard
        if whole:
            self._needed = 2
        if at < len(data):
            self._waiting += data[at:]
        return heard

    def _one(self, data: bytes, at: int, heard: list[Heard]) -> tuple[int, bool]:
        """Read the frame that begins at `at`; where the next one begins, and whether this one was whole."""
        first, second = data[at], data[at + 1]
        size, head = second & 0x7F, 2
        if size >= 126:
            head = 4 if size == 126 else 10
            if len(data) - at < head:
                self._needed = head
                return at, False
            (long,) = struct.unpack_from("!H" if head == 4 else "!Q", data, at + 2)
            if long < (126 if head == 4 else 65536):
                raise _Offence(PROTOCOL_ERROR, "a length written longer than needed")
            size = long
        self._check(first, second, size)
        start = at + head + 4
        stop = start + size
        if stop > len(data):
            self._needed = stop - at
            return at, False
        payload = _unmasked(data[start:stop], data[start - 4 : start])
        opcode = first & 0x0F
        if opcode >= _CONTROL:
            heard.append(_control(opcode, payload))
        elif first & _FINAL and not self._count:
            heard.append(self._message(payload))
        else:
            self._fragment(payload, final=bool(first & _FINAL), heard=heard)
        return stop, True

    def _check(self, first: int, second: int, size: int) -> None:
        """Refuse by the head alone, before anything of the frame is kept."""
        opcode = first & 0x0F
        if first & _RESERVED:
            raise _Offence(PROTOCOL_ERROR, "reserved bits are set; no extension was agreed on")
        if not second & _MASKED:
            raise _Offence(PROTOCOL_ERROR, "a frame without a mask")
        if opcode >= _CONTROL:
            if opcode > PONG:
                raise _Offence(PROTOCOL_ERROR, f"an unknown kind of frame, {opcode}")
            if size > _CONTROL_BYTES or not first & _FINAL:
                raise _Offence(PROTOCOL_ERROR, "a control frame that is too long or in pieces")
            return
        if (opcode == _CONTINUATION) != (self._count > 0):
            what = "goes on with no message" if opcode == _CONTINUATION else "begins inside another message"
            raise _Offence(PROTOCOL_ERROR, f"a frame that {what}")
        if opcode not in (_CONTINUATION, TEXT, BINARY):
            raise _Offence(PROTOCOL_ERROR, f"an unknown kind of frame, {opcode}")
        if opcode not in (_CONTINUATION, self._wanted):
            sent, wanted = ("text", "binary") if opcode == TEXT else ("binary", "text")
            raise _Offence(WRONG_TYPE, f"a {sent} message where {wanted} was agreed on")
        if self._size + size > MESSAGE_BYTES:
            raise _Offence(TOO_BIG, f"message of {self._size + size} bytes, the limit is {MESSAGE_BYTES}")

    def _fragment(self, payload: bytes, *, final: bool, heard: list[Heard]) -> None:
        self._count += 1
        if self._count > MOST_FRAGMENTS:
            raise _Offence(POLICY, f"a message in more than {MOST_FRAGMENTS} pieces")
        self._size += len(payload)
        if payload:
            self._fragments.append(payload)
        if final:
            whole = b"".join(self._fragments)
            self._fragments.clear()
            self._size = self._count = 0
            heard.append(self._message(whole))

    def _message(self, payload: bytes) -> Heard:
        if self._wanted == TEXT and not payload.isascii():
            try:
                payload.decode()
            except UnicodeDecodeError:
                raise _Offence(BAD_TEXT, "a text message that is not UTF-8") from None
        return Heard("message", payload)


def _control(opcode: int, payload: bytes) -> Heard:
    if opcode != CLOSE:
        return Heard("ping" if opcode == PING else "pong", payload)
    if not payload:
        return Heard("close", b"")
    code = int.from_bytes(payload[:2], "big")
    allowed = 3000 <= code < 5000 or (1000 <= code < 1012 and code not in (1004, 1005, 1006))
    if len(payload) < 2 or not allowed:
        raise _Offence(PROTOCOL_ERROR, "a close frame without a proper code")
    return Heard("close", payload[2:], code)


def _unmasked(payload: bytes, mask: bytes) -> bytes:
    size = len(payload)
    key = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(payload, "big") ^ int.from_bytes(key, "big")).to_bytes(size, "big")


def frame(opcode: int, payload: bytes) -> bytes:
    """One whole frame from a server, which uses no mask."""
    size = len(payload)
    if size < 126:
        return bytes((_FINAL | opcode, size)) + payload
    if size < 65536:
        return struct.pack("!BBH", _FINAL | opcode, 126, size) + payload
    return struct.pack("!BBQ", _FINAL | opcode, 127, size) + payload


def close_frame(code: int, text: str) -> bytes:
    """The last frame, with as much of the reason as fits."""
    reason = text.encode()[: _CONTROL_BYTES - 2].decode(errors="ignore").encode()
    return frame(CLOSE, code.to_bytes(2, "big") + reason)
