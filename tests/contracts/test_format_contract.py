"""The format contract on every registered format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ladders.formats import FORMATS, Entry, Format, Options
from ladders.formats.open import Open, OpenOptions
from ladders.formats.scoresheet import Scoresheet
from ladders.formats.snapshot import Snapshot
from tests.contracts.format_contract import BOTS, SEED, FormatContract


def rate_by_places(sheet: Scoresheet, blocks: int) -> Snapshot:
    """Strengths for a format that wants some: the mean place in the first match of every block."""
    places: Counter[str] = Counter()
    played: Counter[str] = Counter()
    numbers = iter(sheet.rows[: sheet.end(blocks)])
    for _number, match, _seat, bot, place, _points, _forfeited in zip(*[numbers] * 7, strict=True):
        if match == 0:
            places[sheet.names[bot]] += place
            played[sheet.names[bot]] += 1
    return Snapshot(
        {bot: -places[bot] / played[bot] for bot in sorted(played)},
        lambda one, other: 1 / played[one] + 1 / played[other],
        played,
        frozenset(bot for bot in played if played[bot] < 10),
    )


class TestRoundRobin(FormatContract):
    name = "round_robin"

    def options(self, bots: int, **more: Any) -> Options:
        return super().options(bots, deals=1 if bots > 8 else 2, **more)


class TestGauntlet(FormatContract):
    name = "gauntlet"

    def options(self, bots: int, **more: Any) -> Options:
        return super().options(bots, deals=1 if bots > 8 else 2, challengers=(BOTS[1],), **more)

    def find_opponents(self, field: Sequence[Entry]) -> set[str]:
        challenger = field[1]
        return {entry.bot for entry in field if entry is challenger or entry.owner != challenger.owner}


class TestSwiss(FormatContract):
    name = "swiss"

    def options(self, bots: int, **more: Any) -> Options:
        return super().options(bots, deals=2, rounds=4, **more)


class TestKnockout(FormatContract):
    name = "knockout"
    takes_newcomers = False
    seats_owners_apart = False

    def options(self, bots: int, **more: Any) -> Options:
        return super().options(bots, deals=3, **more)


class TestOpen(FormatContract):
    name = "open"

    def format(self, field: Sequence[Entry], seats: int, seed: bytes = SEED, **more: Any) -> Format[Any]:
        return Open(field, seats, OpenOptions(**more), seed, rate_by_places)


def test_every_format_is_under_contract() -> None:
    tested = {cls.name for cls in FormatContract.__subclasses__()}
    assert tested == set(FORMATS)
