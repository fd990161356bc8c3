"""Messages to bytes and back, in msgpack and in JSON.  No frames here, and no order of messages.

What a bot sent is examined before it is converted (`strict.py`), and each payload gets a decoder of its
own: none outlives a failure.  What the arena sent is trusted, and fields added later are ignored.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from struct import Struct
from typing import Any, Final, NoReturn

import msgpack
import msgspec

from protocol.errors import (
    RemoteProtocolError,
    at_byte,
    beginning,
    in_hex,
    quoted,
    stdout_hint,
    too_long,
    wrong_encoding,
)
from protocol.messages import FRAME_LIMIT, FROM_ARENA, FROM_BOT, Answer, Choice, Message
from protocol.shape import check_notes, message_from
from protocol.strict import MAX_ELEMENTS, check_msgpack, check_plain, too_deep, too_many_elements

_DIGITS_OF_64_BITS: Final = 20
_ANSWERS_WITHIN_LIMIT: Final = (MAX_ELEMENTS - 2) // 3

# An answer of one choice as the kits write it: fixed words around 16 characters and a small number.
# Kept here, not in the class: looking them up there would cost as much as the comparison.
_BEFORE_ID: Final = b"\x82\xa4type\xa6answer\xa7answers\x91\x82\xa2id\xb0"
_BEFORE_CHOICE: Final = b"\xa6choice"
_BEFORE_ANSWERS: Final = _BEFORE_ID[:21]
_BEFORE_EACH: Final = _BEFORE_ID[22:]
_EACH_ANSWER: Final = Struct("5s16s7sB")
_ASK: Final = b"\x82\xa4type\xa3ask\xa8requests"
_ASK_ONE: Final = _ASK + b"\x91"


# What stands between the values of a request that is joined from bytes.
_pack: Final = msgspec.msgpack.Encoder().encode
_BEFORE_MATCH: Final = b"\x88\xa5match"
_BEFORE_REQUEST_ID: Final = b"\xa2id\xb0"
_MOVES: Final[tuple[bytes, ...]] = tuple([_pack("move") + _pack(move) for move in range(512)])
_DEFAULTS: Final[tuple[bytes, ...]] = tuple([_pack("default") + _pack(default) for default in range(128)])
_TIMES: Final[tuple[bytes, ...]] = tuple([_pack("time_ms") + _pack(ms) + _pack("view") for ms in range(1025)])
_QUESTIONS: Final[dict[str, bytes]] = {}  # with their key and that of the options: as many as rulebooks have


Packed = msgspec.Raw
"""Bytes that stand for a value in a request and are already written as its codec would."""


class Codec(ABC):
    """One way to write messages; stateless for its users, one instance serves a whole thread."""

    name: str

    @abstractmethod
    def pack_request(self, fields: Mapping[str, Any]) -> bytes:
        """Encode one request, given as a plain map in the field order of `Request`."""

    @abstractmethod
    def ask(self, packed: Sequence[bytes]) -> bytes:
        """Join packed requests to the payload of an `ask`: the bytes `encode` would give."""

    @abstractmethod
    def encode(self, message: Message) -> bytes:
        """The payload of any message."""

    @abstractmethod
    def decode_answer_fast(self, payload: bytes) -> tuple[str, int] | None:
        """The id and choice of one compact answer, else None: then ask `decode_from_bot`."""

    @abstractmethod
    def decode_answers_fast(self, payload: bytes) -> Answer | None:
        """Several compact answers at once where the codec has a short cut for them, else None."""

    @abstractmethod
    def read_strictly(self, payload: bytes) -> Any:
        """The plain value a bot sent, every rule but the message's own fields checked."""

    @abstractmethod
    def read_trustingly(self, payload: bytes) -> Any:
        """The plain value the arena sent; raises whatever its library raises."""

    def decode_from_bot(self, payload: bytes) -> Message:
        """The message a bot sent, or `RemoteProtocolError`; never anything else."""
        quick = self.decode_answer_fast(payload)
        if quick is not None:
            return Answer((Choice(*quick),))
        return self.decode_answers_fast(payload) or self.examine(payload)

    def examine(self, payload: bytes) -> Message:
        """`decode_from_bot` without its short cut."""
        if len(payload) > FRAME_LIMIT:
            raise too_long(len(payload), FRAME_LIMIT)
        if not payload:
            raise RemoteProtocolError("empty message (byte 0 of 0)")
        message = message_from(self.read_strictly(payload), FROM_BOT)
        if type(message) is Answer:
            check_notes(message)
        return message

    def decode_from_arena(self, payload: bytes) -> Message:
        """The message the arena sent, or `RemoteProtocolError`."""
        try:
            value = self.read_trustingly(payload)
        except (ValueError, RecursionError, msgspec.DecodeError) as error:
            raise RemoteProtocolError(f"not {self.name}: {error}") from None
        return message_from(value, FROM_ARENA)


