"""The parts of the sandbox that can be looked at without starting anything."""

from __future__ import annotations

import errno
import os
import resource
import struct
from pathlib import Path

import pytest

from arena import verdicts
from arena.sandbox import Limits, cgroup, seccomp, tree, uids
from arena.sandbox.death import ending_of, ending_of_shell
from arena.sandbox.syscalls import NEWEST, NUMBERS
from arena.transports import Ending

ALLOW = 0x7FFF0000
ERRNO = 0x00050000


def judge(program: bytes, machine: str, number: int, *arguments: int) -> int:
    """Run the filter as the kernel would: what it answers to one call."""
    arch = seccomp.AUDIT_ARCH[seccomp.MACHINES[machine]]
    call = struct.pack("=iIQ6Q", number, arch, 0, *arguments, *[0] * (6 - len(arguments)))
    steps = [struct.unpack_from("=HBBI", program, place) for place in range(0, len(program), 8)]
    place = value = 0
    while True:
        code, if_so, if_not, operand = steps[place]
        place += 1
        match code:
            case 0x20:
                (value,) = struct.unpack_from("=I", call, operand)
            case 0x54:
                value &= operand
            case 0x06:
                return int(operand)
            case _:
                holds = {0x15: value == operand, 0x25: value > operand, 0x45: bool(value & operand)}[code]
                place += if_so if holds else if_not


@pytest.mark.parametrize("machine", seccomp.MACHINES)
@pytest.mark.parametrize("among_others", [False, True])
def test_every_call_is_judged_as_it_is_listed(machine: str, among_others: bool) -> None:
    program = seccomp.program(among_others=among_others, signals_only_to_itself=among_others, machine=machine)
    column = seccomp.MACHINES[machine]

    def answer(name: str, *arguments: int) -> int:
        number = NUMBERS[name][column]
        return ALLOW if number is None else judge(program, machine, number, *arguments)

    for name in seccomp.NO_SUCH_CALL.split():
        assert answer(name) == ERRNO | errno.ENOSYS
    for name in seccomp.NOT_PERMITTED.split():
        assert answer(name) in (ERRNO | errno.EPERM, ALLOW if NUMBERS[name][column] is None else 0)
    refused_here = ERRNO | errno.EPERM if among_others else ALLOW
    assert answer("fchmod") == answer("setpriority", 1, 0) == answer("sched_setattr", 99) == refused_here
    assert answer("kill", 99) == answer("tkill", 99) == refused_here
    assert answer("kill", seccomp.OWN_PID) == answer("kill", 0) == answer("setpriority", 0, 0) == ALLOW
    assert answer("clone", 0x10000000 | 17) == ERRNO | errno.EPERM
    assert answer("clone", 0x003D0F00) == ALLOW, "a thread"
    assert answer("socketpair", 1, 0x80001) == ALLOW
    assert answer("socketpair", 1, 2) == answer("socketpair", 2, 1) == ERRNO | errno.EPERM
    assert answer("fcntl", 0, 6) == answer("fcntl", 0, 37) == answer("flock") == ERRNO | errno.ENOLCK
    assert answer("fcntl", 0, 8) == ERRNO | errno.EPERM
    assert answer("fcntl", 0, 1) == ALLOW
    assert answer("prlimit64", 0) == ALLOW
    assert answer("prlimit64", 99) == ERRNO | errno.EPERM
    assert answer("ioctl", 0, 0x5412) == ERRNO | errno.EPERM
    assert answer("ioctl", 0, 0x5401) == ALLOW
    assert judge(program, machine, NEWEST + 1) == judge(program, machine, 1 << 30) == ERRNO | errno.ENOSYS


def test_another_processor_kills() -> None:
    program = seccomp.program(among_others=False, machine="x86_64")
    assert judge(program, "aarch64", 0) == 0x80000000


def test_the_kernel_takes_programs_of_this_length() -> None:
    longest = seccomp.program(among_others=True, signals_only_to_itself=True)
    assert len(longest) // 8 < 4096


