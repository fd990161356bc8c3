"""The filter on system calls that every sandboxed bot runs under, as a program for the kernel.

It refuses what a player has no use for: sockets, tracing, namespaces, mounts, keys, and everything by which
two bots could talk through a file or object that both can see.  Runtimes fall back where a call is newer
than they need (`clone3`, `io_uring`).  Nothing is installed here.
"""

from __future__ import annotations

import errno
import platform
import struct
from collections.abc import Iterable
from typing import Final

from arena.sandbox.syscalls import AARCH64, NEWEST, NUMBERS, X86_64

MACHINES: Final = {"x86_64": X86_64, "aarch64": AARCH64}
AUDIT_ARCH: Final = {X86_64: 0xC000003E, AARCH64: 0xC00000B7}

OWN_PID: Final = 0x0B07B07B
"""Stands in the program for the number of the bot's own process, which is not known when it is written."""

NO_SUCH_CALL = """
    clone3 io_uring_setup io_uring_enter io_uring_register userfaultfd memfd_secret pidfd_open pidfd_getfd
    pidfd_send_signal preadv2 pwritev2 process_madvise process_mrelease
"""

NOT_PERMITTED = """
    ptrace process_vm_readv process_vm_writev kcmp perf_event_open bpf get_robust_list
    keyctl add_key request_key
    unshare setns mount umount2 pivot_root move_mount open_tree fsopen fsconfig fsmount fspick mount_setattr chroot
    acct clock_adjtime adjtimex clock_settime settimeofday sethostname setdomainname quotactl quotactl_fd
    init_module finit_module delete_module kexec_load kexec_file_load reboot swapon swapoff syslog iopl ioperm
    name_to_handle_at open_by_handle_at lookup_dcookie nfsservctl vhangup uselib personality modify_ldt
    move_pages migrate_pages
    inotify_init inotify_init1 inotify_add_watch fanotify_init fanotify_mark
    shmget shmat shmctl semget semop semctl semtimedop msgget msgsnd msgrcv msgctl mq_open mq_unlink
    socket bind connect listen accept accept4
"""

# Without a file system and a process list of its own, a bot could change what it may not even open:
# Landlock looks neither at modes, times and attributes nor at priorities.
NOT_PERMITTED_AMONG_OTHERS = """
    truncate chmod fchmod fchmodat chown fchown lchown fchownat utime utimes futimesat utimensat
    setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr ioprio_set
"""

ONLY_ITSELF = "sched_setattr sched_setparam sched_setscheduler sched_setaffinity"
SIGNALS = "kill tgkill rt_sigqueueinfo rt_tgsigqueueinfo"

NAMESPACES = 0x7E020080  # every CLONE_NEW* flag, time namespaces among them
LOCKS = (5, 6, 7, 36, 37, 38)  # F_GETLK, F_SETLK, F_SETLKW, and the same three for open files
MEDDLING = (8, 10, 15, 1024, 1025, 1026)  # F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_GETLEASE, F_NOTIFY
TERMINAL = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX: typing on somebody else's keyboard

_ALLOW = 0x7FFF0000
_KILL = 0x80000000
_ERRNO = 0x00050000
_LOAD, _EQUAL, _GREATER, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x54, 0x06
_NUMBER, _ARCH, _FIRST_ARGUMENT = 0, 4, 16

Step = tuple[int, int, int, int]
"""Operation, how far to jump if it holds, how far if not, and its operand."""


def supported() -> bool:
    """Whether the numbers of this processor's calls are known."""
    return platform.machine() in MACHINES


def program(
    *, among_others: bool, signals_only_to_itself: bool = False, machine: str = platform.machine()
) -> bytes:
    """The filter for `prctl` or bubblewrap's `--seccomp`.

    `among_others` if the bot shares its view of files and processes with the rest of the system.
    """
    column = MACHINES[machine]
    steps: list[Step] = [
        *_load(_ARCH),
        (_EQUAL, 1, 0, AUDIT_ARCH[column]),
        _answer(_KILL),
        *_load(_NUMBER),
        # Also the numbers of x32, which begin at 2^30.
        (_GREATER, 0, 1, NEWEST),
        _answer(_ERRNO | errno.ENOSYS),
    ]

    def rule(names: str, *body: Step) -> None:
        for name in names.split():
            number = NUMBERS[name][column]
            if number is not None:
                steps.extend([(_EQUAL, 0, len(body), number), *body])

    refuse = _answer(_ERRNO | errno.EPERM)
    allow = _answer(_ALLOW)
    rule(NO_SUCH_CALL, _answer(_ERRNO | errno.ENOSYS))
    rule(NOT_PERMITTED, refuse)
    # An honest "no locks": a lock on a system file is seen by every bot that can open it.
    rule("flock", _answer(_ERRNO | errno.ENOLCK))
    rule(
        "fcntl",
        *_load(_argument(1)),
        *_among(LOCKS, _answer(_ERRNO | errno.ENOLCK)),
        *_among(MEDDLING, refuse),
        allow,
    )
    rule("ioctl", *_load(_argument(1)), *_among(TERMINAL, refuse), allow)
    rule("clone", *_load(_argument(0)), (_ANY_BIT, 0, 1, NAMESPACES), refuse, allow)
    rule("prlimit64", *_load(_argument(0)), (_EQUAL, 1, 0, 0), refuse, allow)
    # A pair of streams is a pipe with two ends (asyncio and Node need it); datagrams can be sent elsewhere.
    rule(
        "socketpair",
        *_load(_argument(0)),
        (_EQUAL, 0, 3, 1),
        *_load(_argument(1)),
        (_AND, 0, 0, 0xF),
        (_EQUAL, 1, 0, 1),
        refuse,
        allow,
    )
    if among_others:
        rule(NOT_PERMITTED_AMONG_OTHERS, refuse)
        rule(ONLY_ITSELF, *_load(_argument(0)), (_EQUAL, 1, 0, 0), refuse, allow)
        itself = (*_load(_argument(0)), (_EQUAL, 0, 2, 0), *_load(_argument(1)), (_EQUAL, 1, 0, 0))
        rule("setpriority", *itself, refuse, allow)
    if signals_only_to_itself:
        rule("tkill", refuse)
        rule(SIGNALS, *_load(_argument(0)), (_EQUAL, 2, 0, OWN_PID), (_EQUAL, 1, 0, 0), refuse, allow)
    return b"".join(struct.pack("=HBBI", *step) for step in [*steps, allow])


def _load(offset: int) -> list[Step]:
    return [(_LOAD, 0, 0, offset)]


def _answer(action: int) -> Step:
    return (_RETURN, 0, 0, action)


def _argument(index: int) -> int:
    """Where the low half of an argument lies; these calls read no more of it."""
    return _FIRST_ARGUMENT + 8 * index


def _among(values: Iterable[int], answer: Step) -> list[Step]:
    return [step for value in values for step in ((_EQUAL, 0, 1, value), answer)]