class Msgpack(Codec):
    """The default: small, quick, and read by a library in every language."""

    name = "msgpack"

    def __init__(self) -> None:
        # msgspec writes the very bytes msgpack would (a test compares them), three times as fast.
        self._pack = msgspec.msgpack.Encoder().encode

    def pack_request(self, fields: Mapping[str, Any]) -> bytes:
        """Encode one request, given as a plain map in the field order of `Request`."""
        return self._pack(fields)

    def ask(self, packed: Sequence[bytes]) -> bytes:
        """Join packed requests to the payload of an `ask`."""
        if len(packed) == 1:
            return _ASK_ONE + packed[0]
        return b"".join((_ASK, _list_header(len(packed)), *packed))

    def encode(self, message: Message) -> bytes:
        """The payload of any message."""
        return self._pack(message)

    def decode_answer_fast(self, payload: bytes) -> tuple[str, int] | None:
        """The id and choice of one compact answer with a choice below 128, else None."""
        if len(payload) != 51 or payload[:27] != _BEFORE_ID or payload[43:50] != _BEFORE_CHOICE:
            return None
        request, choice = payload[27:43], payload[50]
        # Letters and digits are one byte each and break no text rule.
        return (request.decode("ascii"), choice) if choice < 128 and request.isalnum() else None

    def decode_answers_fast(self, payload: bytes) -> Answer | None:
        """Several answers, each as `decode_answer_fast` would take it, else None."""
        if payload[:21] != _BEFORE_ANSWERS:
            return None
        start = 24 if payload[21:22] == b"\xdc" else 22
        count, rest = divmod(len(payload) - start, _EACH_ANSWER.size)
        if rest or not 0 < count <= _ANSWERS_WITHIN_LIMIT or payload[21:start] != _list_header(count):
            return None
        answers = []
        for before, request, between, choice in _EACH_ANSWER.iter_unpack(payload[start:]):
            if before != _BEFORE_EACH or between != _BEFORE_CHOICE or choice > 127 or not request.isalnum():
                return None
            answers.append(Choice(request.decode("ascii"), choice))
        return Answer(tuple(answers))

    def read_strictly(self, payload: bytes) -> Any:
        """The plain map a bot sent."""
        if not (0x80 <= payload[0] <= 0x8F or payload[0] in (0xDE, 0xDF)):
            raise _no_map(payload)
        check_msgpack(payload)
        try:
            return msgpack.unpackb(payload)
        except Exception as error:
            # Not reached by any input we know; a bot must never find one that ends the arena.
            raise RemoteProtocolError(f"not msgpack: {type(error).__name__}") from None

    def read_trustingly(self, payload: bytes) -> Any:
        """The plain value the arena sent."""
        return msgpack.unpackb(payload)


