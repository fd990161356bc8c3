"""Whose fault it is, and how the words of a bot are quoted.

    ProtocolError
    ├── RemoteProtocolError    the other side's: told to it, charged to it, never a traceback
    └── LocalProtocolError     our own: fails loudly

What a `RemoteProtocolError` costs is not decided here.
"""

from __future__ import annotations

from typing import Literal

Code = Literal["PROTOCOL", "OUTPUT"]

QUOTE_LIMIT = 40


class ProtocolError(Exception):
    """A rule of the wire was broken."""


class RemoteProtocolError(ProtocolError):
    """The other side broke a rule; `fatal` says that its stream cannot be read any further."""

    def __init__(self, text: str, *, code: Code = "PROTOCOL", path: str = "", fatal: bool = False) -> None:
        super().__init__(text)
        self.text = text
        self.code: Code = code
        self.path = path
        self.fatal = fatal


class LocalProtocolError(ProtocolError):
    """We tried to say what may not be said now, or may not be said at all."""


def at_byte(rule: str, offset: int, size: int) -> RemoteProtocolError:
    """A broken rule and where: offsets count from 0, so `byte 31 of 31` is the end."""
    return RemoteProtocolError(f"{rule} (byte {offset} of {size})")


def too_long(size: int, limit: int, fatal: bool = False) -> RemoteProtocolError:
    """More bytes in one frame than are ever read."""
    text = f"frame of {size} bytes, the limit is {limit}"
    return RemoteProtocolError(text, code="OUTPUT", fatal=fatal)


def stdout_hint(text: str) -> str:
    """What to tell a bot that prints its thoughts among its messages."""
    return f"stdout carries messages only; print to stderr instead. It began: {quoted(text)}"


def wrong_encoding(expected: str, got: str) -> str:
    """What to tell a bot that speaks the other encoding."""
    return f"expected {expected}, got {got}; bot.toml says which encoding a bot speaks"


def quoted(text: str, mark: str = "'", limit: int = QUOTE_LIMIT) -> str:
    """The beginning of a bot's text, safe to show: nothing in it can move a cursor or turn a line."""
    shown = ""
    for char in text:
        piece = char if char.isprintable() and char not in ("\\", mark) else _escaped(char)
        if len(shown) + len(piece) > limit:
            return f"{mark}{shown}...{mark}"
        shown += piece
    return f"{mark}{shown}{mark}"


def printable(text: str) -> str:
    """All of somebody's words, with whatever could move a cursor or turn a line spelled out."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def in_hex(data: bytes) -> str:
    """The beginning of bytes that are no text."""
    return data[:8].hex(" ") + (" ..." if len(data) > 8 else "")


def beginning(data: bytes) -> str | None:
    """What bytes begin with when people could read it, else None; a character cut at the end is no harm."""
    head = data[:200]
    try:
        text = head.decode()
    except UnicodeDecodeError as error:
        if error.start == 0 or error.start < len(head) - 3 or error.reason != "unexpected end of data":
            return None
        text = head[: error.start].decode()
    return text if all(char.isprintable() or char in "\t\r\n\x1b" for char in text) else None


def _escaped(char: str) -> str:
    if char in "\t\r\n":
        return {"\t": "\\t", "\r": "\\r", "\n": "\\n"}[char]
    if ord(char) < 0x100:
        return "\\" + char if char.isprintable() else f"\\x{ord(char):02x}"
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"
