"""The command line: parses, joins, prints.  Each command imports what it needs when it runs, so help is quick."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command that was typed; whatever goes wrong for a reason ends in a sentence."""
    try:
        sys.exit(_run())
    except KeyboardInterrupt:  # before anything was begun
        sys.exit(130)


def _run() -> int:
    import protocol

    beside = __file__.rsplit("/arena/", 1)[0]
    if not str(protocol.__file__).startswith(beside):
        sys.exit(
            f"error: another package called protocol hides ours ({protocol.__file__}); "
            "install flock-arena in an environment of its own"
        )
    from arena.cli.app import app
    from arena.cli.ending import ending_of
    from arena.cli.plain import speak_plainly
    from arena.privacy import keep_private

    keep_private()
    speak_plainly()
    if "_ARENA_COMPLETE" in os.environ:
        from arena.cli.completing import be_ready

        be_ready()
    return ending_of(app)
