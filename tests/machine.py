"""Whether this machine can run the tests: a sentence for what it cannot do, before hundreds of tests say so.

python -m tests.machine
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from arena.sandbox import why_not
from tests.sandbox.forms import FORMS

ROOT = Path(__file__).parents[1]


def obstacles(checkout: Path = ROOT) -> Iterator[str]:
    """What stands in the way, each with what to do about it."""
    closed = next((folder for folder in (checkout, *checkout.parents) if not folder.stat().st_mode & 0o001), None)
    if os.geteuid() == 0 and closed is not None:
        yield (
            f"bots started by root run as nobody, and only its owner may enter {closed}: "
            f"move {checkout} elsewhere, such as to /srv, or be an ordinary user"
        )
    for name, sandbox in FORMS.items():
        why = why_not(sandbox)
        if why is not None:
            yield (
                f"the tests try the sandbox ({name}), and it is not to be had here: {why}. A container allows it "
                "with --security-opt seccomp=unconfined; a chroot never does, a root entered by pivot_root does"
            )
            return


def main() -> None:
    """Exit code 1 if anything stands in the way."""
    found = list(obstacles())
    for obstacle in found:
        print(obstacle)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
