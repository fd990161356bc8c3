"""A folder in which pages are tried as a reader would: `arena` on the path, files where the page says."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from sample_bots import __file__ as samples
from tests.docs.pages import Block

KIT = Path(samples).parent


class Shell:
    """Types commands and writes files; whatever fails is shown with all that was printed."""

    def __init__(self, folder: Path, python: str = sys.executable) -> None:
        self.folder = folder
        programs = folder.parent / f"{folder.name}-programs"
        programs.mkdir()
        script = programs / "arena"
        script.write_text(f'#!/bin/sh\nexec {python} -m arena "$@"\n')
        script.chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "NO_COLOR": "1"}

    def type(self, command: str, code: int = 0) -> str:
        """What was printed, on both streams."""
        ran = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=240,
            check=False,
        )
        assert ran.returncode == code, f"$ {command}\n{ran.stdout}"
        assert "Traceback" not in ran.stdout, ran.stdout
        return ran.stdout

    def write(self, block: Block) -> Path:
        """The file a block shows; a bot gets the kit beside it, as `arena new bot` copies it."""
        assert block.file is not None
        path = self.folder / block.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, "utf-8")
        if path.name == "bot.py" and not (path.parent / "flock_bot.py").exists():
            shutil.copy(KIT / "flock_bot.py", path.parent)
        return path

    def install(self, package: Path) -> None:
        """What pip leaves of a package in development: its folder on the path, and its entry points."""
        project = tomllib.loads((package / "pyproject.toml").read_text("utf-8"))["project"]
        told = package / f"{project['name']}-{project['version']}.dist-info"
        told.mkdir()
        (told / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
        points = "".join(
            f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in entries.items())
            for group, entries in project["entry-points"].items()
        )
        (told / "entry_points.txt").write_text(points)
        self.environment["PYTHONPATH"] = str(package)
