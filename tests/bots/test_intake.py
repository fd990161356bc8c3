"""What a stranger hands in: each crafted archive or folder is refused whole and leaves nothing: rows G2 to G6."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import tracemalloc
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.bots.intake import Bounds
from arena.bots.manifest import BotError, content_of
from arena.bots.shelf import Shelf

MANIFEST = b'name = "tiger"\nrun = ["./bot"]\n'
SMALL = Bounds(size_mb=1, files=20, ratio=10, free_bytes=64 * 1024)


def entry(name: str, data: bytes = b"x", **changes: object) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size, info.mode = len(data), 0o644
    for key, value in changes.items():
        setattr(info, key, value)
    return info, data


def tar(path: Path, *entries: tuple[tarfile.TarInfo, bytes], mode: str = "w") -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for info, data in (entry("tiger/bot.toml", MANIFEST), *entries):
            archive.addfile(info, io.BytesIO(data))
    return path


def zipped(path: Path, *entries: tuple[str, bytes, int], compress: int = zipfile.ZIP_STORED) -> Path:
    with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(path, "w", compress) as archive:
        for name, data, mode in (("tiger/bot.toml", MANIFEST, 0o100644), *entries):
            info = zipfile.ZipInfo(name)
            info.external_attr, info.compress_type, info.create_system = mode << 16, compress, 3
            archive.writestr(info, data)
    return path


def refused(tmp_path: Path, source: Path, bounds: Bounds = SMALL) -> str:
    """The sentence; and nothing is left, on the shelf or beside it."""
    before = sorted(path for path in tmp_path.rglob("*") if "shelf" not in path.parts)
    shelf = Shelf(tmp_path / "shelf", bounds)
    with pytest.raises(BotError) as error, shelf.receive(source):
        pass
    assert list(shelf.folder.iterdir()) == []
    assert sorted(path for path in tmp_path.rglob("*") if "shelf" not in path.parts) == before
    (line,) = str(error.value).splitlines()
    assert line.isprintable() and line.endswith("Nothing was kept")
    return line


OUTSIDE = [
    "../x", "a/../../x", "/etc/cron.d/x", "a/../../../../tmp/x", "..", "tiger/../..//x", "\\windows\\x", "c:x",
    "C:/x", "a\\..\\..\\x", "//server/x",
]  # fmt: skip


@pytest.mark.parametrize("name", OUTSIDE)
def test_g2_a_path_that_leads_outside_refuses_the_whole_archive(name: str, tmp_path: Path) -> None:
    for source in (
        tar(tmp_path / "bot.tar", entry("tiger/bot"), entry(name)),
        zipped(tmp_path / "bot.zip", ("tiger/bot", b"x", 0o100755), (name, b"x", 0o100644)),
    ):
        said = refused(tmp_path, source)
        assert said.startswith("refused at '") and "outside the bot's folder" in said


def test_g2_the_first_bad_entry_is_named_harmlessly(tmp_path: Path) -> None:
    said = refused(tmp_path, tar(tmp_path / "bot.tar", entry("../\x1b[2J\u202e"), entry("../second")))
    assert "'../\\x1b[2J\\u202e'" in said


LINKS: dict[str, Callable[[Path], Path]] = {
    "symbolic in tar": lambda folder: tar(
        folder / "b.tar", entry("tiger/x", b"", type=tarfile.SYMTYPE, linkname="/etc/passwd")
    ),
    "symbolic inside": lambda folder: tar(
        folder / "b.tar", entry("tiger/x", b"", type=tarfile.SYMTYPE, linkname="bot.toml")
    ),
    "hard in tar": lambda folder: tar(
        folder / "b.tar", entry("tiger/x", b"", type=tarfile.LNKTYPE, linkname="tiger/bot.toml")
    ),
    "written through": lambda folder: tar(
        folder / "b.tar",
        entry("tiger/out", b"", type=tarfile.SYMTYPE, linkname=str(folder)),
        entry("tiger/out/x"),
    ),
    "symbolic in zip": lambda folder: zipped(folder / "b.zip", ("tiger/x", b"/etc/passwd", 0o120777)),
}


@pytest.mark.parametrize("kind", LINKS)
def test_g3_a_link_in_an_archive_is_refused(kind: str, tmp_path: Path) -> None:
    assert "it is a link" in refused(tmp_path, LINKS[kind](tmp_path))


def folder_bot(tmp_path: Path) -> Path:
    folder = tmp_path / "tiger"
    folder.mkdir()
    (folder / "bot.toml").write_bytes(MANIFEST)
    (folder / "bot").write_text("#!/bin/sh\n")
    (folder / "bot").chmod(0o755)
    return folder


def test_g3_a_link_in_a_folder_is_refused(tmp_path: Path) -> None:
    folder = folder_bot(tmp_path)
    (folder / "x").symlink_to("/etc/passwd")
    assert "'x': it is a link" in refused(tmp_path, folder)
    (folder / "x").unlink()
    (folder / "x").symlink_to("/etc")
    assert "'x': it is a link" in refused(tmp_path, folder)
    (folder / "x").unlink()
    (tmp_path / "elsewhere").write_text("secret")
    os.link(tmp_path / "elsewhere", folder / "x")
    assert "a second name elsewhere" in refused(tmp_path, folder)
    (tmp_path / "link").symlink_to(folder)
    assert "it is a link" in refused(tmp_path, tmp_path / "link")


BLANK = bytes(300 * 1024)
BOMBS: dict[str, Callable[[Path], Path]] = {
    "gzip": lambda folder: tar(folder / "b.tar.gz", entry("tiger/x", BLANK), mode="w:gz"),
    "bzip2": lambda folder: tar(folder / "b.tar.bz2", entry("tiger/x", BLANK), mode="w:bz2"),
    "xz": lambda folder: tar(folder / "b.tar.xz", entry("tiger/x", BLANK), mode="w:xz"),
    "zip": lambda folder: zipped(folder / "b.zip", ("tiger/x", BLANK, 0o100644), compress=zipfile.ZIP_DEFLATED),
    "large": lambda folder: tar(folder / "b.tar", entry("tiger/x", os.urandom(1100 * 1024))),
    "large in parts": lambda folder: tar(
        folder / "b.tar", *(entry(f"tiger/{number}", os.urandom(200 * 1024)) for number in range(6))
    ),
    "many files": lambda folder: tar(folder / "b.tar", *(entry(f"tiger/{number}", b"") for number in range(30))),
    "many folders": lambda folder: tar(folder / "b.tar", entry("/".join(["tiger", *map(str, range(25))]))),
    "many in zip": lambda folder: zipped(
        folder / "b.zip", *((f"tiger/{number}", b"", 0o100644) for number in range(30))
    ),
    "long list in zip": lambda folder: zipped(
        folder / "b.zip", *((f"tiger/{number}" + "x" * 200, b"", 0o100644) for number in range(60))
    ),
    "deep": lambda folder: tar(folder / "b.tar", entry("/".join("abcdefgh" * 5))),
    "long name": lambda folder: tar(folder / "b.tar", entry("tiger/" + "x" * 256)),
}


@pytest.mark.parametrize("kind", BOMBS)
def test_g4_a_bomb_stops_at_the_limit_while_it_is_unpacked(kind: str, tmp_path: Path) -> None:
    said = refused(tmp_path, BOMBS[kind](tmp_path))
    assert "10 times the archive" in said or "1 MiB" in said or "20 files" in said or "at most 32 steps" in said


def test_g4_headers_can_be_the_bomb_too(tmp_path: Path) -> None:
    """A name of many megabytes is read before anything is written."""
    path = tmp_path / "b.tar.xz"
    with tarfile.open(path, "w:xz", format=tarfile.PAX_FORMAT) as archive:
        info, _ = entry("tiger/x", pax_headers={"comment": "x" * (20 << 20)})
        archive.addfile(info, io.BytesIO(b"x"))
    assert "refused at 'its headers': " in refused(tmp_path, path)


def overlapping(path: Path) -> Path:
    """Two entries of the list point at the same bytes."""
    zipped(path, ("tiger/a", b"a" * 500, 0o100644), ("tiger/b", b"b" * 500, 0o100644))
    with zipfile.ZipFile(path, "a") as archive:
        first, second = archive.infolist()[1:]
        second.header_offset = first.header_offset
        archive.comment = b"rewritten"
    return path


def lying(path: Path) -> Path:
    """The list says one byte where there are many."""
    zipped(path, ("tiger/a", bytes(5000), 0o100644), compress=zipfile.ZIP_DEFLATED)
    with zipfile.ZipFile(path, "a") as archive:
        archive.infolist()[1].file_size = 1
        archive.comment = b"rewritten"
    return path


def test_g4_overlapping_entries_and_lying_sizes_are_refused(tmp_path: Path) -> None:
    assert "'tiger/b': it overlaps another entry" in refused(tmp_path, overlapping(tmp_path / "a.zip"))
    assert "is a broken archive" in refused(tmp_path, lying(tmp_path / "b.zip"))


@pytest.mark.parametrize("cut", [600, 1000, 5000])
@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_g4_an_archive_cut_short_is_refused(cut: int, mode: str, tmp_path: Path) -> None:
    path = tar(tmp_path / "b.tar", entry("tiger/x", os.urandom(9000)), mode=mode)
    path.write_bytes(path.read_bytes()[:cut])
    assert "is a broken archive" in refused(tmp_path, path)


@pytest.mark.parametrize("cut", [20, 60, 100])
def test_g4_an_archive_cut_short_before_its_first_entry_is_refused(cut: int, tmp_path: Path) -> None:
    path = tar(tmp_path / "b.tgz", entry("tiger/x", os.urandom(9000)), mode="w:gz")
    path.write_bytes(path.read_bytes()[:cut])
    assert "is a broken archive" in refused(tmp_path, path)


SPECIAL: dict[str, Callable[[Path], Path]] = {
    "character device": lambda folder: tar(folder / "b.tar", entry("tiger/x", b"", type=tarfile.CHRTYPE)),
    "block device": lambda folder: tar(folder / "b.tar", entry("tiger/x", b"", type=tarfile.BLKTYPE)),
    "pipe": lambda folder: tar(folder / "b.tar", entry("tiger/x", b"", type=tarfile.FIFOTYPE)),
    "set-uid": lambda folder: tar(folder / "b.tar", entry("tiger/x", mode=0o4755)),
    "set-gid": lambda folder: tar(folder / "b.tar", entry("tiger/x", mode=0o2755)),
    "device in zip": lambda folder: zipped(folder / "b.zip", ("tiger/x", b"", 0o020644)),
    "set-uid in zip": lambda folder: zipped(folder / "b.zip", ("tiger/x", b"", 0o104755)),
}


@pytest.mark.parametrize("kind", SPECIAL)
def test_g5_devices_pipes_and_borrowed_rights_are_refused(kind: str, tmp_path: Path) -> None:
    said = refused(tmp_path, SPECIAL[kind](tmp_path))
    assert "no plain file" in said or "set-uid" in said


def test_g5_a_pipe_in_a_folder_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    folder = folder_bot(tmp_path)
    os.mkfifo(folder / "x")
    assert "'x': it is no plain file" in refused(tmp_path, folder)


def test_g5_a_set_uid_bit_in_a_folder_is_dropped(tmp_path: Path) -> None:
    folder = folder_bot(tmp_path)
    (folder / "bot").chmod(0o6755)
    shelf = Shelf(tmp_path / "shelf")
    with shelf.receive(folder) as tree:
        kept = shelf.put(tree)
    assert (kept.folder / "bot").stat().st_mode & 0o7777 == 0o555
    assert (kept.folder / "bot.toml").stat().st_mode & 0o7777 == 0o444


TWINS = [("a", "a"), ("a", "A"), ("\u00e9", "e\u0301"), ("ﬁ", "fi"), ("x/a", "X/b"), ("a", "a/b")]


@pytest.mark.parametrize(("one", "other"), TWINS, ids=ascii)
def test_g6_names_that_are_one_on_some_disks_are_refused(one: str, other: str, tmp_path: Path) -> None:
    for source in (
        tar(tmp_path / "b.tar", entry(f"tiger/{one}"), entry(f"tiger/{other}")),
        zipped(tmp_path / "b.zip", (f"tiger/{one}", b"", 0o100644), (f"tiger/{other}", b"", 0o100644)),
    ):
        assert "the same name comes" in refused(tmp_path, source)


@pytest.mark.parametrize("how", ["folder", "tar", "tar.gz", "zip", "flat tar"])
def test_however_it_is_packed_the_same_program_is_kept(how: str, tmp_path: Path) -> None:
    folder = folder_bot(tmp_path)
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("not part of it")
    (folder / "lib").mkdir()
    (folder / "lib" / "part.py").write_text("x = 1\n")
    source = folder
    if how == "zip":
        source = tmp_path / "b.zip"
        with zipfile.ZipFile(source, "w") as archive:
            for name in ("bot.toml", "bot", "lib/part.py"):
                archive.write(folder / name, f"tiger/{name}")
    elif how != "folder":
        source = tmp_path / "b.tar"
        with tarfile.open(source, "w:gz" if how == "tar.gz" else "w") as packed:
            for name in ("bot.toml", "bot", "lib"):
                packed.add(folder / name, name if how == "flat tar" else f"tiger/{name}")
    shelf = Shelf(tmp_path / "shelf")
    with shelf.receive(source) as tree:
        kept = shelf.put(tree)
    assert kept.content == content_of(folder) == kept.folder.name
    assert os.access(kept.folder / "bot", os.X_OK)
    modes = {path.stat().st_mode & 0o777 for path in (kept.folder, *kept.folder.rglob("*"))}
    assert modes == {0o555, 0o444}
    assert [path.name for path in shelf.folder.iterdir()] == [kept.content]


def test_a_tar_is_taken_by_the_python_of_debian_which_has_no_filters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They came with 3.11.4; Debian 12 has 3.11.2."""
    for name in ("data_filter", "FilterError"):
        monkeypatch.delattr(tarfile, name, raising=False)
    packed = tar(tmp_path / "b.tar", entry("tiger/bot"))
    with Shelf(tmp_path / "shelf").receive(packed) as tree:
        assert (tree / "bot.toml").is_file()


