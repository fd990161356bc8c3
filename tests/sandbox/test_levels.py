"""Rows I6 and I7: the best sandbox is found by trying, and its absence is said in a sentence with a remedy."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.sandbox import SANDBOXES, Limits, NoSandbox, best_sandbox, bubblewrap, keeper, levels, why_not
from arena.sandbox.bubblewrap import Bubblewrap
from arena.sandbox.reduced import Reduced
from arena.sandbox.trust import Trust
from arena.transports import Launch
from arena.transports.launch import bare
from tests.sandbox.cells import nothing_left_outside
from tests.sandbox.forms import AS_A_USER, FORMS, PYTHON

# Installs a filter that is given in hex, and becomes the command that follows: a system that refuses namespaces.
REFUSING = """
import ctypes, os, struct, sys
program = bytes.fromhex(sys.argv[1])
steps = ctypes.create_string_buffer(program, len(program))
filter = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(steps)))
libc = ctypes.CDLL(None)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, ctypes.c_ulong(2), ctypes.c_ulong(ctypes.addressof(filter)), 0, 0) == 0
os.execv(sys.argv[2], sys.argv[2:])
"""
NO_CLONE = {"x86_64": (56, 272), "aarch64": (220, 97)}[os.uname().machine]


def no_namespaces() -> str:
    """Every clone with a new namespace, and every unshare, is not permitted."""
    clone, unshare = NO_CLONE
    steps = [
        (0x20, 0, 0, 0),
        (0x15, 3, 0, unshare),
        (0x15, 0, 3, clone),
        (0x20, 0, 0, 16),
        (0x45, 0, 1, 0x7E020000),
        (0x06, 0, 0, 0x00050001),
        (0x06, 0, 0, 0x7FFF0000),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in steps).hex()


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    why_not.cache_clear()
    bubblewrap._version.cache_clear()
    yield
    why_not.cache_clear()
    bubblewrap._version.cache_clear()


@pytest.fixture
def no_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    find = bubblewrap.program
    monkeypatch.setattr(bubblewrap, "program", lambda name: "" if name == "bwrap" else find(name))


@pytest.mark.parametrize("form", FORMS)
def test_every_form_works_on_this_machine_and_a_trial_leaves_nothing(form: str) -> None:
    for _ in range(5):
        with nothing_left_outside():
            assert why_not(FORMS[form]) is None
        why_not.cache_clear()


def test_the_best_is_chosen_and_described() -> None:
    found = best_sandbox()
    assert found.level == "full"
    assert found.refused == {}
    assert found.lines()[0] == "sandbox: full"
    assert any("started as root" in line for line in found.lines()) == (os.geteuid() == 0)


@pytest.mark.usefixtures("no_bubblewrap")
def test_without_bubblewrap_the_next_best_is_chosen_and_the_remedy_said() -> None:
    found = best_sandbox()
    assert found.level == "reduced"
    assert found.refused == {"full": "bubblewrap is not installed: apt install bubblewrap"}
    assert "  not full: bubblewrap is not installed: apt install bubblewrap" in found.lines()


def test_an_old_bubblewrap_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "_version", lambda: (0, 6))
    assert why_not(SANDBOXES["full"]) == "bubblewrap 0.6 is too old: 0.8 or newer is needed"


@pytest.mark.parametrize("before", [(), AS_A_USER] if os.geteuid() == 0 else [()])
def test_i7_namespaces_that_are_refused_are_found_out(before: tuple[str, ...]) -> None:
    refusing = (*before, PYTHON, "-c", REFUSING, no_namespaces())
    full = Bubblewrap(as_root=os.geteuid() == 0 and not before, before=refusing, grouped=False)
    assert why_not(full) in ("namespaces are refused here", "user namespaces are off")
    reduced = Reduced(as_root=os.geteuid() == 0 and not before, before=refusing, python=PYTHON, grouped=False)
    assert why_not(reduced) is None
    assert levels.find([full, reduced], trusted=Trust()).level == "reduced"


@pytest.mark.usefixtures("no_bubblewrap")
def test_i7_no_sandbox_at_all_is_a_sentence_and_trust_must_be_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "landlock_version", lambda: 0)
    with pytest.raises(NoSandbox) as caught:
        best_sandbox()
    assert str(caught.value) == (
        "no sandbox here (bubblewrap is not installed: apt install bubblewrap; "
        "Landlock is off in this kernel (Linux 5.13 or newer has it)): "
        "refusing to run other people's bots; --trust-bots to run your own"
    )
    assert best_sandbox(trust_bots=True).level == "none"


def test_trusting_bots_does_not_make_the_sandbox_worse() -> None:
    assert best_sandbox(trust_bots=True).level == "full"


class Hole(Trust):
    """Says it is a sandbox."""

    def launch(self, argv: Any, *, cwd: Any, env: Any, mark: str, limits: Limits, needs: Any = ()) -> Launch:
        return bare(argv, cwd=cwd, env=env, mark=mark)


def test_i6_a_sandbox_that_holds_nobody_is_not_believed() -> None:
    root = os.geteuid() == 0
    assert why_not(Hole()) == (
        "a process inside is still root" if root else "the filter on system calls is not in force"
    )


def test_a_filter_is_written_for_this_machine_or_nothing_is_promised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "mips")
    assert "the filter on system calls is not written for" in str(SANDBOXES["full"].missing())
    assert "the filter on system calls is not written for" in str(SANDBOXES["reduced"].missing())


def test_levels_are_registered_once_and_best_first() -> None:
    assert list(SANDBOXES) == ["full", "reduced", "none"]
    assert all(sandbox.level == level for level, sandbox in SANDBOXES.items())
    assert Path(keeper.__file__).is_file()
