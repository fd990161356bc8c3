"""The text of a ladder file: what it says, where each key stands, and errors that point there.  No meaning."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any, NamedTuple

Path = tuple[str, ...]

_WHERE = re.compile(
    r"(?P<what>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)", re.DOTALL
)
_TOKEN = re.compile(
    r"(?P<skip>[ \t\r]+|\#[^\n]*)|(?P<newline>\n)|(?P<mark>[\[\]{}=,.])|(?P<word>[A-Za-z0-9_-]+)"
    r'|(?P<text>"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\')|(?P<other>.)',
    re.DOTALL,
)
_IN_OUR_WORDS = {
    "Invalid value": (
        "the value is missing or not understood",
        "a text stands in quotes; true and false are written small",
    ),
    "Expected '=' after a key": ("there is no = after the key", "write: key = value"),
    "Cannot overwrite a value": ("this key was given before", "keep one of them"),
    "Cannot declare": ("this table was given before", "put its keys together"),
    "Expected newline": ("the line goes on after the value", "one key = value per line; a text stands in quotes"),
    "Unclosed array": ("the list is not closed", "commas between the entries, and ] at the end"),
    "Unclosed inline table": ("the table is not closed", "commas between the entries, and } at the end"),
    "Invalid statement": ("this is neither a key nor a table", "write: key = value, or [table]"),
    "Illegal character": (
        "the text is not closed, or holds what no text may",
        "a text ends with a quote on its line",
    ),
    "Unescaped": ("a backslash stands alone", r"write \\, or put the text in single quotes"),
    "Expected ']'": ("the bracket is not closed", "a table's name stands in brackets: [limits]"),
}
"""What Python's reader says, and what a person wants to hear."""
_DIGITS = re.compile(r"[0-9_]{4000}")
_TOO_LONG = ("this number is too long", "whole numbers have up to 64 bits")
_SHOWN = 100


class Place(NamedTuple):
    """Where something stands; line and column count from 1.  No width: nothing can be pointed at."""

    line: int
    column: int
    width: int


class LadderError(Exception):
    """A ladder file that cannot be played as it is: where, what is wrong, and what would do."""

    def __init__(self, file: str, place: Place, message: str, hint: str, excerpt: str = "") -> None:
        self.file = file
        self.line = place.line
        self.column = place.column
        self.message = message
        self.hint = hint
        self._lines = [f"{file} line {place.line}: {message}"]
        if place.width:
            self._lines += _pointed(place, excerpt, hint)
        else:
            self._lines.append(f"      | {hint}")
        super().__init__(str(self))

    def __str__(self) -> str:
        return "\n".join(_printable(line) for line in (*self._lines, "nothing was started"))


class LadderText:
    """A ladder file as it was written."""

    def __init__(self, text: str, name: str) -> None:
        text = text.removeprefix("\ufeff")  # some editors put it there
        self.name = name
        self._lines = text.split("\n")
        try:
            self.content: dict[str, Any] = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise self._unreadable(str(error)) from None
        except RecursionError:
            raise self._error(
                Place(1, 1, 0), "nested too deeply", "a ladder file has tables, and lists of texts"
            ) from None
        except ValueError:  # Python's own limit
            found = _DIGITS.search(text)
            line = 1 + text.count("\n", 0, found.start() if found else 0)
            raise self._error(Place(line, 1, 0), *_TOO_LONG) from None
        self._places = dict(reversed([*_keys(text)]))  # the first place of a key counts
        self._refuse_long_numbers(self.content)

    def error(self, path: Path, message: str, hint: str) -> LadderError:
        """What is wrong with the key of this path, or with the nearest table around it."""
        while path and path not in self._places:
            path = path[:-1]
        return self._error(self._places.get(path, Place(1, 1, 0)), message, hint)

    def _error(self, place: Place, message: str, hint: str) -> LadderError:
        return LadderError(self.name, place, message, hint, self._lines[place.line - 1])

    def _refuse_long_numbers(self, value: Any, path: Path = ()) -> None:
        """TOML promises 64 bits, and nobody could print or keep them all."""
        if isinstance(value, dict):
            for key, inside in value.items():
                self._refuse_long_numbers(inside, (*path, key))
        elif isinstance(value, list):
            for inside in value:
                self._refuse_long_numbers(inside, path)
        elif isinstance(value, int) and value.bit_length() > 63:
            raise self.error(path, *_TOO_LONG)

    def _unreadable(self, said: str) -> LadderError:
        found = _WHERE.fullmatch(said)
        what = found["what"] if found else said
        place = Place(len(self._lines), max(1, len(self._lines[-1])), 1)
        if found and found["line"]:
            place = Place(int(found["line"]), int(found["column"]), 1)
        ours = (words for start, words in _IN_OUR_WORDS.items() if what.startswith(start))
        return self._error(place, *next(ours, (what, "this is not TOML")))


def _keys(text: str) -> Iterator[tuple[Path, Place]]:
    """Every key of a well-formed text with its place, inline tables included."""
    above: Path = ()  # the table we are in
    opened: list[Path | None] = []  # brackets not yet closed: an inline table's path, or None for a list
    path: Path = ()
    start = Place(1, 1, 0)
    at_key, header = True, False
    line, line_start = 1, 0
    for token in _TOKEN.finditer(text):
        kind, word = token.lastgroup, token[0]
        if at_key and kind in ("word", "text"):
            column = token.start() - line_start + 1
            start = start if path else Place(line, column, len(word))
            path = (*path, word if kind == "word" else tomllib.loads(f"key = {word}")["key"])
        elif at_key and word == "[":
            header = True
        elif at_key and word == "]" and header:
            yield path, start
            above, path, at_key, header = path, (), False, False
        elif at_key and word == "=":
            path = (*(opened[-1] or () if opened else above), *path)
            yield path, start
            at_key = False
        elif not at_key and word in ("{", "["):
            opened.append(path if word == "{" else None)
            at_key, path = word == "{", () if word == "{" else path
        elif opened and word in ("}", "]"):
            at_key, path = False, opened.pop() or path
        elif opened and word == "," and opened[-1] is not None:
            at_key, path = True, ()
        if kind == "newline" and not opened:
            at_key, path = True, ()
        if "\n" in word:
            line += word.count("\n")
            line_start = token.start() + word.rindex("\n") + 1


def _pointed(place: Place, excerpt: str, hint: str) -> list[str]:
    first = max(0, place.column - _SHOWN // 2) if len(excerpt) > _SHOWN else 0
    shown = excerpt[first : first + _SHOWN].replace("\t", " ").rstrip("\r")
    before = _printable(shown[: place.column - 1 - first])
    width = max(1, len(_printable(shown[place.column - 1 - first : place.column - 1 - first + place.width])))
    return [f"{place.line:5} | {shown}".rstrip(), f"      | {' ' * len(before)}{'^' * width} {hint}"]


def _printable(text: str) -> str:
    """Control characters, and those that turn or hide text, are spelled out."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)
