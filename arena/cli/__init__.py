"""The command line: parses, joins, prints.  Each command imports what it needs when it runs, so help is quick."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command that was typed; whatever goes wrong for a reason ends in a sentence."""
    import protocol

    beside = __file__.rsplit("/arena/", 1)[0]
    if not str(protocol.__file__).startswith(beside):
        sys.exit(
            f"error: another package called protocol hides ours ({protocol.__file__}); "
            "install flock-arena in an environment of its own"
        )
    from arena.cli.app import run_app
    from arena.privacy import keep_private

    keep_private()
    run_app()
