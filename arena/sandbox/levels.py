"""Which sandbox there is: the best level that really works here, and why nothing better does."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from typing import Final, Protocol

from arena.sandbox import cgroup
from arena.sandbox.limits import Limits
from arena.transports import Launch, StartError
from arena.transports.child import spawn

TRIED_FOR_MS: Final = 10_000

# What a process in any sandbox must find when it looks at itself.
LOOK: Final = ("/bin/grep", "-E", "^(Uid|NoNewPrivs|Seccomp):", "/proc/self/status")


class Sandbox(Protocol):
    """One way to start a bot that nobody trusts."""

    @property
    def level(self) -> str:
        """What a record of a match says about it."""

    def __hash__(self) -> int: ...

    def missing(self) -> str | None:
        """What this system lacks for it, and what to do about that."""

    def reason(self, stderr: str) -> str:
        """Why an attempt failed, from what it left in its error output."""

    def launch(
        self,
        argv: Sequence[str],
        *,
        cwd: str,
        env: Mapping[str, str],
        mark: str,
        limits: Limits,
        needs: Sequence[str] = (),
    ) -> Launch:
        """How to start one bot; `needs` are read-only places outside its folder.  Raises `StartError`."""


class NoSandbox(Exception):
    """Nothing here can hold a stranger's bot; the text says why, and what the operator may do."""


@dataclass(frozen=True, slots=True)
class Found:
    """The sandbox to use, and why each better one is not possible, by level."""

    sandbox: Sandbox
    refused: Mapping[str, str]

    @property
    def level(self) -> str:
        """`full`, `reduced` or `none`: stored with each match."""
        return self.sandbox.level

    def lines(self) -> list[str]:
        """What a check of this machine prints about it."""
        lines = [f"sandbox: {self.level}"]
        lines += [f"  not {level}: {reason}" for level, reason in self.refused.items()]
        if self.level != "none":
            counted = "all processes of a bot together" if cgroup.available() else "each process by itself"
            lines.append(f"  memory is limited for {counted}")
        if self.level == "reduced":
            lines.append("  names and dates of files, and the list of processes, are not hidden from bots")
        if os.geteuid() == 0:
            lines.append("  started as root: bots run as users that belong to nobody; an ordinary user is better")
        return lines


def find(sandboxes: Sequence[Sandbox], *, trusted: Sandbox, trust_bots: bool = False) -> Found:
    """The first that works; `trusted` only on the operator's word.  Raises `NoSandbox`."""
    refused: dict[str, str] = {}
    for sandbox in sandboxes:
        why = why_not(sandbox)
        if why is None:
            return Found(sandbox, refused)
        refused[sandbox.level] = why
    if trust_bots:
        return Found(trusted, refused)
    reasons = "; ".join(dict.fromkeys(refused.values()))
    raise NoSandbox(
        f"no sandbox here ({reasons}): refusing to run other people's bots; --trust-bots to run your own"
    )


@cache
def why_not(sandbox: Sandbox) -> str | None:
    """Try it: None if a process inside finds itself walled in, else the reason in words."""
    missing = sandbox.missing()
    if missing is not None:
        return missing
    try:
        stdout, stderr = _try(sandbox)
    except (OSError, StartError) as error:
        return str(error)
    seen = dict(line.split(":", 1) for line in stdout.splitlines())
    if not seen:
        return sandbox.reason(stderr)
    if "0" in seen.get("Uid", "0").split():
        return "a process inside is still root"
    if (seen.get("NoNewPrivs", "").strip(), seen.get("Seccomp", "").strip()) != ("1", "2"):
        return "the filter on system calls is not in force"
    return None


def _try(sandbox: Sandbox) -> tuple[str, str]:
    due = time.monotonic() + TRIED_FOR_MS / 1000
    launch = sandbox.launch(LOOK, cwd="/usr", env={"PATH": "/usr/bin:/bin"}, mark="trial", limits=Limits())
    try:
        child = spawn(launch)
    except OSError:
        launch.clear()
        raise
    for descriptor in (child.stdout, child.stderr):
        os.set_blocking(descriptor, True)
    with (
        closing(os.fdopen(child.stdin, "wb")),
        os.fdopen(child.stdout) as stdout,
        os.fdopen(child.stderr) as stderr,
    ):
        poll = select.poll()
        poll.register(child.pidfd)
        if not poll.poll(TRIED_FOR_MS):
            child.kill_group()
        child.process.wait()
        os.close(child.pidfd)
        # The kernel takes a moment to see that a group is empty.
        while not launch.clear() and time.monotonic() < due:
            time.sleep(0.001)
        return stdout.read(), stderr.read()
