"""Keeps one bot where there are no namespaces: `python -I -S keeper.py DESCRIPTOR`, a program of its own.

It forks; one half walls itself in with Landlock, the filter and limits and becomes the bot, the other half
adopts whatever the bot leaves behind, kills it when the bot has ended, and ends as the bot did.
It imports nothing of the arena, and little else: every bot waits for it.
"""

from __future__ import annotations

# `signal` loads `enum`, and `json` loads `re`: together as slow as all the rest.
import _signal as signal  # type: ignore[import-not-found]
import ctypes
import errno
import marshal
import math
import os
import resource
import struct
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    Orders = dict[str, Any]

WATCH_EVERY_S = 0.5
COULD_NOT_START = 127
ENTRY_BYTES = 16 * 1024

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP = 1, 4, 22
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 36, 38
SECCOMP_MODE_FILTER = 2

LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446
LANDLOCK_VERSION = 1
LANDLOCK_PATH_BENEATH = 1
FILES_KNOWN_SINCE = {1: 13, 2: 14, 3: 15, 5: 16}  # how many rights on files each version of Landlock knows
SIZE_SINCE = {1: 8, 4: 16, 6: 24}  # of what it is told: files, then network, then signals and abstract sockets
EXECUTE = 0b1
READ = 0b1101  # execute, read, list
ON_FILES = 0b1100_0000_0000_0111  # what can be said of a file; the rest only of a folder
OF_DEVICES = 0b0100_0000_0000_0110
NETWORK = 0b11
SIGNALS_AND_SOCKETS = 0b11

_libc = ctypes.CDLL(None, use_errno=True)


def landlock_version() -> int:
    """What this kernel can do; 0 if nothing."""
    version: int = _libc.syscall(LANDLOCK_CREATE, None, ctypes.c_size_t(0), LANDLOCK_VERSION)
    return max(0, version)


def prctl(option: int, first: int, second: int = 0) -> None:
    """Change something about this process."""
    if _libc.prctl(option, *map(ctypes.c_ulong, (first, second, 0, 0))):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def wall_in(orders: Orders) -> None:
    """Give up everything but what the orders allow.  There is no way back."""
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")
    for group in orders["groups"]:
        with open(f"{group}/cgroup.procs", "w") as file:
            file.write("0")
    if orders["uid"] is not None:
        os.setgroups([])
        os.setresgid(orders["uid"], orders["uid"], orders["uid"])
        os.setresuid(orders["uid"], orders["uid"], orders["uid"])
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    os.chdir(orders["cwd"])
    for number, value in orders["limits"]:
        resource.setrlimit(number, (value, value))
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    hide_files(orders)
    program = orders["filter"].replace(struct.pack("=I", orders["own_pid"]), struct.pack("=I", os.getpid()))
    steps = ctypes.create_string_buffer(program, len(program))
    filter = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(steps)))
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(filter))


def hide_files(orders: Orders) -> None:
    """Let Landlock show only what is listed, and reach nobody outside."""
    version = min(landlock_version(), orders["landlock"])
    handled = (1 << max(count for since, count in FILES_KNOWN_SINCE.items() if since <= version)) - 1
    size = max(size for since, size in SIZE_SINCE.items() if since <= version)
    ruleset = _system(LANDLOCK_CREATE, struct.pack("QQQ", handled, NETWORK, SIGNALS_AND_SOCKETS)[:size], size, 0)
    for path in orders["readable"]:
        _allow(ruleset, path, handled & READ)
    for path in orders["devices"]:
        _allow(ruleset, path, handled & OF_DEVICES)
    _allow(ruleset, orders["scratch"], handled & ~EXECUTE)
    _system(LANDLOCK_RESTRICT, ruleset, 0)
    os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    if not os.path.isdir(path):
        rights &= ON_FILES
    _system(LANDLOCK_ADD, ruleset, LANDLOCK_PATH_BENEATH, struct.pack("=Qi", rights, place), 0)
    os.close(place)


def _system(*arguments: object) -> int:
    words = (ctypes.c_long(each) if isinstance(each, int) else each for each in arguments)
    result: int = _libc.syscall(*words)
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def become_the_bot(orders: Orders) -> NoReturn:
    """Never returns."""
    os.setsid()
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    doing = "the sandbox cannot be closed"
    try:
        wall_in(orders)
        doing = f"{orders['argv'][0]} cannot be started"
        os.execve(orders["program"], orders["argv"], orders["env"])
    except Exception as error:
        os.write(2, f"{doing}: {error}\n".encode(errors="replace"))
    os._exit(COULD_NOT_START)


def watch(bot: int, orders: Orders) -> int:
    """Wait for the bot to end, or end it when the arena is gone or its scratch folder is full."""
    due = time.monotonic()
    while True:
        told = signal.sigtimedwait({signal.SIGCHLD, signal.SIGTERM}, WATCH_EVERY_S)
        if told is not None and told.si_signo == signal.SIGTERM:
            os.kill(bot, signal.SIGKILL)
        if time.monotonic() > due:
            due = time.monotonic() + WATCH_EVERY_S
            if size_of(orders["scratch"]) > orders["scratch_bytes"]:
                os.kill(bot, signal.SIGKILL)
        ended, status = _reap()
        while ended:
            if ended == bot:
                return status
            ended, status = _reap()


def _reap() -> tuple[int, int]:
    try:
        return os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return 0, 0


def kill_what_is_left() -> None:
    """Children of a child that is killed become ours, until there is none."""
    while left := children():
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        for pid in left:
            os.waitpid(pid, 0)


def children() -> list[int]:
    """All children, those adopted among them."""
    me = os.getpid()
    with open(f"/proc/{me}/task/{me}/children") as file:
        return [int(word) for word in file.read().split()]


def size_of(folder: str) -> float:
    """Bytes on disk below a folder; every entry counts for a few, since taking it away takes time as well."""
    size, folders = 0, [folder]
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    size += max(entry.stat(follow_symlinks=False).st_blocks * 512, ENTRY_BYTES)
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                return math.inf
    return size


def remove(folder: str) -> None:
    """Take it away with all that is in it, however deep; its modes may say no."""
    shell = ["/bin/sh", "-c", 'chmod -R u+rwX -- "$1"; rm -rf -- "$1"', "sh", folder]
    quiet = [(os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)]
    os.waitpid(os.posix_spawn("/bin/sh", shell, {"PATH": "/usr/bin:/bin"}, file_actions=quiet), 0)


def end_like(status: int) -> NoReturn:
    """Die of the same signal, or exit with the same code."""
    if os.WIFSIGNALED(status):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        number = os.WTERMSIG(status)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def main() -> NoReturn:
    """Do as ordered."""
    with open(int(sys.argv[1]), "rb") as file:
        orders: Orders = marshal.load(file)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD, signal.SIGTERM})
    prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != orders["arena"]:
        os._exit(COULD_NOT_START)
    children()  # a kernel that does not keep this list is found out here
    os.mkdir(orders["scratch"], 0o700)
    if orders["uid"] is not None:
        os.chown(orders["scratch"], orders["uid"], orders["uid"])
    bot = os.fork()
    if bot == 0:
        become_the_bot(orders)
    prctl(PR_SET_DUMPABLE, 0)
    # The pipes are the bot's alone: it must be noticed when it closes them.
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    status = watch(bot, orders)
    kill_what_is_left()
    remove(orders["scratch"])
    end_like(status)


if __name__ == "__main__":
    main()
