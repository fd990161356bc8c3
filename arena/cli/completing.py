"""`arena completion`: what a shell needs to complete our commands.  The shell is named, never guessed."""

from __future__ import annotations

from typing import Final

from typer._completion_classes import completion_init
from typer._completion_shared import get_completion_script

from arena.cli.failure import unknown

SHELLS: Final = ("bash", "zsh", "fish")


def print_script(shell: str) -> None:
    """To be read by the shell at its start, as in: eval "$(arena completion bash)"."""
    if shell not in SHELLS:
        raise unknown("shell", shell, SHELLS)
    print(get_completion_script(prog_name="arena", complete_var="_ARENA_COMPLETE", shell=shell))


def be_ready() -> None:
    """A shell asks what could come next; the answer is made by typer."""
    completion_init()
