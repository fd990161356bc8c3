"""A private PostgreSQL server on a socket in a folder of its own, for the tests that must know the real one.

A server refuses to run as root, so then it runs as another user.  It ends with the process that started it.
"""

from __future__ import annotations

import glob
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

MISSING = "no PostgreSQL server is installed, and the store is tested on a real one: apt install postgresql"
QUICK = ("fsync=off", "full-page-writes=off", "autovacuum=off", "listen-addresses=", "shared-buffers=16MB")
PATIENCE_S = 30


class Server:
    """`fsync=off` makes tests quick; a process that is killed loses nothing by it."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="arena-pg-"))
        self._made = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._setpriv = ["setpriv"]
        if os.geteuid() == 0:
            user = _another_user()
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self._setpriv += [f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
        made = self._spawn(
            "initdb", "--pgdata=data", "--username=arena", "--auth=trust", "--locale=C.UTF-8", "--no-sync"
        )
        assert made.wait(PATIENCE_S) == 0, self._log()
        self.start()

    def start(self) -> None:
        settings = [f"--{setting}" for setting in QUICK]
        self._process = self._spawn("postgres", "-D", "data", "-k", str(self.folder), *settings)
        deadline = time.monotonic() + PATIENCE_S
        while not self._answers():
            assert time.monotonic() < deadline and self._process.poll() is None, self._log()
            time.sleep(0.02)

    def _spawn(self, program: str, *arguments: str) -> subprocess.Popen[bytes]:
        binary = shutil.which(program) or max(glob.glob(f"/usr/lib/postgresql/*/bin/{program}"), default=None)
        if binary is None:
            pytest.fail(MISSING)
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                [*self._setpriv, "--pdeathsig=SIGQUIT", binary, *arguments],
                cwd=self.folder,
                stdout=log,
                stderr=log,
                env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8"},
            )

    def _log(self) -> str:
        return (self.folder / "log").read_text()

    def _answers(self) -> bool:
        try:
            self.command("SELECT 1")
        except OperationalError:
            return False
        return True

    def stop(self, how: str = "SIGINT") -> None:
        """SIGINT ends all connections; SIGQUIT is a crash."""
        if self._process is not None:
            subprocess.run(["kill", "-s", how, str(self._process.pid)], check=True)
            self._process.wait(PATIENCE_S)
        self._process = None

    def url(self, database: str) -> str:
        return f"postgresql://arena@/{database}?host={quote(str(self.folder))}"

    def command(self, sql: str, database: str = "postgres") -> None:
        engine = create_engine(self.url(database).replace("postgresql:", "postgresql+psycopg:"))
        try:
            with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                connection.execute(text(sql))
        finally:
            engine.dispose()

    def new_database(self) -> str:
        self._made += 1
        self.command(f"CREATE DATABASE arena{self._made}")
        return self.url(f"arena{self._made}")

    def remove(self) -> None:
        self.stop("SIGQUIT")
        shutil.rmtree(self.folder, ignore_errors=True)


def _another_user() -> pwd.struct_passwd:
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return pwd.getpwnam("nobody")


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    server = Server()
    yield server
    server.remove()
