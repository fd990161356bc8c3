"""How a bot that nobody trusts is started.  A new sandbox is a file with a `launch`, and a line here."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from arena.sandbox.bubblewrap import Bubblewrap
from arena.sandbox.levels import Found, NoSandbox, Sandbox, find, why_not
from arena.sandbox.limits import Limits
from arena.sandbox.reduced import Reduced
from arena.sandbox.trust import Trust
from arena.transports import Launcher

SANDBOXES: Final[dict[str, Sandbox]] = {sandbox.level: sandbox for sandbox in (Bubblewrap(), Reduced(), Trust())}
"""By level, the best first; the last is used on the operator's word alone."""


def best_sandbox(*, trust_bots: bool = False) -> Found:
    """The best level that works here, found by trying; raises `NoSandbox`."""
    *tried, trusted = SANDBOXES.values()
    return find(tried, trusted=trusted, trust_bots=trust_bots)


def launcher_in(sandbox: Sandbox, limits: Limits | None = None, needs: Sequence[str] = ()) -> Launcher:
    """What a transport needs to start one bot inside."""
    return partial(sandbox.launch, limits=limits or Limits(), needs=needs)


__all__ = [
    "SANDBOXES",
    "Found",
    "Limits",
    "NoSandbox",
    "Sandbox",
    "best_sandbox",
    "launcher_in",
    "why_not",
]
