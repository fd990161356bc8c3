"""Plain values to messages: the right fields of the right types.  No bytes here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from protocol.errors import QUOTE_LIMIT, RemoteProtocolError, quoted
from protocol.messages import NOTE_LIMIT, Answer, Message

_NAMED_FIELD: Final = re.compile(r"(?s)Object (contains unknown|missing required) field `(.*)`")
_BAD_WORD: Final = re.compile(r"(?s)Invalid enum value (.*)")


def message_from(value: Any, known: Mapping[str, type[Message]]) -> Message:
    """The message a plain value means, or `RemoteProtocolError` with the path of the bad field."""
    if not isinstance(value, dict):
        raise RemoteProtocolError("a message is a map")
    tag = value.get("type")
    if not isinstance(tag, str):
        raise RemoteProtocolError("type: expected one word of the protocol", path="type")
    wanted = known.get(tag)
    if wanted is None:
        raise RemoteProtocolError(f"type: unknown message {quoted(tag)}, expected {', '.join(known)}", path="type")
    try:
        # One Struct, never a union: that would be built anew at each call.
        return msgspec.convert(value, wanted)
    except msgspec.ValidationError as error:
        raise _complaint(str(error)) from None


def _complaint(words: str) -> RemoteProtocolError:
    """msgspec's sentence in our form: the path first, and the bot's own words cut and escaped.

    A field's name may look like the end of a sentence, so nothing that is left over is trusted either.
    """
    said, _, path = words.rpartition(" - at `$") if " - at `$" in words else (words, "", "")
    path = quoted(path.removeprefix(".").removesuffix("`"), mark="")
    field = _NAMED_FIELD.fullmatch(said)
    if field:
        name = field[2] if field[2].isidentifier() and len(field[2]) <= QUOTE_LIMIT else quoted(field[2])
        path = f"{path}.{name}" if path else name
        said = "unknown field" if field[1].startswith("contains") else "missing"
    word = _BAD_WORD.fullmatch(said)
    if word:
        said = f"{quoted(word[1][1:-1])} is not one of the words allowed"
    said = quoted(said.replace("`", "").replace("Expected", "expected"), mark="", limit=80)
    return RemoteProtocolError(f"{path}: {said}" if path else said, path=path)


def check_notes(message: Answer) -> None:
    """A note is counted in bytes, which the Struct cannot do."""
    for index, answer in enumerate(message.answers):
        if answer.note and len(answer.note.encode()) > NOTE_LIMIT:
            path = f"answers[{index}].note"
            raise RemoteProtocolError(f"{path}: longer than {NOTE_LIMIT} bytes", path=path)
