"""A bot on its way to another machine: its files in one piece, looked at again when they arrive."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

from arena.bots.manifest import LEFT_OUT, Bot, BotError, content_of
from arena.bots.shelf import Shelf


def pack(folder: Path) -> bytes:
    """All files of a bot, and nothing about who owns them."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        for path in sorted(folder.rglob("*")):
            inside = path.relative_to(folder)
            if path.is_file() and LEFT_OUT.isdisjoint(inside.parts):
                entry = tarfile.TarInfo(str(inside))
                entry.size = path.stat().st_size
                entry.mode = 0o755 if path.stat().st_mode & 0o111 else 0o644
                with path.open("rb") as file:
                    archive.addfile(entry, file)
    return made.getvalue()


def unpack(parcel: bytes, content: str, shelf: Shelf) -> Bot:
    """Put it on the shelf, if it is what was sent; raises BotError."""
    with shelf.workplace() as above:
        packed = above / "parcel.tar"
        packed.write_bytes(parcel)
        with shelf.receive(packed) as tree:
            if content_of(tree) != content:
                raise BotError(
                    f"the program {content[:12]} was damaged on the way; its files are not what was sent"
                )
            return shelf.put(tree)
