"""The two forms of rules and referee.  What is promised is promised of the compiled one, so that is measured.

`--plain` measures plain Python, as it runs from a checkout.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from arena.showing import COMPILED

ROOT = Path(__file__).parents[1]
COPY = ROOT / "build" / "compiled"
FORM = "compiled" if COMPILED else "plain Python"


def offer_both(parser: argparse.ArgumentParser) -> None:
    """Add the option that `in_its_form` looks at."""
    parser.add_argument("--plain", action="store_true", help="measure plain Python, not the compiled form")


def in_its_form(bench: str, plain: bool) -> None:
    """Go on as the same bench in a compiled copy, made now if need be; return where that is not wanted."""
    if plain or COMPILED:
        return
    if subprocess.run([sys.executable, str(ROOT / "hatch_build.py"), str(COPY)], check=False).returncode:
        print("measured in plain Python; the goals are those of the compiled form")
        return
    os.chdir(COPY)
    os.environ["PYTHONPATH"] = str(COPY)
    os.execv(sys.executable, [sys.executable, "-m", f"bench.{bench}", *sys.argv[1:]])