def test_no_limit_is_above_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda number: (10, 100))
    assert set(Limits().of_the_process(count_memory=True).values()) == {0, 64, 100}
    assert resource.RLIMIT_DATA not in Limits().of_the_process(count_memory=False)
    assert resource.RLIMIT_AS not in Limits(cpu_s=5).of_the_process(count_memory=True)
    assert Limits(cpu_s=5).of_the_process(count_memory=True)[resource.RLIMIT_CPU] == 5


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("0 0 4294967295\n", uids.BELONGS_TO_NOBODY),
        ("0 100000 65536\n", range(32768, 65536)),
        ("0 1000 1\n1 100000 65536\n", range(32769, 65537)),
    ],
)
def test_i6_a_user_that_belongs_to_nobody_exists_here(tmp_path: Path, table: str, expected: range) -> None:
    path = tmp_path / "uid_map"
    path.write_text(table)
    drawn = {uids.unused_uid(path) for _ in range(50)}
    assert all(uid in expected for uid in drawn)
    assert len(drawn) > 40
    assert 65534 not in drawn


def test_the_path_inside_names_only_what_is_there(tmp_path: Path) -> None:
    shown = tree.Tree.of(str(tmp_path), [])
    env = shown.environment({"PATH": "/secret/bin:/usr/bin:relative:/bin", "A": "1"}, scratch="/tmp")
    assert env == {"PATH": "/usr/bin:/bin", "A": "1", "HOME": "/tmp", "TMPDIR": "/tmp"}


def test_g9_a_command_stays_a_list_of_words(tmp_path: Path) -> None:
    shown = tree.Tree.of(str(tmp_path), [])
    argv = ["./bot; rm -rf .", "$(id)", "`id`", "'\"", "\n"]
    assert list(shown.command(argv, folder_inside="/bot")) == argv
    assert shown.command([f"{tmp_path}/a/bot"], folder_inside="/bot") == ("/bot/a/bot",)


def test_a23_endings_tell_memory_from_other_deaths() -> None:
    limits = Limits(memory_mb=77)
    assert ending_of(1, b"Traceback...\nMemoryError\n", limits=limits, group=None).memory_mb == 77
    assert ending_of(0, b"MemoryError", limits=limits, group=None) == Ending("exit", exit_code=0)
    assert ending_of(-9, b"", limits=limits, group=None) == Ending("signal", signal="SIGKILL")
    assert ending_of_shell(139, b"", limits=limits, group=None) == Ending("signal", signal="SIGSEGV")
    assert ending_of_shell(200, b"", limits=limits, group=None) == Ending("exit", exit_code=200)
    fault = verdicts.out_of_memory("tiger", 17, 77)
    assert (fault.code, fault.text) == ("MEMORY", "tiger exceeded its memory limit (77 MiB) at move 17")
    assert fault.forfeits


@pytest.mark.parametrize(
    ("name", "text", "killed"),
    [
        ("memory.events", "low 0\nhigh 0\nmax 9\noom 1\noom_kill 1\n", True),
        ("memory.events", "low 0\nhigh 0\nmax 9\noom 0\noom_kill 0\n", False),
        ("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n", True),
    ],
)
def test_a23_both_kinds_of_group_tell_that_memory_was_the_cause(
    tmp_path: Path, name: str, text: str, killed: bool
) -> None:
    (tmp_path / name).write_text(text)
    assert cgroup.Cgroup((tmp_path,)).killed_for_memory() == killed


def test_the_newer_kind_of_group_is_one_folder_with_all_limits(tmp_path: Path) -> None:
    cgroup._set_limits((tmp_path,), Limits(memory_mb=1, processes=5))
    assert (tmp_path / "memory.max").read_text() == "1048576"
    assert (tmp_path / "memory.swap.max").read_text() == "0"
    assert (tmp_path / "pids.max").read_text() == "13"


def test_the_newer_kind_hands_down_or_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "cgroup.subtree_control").write_text("")
    (tmp_path / "cgroup.procs").write_text(f"{os.getpid()}\n1\n")
    assert cgroup._hands_down(tmp_path)
    assert (tmp_path / "cgroup.subtree_control").read_text() == "+memory +pids"
    assert not (tmp_path / "arena").exists(), "others live in that group: nobody is moved"
    assert not cgroup._hands_down(tmp_path / "missing")
