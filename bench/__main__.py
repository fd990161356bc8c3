"""Every bench, one after the other: `python -m bench`.  What they promise is appended to bench/results.md.

The rules and the referee are measured twice, in plain Python and compiled.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from datetime import UTC, datetime

from bench.forms import ROOT

RESULTS = ROOT / "bench" / "results.md"
ALL = (
    "rules",
    "referee",
    "tables",
    "websocket",
    "floods",
    "sandbox",
    "footprint",
    "store",
    "ladder",
    "spectators",
    "cluster",
    "ratings",
    "ranking",
    "scale",
)
TWICE = ("rules", "referee", "tables")


def run(name: str, *words: str) -> list[str]:
    """Print all a bench says; the lines with a figure that has a goal."""
    told = []
    command = [sys.executable, "-m", f"bench.{name}", *words]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as bench:
        assert bench.stdout is not None
        for line in bench.stdout:
            print(line, end="", flush=True)
            if re.match(r"P\d+\w?\s", line):
                told.append(line.rstrip())
    return told if bench.returncode == 0 else [*told, f"{name} ended with exit code {bench.returncode}"]


def commit() -> str:
    """Which version this is, as git names it."""
    named = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return named.stdout.strip() or "no git"


def main() -> None:
    """Plain first, then compiled."""
    told: dict[str, list[str]] = {"plain Python": [], "compiled": []}
    for name in ALL:
        told["plain Python"] += run(name, *["--plain"] * (name in TWICE))
    for name in TWICE:
        told["compiled"] += run(name)
    today = datetime.now(UTC).date().isoformat()
    # Builds of one version differ by a fifth: some distributors train the compiler by a profile, some do not.
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {sys.version}"
    lines = [f"\n## {today}, {commit()}: {machine}\n"]
    for form, figures in told.items():
        lines += [f"{form}:\n", "```", *figures, "```\n"] if figures else []
    with RESULTS.open("a", encoding="utf-8") as file:
        file.write("\n".join(lines))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
