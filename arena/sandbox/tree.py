"""The part of the disk that a bot may see: the system's programs, its own folder, and what it was promised."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from glob import glob
from typing import Final

from arena.transports import StartError

PROGRAMS: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")

# What loaders and runtimes read; never accounts, hosts, keys or anybody's settings.
_SETTINGS = (
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld-musl-*.path",
    "/etc/alternatives",
    "/etc/localtime",
    "/etc/java-*",
    "/etc/ssl/openssl.cnf",
)

NEVER: Final = ("/", "/proc", "/sys", "/dev", "/etc", "/home", "/root", "/tmp", "/var", "/run", "/boot")
"""Too much to promise to anybody."""


@dataclass(frozen=True, slots=True)
class Tree:
    """What one bot sees; all of it is read-only."""

    folder: str
    needs: tuple[str, ...]

    @classmethod
    def of(cls, folder: str, needs: Iterable[str]) -> Tree:
        """Refuses with a sentence what cannot be shown."""
        wanted = tuple(dict.fromkeys(os.path.abspath(need) for need in needs))
        for need in wanted:
            if need in NEVER:
                raise StartError(f"it needs {need}, which is shown to no bot; name what is needed inside it")
            if not os.path.exists(need):
                raise StartError(f"it needs {need}, which does not exist here", errno.ENOENT)
        covered = [need for need in wanted if not any(_is_inside(need, program) for program in PROGRAMS)]
        return cls(os.path.realpath(folder), tuple(covered))

    def shows(self, path: str) -> bool:
        """Whether this place can be seen."""
        return any(_is_inside(path, place) for place in (*PROGRAMS, self.folder, *self.needs))

    def command(self, argv: Sequence[str], *, folder_inside: str) -> tuple[str, ...]:
        """The same command, as it is called where the bot's folder lies at `folder_inside`."""
        program = argv[0]
        if not os.path.isabs(program):
            return tuple(argv)
        if _is_inside(program, self.folder):
            program = os.path.normpath(os.path.join(folder_inside, os.path.relpath(program, self.folder)))
        elif not self.shows(program):
            raise StartError(
                f"{program} lies outside the bot's folder and the system's programs, so it cannot be seen "
                "from inside the sandbox; put it into the folder",
                errno.ENOENT,
            )
        return (program, *argv[1:])

    def environment(self, env: Mapping[str, str], *, scratch: str) -> dict[str, str]:
        """The same environment without folders that are not there, and with the scratch folder for a home."""
        shown = [place for place in os.get_exec_path(env) if os.path.isabs(place) and self.shows(place)]
        return {**env, "PATH": os.pathsep.join(shown), "HOME": scratch, "TMPDIR": scratch}


def settings() -> list[str]:
    """The few files of /etc that exist here and are shown."""
    return [path for pattern in _SETTINGS for path in sorted(glob(pattern))]


def programs() -> list[tuple[str, str | None]]:
    """The system's folders of programs; with its target, where one is only a link to another."""
    return [
        (path, os.readlink(path) if os.path.islink(path) else None) for path in PROGRAMS if os.path.exists(path)
    ]


def _is_inside(path: str, place: str) -> bool:
    return path == place or path.startswith(place + "/")
