"""F5, F9, F10: every call on the disk is made to fail once; nothing is lost, nothing doubled, all is said."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


@pytest.fixture(scope="session")
def shim(tmp_path_factory) -> Path:
    library = tmp_path_factory.mktemp("shim") / "failing_disk.so"
    source = str(HERE / "failing_disk.c")
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-o", str(library), source, "-ldl"], check=True
    )
    return library


@pytest.fixture
def folder(tmp_path) -> Iterator[str]:
    """In memory where that is to be had: the faults are the shim's, and true syncs would only take time."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else tmp_path) as made:
        yield made


def run_driver(name: str, *arguments: str, shim: Path | None = None, before: tuple[str, ...] = ()) -> dict:
    done = subprocess.run(
        [*before, sys.executable, "-m", f"tests.store.{name}", *arguments],
        cwd=ROOT,
        env={**os.environ, **({"LD_PRELOAD": str(shim)} if shim else {})},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(("error", "step"), [("EIO", "1"), ("ENOSPC", "1"), ("SHORT", "2"), ("EINTR", "3")])
def test_f9_f10_every_call_fails_once_while_a_ladder_runs(error, step, shim, folder):
    told = run_driver("failing_disk_driver", "run", error, "1", step, folder, shim=shim)
    assert told["failed"] > 50
    said = " ".join(told["said"])
    assert {
        "EIO": "2 results wait in memory, retrying every 0 s" in said and "SQLITE_IOERR_FSYNC" in said,
        "ENOSPC": "disk is full: 2 results wait in memory, retrying every 0 s" in said,
        "SHORT": said == "",
        "EINTR": True,  # SQLite tries again by itself, but not for a sync
    }[error]


def test_f5_a_disk_that_stays_full_for_a_while(shim, folder):
    told = run_driver("failing_disk_driver", "run", "ENOSPC", "3", "4", folder, shim=shim)
    assert "results are stored again" in told["said"]


def test_f9_calls_fail_while_a_ladder_is_made(shim, folder):
    told = run_driver("failing_disk_driver", "begin", "EIO", "1", "4", folder, shim=shim)
    assert told["failed"] > 20
    assert any(sentence.startswith("the ladder's secret cannot be kept") for sentence in told["said"])


def test_f5_f6_a_full_and_a_read_only_disk_stop_nothing_for_good(shim, tmp_path):
    """On a small file system of its own where one may be mounted; else the shim plays one."""
    namespace = ("unshare", "--user", "--map-root-user", "--mount")
    mounted = subprocess.run([*namespace, "mount", "-t", "tmpfs", "none", str(tmp_path)], capture_output=True)
    if mounted.returncode == 0:
        told = run_driver("full_disk_driver", "tmpfs", str(tmp_path), before=namespace)
    else:
        told = run_driver("full_disk_driver", "shim", str(tmp_path), shim=shim)
    assert told["said"][0] == "disk is full: 12 results wait in memory, retrying every 0.01 s"
    assert told["said"].count("results are stored again") == 2
    assert told["stored"] == list(range(12))
