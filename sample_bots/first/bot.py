"""Chooses the first option, whatever it is; plays every game, and every match twice the same."""

from __future__ import annotations

import os
import sys


def choose(view: object, options: list[list[object]]) -> int:  # noqa: ARG001  it looks at nothing
    """The first option."""
    return 0


if __name__ == "__main__":
    # Appended, not put first: beside the kit lies a folder `random` that would hide the module.
    sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    from flock_bot import run  # type: ignore[import-not-found]

    run(choose, name="first")
