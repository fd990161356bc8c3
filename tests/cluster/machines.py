"""A real Dask cluster on loopback: a scheduler and workers, each a process that can be killed outright."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.cluster.access import Access
from arena.cluster.carrier import Carrier
from tests.docs.pages import DOCS
from tests.runner.test_local_runner import alive, descendants

PATIENCE_S = 60
DASK = ("setpriv", "--pdeathsig=SIGKILL", sys.executable, "-m", "dask")  # it ends with whoever started it
QUIET = {"DASK_LOGGING__DISTRIBUTED": "error"}
LISTENING = "0A"
SETTINGS = re.compile(r"^```yaml\n(distributed:\n.*?)^```$", re.MULTILINE | re.DOTALL)


class Cluster:
    """Processes by name; whatever is still there at the end is killed, with all that it started."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.address = f"tcp://127.0.0.1:{_free_port()}"
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self._family: set[int] = set()
        self._settings = folder / "dask.yaml"
        self._settings.write_text(recommended_settings())

    def start_scheduler(self, *more: str) -> None:
        """It listens when this returns: whoever connects has the patience for an answer, not for a slow start."""
        self._spawn("scheduler", "scheduler", "--host", self.address, "--no-dashboard", *more)
        until = time.monotonic() + PATIENCE_S
        while not _listens(int(self.address.rpartition(":")[2])):
            assert self.processes["scheduler"].poll() is None, self.log("scheduler")
            assert time.monotonic() < until, "the scheduler did not start"
            time.sleep(0.05)

    def start_worker(self, name: str, *more: str, threads: int = 1) -> None:
        """As a machine of its own: with its own folder for bots."""
        own = ["--name", name, "--nworkers", "1", "--nthreads", str(threads), "--no-nanny", "--no-dashboard"]
        scratch = ["--local-directory", str(self.folder / name)]
        self._spawn(name, "worker", self.address, *own, *scratch, *more)

    def wait_for_workers(self, count: int) -> None:
        """They come when they have started, which on a crowded machine is long after the scheduler has."""
        carrier = Carrier(Access(self.address, patience_s=PATIENCE_S))
        try:
            until = time.monotonic() + PATIENCE_S
            while len(there := carrier.machines()) < count:
                assert time.monotonic() < until, f"{len(there)} of {count} workers came"
                time.sleep(0.05)
        finally:
            carrier.close()

    def shelf_of(self, name: str) -> Path:
        return self.folder / name / "dask-scratch-space/arena-bots"

    def _spawn(self, name: str, *words: str) -> None:
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                [*DASK, *words],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env={**os.environ, **QUIET, "DASK_CONFIG": str(self._settings)},
            )

    def kill(self, name: str) -> None:
        """As the power goes: no goodbye."""
        self.remember()
        process = self.processes.pop(name)
        process.kill()
        process.wait()

    def ended(self, name: str) -> None:
        """Wait for one to go by itself."""
        self.processes.pop(name).wait(PATIENCE_S)

    def remember(self) -> None:
        """Note who is there, so that it can be seen later that nobody stayed."""
        for process in self.processes.values():
            self._family.update([process.pid, *descendants(process.pid)])

    def stop(self) -> None:
        """The power goes everywhere at once."""
        self.remember()
        for process in self.processes.values():
            process.kill()
        for process in self.processes.values():
            process.wait()
        self.processes.clear()

    def left_behind(self) -> list[int]:
        """Who is still running of all that were ever seen; it waits a while for them to go."""
        until = time.monotonic() + PATIENCE_S
        while (left := [pid for pid in self._family if alive(pid)]) and time.monotonic() < until:
            time.sleep(0.05)
        return left

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text()


def recommended_settings() -> str:
    """What the page says that a file `dask.yaml` should hold."""
    (found,) = SETTINGS.findall((DOCS / "many-machines.md").read_text("utf-8"))
    return str(found)


def _listens(port: int) -> bool:
    """As the kernel tells it: to knock would be noted in the log that a test reads."""
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return any(row[1].endswith(f":{port:04X}") and row[3] == LISTENING for row in rows)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@contextmanager
def cluster_of(folder: Path, *names: str, preload: Path | None = None) -> Iterator[Cluster]:
    cluster = Cluster(folder)
    try:
        cluster.start_scheduler()
        for name in names:
            cluster.start_worker(name, *(("--preload", str(preload)) if preload else ()))
        yield cluster
    finally:
        cluster.stop()
