"""Who may play: what a machine says about itself, and the reason why it is refused.  It asks nobody itself."""

from __future__ import annotations

import os
import platform
import socket
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from arena import __version__
from arena.runner.orders import Terms
from arena.sandbox import SANDBOXES, why_not


@dataclass(frozen=True)
class Machine:
    """One Dask worker, by its own account."""

    arena: str
    python: str
    host: str
    cores: int
    threads: int
    """As many worker processes it keeps."""

    load: float
    sandbox: dict[str, str] = field(default_factory=dict)
    """By level, the best first: why it does not work; empty if it does."""

    seats: int | None = None
    """How many bots it can hold at once, if it says so (Dask's resource `seats`)."""

    def told(self) -> dict[str, Any]:
        """As it travels: other versions know other fields."""
        return asdict(self)

    @classmethod
    def read(cls, told: dict[str, Any]) -> Machine:
        """What another version said, as far as it is understood."""
        blank: dict[str, Any] = {"arena": "", "python": "", "host": "?", "cores": 0, "threads": 1, "load": 0.0}
        known = {each.name for each in fields(cls)}
        return cls(**blank | {key: value for key, value in told.items() if key in known})

    @property
    def level(self) -> str:
        """The best sandbox that works there."""
        return next((level for level, why in self.sandbox.items() if not why), "none")


def this_machine(threads: int, seats: float | None) -> Machine:
    """Looks around; it starts a process in each sandbox."""
    levels = {level: why_not(sandbox) or "" for level, sandbox in list(SANDBOXES.items())[:-1]}
    return Machine(
        __version__,
        platform.python_version(),
        socket.gethostname(),
        len(os.sched_getaffinity(0)),
        threads,
        os.getloadavg()[0],
        levels,
        None if seats is None else int(seats),
    )


def wrong_version(machine: Machine) -> str:
    """Why its arena does not fit ours; empty if it does."""
    if machine.arena == __version__:
        return ""
    what = f"runs arena {machine.arena}" if machine.arena else "has no arena that plays in clusters"
    return f"it {what}, and results of two versions must not mix; install {__version__} there"


def refusal(machine: Machine, terms: Terms, seats: int) -> str:
    """Why it must not play under these terms at tables of so many seats; empty if it may."""
    wrong = wrong_version(machine)
    if wrong:
        return wrong
    why = "" if terms.sandbox == "none" else machine.sandbox.get(terms.sandbox, "it is unknown there")
    if why:
        return f"the sandbox {terms.sandbox}, which this ladder uses, does not work there: {why}"
    if machine.seats is not None and machine.seats < seats:
        return f"it holds {machine.seats} bots, and a table has {seats} seats; raise its resource seats"
    return ""


def share(machine: Machine, terms: Terms, seats: int) -> tuple[int, int]:
    """Worker processes, and tables in each, so that it holds no more bots than it says."""
    if machine.seats is None:
        return machine.threads, terms.tables
    at_once = machine.seats // seats
    jobs = min(machine.threads, at_once)
    return jobs, min(terms.tables, at_once // jobs)
