"""`arena human` as a real process, and the address it prints."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.warm import Popen


@contextmanager
def sitting(folder: Path, *words: str) -> Iterator[tuple[str, Popen]]:
    """The address of the seat with its token, and the process."""
    command = [sys.executable, "-m", "arena", "human", *words]
    process = Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("Your seat: "), line + (process.stderr.read() if process.stderr else "")
        yield line.split()[2], process
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=120)
