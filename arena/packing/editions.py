"""Editions of the codebooks.  A record names the one it was written with, so none that was released ever goes."""

from __future__ import annotations

import zlib
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgpack

from arena.packing.codebook import Codebook

FOLDER: Final = Path(__file__).parent / "codebooks"


class Edition:
    """The codebooks of all divisions, and what a header usually looks like."""

    def __init__(self, number: int) -> None:
        data = msgpack.unpackb(zlib.decompress((FOLDER / f"{number}.codebook").read_bytes()))
        self.number = number
        self.usual_header: bytes = data["usual_header"]
        self._divisions: dict[str, bytes] = data["divisions"]
        self._books: dict[str, Codebook] = {}

    def book(self, game: Any, seats: int) -> Codebook | None:
        """The codebook of a division, opened when it is first asked for; None where nobody wrote one."""
        name = f"{game} {seats}"
        if name not in self._books and name in self._divisions:
            self._books[name] = Codebook(msgpack.unpackb(self._divisions[name], strict_map_key=False))
        return self._books.get(name)


edition = cache(Edition)


@cache
def newest() -> int:
    """The edition that records are written with."""
    return max(published())


@cache
def published() -> list[int]:
    """All editions that come with this arena."""
    return sorted(int(path.stem) for path in FOLDER.glob("*.codebook"))
