"""`arena serve` as a real process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.warm import Popen


@contextmanager
def serving(folder: Path) -> Iterator[tuple[str, Popen]]:
    """Its address, and the process."""
    words = [sys.executable, "-m", "arena", "serve", "--port", "0", "--dir", str(folder)]
    process = Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        address = process.stdout.readline().split()[0].rstrip("/")
        yield address, process
    finally:
        process.terminate()
        process.communicate(timeout=20)
