"""Taking in a stranger's files: every entry is looked at, every byte is counted, and one bad entry refuses all.

Only plain files and folders pass.  What was announced is never believed: sizes are counted while copying.
"""

from __future__ import annotations

import os
import shutil
import stat
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from arena.bots.manifest import LEFT_OUT, BotError
from protocol.errors import quoted

MIB: Final = 1024 * 1024
PIECE: Final = 256 * 1024
NAME_BYTES: Final = 255
DEPTH: Final = 32


@dataclass(frozen=True)
class Bounds:
    """How much is taken in."""

    size_mb: int = 256
    files: int = 10_000
    """Files and folders together: each costs a place on disk."""

    ratio: int = 100
    """An archive may be so many times larger when it is unpacked."""

    free_bytes: int = MIB
    """Below this no ratio counts: a small file of blanks is no bomb."""


class Intake:
    """Writes below `folder`, which must be empty, until something is wrong; then nothing it wrote may be used."""

    def __init__(self, folder: Path, bounds: Bounds, packed_bytes: int | None = None) -> None:
        """`packed_bytes` is the size of the archive that all this comes from."""
        self._folder = folder
        self.most_bytes = bounds.size_mb * MIB
        self.most_entries = bounds.files
        self.too_much = f"all together it is larger than {bounds.size_mb} MiB"
        if packed_bytes is not None and packed_bytes * bounds.ratio < self.most_bytes:
            self.most_bytes = max(bounds.free_bytes, packed_bytes * bounds.ratio)
            self.too_much = f"all together it is larger than {bounds.ratio} times the archive"
        self._bytes = self._entries = 0
        self._known: dict[str, str] = {}  # what was taken, by the one spelling that all file systems agree on
        self._folders: set[str] = set()

    def take_folder(self, name: str) -> None:
        """An empty folder; taking it twice is no harm."""
        parts = self.steps_of(name)
        if parts:
            self._make(parts)

    def take_file(self, name: str, content: BinaryIO, executable: bool) -> None:
        """A file, read to its end."""
        parts = self.steps_of(name)
        if not parts:
            raise refusal(name, "a file needs a name")
        self._make(parts[:-1])
        path = self._claim(parts, name)
        with open(path, "xb") as file:
            while piece := content.read(PIECE):
                self._bytes += len(piece)
                if self._bytes > self.most_bytes:
                    raise refusal(name, self.too_much)
                file.write(piece)
        path.chmod(0o755 if executable else 0o644)

    def steps_of(self, name: str) -> list[str]:
        """The path in pieces, if it stays below our folder on every file system."""
        if name.startswith("/") or "\\" in name or "\0" in name or (len(name) > 1 and name[1] == ":"):
            raise refusal(name, "it names a place outside the bot's folder")
        parts = [part for part in name.split("/") if part not in ("", ".")]
        if ".." in parts:
            raise refusal(name, "it names a place outside the bot's folder")
        if len(parts) > DEPTH or any(len(os.fsencode(part)) > NAME_BYTES for part in parts):
            raise refusal(name, f"a path has at most {DEPTH} steps of {NAME_BYTES} bytes")
        if not all(part.isprintable() for part in parts):
            raise refusal(name, "a name must be printable")
        return parts

    def _make(self, parts: list[str]) -> None:
        for end in range(1, len(parts) + 1):
            joined = "/".join(parts[:end])
            if joined not in self._folders:
                path = self._claim(parts[:end], joined)
                path.mkdir()
                path.chmod(0o755)
                self._folders.add(joined)

    def _claim(self, parts: list[str], name: str) -> Path:
        self._entries += 1
        if self._entries > self.most_entries:
            raise refusal(name, f"there are more than {self.most_entries:,} files and folders")
        joined = "/".join(parts)
        plain = unicodedata.normalize("NFKC", joined).casefold()
        if plain in self._known:
            twin = "twice" if self._known[plain] == joined else f"beside {quoted(self._known[plain])}"
            raise refusal(name, f"the same name comes {twin}")
        self._known[plain] = joined
        return self._folder.joinpath(*parts)


def refusal(name: str, why: str) -> BotError:
    """The first bad entry, and what is wrong with it."""
    return BotError(f"refused at {quoted(name, limit=120)}: {why}. Nothing was kept")


def copy_folder(folder: Path, intake: Intake) -> None:
    """Everything in a folder, but for what is never part of a program."""
    for path, inside in _walk(folder, ""):
        # Opened without following links, then looked at: what is looked at is what is copied.
        descriptor = _open(path, inside)
        with os.fdopen(descriptor, "rb") as file:
            intake.take_file(inside, file, bool(os.fstat(descriptor).st_mode & 0o111))


def copy_program(path: Path, intake: Intake) -> None:
    """A bare program."""
    descriptor = _open(path, path.name)
    with os.fdopen(descriptor, "rb") as file:
        intake.take_file(path.name, file, executable=True)


def _walk(folder: Path, above: str) -> Iterator[tuple[Path, str]]:
    with os.scandir(folder) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        inside = above + entry.name
        if entry.name in LEFT_OUT:
            continue
        if entry.is_symlink():
            raise refusal(inside, "it is a link; put the file itself there")
        if entry.is_dir():
            yield from _walk(Path(entry.path), f"{inside}/")
        else:
            yield Path(entry.path), inside


def _open(path: Path, inside: str) -> int:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise refusal(inside, f"it cannot be read ({error.strerror})") from None
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        os.close(descriptor)
        raise refusal(inside, "it is no plain file")
    if found.st_nlink > 1:
        os.close(descriptor)
        raise refusal(inside, "it has a second name elsewhere (a hard link); copy it: cp --no-preserve=links")
    return descriptor


def remove_tree(folder: Path) -> None:
    """Take a folder away, whatever its modes say."""
    for place, _, _ in os.walk(folder):
        os.chmod(place, 0o700)
    shutil.rmtree(folder, ignore_errors=True)
