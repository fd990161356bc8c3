"""Has a bot checked as `arena check` does, and looks for what is left of it."""

from __future__ import annotations

import os
from pathlib import Path

import trio

from arena.bots.build import build_in_place
from arena.bots.check import Checker, Step
from arena.bots.manifest import Bot
from arena.clock import TimeControl
from arena.transports import Hub, Link, Owner, stdio
from tests.arena.zoo import children_of

CONTROL = TimeControl(move_ms=1_000, start_ms=5_000, prepare_ms=5_000)


async def checked(bot: Bot, only: str | None = "sheepzzz", control: TimeControl = CONTROL) -> list[Step]:
    """All steps that were tried; what was told on the way is the same."""
    children = children_of(os.getpid())
    hub = Hub()
    heard: list[Step] = []

    def starter(bot: Bot, owner: Owner) -> Link:
        return stdio.start(
            hub, list(bot.run), cwd=str(bot.folder), env=bot.environment(), owner=owner, name=bot.name
        )

    async with trio.open_nursery() as nursery:
        await nursery.start(hub.run)
        with trio.fail_after(60):
            steps = await Checker(bot, hub, starter, heard.append, control).check(only, build_in_place)
        nursery.cancel_scope.cancel()
    assert steps == heard and [step.number for step in steps] == list(range(1, len(steps) + 1))
    assert children_of(os.getpid()) == children, "a child was not reaped"
    return steps


def made_of(folder: Path, *run: str, **more: object) -> Bot:
    """A bot without a manifest."""
    return Bot("faulty", "1", "", (), run, "json", folder, content="faulty", **more)  # type: ignore[arg-type]
