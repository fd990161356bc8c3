"""No sandbox at all, for one's own bots: the bare command, with its environment and its limits of the moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.sandbox.limits import Limits
from arena.transports import Launch
from arena.transports.launch import bare


@dataclass(frozen=True, slots=True)
class Trust:
    """Only on the operator's word."""

    level: str = "none"

    def missing(self) -> str | None:
        """Nothing but that word."""
        return None

    def reason(self, stderr: str) -> str:
        """What it said."""
        return stderr

    def launch(
        self,
        argv: Sequence[str],
        *,
        cwd: str,
        env: Mapping[str, str],
        mark: str,
        limits: Limits,  # noqa: ARG002
        needs: Sequence[str] = (),  # noqa: ARG002
    ) -> Launch:
        """The command as it is."""
        return bare(argv, cwd=cwd, env=env, mark=mark)