class JsonLines(Codec):
    """For beginners, shell scripts and reading by eye; a payload is one line without its end."""

    name = "json"

    _BEFORE_ID: Final = b'{"type":"answer","answers":[{"id":"'
    _BEFORE_CHOICE: Final = b'","choice":'
    _AFTER: Final = b"}]}"

    def __init__(self) -> None:
        self._pack = msgspec.json.Encoder().encode

    def pack_request(self, fields: Mapping[str, Any]) -> bytes:
        """Encode one request, given as a plain map in the field order of `Request`."""
        return self._pack(fields)

    def ask(self, packed: Sequence[bytes]) -> bytes:
        """Join packed requests to the payload of an `ask`."""
        return b'{"type":"ask","requests":[' + b",".join(packed) + b"]}"

    def encode(self, message: Message) -> bytes:
        """The payload of any message."""
        return self._pack(message)

    def decode_answer_fast(self, payload: bytes) -> tuple[str, int] | None:
        """The id and choice of one compact answer with a choice below 1,000, else None."""
        if (
            not 66 <= len(payload) <= 68
            or payload[:35] != self._BEFORE_ID
            or payload[51:62] != self._BEFORE_CHOICE
        ):
            return None
        request, digits = payload[35:51], payload[62:-3]
        if payload[-3:] != self._AFTER or not request.isalnum() or not digits.isdigit():
            return None
        # JSON knows no number that begins with 0.
        return None if digits[0] == 0x30 and len(digits) > 1 else (request.decode(), int(digits))

    def decode_answers_fast(self, payload: bytes) -> Answer | None:  # noqa: ARG002
        """None: who writes JSON is not in a hurry."""
        return None

    def read_strictly(self, payload: bytes) -> Any:
        """The plain map a bot sent."""
        try:
            text = payload.decode()
        except UnicodeDecodeError as error:
            raise _no_text(payload, error.start) from None
        if not text.lstrip().startswith("{"):
            raise RemoteProtocolError(stdout_hint(text))
        doubled = _NoDoubles()
        try:
            value = json.loads(
                text,
                object_pairs_hook=doubled.map_of,
                parse_int=_int_of_64_bits,
                parse_constant=_refuse_constant,
            )
        except json.JSONDecodeError as error:
            offset = len(text[: error.pos].encode(errors="surrogatepass"))
            raise at_byte(f"not JSON: {error.msg}", offset, len(payload)) from None
        except RecursionError:
            raise too_deep() from None
        check_plain(value)
        return value

    def read_trustingly(self, payload: bytes) -> Any:
        """The plain value the arena sent."""
        return msgspec.json.decode(payload)


def opening_of(match: str) -> bytes:
    """How every request of a match begins that `joined_request` makes."""
    return _BEFORE_MATCH + _pack(match) + _BEFORE_REQUEST_ID


def joined_request(
    opening: bytes,
    id: str,
    move: int,
    question: str,
    options: bytes,
    default: int,
    time_ms: int,
    view: list[bytes],
) -> bytes:
    """A request with a view of which much is packed already: the bytes `Msgpack.pack_request` would give.

    An id has 16 letters and digits.
    """
    asked = _QUESTIONS.get(question)
    if asked is None:
        asked = _QUESTIONS[question] = _pack("question") + _pack(question) + _pack("options")
    return b"".join(
        [
            opening,
            id.encode(),
            _MOVES[move] if 0 <= move < len(_MOVES) else _pack("move") + _pack(move),
            asked,
            options,
            _DEFAULTS[default] if 0 <= default < len(_DEFAULTS) else _pack("default") + _pack(default),
            _TIMES[time_ms] if 0 <= time_ms < len(_TIMES) else _pack("time_ms") + _pack(time_ms) + _pack("view"),
            *view,
        ]
    )


CODECS: Final[dict[str, Codec]] = {codec.name: codec for codec in (Msgpack(), JsonLines())}


class _NoDoubles:
    """Builds the maps of one JSON payload and stops at the first doubled key or at too many maps."""

    def __init__(self) -> None:
        self.maps = 0

    def map_of(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        self.maps += 1
        if self.maps > MAX_ELEMENTS + 1:
            raise too_many_elements()
        built = dict(pairs)
        if len(built) == len(pairs):
            return built
        seen: set[str] = set()
        double = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise RemoteProtocolError(f"duplicate key {quoted(double, mark=chr(34))}")


def _list_header(count: int) -> bytes:
    if count < 16:
        return bytes((0x90 | count,))
    return b"\xdc" + count.to_bytes(2, "big") if count < 2**16 else b"\xdd" + count.to_bytes(4, "big")


def _int_of_64_bits(digits: str) -> int:
    if len(digits) > _DIGITS_OF_64_BITS:
        raise RemoteProtocolError("integer does not fit 64 bits")
    return int(digits)


def _refuse_constant(_name: str) -> NoReturn:
    raise RemoteProtocolError("number is not finite")


def _no_map(payload: bytes) -> RemoteProtocolError:
    text = beginning(payload)
    if text is not None and text.lstrip().startswith("{"):
        return RemoteProtocolError(wrong_encoding("msgpack", "JSON"))
    return at_byte("a message is a map", 0, len(payload))


def _no_text(payload: bytes, offset: int) -> RemoteProtocolError:
    if 0x80 <= payload[0] <= 0x8F or payload[0] == 0:
        return RemoteProtocolError(wrong_encoding("JSON lines", "msgpack"))
    return at_byte(f"text is not UTF-8: {in_hex(payload[offset:])}", offset, len(payload))
