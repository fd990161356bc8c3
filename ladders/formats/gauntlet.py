"""A few named bots against all the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ladders.formats.format import Entry, FormatError
from ladders.formats.planned import Planned, PlannedOptions
from ladders.labels import goes_by


@dataclass(frozen=True)
class GauntletOptions(PlannedOptions):
    """Who is put to the test."""

    challengers: tuple[str, ...] = ()
    """One of them sits at every table, and never two; `name` stands for all its versions."""


class Gauntlet(Planned[GauntletOptions]):
    """Every challenger with every combination of the others `deals` times.

    Where that makes more than a thousand tables, every challenger meets each of the others about `deals` times.
    """

    name: ClassVar[str] = "gauntlet"
    options_type = GauntletOptions

    def __init__(self, entries: Sequence[Entry], seats: int, options: GauntletOptions, seed: bytes) -> None:
        entered = [entry.bot for entry in entries]
        missing = [name for name in options.challengers if not any(goes_by(bot, name) for bot in entered)]
        if missing or not options.challengers:
            whom = f"{missing[0]} is not among the bots" if missing else "nobody is named"
            raise FormatError(f"a gauntlet needs its challengers, and {whom}: name some of {', '.join(entered)}")
        super().__init__(entries, seats, options, seed)
        if not self._design.remaining:
            raise FormatError(
                f"no challenger finds {seats - 1} opponent{'s' * (seats > 2)} of other owners: enter more bots, "
                "name fewer challengers, or set same_owner = true"
            )

    def _sides(self, field: list[str]) -> tuple[list[str], list[str]]:
        challengers = [bot for bot in field if self._challenges(bot)]
        return challengers, [bot for bot in field if not self._challenges(bot)]

    def _challenges(self, bot: str) -> bool:
        return any(goes_by(bot, name) for name in self.options.challengers)
