"""What keeps the arena's own memory and environment from programs of the same user.  Linux; elsewhere nothing."""

from __future__ import annotations

import ctypes
import sys

PR_SET_DUMPABLE = 4


def keep_private() -> None:
    """No program of the same user may trace this process, read its memory or environment, or get a core of it.

    A bot without a sandbox is such a program.  Children that run another program are not affected.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0)
