"""`arena` and its workers, started from a process that has loaded them already.

An interpreter needs half a second to load the arena, and the tests start it many hundred times.  Here a process
waits with everything loaded and is forked.  What comes of it is a process like any other, with its own number,
folder, descriptors, group and signals, and a child of whoever started it.  That the arena also starts from
nothing is tried by the documents, by all tests that give it an environment, and by those of the commands' own.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import io
import json
import os
import pkgutil
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
PROGRAMS = {"arena": "arena.cli", "arena.runner.worker": "arena.runner.worker"}
"""What `python -m` is asked for, and whose `main` that runs."""

NOT_LOADED = ("arena.cluster", "arena.rl", "arena.store.migrations", "arena.bots.starters", "arena.__main__")
LONGEST_ORDER = 200_000
PR_SET_CHILD_SUBREAPER = 36


class Order(NamedTuple):
    """What a waiting process is to become."""

    words: list[str]
    folder: str
    environment: dict[str, str]
    session: bool
    group: int


_Plain = subprocess.Popen


class Popen(_Plain[Any]):
    """As the one of `subprocess`, but `python -m arena` starts warm unless it gets an environment."""

    # There is no public place between the pipes that a Popen makes and the process that gets them.
    def _execute_child(self, args: Any, *others: Any) -> None:
        code = _Plain._execute_child.__code__
        given = dict(zip(code.co_varnames[2 : code.co_argcount], others, strict=True))
        words = [args] if isinstance(args, (str, Path)) else list(args)
        if words[:2] != [sys.executable, "-m"] or words[2] not in PROGRAMS or given["env"] is not None:
            super()._execute_child(args, *others)
            return
        folder, group = given["cwd"] or os.getcwd(), given["process_group"]
        order = Order(words[2:], str(folder), dict(os.environ), given["start_new_session"], group)
        streams = [given["p2cread"], given["c2pwrite"], given["errwrite"]]
        self.pid = _waiting_process().become(order, [own if fd < 0 else fd for own, fd in enumerate(streams)])
        self._child_created = True
        pipes = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
        self._close_pipe_fds(*[given[name] for name in pipes])


class _Waiting:
    """The process that waits, seen from the one that it works for."""

    def __init__(self, line: socket.socket, process: subprocess.Popen[bytes] | None = None) -> None:
        self.line = line
        self.process = process
        self.owner = os.getpid()
        self.busy = threading.Lock()

    def become(self, order: Order, streams: list[int]) -> int:
        """The number of a new process, which is our child."""
        with self.busy:
            # It is born an orphan, and orphans go to the next one above them that takes them in.
            ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
            try:
                socket.send_fds(self.line, [json.dumps(order).encode()], streams)
                return int(self.line.recv(20))
            finally:
                ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 0)


_waiting: _Waiting | None = None


def _waiting_process() -> _Waiting:
    """The one of this process; a fork has none of its own yet, or has one that was made for it."""
    global _waiting
    if _waiting is None or _waiting.owner != os.getpid():
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            words = [sys.executable, "-m", "tests.warm", str(theirs.fileno())]
            process = _Plain(words, cwd=ROOT, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
        _waiting = _Waiting(ours, process)
    return _waiting


# --- In the process that waits ---------------------------------------------------------------------------


def _load() -> None:
    """Everything a command or a worker could need, so that nobody has to load it again."""
    import arena

    for module in pkgutil.walk_packages(arena.__path__, "arena."):
        if not module.name.startswith(NOT_LOADED):
            importlib.import_module(module.name)
    importlib.import_module("sqlalchemy.dialects.sqlite")
    gc.collect()
    gc.freeze()


def _wait(line: socket.socket) -> tuple[Order, list[int]]:
    """Fork for every order that comes; returns in the forked process."""
    while True:
        told, streams, _, _ = socket.recv_fds(line, LONGEST_ORDER, 3)
        if not told:
            os._exit(0)  # whoever we worked for is gone
        reader, writer = os.pipe()
        between = os.fork()
        if between == 0:
            parent = os.getpid()
            number = os.fork()
            if number == 0:
                while os.getppid() == parent:  # a worker ends with its parent, and this is not yet the one
                    time.sleep(0.0005)
                os.close(reader)
                os.close(writer)
                line.close()
                return Order(*json.loads(told)), streams
            os.write(writer, str(number).encode())
            os._exit(0)
        os.waitpid(between, 0)
        line.send(os.read(reader, 20))
        for fd in (reader, writer, *streams):
            os.close(fd)


def _keep_one_waiting() -> None:
    """The arena starts workers: they come from a process as untouched as this one still is."""
    global _waiting
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if os.fork():
        theirs.close()
        _waiting = _Waiting(ours)
        subprocess.Popen = Popen
        return
    ours.close()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(nowhere, standard)
    _turn_into(*_wait(theirs))


def _turn_into(order: Order, streams: list[int]) -> None:
    """All that an interpreter sets up before it runs a program; then the program."""
    if order.session:
        os.setsid()
    if order.group >= 0:
        os.setpgid(0, order.group)
    os.chdir(order.folder)
    os.environ.clear()
    os.environ.update(order.environment)
    for standard, fd in enumerate(streams):
        os.dup2(fd, standard)
        os.close(fd)
    sys.path[0] = order.folder
    program, *words = order.words
    sys.argv = [f"{ROOT}/{program.replace('.', '/')}.py", *words]
    if program == "arena":
        _keep_one_waiting()
    encoding = sys.stdout.encoding
    sys.stdin = open(0, encoding=encoding, closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding=encoding, closefd=False)  # noqa: SIM115
    stderr = io.FileIO(2, "w", closefd=False)
    sys.stderr = io.TextIOWrapper(io.BufferedWriter(stderr), encoding, "backslashreplace", line_buffering=True)
    sys.exit(importlib.import_module(PROGRAMS[program]).main())


if __name__ == "__main__":
    _load()
    _turn_into(*_wait(socket.socket(fileno=int(sys.argv[1]))))
