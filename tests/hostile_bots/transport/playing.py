"""Starting the acts as real processes."""

import sys

from arena.transports import stdio
from tests.hostile_bots.transport import acts


def play(hub, owner, act, *arguments):
    """One act of `acts.py`, by a Python that starts quickly."""
    argv = [sys.executable, "-S", "-E", acts.__file__, act, *arguments]
    return stdio.start(hub, argv, cwd="/", env={}, owner=owner, name=act)


def sh(hub, owner, script):
    """A line of shell."""
    return stdio.start(hub, ["/bin/sh", "-c", script], cwd="/", env={}, owner=owner, name="sh")
