"""The reduced sandbox, where namespaces are refused: Landlock, the filter, limits, and a keeper for each bot.

The bot sees the same disk as everybody but can open only its part of it.  Names, sizes and dates of other
files, and the list of processes, are not hidden.
"""

from __future__ import annotations

import marshal
import os
import resource
import secrets
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath
from typing import Final

from arena.sandbox import cgroup, keeper, seccomp, tree
from arena.sandbox.bubblewrap import descriptor_of
from arena.sandbox.death import ending_of
from arena.sandbox.limits import MIB, Limits
from arena.sandbox.uids import unused_uid
from arena.transports import Launch, StartError
from arena.transports.strays import MARK

DEVICES: Final = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
MACHINE: Final = ("/proc/self", "/proc/cpuinfo", "/proc/meminfo")
SIGNALS_SCOPED: Final = 6
"""The first version of Landlock that keeps signals inside; before it the filter has to."""


@dataclass(frozen=True, slots=True)
class Reduced:
    """Starts bots under a keeper.  `before` and `landlock` let an older or humbler system be played."""

    level: str = "reduced"
    as_root: bool = os.geteuid() == 0
    before: tuple[str, ...] = ()
    python: str = sys.executable
    landlock: int = sys.maxsize
    grouped: bool = True

    def missing(self) -> str | None:
        """What this system lacks."""
        if not seccomp.supported():
            return f"the filter on system calls is not written for {os.uname().machine}"
        if keeper.landlock_version() == 0:
            return "Landlock is off in this kernel (Linux 5.13 or newer has it)"
        return None

    def reason(self, stderr: str) -> str:
        """Why the keeper failed: the last it said."""
        return (stderr.strip().splitlines() or ["it ended without a word"])[-1]

    def launch(
        self,
        argv: Sequence[str],
        *,
        cwd: str,
        env: Mapping[str, str],
        mark: str,
        limits: Limits,
        needs: Sequence[str] = (),
    ) -> Launch:
        """The keeper's command, and its orders."""
        shown = tree.Tree.of(cwd, needs)
        command = shown.command(argv, folder_inside=shown.folder)
        if self.as_root:
            for place in (shown.folder, *shown.needs):
                _check_reachable(place)
        scratch = os.path.join(tempfile.gettempdir(), f"arena-{secrets.token_hex(16)}")
        inner_env = shown.environment(env, scratch=scratch)
        group = cgroup.new_group(limits) if self.grouped else None
        signals_kept_in = self.as_root or min(self.landlock, keeper.landlock_version()) >= SIGNALS_SCOPED
        orders = {
            "arena": os.getpid(),
            "argv": command,
            "program": _found(command[0], inner_env["PATH"]),
            "cwd": shown.folder,
            "env": inner_env,
            "uid": unused_uid() if self.as_root else None,
            "groups": [str(folder) for folder in group.folders] if group else [],
            "limits": self._limits(limits, count_memory=group is None),
            "filter": seccomp.program(among_others=True, signals_only_to_itself=not signals_kept_in),
            "own_pid": seccomp.OWN_PID,
            "landlock": self.landlock,
            "readable": _existing((*tree.PROGRAMS, *tree.settings(), *MACHINE, shown.folder, *shown.needs)),
            "devices": _existing(DEVICES),
            "scratch": scratch,
            "scratch_bytes": limits.scratch_mb * MIB,
        }
        with ExitStack() as undo:
            if group:
                undo.callback(group.clear)
            orders_fd = descriptor_of(marshal.dumps(orders), undo)
            undo.pop_all()
        return Launch(
            (*self.before, self.python, "-I", "-S", keeper.__file__, str(orders_fd)),
            "/",
            {MARK: mark},
            descriptors=(orders_fd,),
            depth=1,
            ending=partial(ending_of, limits=limits, group=group),
            clear=partial(_clear, scratch, group),
        )

    def _limits(self, limits: Limits, *, count_memory: bool) -> list[tuple[int, int]]:
        own = limits.of_the_process(count_memory=count_memory)
        if not self.as_root:
            # Here the kernel counts all that the user runs, wherever.
            own[resource.RLIMIT_NPROC] = limits.processes + _tasks_of(os.getuid())
        return list(own.items())


def _clear(scratch: str, group: cgroup.Cgroup | None) -> bool:
    if os.path.lexists(scratch):  # the keeper takes it away, unless it was killed
        keeper.remove(scratch)
    return (group is None or group.clear()) and not os.path.lexists(scratch)


def _found(command: str, path: str) -> str:
    """Where a command is; asked by name, it stays as it is if it is nowhere, and the keeper says so."""
    return command if "/" in command else shutil.which(command, path=path) or command


def _existing(paths: Sequence[str]) -> list[str]:
    return [path for path in paths if os.path.exists(path)]


def _tasks_of(uid: int) -> int:
    """How many processes and threads a user has."""
    count = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            count += len(os.listdir(process / "task")) if process.stat().st_uid == uid else 0
        except OSError:
            continue
    return count


def _check_reachable(place: str) -> None:
    for folder in (PurePath(place), *PurePath(place).parents):
        if not os.stat(folder).st_mode & 0o001:
            raise StartError(
                f"{folder} can only be entered by its owner, and bots started by root run as nobody; "
                f"run the arena as an ordinary user, or move {place} elsewhere"
            )
