"""Making a bot's program by the `build` command of its manifest: inside the walls, from a copy of its folder.

Inside, only a scratch folder can be written: the tree is copied there, built, and comes back as an archive,
which is taken in with the same suspicion as any other.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import IO, Final

import trio

from arena.bots.archives import BROKEN, unpack_tar
from arena.bots.intake import MIB, Bounds, Intake
from arena.bots.manifest import Bot, BotError
from arena.sandbox import SANDBOXES, Limits, launcher_in
from arena.transports import Ending, Hub, Link, StartError, obstacle, stdio
from protocol.errors import quoted

BUILD_S: Final = 60.0
LINES_SHOWN: Final = 8
LIMITS: Final = Limits(memory_mb=1024, processes=128, file_mb=256, scratch_mb=512)

# What the command prints goes to the log; the archive alone goes to standard output.
SCRIPT: Final = (
    'mkdir "$TMPDIR/tree" && cp -R . "$TMPDIR/tree" && cd "$TMPDIR/tree" || exit 125; '
    '"$@" </dev/null >&2 || exit; exec tar -cf - .'
)


async def build_in_place(bot: Bot) -> Bot:
    """Run its build command in its own folder: for a bot that its owner trusts."""
    with tempfile.TemporaryDirectory() as above:
        built = await Workshop("none", Path(above)).build(bot)
        bring_back(built.folder, bot.folder)
    return bot


class Workshop:
    """Builds at one level of sandbox; what was made lies in a new folder below `above`."""

    def __init__(self, level: str, above: Path, bounds: Bounds | None = None, most_s: float = BUILD_S) -> None:
        self._level, self._above, self._most_s = level, above, most_s
        self._bounds = bounds or Bounds()

    async def build(self, bot: Bot) -> Bot:
        """The same bot in the folder with what was made; raises BotError with what the command said."""
        with tempfile.TemporaryFile() as archive, tempfile.TemporaryDirectory() as scratch:
            await self._run(bot, archive, scratch)
            folder = Path(tempfile.mkdtemp(dir=self._above))
            archive.seek(0)
            try:
                unpack_tar(archive, Intake(folder, self._bounds))
            except BROKEN:
                raise BotError(f"{bot.name} was not built: what came out of it is no archive") from None
        # The command may have changed the manifest; what was looked at is what holds.
        if (folder / "bot.toml").is_dir():
            raise BotError(f"{bot.name} was not built: its build made a folder of bot.toml")
        shutil.copyfile(bot.folder / "bot.toml", folder / "bot.toml")
        program = (folder / bot.run[0]).resolve()  # before it is looked at: the way may lead up and out
        if program.is_file() and program.is_relative_to(folder.resolve()):
            program.chmod(0o755)  # the reduced sandbox lets nobody change modes, compilers included
        return replace(bot, folder=folder, build=())

    async def _run(self, bot: Bot, archive: IO[bytes], scratch: str) -> None:
        hub, taker = Hub(), _Taker(archive, self._bounds.size_mb * MIB * 2)
        environment = {**bot.environment(), "HOME": scratch, "TMPDIR": scratch}
        problem = obstacle(bot.build, cwd=str(bot.folder), env=environment)
        if problem is not None:
            raise BotError(f"{bot.name} cannot be built: {problem}")
        command, told = ("/bin/sh", "-c", SCRIPT, "sh", *bot.build), " ".join(bot.build)
        trouble: BotError | None = None
        try:
            async with trio.open_nursery() as nursery:
                await nursery.start(hub.run)
                walls = launcher_in(SANDBOXES[self._level], LIMITS, bot.needs)
                folder = str(bot.folder)
                link = stdio.start(
                    hub, command, cwd=folder, env=environment, owner=taker, name=bot.name, launcher=walls
                )
                link.stop()
                with trio.move_on_after(self._most_s):
                    await link.gone.wait()
                late = not link.gone.is_set()
                link.kill()
                await link.gone.wait()
                nursery.cancel_scope.cancel()
        except* StartError as errors:
            trouble = BotError(f"{bot.name} cannot be built: {errors.exceptions[0]}")
        if trouble is not None:
            raise trouble
        said = _last_lines(link.stderr_tail())
        if taker.too_much:
            raise BotError(f"{bot.name} was not built: it made more than {self._bounds.size_mb} MiB")
        if late:
            raise BotError(f"{bot.name} was not built within {self._most_s:g} s: {quoted(told, '', 160)}{said}")
        if taker.ending is None or taker.ending.exit_code != 0:
            how = "ended" if taker.ending is None else _how(taker.ending)
            raise BotError(f"{bot.name} was not built: {quoted(told, '', 160)} {how}{said}")


class _Taker:
    """Writes what comes into a file, up to a limit."""

    def __init__(self, archive: IO[bytes], most: int) -> None:
        self._archive, self._left = archive, most
        self.too_much = False
        self.ending: Ending | None = None

    def received(self, link: Link, data: bytes, now_ns: int, lag_ns: int) -> None:  # noqa: ARG002
        """A piece of the archive."""
        self._left -= len(data)
        if self._left < 0:
            self.too_much = True
            link.kill()
        else:
            self._archive.write(data)

    def handed_over(self, link: Link, now_ns: int) -> None:
        """Nothing is said to a build."""

    def lost(self, link: Link, ending: Ending) -> None:  # noqa: ARG002
        """It ended."""
        self.ending = ending


def _how(ending: Ending) -> str:
    if ending.memory_mb is not None:
        return f"exceeded its memory limit ({ending.memory_mb} MiB)"
    return f"died of {ending.signal}" if ending.signal else f"ended with {ending.exit_code}"


def _last_lines(said: bytes) -> str:
    lines = said.decode("utf-8", "replace").strip().splitlines()[-LINES_SHOWN:]
    return "".join(f"\n  {quoted(line, mark='', limit=160)}" for line in lines)


def bring_back(built: Path, folder: Path) -> None:
    """Put what a build made, and nothing else, into the folder it was made from."""
    for path in sorted(built.rglob("*")):
        target = folder / path.relative_to(built)
        if target.is_symlink():
            target.unlink()  # whatever it leads to is not the bot's
        if path.is_dir():
            target.mkdir(exist_ok=True)
        elif not target.is_file() or target.read_bytes() != path.read_bytes():
            shutil.copyfile(path, target)
            os.chmod(target, path.stat().st_mode & 0o777)
