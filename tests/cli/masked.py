"""Runs the arena on a machine that lacks something: `python -m tests.cli.masked WHAT WORDS...`."""

from __future__ import annotations

import os
import sys
from unittest import mock

from arena.cli import main
from arena.sandbox import levels

WHY = "user namespaces are off"


def without_sandbox() -> None:
    mock.patch.object(levels, "why_not", return_value=WHY).start()
    mock.patch("arena.sandbox.why_not", return_value=WHY).start()


def as_user() -> None:
    mock.patch.object(os, "geteuid", return_value=1000).start()


def as_root() -> None:
    mock.patch.object(os, "geteuid", return_value=0).start()


if __name__ == "__main__":
    {"without-sandbox": without_sandbox, "as-user": as_user, "as-root": as_root}[sys.argv.pop(1)]()
    main()
