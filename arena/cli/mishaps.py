"""Decisions at which a bot's own code failed: the kit played the default, and the note says why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from arena.record import Document
from protocol.errors import printable

NOTE: Final = "exception: "
"""With this the note begins that every kit leaves."""


def mishaps(document: Document) -> Iterator[str]:
    """A line for each bot whose code failed in this match; it forfeited nothing, and it hardly played."""
    for seat, bot in enumerate(document["bots"]):
        notes = [note for number, kind, *_, note in document["inputs"] if number == seat and kind == "answer"]
        failed = [note.removeprefix(NOTE) for note in notes if note.startswith(NOTE)]
        if failed:
            yield (
                f"{printable(bot['name'])} failed at {len(failed)} of {len(notes)} decisions, and the default was "
                f"played for it: {printable(failed[0])}"
            )
