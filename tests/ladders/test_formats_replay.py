"""A format that is brought to where it stopped goes on with the tables it would have handed out."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from ladders.formats import FORMATS, Entry, Format, FormatError, Options, Table
from ladders.formats.gauntlet import GauntletOptions
from ladders.formats.knockout import Knockout, KnockoutOptions
from ladders.formats.planned import PlannedOptions
from ladders.formats.replay import Change, replay
from ladders.formats.swiss import SwissOptions
from ladders.results import Block
from tests.contracts.format_contract import BOTS, SEED, entries, finished

OPTIONS: dict[str, Options] = {
    "swiss": SwissOptions(deals=1, rounds=4),
    "knockout": KnockoutOptions(deals=1, advance=1),
    "round_robin": PlannedOptions(deals=2),
    "gauntlet": GauntletOptions(deals=2, challengers=(BOTS[0], BOTS[1])),
}


def begun(name: str) -> Format[Any]:
    return FORMATS[name](entries(8), 2, OPTIONS[name], SEED)


class Player:
    """Hands out blocks by number, three at once; the youngest is finished first."""

    def __init__(self, format_: Format[Any], blocks: list[Block] | None = None) -> None:
        self.format = format_
        self.blocks = list(blocks or ())
        self.times = Counter(block.table for block in self.blocks)
        self.number = len(self.blocks)
        self.under_way: dict[int, Table] = {}

    def hand_out(self) -> bool:
        table = self.format.next_table()
        if table is not None:
            self.under_way[self.number] = table
            self.number += 1
        return table is not None

    def finish(self) -> None:
        number = max(self.under_way)
        table = self.under_way.pop(number)
        self.blocks.append(finished(number, table, self.times[table]))
        self.times[table] += 1
        self.format.played(self.blocks[-1])

    def play(self, upto: int = 10_000) -> list[Block]:
        """Until so many blocks are finished, with others under way; or to the end, with none."""
        while len(self.blocks) < upto:
            while len(self.under_way) < 3 and self.hand_out():
                pass
            if not self.under_way:
                break
            self.finish()
        return sorted(self.blocks, key=lambda block: block.number)

    def change(self, entry: Entry, *, comes: bool) -> Change:
        if comes:
            self.format.enter(entry)
        else:
            self.format.withdraw(entry.bot)
        return Change(self.number, tuple(self.under_way), entry, comes)


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("after", range(8))
def test_whoever_came_and_went_comes_and_goes_again_at_the_same_place(name: str, after: int) -> None:
    live = Player(begun(name))
    live.play(after)
    changes = [live.change(Entry(BOTS[6]), comes=False)]
    live.play(after + 1)
    if name != "knockout":
        changes.append(live.change(Entry(BOTS[9]), comes=True))
    while live.under_way:
        live.finish()
    stored = sorted(live.blocks, key=lambda block: block.number)

    resumed = Player(begun(name), stored)
    assert replay(resumed.format, stored, changes) == len(stored)
    assert resumed.format.planned == live.format.planned
    assert {block.table for block in resumed.play()[after:]} == {block.table for block in live.play()[after:]}
    assert Counter(block.table for block in resumed.blocks) == Counter(block.table for block in live.blocks)
    if isinstance(live.format, Knockout) and isinstance(resumed.format, Knockout):
        assert resumed.format.places == live.format.places


def test_whoever_was_too_late_is_too_late_again() -> None:
    live = Player(begun("knockout"))
    stored = live.play()
    with pytest.raises(FormatError, match="too late"):
        live.change(Entry(BOTS[9]), comes=True)
    resumed = begun("knockout")
    replay(resumed, stored, [Change(2, (), Entry(BOTS[9]), comes=True)])
    assert resumed.over and not resumed.takes_part(BOTS[9])


def test_in_a_finished_knockout_nothing_is_played_again_when_a_bot_goes() -> None:
    live = Player(begun("knockout"))
    stored = live.play()
    for bot in BOTS[:8]:
        resumed = begun("knockout")
        replay(resumed, stored, [Change(len(stored), (), Entry(bot), comes=False)])
        assert resumed.over and resumed.planned == len(stored)
