"""Row D16 where there is no sandbox: a program of the same user cannot look into the arena."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena import privacy
from tests.sandbox.forms import AS_A_USER, PYTHON

ROOT = Path(__file__).parent.parent.parent
CANARY = "canary-7f3a"
OURS = Path(privacy.__file__).read_text()
AS_USER = AS_A_USER if os.geteuid() == 0 else ()

ARENA = "{ours}\n{call}\nprint('here', flush=True)\ninput()\n"
SNOOP = """
import ctypes, sys
got = []
pid = sys.argv[1]
for name in ("environ", "maps", "mem", "stack", "auxv"):
    try:
        with open(f"/proc/{pid}/{name}", "rb") as file:
            got += [name] if name == "mem" or file.read(64) else []
    except OSError:
        pass
got += ["ptrace"] * (ctypes.CDLL(None).ptrace(0x4206, int(pid), 0, 0) == 0)
print(*got)
"""


def what_is_seen_of(call: str) -> list[str]:
    """By another program of the same user."""
    arena = subprocess.Popen(
        [*AS_USER, PYTHON, "-c", ARENA.format(ours=OURS, call=call)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd="/",
        env={"ARENA_SECRET": CANARY},
    )
    assert arena.stdout is not None
    assert arena.stdout.readline() == "here\n"
    command = [*AS_USER, PYTHON, "-c", SNOOP, str(arena.pid)]
    said = subprocess.run(command, capture_output=True, text=True, check=True, cwd="/").stdout
    arena.communicate("\n")
    return said.split()


def test_d16_without_a_sandbox_the_arena_is_not_to_be_looked_into() -> None:
    assert {"environ", "maps", "mem"} <= set(what_is_seen_of("")), "or this test would prove nothing"
    assert what_is_seen_of("keep_private()") == []


IS_PRIVATE = """
import ctypes, sys
try:
    {main}
finally:
    print("dumpable", ctypes.CDLL(None).prctl(3), file=sys.stderr)
"""
MAINS = {
    "command line": "sys.argv = ['arena', '--version']; from arena.cli import main; main()",
    "worker": "from arena.runner.worker import main; main()",
}


@pytest.mark.parametrize("who", MAINS)
def test_d16_the_arena_and_its_workers_are_private(who: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", IS_PRIVATE.format(main=MAINS[who])],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert ran.stderr.splitlines()[-1] == "dumpable 0"
