"""Output for whoever listens: what a terminal cannot show is written with what it can, and nobody may listen."""

from __future__ import annotations

import codecs
import io
import os
import sys
from typing import Final

HANDLER: Final = "arena-plain"
PLAIN: Final = {
    "±": "+-",
    "–": "-",
    "…": "...",
    "×": "x",
    "·": ".",
    "→": "->",
    "←": "<-",
    "▶": ">",
    "▼": "v",
    "─": "-",
    "│": "|",
    "└": "`",
    "µ": "u",
}


def speak_plainly() -> None:
    """Let no character end a command, neither one of ours nor one of a file's name, nor one that is typed."""
    codecs.register_error(HANDLER, _in_plain)
    if sys.stdout is None:  # closed by whoever started us; the first file that we open would take its place
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  open to the end
    if sys.stdin is None:  # whoever asks is told at once that nothing more is coming
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115  open to the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=HANDLER)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


def _in_plain(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    unspeakable = error.object[error.start : error.end]
    return "".join(PLAIN.get(letter, ascii(letter)[1:-1]) for letter in unspeakable), error.end
