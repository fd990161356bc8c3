"""`arena check`: a bot's conformance, one line per step."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Final

import trio
import typer

from arena.bots.build import build_bot
from arena.bots.check import Checker, Step, may_enter
from arena.bots.manifest import Bot, BotError, find_bot
from arena.bots.starting import starter_at
from arena.cli.entering import sandbox_for
from arena.cli.failure import INTERRUPTED, NOT_HERE, USAGE, Failure
from arena.cli.games import game_called
from arena.sandbox import Limits
from arena.transports import Hub, StartError

MAY_NOT_ENTER: Final = 3
WIDTH: Final = 38


def check(text: str, game: str | None, trust_bots: bool, allowed: Sequence[str], as_json: bool) -> None:
    """Check a bot and say whether it may enter ladders; exit code 3 if not."""
    if game is not None:
        game_called(game)
    try:
        bot = find_bot(text)
    except BotError as error:
        raise Failure(str(error), USAGE) from None
    level = sandbox_for([bot], trust_bots, allowed)
    if not as_json:
        wanted = game or ", ".join(bot.games) or "all games"
        print(f"Checking {bot.name} {bot.version}".rstrip(), f"({text}) for {wanted}", flush=True)
    steps: list[Step] = []
    interrupted = False
    try:
        steps = trio.run(_check, bot, level, game, _nothing if as_json else _print)
    except* KeyboardInterrupt:
        interrupted = True
    if interrupted:
        raise Failure("stopped before the last step", INTERRUPTED)
    if as_json:
        facts = {"bot": bot.name, "version": bot.version, "content": bot.content, "may_enter": may_enter(steps)}
        print(json.dumps({**facts, "steps": [asdict(step) for step in steps]}))
    else:
        print(_conclusion(bot, steps))
    if not may_enter(steps):
        raise typer.Exit(MAY_NOT_ENTER)


async def _check(bot: Bot, level: str, game: str | None, heard: Callable[[Step], None]) -> list[Step]:
    hub = Hub()

    checker = Checker(bot, hub, starter_at(level, Limits(), hub), heard)
    trouble: StartError | None = None
    async with trio.open_nursery() as nursery:
        await nursery.start(hub.run)
        try:
            await checker.check(game, build_bot)
        except StartError as error:  # a bot's own failure to start is a failed step; this is the machine's
            trouble = error
        nursery.cancel_scope.cancel()
    if trouble is not None:
        raise Failure(str(trouble), NOT_HERE)
    return checker.steps


def _nothing(step: Step) -> None:
    """Said all at once at the end."""


def _print(step: Step) -> None:
    title = f"{step.number:>2} {step.title} "
    print(f"{title:.<{WIDTH}} {step.result:<6} {step.detail}".rstrip(), flush=True)
    for line in step.told:
        print(f"     {line}", flush=True)


def _conclusion(bot: Bot, steps: list[Step]) -> str:
    passed = sum(step.result == "ok" for step in steps)
    told = f"{passed} of {len(steps)} passed. {bot.name} {'may' if may_enter(steps) else 'may not'} enter ladders"
    warnings = [str(step.number) for step in steps if step.warning]
    return told + (f"; only a warning: step {', '.join(warnings)}." if warnings else ".")
