"""The full sandbox: bubblewrap gives a bot its own processes, network, files and names; nothing else is there.

Started by root it makes no user namespace (the bot would still be root to the kernel) and ends as a user that
belongs to nobody.  Options and filter travel by descriptor, so no command line tells how the host is laid out.
"""

from __future__ import annotations

import fcntl
import os
import re
import resource
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache, partial
from pathlib import PurePosixPath
from typing import Final

from arena.sandbox import cgroup, seccomp, tree
from arena.sandbox.death import ending_of_shell
from arena.sandbox.limits import MIB, Limits
from arena.sandbox.uids import unused_uid
from arena.transports import Launch, StartError
from arena.transports.strays import MARK

FOLDER: Final = "/bot"
SCRATCH: Final = "/tmp"
OLDEST: Final = (0, 8)
DEPTH: Final = 2  # bubblewrap waits outside, its other half is process 1 inside, and the bot is its child
SAFE_DESCRIPTOR: Final = 10  # above those that the shells below move about

# What the kernel tells everybody about everybody, and no runtime asks for.
OF_THE_WHOLE_MACHINE: Final = tuple(
    f"/proc/{name}"
    for name in (
        *("kallsyms", "kcore", "keys", "key-users", "locks", "modules", "timer_list", "sched_debug", "cmdline"),
        *("sysrq-trigger", "diskstats", "partitions", "interrupts", "softirqs", "schedstat", "loadavg"),
    )
)

# Joins the groups named before "--" and takes the bot's pipes out of bubblewrap's hands: it would keep
# them open for as long as it lives, and a bot that closes its own end would not be noticed.
ENTER: Final = (
    'while [ "$1" != -- ]; do echo 0 >"$1/cgroup.procs" || exit 125; shift; done; shift; '
    'echo 1000 >/proc/self/oom_score_adj; exec "$@" 3<&0 4>&1 </dev/null >/dev/null'
)
TAKE_PIPES: Final = 'exec "$@" <&3 >&4 3<&- 4>&-'

PRLIMIT_NAMES: Final = {
    resource.RLIMIT_DATA: "data",
    resource.RLIMIT_CPU: "cpu",
    resource.RLIMIT_NPROC: "nproc",
    resource.RLIMIT_FSIZE: "fsize",
    resource.RLIMIT_NOFILE: "nofile",
    resource.RLIMIT_CORE: "core",
}

