"""A process that says it plays several tables at once is given them: no more than it, its manifest and we said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.arena.zoo import (
    between_quiet_ones,
    bot_called,
    check_others_unharmed,
    play,
    quiet_match,
)


@pytest.mark.parametrize(
    ("said_in_manifest", "at_once", "processes"),
    [(4, 6, 2), (2, 6, 3), (1, 6, 6), (4, 2, 1), (1024, 6, 2)],
)
async def test_tables_are_granted_up_to_the_least_that_was_said(
    said_in_manifest: int, at_once: int, processes: int
) -> None:
    """Its hello says three.  Tables are promised before it says so, by its manifest; the hello then holds."""
    bot = replace(bot_called("many_tables"), tables=said_in_manifest)
    table = await play(*(between_quiet_ones(bot, deal) for deal in range(at_once * 2)), at_once=at_once)
    deals = {between_quiet_ones(bot, deal).deal.hex(): deal for deal in range(at_once * 2)}
    for played in table.played:
        assert played.codes == []
        check_others_unharmed(played, quiet_match(deals[played.document["deal"]]))
    used = {id(live): live for played in table.played for live in played.bots if live.bot is bot}
    assert len(used) <= processes
    assert all(live.capacity == min(said_in_manifest, 3) for live in used.values())
