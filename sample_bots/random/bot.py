"""Chooses any option with equal chance; plays every game."""

from __future__ import annotations

import os
import random
import sys


def choose(view: object, options: list[list[object]]) -> int:  # noqa: ARG001  it looks at nothing
    """One of the options."""
    return random.randrange(len(options))


if __name__ == "__main__":
    # Appended, not put first: beside the kit lies this very folder, whose name is that of a module.
    sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    from flock_bot import run  # type: ignore[import-not-found]

    run(choose, name="random")
