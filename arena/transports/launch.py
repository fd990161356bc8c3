"""What is really started when a bot is: the bare command, or a command that puts a sandbox around it.

Values only; how the walls are built is the sandbox's affair, and who talks to the bot is the transport's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from arena.transports.link import Ending
from arena.transports.strays import MARK


def _nothing_left() -> bool:
    return True


def _as_it_was(returncode: int, last_words: bytes) -> Ending:  # noqa: ARG001
    return Ending.of_process(returncode)


@dataclass(frozen=True, slots=True)
class Launch:
    """A command, and what to know about the process it becomes."""

    argv: tuple[str, ...]
    cwd: str
    env: Mapping[str, str]
    descriptors: tuple[int, ...] = ()
    """Inherited by the command under the same numbers, and closed on our side as soon as it runs."""
    depth: int = 0
    """How many generations below the command the bot is; with its first child everything dies, and then it."""
    ending: Callable[[int, bytes], Ending] = _as_it_was
    """Reads the command's exit status and the last of its error output; asked before `clear`."""
    clear: Callable[[], bool] = _nothing_left
    """Takes away what lies outside the process; False while something is left, to be asked again soon."""


class Launcher(Protocol):
    """Puts a command into words the system understands; raises `StartError` if that cannot be done."""

    def __call__(self, argv: Sequence[str], *, cwd: str, env: Mapping[str, str], mark: str) -> Launch:
        """A fresh launch, for one start."""


def bare(argv: Sequence[str], *, cwd: str, env: Mapping[str, str], mark: str) -> Launch:
    """The command itself, with nothing around it."""
    return Launch(tuple(argv), cwd, {**env, MARK: mark})
