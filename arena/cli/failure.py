"""What can go wrong for a user, as a sentence and an exit code."""

from __future__ import annotations

import difflib
import json
import sys
from collections.abc import Iterable
from typing import Final

from protocol.errors import printable

FAILED: Final = 1
USAGE: Final = 2
MAY_NOT_ENTER: Final = 3
NO_TOKEN: Final = 4
NOT_HERE: Final = 5
DAMAGED: Final = 6
INTERRUPTED: Final = 130


class Failure(Exception):
    """A sentence for the user: what is wrong and what to do next."""

    def __init__(self, text: str, code: int = FAILED) -> None:
        super().__init__(text)
        self.text = text
        self.code = code
        self.told = False
        """It stands in what was printed already."""

    def as_data(self) -> dict[str, str | int]:
        """As programs read it."""
        return {"error": self.text, "code": self.code}

    def print(self, as_json: bool) -> None:
        """On stderr for people; on stdout, as data, for programs."""
        if self.told:
            return
        if as_json:
            print(json.dumps(self.as_data()))
        else:
            lines = self.text.splitlines()  # it may quote a file or a bot, which must not move the cursor
            print("error: " + "\n".join(map(printable, lines)), file=sys.stderr)


def unknown(what: str, word: str, known: Iterable[str]) -> Failure:
    """A word that is none of the known ones, with the nearest of them."""
    known = list(known)
    near = difflib.get_close_matches(word, known, 1)
    hint = f'did you mean "{near[0]}"?' if near else f"known: {', '.join(known)}"
    return Failure(f'unknown {what} "{word}"; {hint}', USAGE)
