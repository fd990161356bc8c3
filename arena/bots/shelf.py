"""The shelf: read-only copies of programs, each in a folder named by its content.

Whoever plays from here plays exactly what was looked at, whatever becomes of the original.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from arena.bots.archives import looks_packed, unpack
from arena.bots.intake import Bounds, Intake, copy_folder, copy_program, refusal, remove_tree
from arena.bots.manifest import Bot, BotError, content_of, read_bot

UNFINISHED: Final = ".new-"
STALE_S: Final = 24 * 3600


class Shelf:
    """Programs below one folder, by content hash."""

    def __init__(self, folder: Path, bounds: Bounds | None = None) -> None:
        self.folder = folder
        self.bounds = bounds or Bounds()

    @contextmanager
    def receive(self, source: Path) -> Iterator[Path]:
        """A folder with a copy of what was handed in: a folder, a program, a tar or a zip.  It goes afterwards."""
        with self.workplace() as above:
            tree = above / "received"
            tree.mkdir()
            tree.chmod(0o755)
            if source.is_symlink():
                raise refusal(source.name, "it is a link; name the bot itself")
            if source.is_dir():
                copy_folder(source, Intake(tree, self.bounds))
            elif not source.is_file():
                raise BotError(f"{source} is neither a folder, a program nor an archive")
            elif looks_packed(source):
                unpack(source, Intake(tree, self.bounds, source.stat().st_size))
                tree = _without_wrapping(tree)
            else:
                copy_program(source, Intake(tree, self.bounds))
            yield tree

    @contextmanager
    def workplace(self) -> Iterator[Path]:
        """A folder on the same disk that goes when it is left, whatever happened."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o755)
        for left in self.folder.glob(f"{UNFINISHED}*"):
            if time.time() - left.stat().st_mtime > STALE_S:  # of an arena that was killed
                remove_tree(left)
        above = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=self.folder))
        above.chmod(0o755)  # bots that root starts run as nobody
        try:
            yield above
        finally:
            remove_tree(above)

    def put(self, tree: Path) -> Bot:
        """Move a tree to its place; the bot as it is from now on."""
        seal(tree)
        content = content_of(tree)
        place = self.folder / content
        if not place.exists():
            tree.chmod(0o755)  # to move a folder, one must be able to write to it
            tree.rename(place)
            place.chmod(0o555)
        return self.find(content)

    def find(self, content: str) -> Bot:
        """A program by its content; looked at again, for even a read-only disk can lie."""
        if not (self.folder / content).is_dir():
            raise BotError(f"the program {content[:12]} is not kept in {self.folder}; submit it here again")
        bot = replace(read_bot(self.folder / content), build=())
        if bot.content != content:
            raise BotError(f"{bot.folder} is damaged: its files are not what was submitted; submit the bot again")
        return bot

    def keep(self, bot: Bot) -> Bot:
        """The same bot, run from a copy on the shelf; but for those that come with the arena, or from outside."""
        if bot.sample or bot.remote or bot.folder.parent == self.folder.resolve():
            return bot
        if bot.bare:
            with self.receive(bot.folder / bot.run[0]) as tree:
                write_manifest(tree, bot.name, "", bot.games)
                return self.put(tree)
        if (self.folder / bot.content).is_dir():
            return self.find(bot.content)
        with self.receive(bot.folder) as tree:
            return self.put(tree)


def write_manifest(tree: Path, name: str, version: str, games: tuple[str, ...]) -> None:
    """For a program that came alone."""
    (program,) = tree.iterdir()
    said = {"name": name, "version": version, "games": games, "run": [f"./{program.name}"]}
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in said.items()]
    (tree / "bot.toml").write_text("".join(lines), "utf-8")


def seal(tree: Path) -> None:
    """Readable by all, written by nobody."""
    for place, _, files in os.walk(tree, topdown=False):
        for name in files:
            path = os.path.join(place, name)
            os.chmod(path, 0o555 if os.stat(path).st_mode & 0o111 else 0o444)
        os.chmod(place, 0o555)


def _without_wrapping(tree: Path) -> Path:
    """Most archives hold one folder that holds everything."""
    inside = list(tree.iterdir())
    return inside[0] if len(inside) == 1 and inside[0].is_dir() else tree
