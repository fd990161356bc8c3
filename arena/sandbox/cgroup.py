"""A group of processes that the kernel counts together: the only limit that holds for all of a bot's children.

Both generations of control groups, where we may write; nobody's own group is changed but by a child of it.
"""

from __future__ import annotations

import os
import secrets
import signal
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from arena.sandbox.limits import MIB, Limits

OUR_OWN_PROCESSES: Final = 8
"""What a sandbox itself starts inside a group, and to spare."""

CONTROLLERS: Final = ("memory", "pids")
NAME: Final = "arena-bot-"


@dataclass(frozen=True, slots=True)
class Cgroup:
    """One bot's group; two folders where each controller has a tree of its own."""

    folders: tuple[Path, ...]

    def killed_for_memory(self) -> bool:
        """Whether the kernel has ended a process because the group was full."""
        for folder in self.folders:
            for name in ("memory.events", "memory.oom_control"):
                with suppress(OSError):
                    fields = dict(line.split() for line in (folder / name).read_text().splitlines())
                    if int(fields.get("oom_kill", 0)):
                        return True
        return False

    def clear(self) -> bool:
        """Kill what is left in it and take it away; False while that is not done."""
        removed = [_removed(folder) for folder in self.folders]
        return all(removed)


def new_group(limits: Limits) -> Cgroup | None:
    """A fresh group with these limits; None where we may make none."""
    homes = _homes()
    if homes is None:
        return None
    name = f"{NAME}{os.getpid()}-{secrets.token_hex(8)}"
    group = Cgroup(tuple(home / name for home in homes))
    try:
        for folder in group.folders:
            folder.mkdir()
        _set_limits(group.folders, limits)
    except OSError:
        group.clear()
        return None
    return group


def available() -> bool:
    """Whether memory and processes of a bot can be counted together here; found by making a group."""
    group = new_group(Limits())
    return group is not None and group.clear()


def _set_limits(folders: tuple[Path, ...], limits: Limits) -> None:
    memory, processes = str(limits.memory_mb * MIB), str(limits.processes + OUR_OWN_PROCESSES)
    (folders[-1] / "pids.max").write_text(processes)
    if len(folders) == 1:
        (folders[0] / "memory.max").write_text(memory)
        with suppress(OSError):  # only where there is swap
            (folders[0] / "memory.swap.max").write_text("0")
    else:
        (folders[0] / "memory.limit_in_bytes").write_text(memory)
        with suppress(OSError):
            (folders[0] / "memory.memsw.limit_in_bytes").write_text(memory)


def _removed(folder: Path) -> bool:
    try:
        for pid in (folder / "cgroup.procs").read_text().split():
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _sweep(home: Path) -> None:
    """Take away the empty groups of arenas that were killed."""
    for folder in home.glob(f"{NAME}*"):
        if not os.path.exists(f"/proc/{folder.name.split('-')[2]}"):
            with suppress(OSError):
                folder.rmdir()


@cache
def _homes() -> tuple[Path, ...] | None:
    """Where our groups may be made: one folder, or one for each controller; swept when first asked."""
    homes = _found_homes()
    for home in homes or ():
        _sweep(home)
    return homes


def _found_homes() -> tuple[Path, ...] | None:
    ours = {
        controllers: path
        for _, controllers, path in (
            line.split(":", 2) for line in Path("/proc/self/cgroup").read_text().splitlines()
        )
    }
    mounts = dict(_mounts())
    try:
        return tuple(_below(mounts[controller], ours[controller]) for controller in CONTROLLERS)
    except KeyError:
        pass
    if "" not in ours or "" not in mounts:
        return None
    home = _below(mounts[""], ours[""])
    return (home,) if _hands_down(home) else None


def _mounts() -> Iterator[tuple[str, tuple[str, str]]]:
    """Each controller ("" for the newer kind) with the root and the place of its mount."""
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        before, _, after = line.partition(" - ")
        kind, _, options = after.split(" ", 2)
        root, place = before.split()[3:5]
        if kind == "cgroup2":
            yield "", (root, place)
        elif kind == "cgroup":
            yield from ((option, (root, place)) for option in options.split(",") if option in CONTROLLERS)


def _below(mount: tuple[str, str], path: str) -> Path:
    root, place = mount
    return Path(place) / os.path.relpath(path, root) if path.startswith(root) else Path(place)


def _hands_down(home: Path) -> bool:
    """Whether groups in this one can be limited; if need be, and if nobody else is in it, we move down a step.

    The newer kind lets a group either hold processes or hand controllers down to its children.
    """
    try:
        control = home / "cgroup.subtree_control"
        if not set(CONTROLLERS) <= set(control.read_text().split()):
            if (home / "cgroup.procs").read_text().split() == [str(os.getpid())]:
                leaf = home / "arena"
                leaf.mkdir(exist_ok=True)
                (leaf / "cgroup.procs").write_text(str(os.getpid()))
            control.write_text(" ".join(f"+{controller}" for controller in CONTROLLERS))
    except OSError:
        return False
    return True
