"""What a bot died of, when its sandbox stood between it and us: a signal, its own exit, or its memory limit."""

from __future__ import annotations

import signal
from dataclasses import replace
from typing import Final

from arena.sandbox.cgroup import Cgroup
from arena.sandbox.limits import Limits
from arena.transports import Ending

LAST_WORDS_BYTES: Final = 2048

# A limit that each process carries itself only makes its requests fail; what then happens is said in the
# words of its language.  A bot that lies about this gains nothing: it has ended either way.
OUT_OF_MEMORY: Final = (
    b"MemoryError",
    b"std::bad_alloc",
    b"OutOfMemoryError",
    b"heap out of memory",
    b"runtime: out of memory",
    b"memory allocation of",
    b"Cannot allocate memory",
    b"failed to allocate memory",
)


def ending_of(returncode: int, last_words: bytes, *, limits: Limits, group: Cgroup | None) -> Ending:
    """Read an exit status, and find out whether memory was the cause."""
    ending = Ending.of_process(returncode)
    killed = ending.signal == "SIGKILL" and group is not None and group.killed_for_memory()
    refused = ending.exit_code != 0 and any(words in last_words[-LAST_WORDS_BYTES:] for words in OUT_OF_MEMORY)
    return replace(ending, memory_mb=limits.memory_mb) if killed or refused else ending


def ending_of_shell(returncode: int, last_words: bytes, *, limits: Limits, group: Cgroup | None) -> Ending:
    """The same where a program stood between that, like a shell, tells a signal as 128 and its number."""
    if returncode - 128 in set(signal.Signals):
        returncode = 128 - returncode
    return ending_of(returncode, last_words, limits=limits, group=group)