_REASONS = {
    "Creating new namespace failed": "namespaces are refused here",
    "No permissions to creat": "user namespaces are off",
    "setting up uid map": "user namespaces are off",
    "Can't mount proc": "a new /proc is refused here, as in most containers",
    "max_user_namespaces": "user namespaces are off",
}


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """Starts bots in namespaces of their own.  `before` is put in front of the whole command."""

    level: str = "full"
    as_root: bool = os.geteuid() == 0
    before: tuple[str, ...] = ()
    grouped: bool = True

    def missing(self) -> str | None:
        """What has to be installed first."""
        if not seccomp.supported():
            return f"the filter on system calls is not written for {os.uname().machine}"
        version = _version()
        if version is None:
            return "bubblewrap is not installed: apt install bubblewrap"
        if version < OLDEST:
            return f"bubblewrap {'.'.join(map(str, version))} is too old: 0.8 or newer is needed"
        tools = ["prlimit", *(["setpriv"] if self.as_root else [])]
        absent = [tool for tool in tools if not program(tool)]
        return f"{' and '.join(absent)} not found: apt install util-linux" if absent else None

    def reason(self, stderr: str) -> str:
        """Why bubblewrap failed, in words, from what it said."""
        known = next((words for said, words in _REASONS.items() if said in stderr), None)
        return known or (stderr.strip().splitlines() or ["it ended without a word"])[-1]

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
        """The command that starts one bot inside."""
        shown = tree.Tree.of(cwd, needs)
        command = shown.command(argv, folder_inside=FOLDER)
        inner_env = shown.environment(env, scratch=SCRATCH)
        if self.as_root:
            _check_open_to_all(shown.folder)
        with ExitStack() as undo:
            filter_fd = descriptor_of(seccomp.program(among_others=False), undo)
            options = [*self._options(shown, inner_env, limits), "--seccomp", str(filter_fd)]
            options_fd = descriptor_of(b"".join(os.fsencode(option) + b"\0" for option in options), undo)
            group = cgroup.new_group(limits) if self.grouped else None
            undo.pop_all()
        folders = [str(folder) for folder in group.folders] if group else []
        steps = self._last_steps(limits, count_memory=group is None)
        return Launch(
            (
                *("/bin/sh", "-c", ENTER, "sh", *folders, "--"),
                *(*self.before, program("bwrap"), "--args", str(options_fd), "--"),
                *("/bin/sh", "-c", TAKE_PIPES, "sh", *steps, *command),
            ),
            "/",
            {MARK: mark},
            descriptors=(filter_fd, options_fd),
            depth=DEPTH,
            ending=partial(ending_of_shell, limits=limits, group=group),
            clear=group.clear if group else nothing_outside,
        )

    def _options(self, shown: tree.Tree, env: Mapping[str, str], limits: Limits) -> Iterator[str]:
        yield from self._namespaces()
        yield from ("--die-with-parent", "--new-session", "--clearenv", "--hostname", "bot", "--chdir", FOLDER)
        for name, value in env.items():
            yield from ("--setenv", name, value)
        for path, target in tree.programs():
            yield from ("--ro-bind", path, path) if target is None else ("--symlink", target, path)
        yield from ("--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev")
        for path in filter(os.path.exists, OF_THE_WHOLE_MACHINE):
            yield from ("--ro-bind", "/dev/null", path)
        for place in (SCRATCH, "/dev/shm"):
            yield from ("--perms", "1777", "--size", str(limits.scratch_mb * MIB), "--tmpfs", place)
        mounts = {path: path for path in (*tree.settings(), *shown.needs)} | {shown.folder: FOLDER}
        for folder in _above(mounts.values()):
            yield from ("--perms", "0755", "--dir", folder)
        for path, place in mounts.items():
            yield from ("--ro-bind", path, place)
        yield from ("--remount-ro", "/")

    def _namespaces(self) -> Iterator[str]:
        yield from ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
        yield from ("--cap-drop", "ALL")
        if self.as_root:
            for capability in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
                yield from ("--cap-add", capability)
        else:
            yield from ("--unshare-user", "--disable-userns", "--uid", "1000", "--gid", "1000")

    def _last_steps(self, limits: Limits, *, count_memory: bool) -> Iterator[str]:
        if self.as_root:
            uid = unused_uid()
            yield from (program("setpriv"), f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--no-new-privs")
            yield from ("--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all", "--")
        yield program("prlimit")
        for number, value in limits.of_the_process(count_memory=count_memory).items():
            yield f"--{PRLIMIT_NAMES[number]}={value}:{value}"
        yield "--"


def descriptor_of(content: bytes, undo: ExitStack) -> int:
    """An open file that holds this and has no name; closed if what it is for fails."""
    with os.fdopen(os.memfd_create("arena"), "wb") as file:
        file.write(content)
        file.flush()
        file.seek(0)
        descriptor: int = fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, SAFE_DESCRIPTOR)
    undo.callback(os.close, descriptor)
    return descriptor


def nothing_outside() -> bool:
    """All it leaves behind ends with its namespaces."""
    return True


def program(name: str) -> str:
    """Where one of the system's programs is; our own PATH may lead elsewhere than root's."""
    return shutil.which(name) or shutil.which(name, path="/usr/bin:/bin:/usr/sbin:/sbin") or ""


@cache
def _version() -> tuple[int, ...] | None:
    bwrap = program("bwrap")
    if not bwrap:
        return None
    said = subprocess.run([bwrap, "--version"], capture_output=True, text=True, check=False).stdout
    return tuple(int(number) for number in re.findall(r"\d+", said)[:2])


def _above(places: Iterable[str]) -> list[str]:
    """Every folder on the way to these places, from the top; bubblewrap would make some that only root enters."""
    found = {str(parent) for place in places for parent in PurePosixPath(place).parents}
    return sorted(found - {"/", SCRATCH, *tree.PROGRAMS})


def _check_open_to_all(folder: str) -> None:
    if os.stat(folder).st_mode & 0o005 != 0o005:
        raise StartError(
            f"{folder} can only be entered by its owner, and bots started by root run as nobody; "
            f"try: chmod -R a+rX {folder}"
        )
