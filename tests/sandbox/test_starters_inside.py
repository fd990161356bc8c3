"""A new bot in every language is built, checked and played inside the best sandbox there is here."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio

from arena.bots.shelf import Shelf
from arena.bots.starters import LANGUAGES, make_bot
from arena.bots.submission import Submitted, submit
from arena.clock import TimeControl
from arena.games import GAMES
from arena.store import open_store
from tests.arena.zoo import QUIET, fixture
from tests.sandbox.test_zoo import WALLS, play_at

DEALS = 50


@pytest.fixture
def place() -> Iterator[Path]:
    """Bots that root starts must be able to get there."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_new_bot_is_submitted_and_plays_fifty_deals_inside(language: str, place: Path) -> None:
    level = WALLS[0]
    make_bot("tiger", language, GAMES["sheepzzz"], place / "tiger")

    def hand_in() -> Submitted:
        with open_store(place / "arena.db") as store:
            return submit(place / "tiger", (), Shelf(place / "bots"), store, lambda bot: level, lambda step: None)

    done = await trio.to_thread.run_sync(hand_in)
    assert done.bot is not None, done.program.report
    fixtures = [fixture(QUIET, done.bot, deal=deal) for deal in range(DEALS)]
    played = await play_at(level, fixtures, TimeControl())
    assert len(played) == DEALS and not [text for match in played for text in match.texts]
    assert {match.document["sandbox"] for match in played} == {level}
