# expect: OK
# Asks the kernel for everything a player has no use for.
import ctypes
import os
import platform

from sandbox.tries import attempt, got, libc, tell
from wire import enter, play_on

NAMESPACES = {
    "time": 0x80,
    "mount": 0x20000,
    "cgroup": 0x2000000,
    "names": 0x4000000,
    "ipc": 0x8000000,
    "user": 0x10000000,
    "pid": 0x20000000,
    "net": 0x40000000,
}
BUFFER = ctypes.create_string_buffer(4096)


def clone(flags):
    pid = libc.syscall(56 if platform.machine() == "x86_64" else 220, ctypes.c_long(flags | 17), 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    if pid > 0:
        os.waitpid(pid, 0)
    return pid > 0


def clone3(flags):
    request = ctypes.create_string_buffer(
        flags.to_bytes(8, "little") + bytes(24) + (17).to_bytes(8, "little") + bytes(48)
    )
    pid = libc.syscall(435, request, 88)
    if pid == 0:
        os._exit(0)
    if pid > 0:
        os.waitpid(pid, 0)
    return pid > 0


CALLS_X86 = {
    "ptrace": 101, "syslog": 103, "pivot_root": 155, "chroot": 161, "acct": 163, "mount": 165, "umount": 166,
    "swapon": 167, "reboot": 169, "iopl": 172, "init_module": 175, "quotactl": 179, "kexec": 246, "add_key": 248,
    "keyctl": 250, "unshare": 272, "perf": 298, "fanotify": 300, "name_to_handle": 303, "open_by_handle": 304,
    "setns": 308, "kcmp": 312, "bpf": 321, "modify_ldt": 154, "personality": 135, "inotify": 294, "flock": 73,
    "x32 read": 0x40000000, "x32 socket": 0x40000029,
}  # fmt: skip
CALLS = {
    "io_uring": 425, "open_tree": 428, "fsopen": 430, "pidfd_open": 434, "clone3": 435, "pidfd_getfd": 438,
    "mount_setattr": 442, "memfd_secret": 447, "newer than the filter": 451,
}  # fmt: skip

enter()
for name, flag in NAMESPACES.items():
    attempt(f"unshare {name}", lambda flag: libc.unshare(flag) == 0, flag)
    if flag != 0x80:
        attempt(f"clone {name}", clone, flag)
    attempt(f"clone3 {name}", clone3, flag)
attempt("clone nothing new", clone, 0)
refusals = {}
for name, number in {**CALLS, **(CALLS_X86 if platform.machine() == "x86_64" else {})}.items():
    if libc.syscall(ctypes.c_long(number), 0, 0, 0, 0, 0, 0) >= 0:
        got.append(name)
    refusals[name] = ctypes.get_errno()
tell(refusals=refusals)
play_on()