def test_g4_the_length_of_the_list_is_read_where_zipfile_reads_it(tmp_path: Path) -> None:
    """The words that begin the end record, written inside of it."""
    source = tmp_path / "tiger.zip"
    with zipfile.ZipFile(source, "w") as archive:
        for number in range(1000):
            archive.writestr(f"tiger/{number}", b"")
    data = bytearray(source.read_bytes())
    assert refused(tmp_path, source).startswith("tiger.zip lists far more than")
    data[-18:-14] = b"PK\x05\x06"  # numbers of disks: nobody reads them
    data[-6:-2] = bytes(4)  # where the list begins: zipfile finds it all the same
    source.write_bytes(data)
    assert refused(tmp_path, source).startswith("tiger.zip lists far more than")


def test_g4_whether_it_is_an_archive_is_not_found_out_by_reading_its_first_header_whole(tmp_path: Path) -> None:
    """A pax header of 64 MiB, of which a stranger sends 64 KiB."""
    source = tmp_path / "tiger.tar.gz"
    size = 64 * 1024 * 1024
    info = tarfile.TarInfo("././@PaxHeader")
    info.type, info.size = tarfile.XHDTYPE, size
    with gzip.open(source, "wb") as file:
        file.write(info.tobuf(tarfile.USTAR_FORMAT) + bytes(size))
    tracemalloc.start()
    refused(tmp_path, source)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 8 * 1024 * 1024
