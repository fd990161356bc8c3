"""The wheel, built here and put into an empty environment as an installer would; no network, no checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.docs.pages import ROOT


def build_wheel(folder: Path) -> Path:
    """What `make wheel` makes."""
    words = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (wheel,) = folder.glob("*.whl")
    return wheel


def environment_with(wheel: Path, folder: Path) -> Path:
    """A new environment that holds the wheel and what it requires, and nothing else; its interpreter."""
    venv.create(folder, symlinks=True)
    (site,) = folder.glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    (metadata,) = site.glob("flock_arena-*.dist-info")
    for needed in _closure(list(Distribution.at(metadata).requires or [])):
        _link(needed, site)
    return folder / "bin" / "python"


def _closure(requirements: list[str]) -> Iterator[Distribution]:
    """All that is required, from the environment that runs the tests."""
    seen: set[str] = set()
    while requirements:
        requirement = Requirement(requirements.pop())
        wanted = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        name = canonicalize_name(requirement.name)
        if not wanted or name in seen:
            continue
        seen.add(name)
        try:
            found = distribution(requirement.name)
        except PackageNotFoundError as error:
            raise AssertionError(f"{requirement} is required and not installed here") from error
        requirements += found.requires or []
        yield found


def _link(package: Distribution, site: Path) -> None:
    for file in package.files or ():
        if ".." in file.parts:
            continue  # programs
        target = site / file
        target.parent.mkdir(parents=True, exist_ok=True)
        source = Path(str(package.locate_file(file)))
        try:
            os.link(source, target)
        except OSError:
            shutil.copy2(source, target)
