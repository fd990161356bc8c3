"""Bots that come as a tar or zip archive.  Refused whole at the first entry that is not a plain file or folder."""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import zipfile
import zlib
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

from arena.bots.intake import Intake, refusal
from arena.bots.manifest import BotError

BROKEN: Final = (
    tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, ValueError, NotImplementedError,
    RuntimeError,
)  # fmt: skip
BETWEEN_FILES: Final = 16 * 1024 * 1024
"""What an archive may say beside the contents of its files."""

HEADERS: Final = 1024 * 1024
"""What it may say of one file: all of that is held in memory, and some of it many times over."""

_COMPRESSED: Final = ((b"\x1f\x8b", gzip.open), (b"BZh", bz2.open), (b"\xfd7zXZ\x00", lzma.open))
_UNIX: Final = 3  # who made a zip entry: only then its upper bits are a mode
_ENCRYPTED: Final = 0x1
_END_BYTES: Final = 22
_ENTRY_BYTES: Final = 46


def looks_packed(path: Path) -> bool:
    """Whether a file is an archive rather than a program; raises BotError if it is one that was cut short."""
    if zipfile.is_zipfile(path):
        return True
    # `tarfile.is_tarfile` would read as much as the first header promises.
    try:
        with path.open("rb") as file:
            head = _opened(file).read(tarfile.BLOCKSIZE)
        tarfile.TarInfo.frombuf(head, "utf-8", "surrogateescape")
    except tarfile.EOFHeaderError:  # type: ignore[attr-defined]
        return True
    except (tarfile.TarError, OSError):
        return False
    except BROKEN as error:  # compressed, and ends before its first entry
        raise _broken(path, error) from None
    return True


def unpack(path: Path, intake: Intake) -> None:
    """Everything in it; raises BotError that names the first bad entry."""
    try:
        if zipfile.is_zipfile(path):
            _unpack_zip(path, intake)
        else:
            with path.open("rb") as file:
                unpack_tar(file, intake)
    except BROKEN as error:
        raise _broken(path, error) from None
    except OSError as error:
        if error.errno is not None:  # not the archive's fault, but the disk's
            raise
        raise _broken(path, error) from None


def _broken(path: Path, error: Exception) -> BotError:
    return BotError(f"{path.name} is a broken archive: {error or type(error).__name__}. Nothing was kept")


def unpack_tar(file: BinaryIO, intake: Intake) -> None:
    """Plain or compressed; read once from front to back, every byte counted."""
    counted = _Counted(_opened(file), intake)
    with tarfile.open(fileobj=cast(BinaryIO, counted), mode="r|") as archive:
        for member in archive:
            counted.goes_on_at(archive.offset)
            _take_member(archive, member, intake)


def _opened(file: BinaryIO) -> Any:
    head = file.read(6)
    file.seek(0)
    return next((opener(file) for magic, opener in _COMPRESSED if head.startswith(magic)), file)


class _Counted:
    """A stream that ends with a refusal: even its headers may be a bomb."""

    def __init__(self, file: BinaryIO, intake: Intake) -> None:
        self._file = file
        self._left = intake.most_bytes + BETWEEN_FILES
        self._too_much = intake.too_much
        self._at, self._end_of_headers = 0, HEADERS

    def goes_on_at(self, offset: int) -> None:
        """There the next headers begin."""
        self._end_of_headers = offset + HEADERS

    def read(self, size: int) -> bytes:
        data = self._file.read(size)
        self._left -= len(data)
        self._at += len(data)
        if self._left < 0:
            raise refusal("its headers", self._too_much)
        if self._at > self._end_of_headers:
            raise refusal("its headers", f"they are longer than {HEADERS} bytes")
        return data


def _take_member(archive: tarfile.TarFile, member: tarfile.TarInfo, intake: Intake) -> None:
    if member.issym() or member.islnk():
        raise refusal(member.name, "it is a link; put the file itself there")
    if not (member.isfile() or member.isdir()):
        raise refusal(member.name, "it is no plain file (a device, a pipe or the like)")
    # Python's own filter would refuse less than the intake does, and the 3.11 of Debian has none.
    if member.isdir():
        intake.take_folder(member.name)
        return
    _check_mode(member.name, member.mode)
    content = archive.extractfile(member)
    assert content is not None
    intake.take_file(member.name, cast(BinaryIO, content), bool(member.mode & 0o111))


def _check_mode(name: str, mode: int) -> None:
    if mode & 0o7000:
        raise refusal(name, "its mode carries a set-uid, set-gid or sticky bit")


def _unpack_zip(path: Path, intake: Intake) -> None:
    _check_directory(path, intake)
    with zipfile.ZipFile(path) as archive:
        _check_apart(archive)
        for entry in archive.infolist():
            _take_entry(archive, entry, intake)


def _check_directory(path: Path, intake: Intake) -> None:
    """Before anything is read into memory: the list of entries may itself be the bomb."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 0x10000 - _END_BYTES))
        tail = file.read()
    # As zipfile finds it; elsewhere in this record the same words may stand.
    at_the_end = tail[-_END_BYTES:].startswith(b"PK\x05\x06") and tail.endswith(b"\0\0")
    end = len(tail) - _END_BYTES if at_the_end else tail.rfind(b"PK\x05\x06")
    if tail[max(0, end - 20) : end].startswith(b"PK\x06\x07"):
        raise BotError(f"{path.name} is a zip64 archive; a bot needs none of that size. Nothing was kept")
    if int.from_bytes(tail[end + 12 : end + 16], "little") > _ENTRY_BYTES * 8 * intake.most_entries:
        raise BotError(
            f"{path.name} lists far more than {intake.most_entries:,} files and folders. Nothing was kept"
        )


def _check_apart(archive: zipfile.ZipFile) -> None:
    """Entries that share bytes make a small archive large."""
    end = 0
    for entry in sorted(archive.infolist(), key=lambda entry: entry.header_offset):
        if entry.header_offset < end:
            raise refusal(entry.filename, "it overlaps another entry")
        end = entry.header_offset + 30 + len(entry.orig_filename) + entry.compress_size


def _take_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, intake: Intake) -> None:
    mode = entry.external_attr >> 16 if entry.create_system == _UNIX else 0o644
    kind = mode & 0o170000
    if kind == 0o120000:
        raise refusal(entry.filename, "it is a link; put the file itself there")
    if kind not in (0, 0o100000, 0o040000):
        raise refusal(entry.filename, "it is no plain file (a device, a pipe or the like)")
    if entry.orig_filename != entry.filename:
        raise refusal(entry.orig_filename, "its name holds a NUL")
    if entry.is_dir():
        intake.take_folder(entry.filename)
        return
    _check_mode(entry.filename, mode)
    if entry.flag_bits & _ENCRYPTED:
        raise refusal(entry.filename, "it is encrypted")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise refusal(entry.filename, "it is neither stored nor deflated")
    with archive.open(entry) as content:
        intake.take_file(entry.filename, cast(BinaryIO, content), bool(mode & 0o111))
