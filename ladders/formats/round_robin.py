"""Everybody against everybody."""

from __future__ import annotations

from typing import ClassVar

from ladders.formats.planned import Planned, PlannedOptions


class RoundRobin(Planned[PlannedOptions]):
    """Every combination of bots `deals` times, in an order drawn by lot.

    Where there are more than a thousand combinations, a design in which every pair meets about `deals` times.
    """

    name: ClassVar[str] = "round_robin"
    options_type = PlannedOptions

    def _sides(self, field: list[str]) -> tuple[list[str], list[str]]:
        return field, field
