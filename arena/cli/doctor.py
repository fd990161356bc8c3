"""`arena doctor`: what this machine can do, and what would let it do more."""

from __future__ import annotations

import json
import os
import platform
import resource
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from arena.cli.event import DESCRIPTORS_A_SEAT
from arena.cli.failure import NOT_HERE
from arena.cli.place import Place
from arena.sandbox import SANDBOXES, NoSandbox, best_sandbox, cgroup, keeper, why_not
from arena.showing import COMPILED
from arena.store import StoreError, open_store

if TYPE_CHECKING:
    from arena.cluster.access import Access

LITTLE_DISK: Final = 1 << 30
FEW_DESCRIPTORS: Final = 64 + 8 * 6 * DESCRIPTORS_A_SEAT
"""What eight tables of six seats need."""


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    what: str
    told: str
    state: str = "ok"
    """ok, warning or failed."""

    more: tuple[str, ...] = ()


def examine(place: Place, as_json: bool, cluster: Access | None = None) -> None:
    """Print it; exit code 5 if strangers' bots cannot be run, or store or cluster cannot be reached."""
    findings = list(_findings(place))
    if cluster is not None:
        from arena.cli.cluster_health import cluster_findings  # loads Dask

        findings += cluster_findings(cluster)
    if as_json:
        print(json.dumps({"ok": not _failed(findings), "findings": [asdict(finding) for finding in findings]}))
    else:
        for finding in findings:
            mark = "" if finding.state == "ok" else f"{finding.state}: "
            print(f"{finding.what:<14} {mark}{finding.told}")
            for line in finding.more:
                print(f"{'':<14} {line.strip()}")
    if _failed(findings):
        raise typer.Exit(NOT_HERE)


def _failed(findings: list[Finding]) -> bool:
    return any(finding.state == "failed" for finding in findings)


def _findings(place: Place) -> Iterator[Finding]:
    yield _sandbox()
    for level, sandbox in list(SANDBOXES.items())[:-1]:
        why = why_not(sandbox)
        yield Finding(f"  {level}", "works" if why is None else why, "ok" if why is None else "warning")
    yield Finding(
        "  groups",
        "memory and processes of a bot are counted together"
        if cgroup.available()
        else "no control group can be made here: limits hold for each process by itself",
    )
    landlock = keeper.landlock_version()
    yield Finding("  landlock", f"version {landlock}" if landlock else "not in this kernel")
    if os.geteuid() == 0:
        yield Finding(
            "user",
            "you are root: bots run as users that belong to nobody, or not at all; an ordinary user is better",
            "warning",
        )
    else:
        yield Finding("user", f"number {os.geteuid()}")
    yield Finding("python", f"{platform.python_version()} on {platform.system()} {platform.release()}")
    yield _rules()
    yield _cores()
    yield _descriptors()
    yield _disk(place.folder)
    try:
        begun = place.begun
    except OSError as error:
        yield Finding("store", f"{place.database} is out of reach: {error.strerror}", "failed")
    else:
        if begun:
            yield _store(place)


def _sandbox() -> Finding:
    try:
        first, *more = best_sandbox().lines()
    except NoSandbox as error:
        return Finding("sandbox", str(error), "failed")
    return Finding("sandbox", first.removeprefix("sandbox: "), more=tuple(more))


def _rules() -> Finding:
    if COMPILED:
        return Finding("rules", "compiled")
    return Finding("rules", "in plain Python; to referee 1.6 times as fast: `make wheel-compiled` in a checkout")


def _cores() -> Finding:
    usable, all_of_them = len(os.sched_getaffinity(0)), os.cpu_count() or 1
    load = os.getloadavg()[0]
    told = f"{usable} of {all_of_them}, load {load:.1f}"
    if load > 2 * usable:
        return Finding("cores", f"{told}: other programs are busy here; bots will seem slower", "warning")
    return Finding("cores", told)


def _descriptors() -> Finding:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    told = f"{_number(soft)}, at most {_number(hard)}"
    if hard != resource.RLIM_INFINITY and hard < FEW_DESCRIPTORS:
        return Finding("descriptors", f"{told}; raise it: ulimit -n {FEW_DESCRIPTORS}", "warning")
    return Finding("descriptors", told)


def _number(limit: int) -> str:
    return "no limit" if limit == resource.RLIM_INFINITY else f"{limit:,}"


def _disk(folder: Path) -> Finding:
    try:
        folder = folder.absolute()
    except FileNotFoundError:
        return Finding("disk", "the folder that you are in was deleted; go to another", "failed")
    there = next(place for place in (folder, *folder.parents) if os.path.exists(place))
    free = shutil.disk_usage(there).free
    told = f"{free / (1 << 30):.1f} GiB free in {there}"
    if not os.access(there, os.W_OK):
        return Finding("disk", f"{there} cannot be written", "failed")
    return Finding("disk", told, "warning" if free < LITTLE_DISK else "ok")


def _store(place: Place) -> Finding:
    """Reached or not; that it is empty is no harm."""
    place.refuse_password()
    try:
        open_store(place.database, create=False).close()
    except StoreError as error:
        if not str(error).startswith("there is no arena database"):
            return Finding("store", str(error), "failed")
        return Finding("store", "reached; nothing is stored there yet")
    return Finding("store", "reached")
