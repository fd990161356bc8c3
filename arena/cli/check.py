"""`arena check`: a bot's conformance, one line per step."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

import trio
import typer

from arena.bots.build import Workshop, bring_back
from arena.bots.check import Checker, Step, may_enter
from arena.bots.manifest import Bot
from arena.bots.shelf import seal
from arena.bots.starting import starter_at
from arena.cli.door import with_owners
from arena.cli.entering import bots_called, sandbox_for, submitted_in
from arena.cli.failure import INTERRUPTED, MAY_NOT_ENTER, NOT_HERE, USAGE, Failure
from arena.cli.games import game_called
from arena.cli.place import Place
from arena.door.door import Door
from arena.door.terms import DoorError, DoorTerms
from arena.sandbox import Limits
from arena.transports import Hub, StartError

WIDTH: Final = 38


def check(
    text: str,
    game: str | None,
    place: Place,
    trust_bots: bool,
    allowed: Sequence[str],
    as_json: bool,
    door: DoorTerms | None = None,
) -> None:
    """Check a bot and say whether it may enter ladders; exit code 3 if not."""
    if game is not None:
        game_called(game)
    submitted = None if Path(text).exists() else submitted_in(place)  # who is at work on it means the folder
    found = list(bots_called([text], Path(), submitted).values())
    if len(found) != 1:
        raise Failure(f"{text} names {len(found)} bots; check one at a time", USAGE)
    (bot,) = found
    with_owners({bot.name: bot}, door)
    level = sandbox_for([bot], trust_bots, allowed)
    if not as_json:
        wanted = game or ", ".join(bot.games) or "all games"
        print(f"Checking {bot.name} {bot.version}".rstrip(), f"({text}) for {wanted}", flush=True)
    steps: list[Step] = []
    interrupted = False
    try:
        steps = trio.run(_check, bot, level, game, door, _nothing if as_json else print_step)
    except* KeyboardInterrupt:
        interrupted = True
    if interrupted:
        raise Failure("stopped before the last step", INTERRUPTED)
    if as_json:
        facts = {"bot": bot.name, "version": bot.version, "content": bot.content, "may_enter": may_enter(steps)}
        print(json.dumps({**facts, "steps": [asdict(step) for step in steps]}))
    else:
        print(_conclusion(bot, steps))
        if may_enter(steps) and not bot.remote:
            play = f"arena play {game or (bot.games or ('sheepzzz',))[0]} {text} random"
            print(f"Next: {play}" + ("" if bot.sample else f"   |   arena submit {text}"))
    if not may_enter(steps):
        raise typer.Exit(MAY_NOT_ENTER)


async def _check(
    bot: Bot, level: str, game: str | None, terms: DoorTerms | None, heard: Callable[[Step], None]
) -> list[Step]:
    hub = Hub()
    checker = Checker(bot, hub, starter_at(level, Limits(), hub), heard)
    trouble: StartError | DoorError | None = None
    with tempfile.TemporaryDirectory() as above:
        Path(above).chmod(0o755)  # bots that root starts run as nobody

        async def build(unbuilt: Bot) -> Bot:
            built = await Workshop(level, Path(above)).build(unbuilt)
            bring_back(built.folder, unbuilt.folder)
            seal(built.folder)
            return built

        async with trio.open_nursery() as nursery:
            await nursery.start(hub.run)
            try:
                if bot.remote and terms is not None:
                    checker = await _at_the_door(bot, hub, terms, nursery, heard)
                await checker.check(game, build)
            except DoorError as error:
                trouble = error
            except StartError as error:  # a bot's own failure to start is a failed step; this is the machine's
                trouble = error
            nursery.cancel_scope.cancel()
    if trouble is not None:
        raise Failure(str(trouble), NOT_HERE)
    return checker.steps


async def _at_the_door(
    bot: Bot, hub: Hub, terms: DoorTerms, nursery: trio.Nursery, heard: Callable[[Step], None]
) -> Checker:
    """A checker for a bot that comes in as often as it is asked to play."""
    door = Door(hub, terms)
    await nursery.start(door.run)
    print(f"waiting for {bot.name} at {door.url}", file=sys.stderr, flush=True)
    await door.until(lambda: door.here(bot.name) is not None)
    guest = door.here(bot.name)
    assert guest is not None
    bot = replace(bot, encoding=guest.encoding)

    async def come_in() -> None:
        with trio.move_on_after(terms.absent_s):
            await door.until(lambda: door.here(bot.name) is not None)

    return Checker(bot, hub, door.take, heard, before=come_in)


def _nothing(step: Step) -> None:
    """Said all at once at the end."""


def print_step(step: Step) -> None:
    """One line, and below it what there is to know if it failed."""
    title = f"{step.number:>2} {step.title} "
    print(f"{title:.<{WIDTH}} {step.result:<6} {step.detail}".rstrip(), flush=True)
    for line in step.told:
        print(f"     {line}", flush=True)


def _conclusion(bot: Bot, steps: list[Step]) -> str:
    passed = sum(step.result == "ok" for step in steps)
    told = f"{passed} of {len(steps)} passed. {bot.name} {'may' if may_enter(steps) else 'may not'} enter ladders"
    warnings = [str(step.number) for step in steps if step.warning]
    return told + (f"; only a warning: step {', '.join(warnings)}." if warnings else ".")
