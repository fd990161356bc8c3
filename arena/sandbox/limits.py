"""How much one bot may use.  Numbers only; each level of sandbox enforces them as well as it can."""

from __future__ import annotations

import resource
from dataclasses import dataclass
from typing import Final

MIB: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """What a bot gets, all its processes together where the system can count that."""

    memory_mb: int = 512
    processes: int = 64
    file_mb: int = 64
    descriptors: int = 256
    scratch_mb: int = 64
    cpu_s: int | None = None

    def of_the_process(self, *, count_memory: bool) -> dict[int, int]:
        """The limits that every process carries itself; none is above what we ourselves may use.

        Memory is counted as data, never as address space: Node, Go and Java reserve gigabytes of that.
        """
        wanted = {
            resource.RLIMIT_NPROC: self.processes,
            resource.RLIMIT_FSIZE: self.file_mb * MIB,
            resource.RLIMIT_NOFILE: self.descriptors,
            resource.RLIMIT_CORE: 0,
        }
        if count_memory:
            wanted[resource.RLIMIT_DATA] = self.memory_mb * MIB
        if self.cpu_s is not None:
            wanted[resource.RLIMIT_CPU] = self.cpu_s
        return {number: _allowed(number, value) for number, value in wanted.items()}


def _allowed(number: int, value: int) -> int:
    hard = resource.getrlimit(number)[1]
    return value if hard == resource.RLIM_INFINITY else min(value, hard)
