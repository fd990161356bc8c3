"""`arena submit`: takes in a bot, builds and checks it inside the walls, and keeps a read-only copy."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

from arena.bots.check import Step
from arena.bots.manifest import Bot, BotError
from arena.bots.shelf import Shelf
from arena.bots.submission import Submitted, submit
from arena.cli.check import print_step
from arena.cli.entering import label_of, sandbox_for
from arena.cli.failure import INTERRUPTED, MAY_NOT_ENTER, NOT_HERE, USAGE, Failure
from arena.cli.games import game_called
from arena.cli.place import Place, failure_of
from arena.store import StoreError
from arena.transports import StartError


def submit_bot(
    path: Path, games: Sequence[str], place: Place, trust_bots: bool, allowed: Sequence[str], as_json: bool
) -> None:
    """Say step by step what became of it; exit code 3 if it may not enter ladders."""
    for game in games:
        game_called(game)

    def level_for(bot: Bot) -> str:
        level = sandbox_for([bot], trust_bots, allowed)
        if not as_json:
            print(f"Checking {label_of(bot)} ({path}), sandbox {level}", flush=True)
        return level

    def heard(step: Step) -> None:
        if not as_json:
            print_step(step)

    done: Submitted | None = None
    trouble: Failure | None = None
    try:
        with place.open(create=True) as store:
            done = submit(path, tuple(games), Shelf(place.shelf), store, level_for, heard)
    except* KeyboardInterrupt:
        trouble = Failure("stopped; nothing was kept", INTERRUPTED)
    except* BotError as errors:
        trouble = Failure(str(errors.exceptions[0]), USAGE)
    except* StartError as errors:
        trouble = Failure(str(errors.exceptions[0]), NOT_HERE)
    except* StoreError as errors:
        (error,) = errors.exceptions
        assert isinstance(error, StoreError)
        trouble = failure_of(error)
    except* OSError as errors:
        trouble = Failure(f"{path} cannot be taken in: {errors.exceptions[0]}", NOT_HERE)
    if trouble is not None:
        raise trouble
    assert done is not None
    print(json.dumps(_data(done)) if as_json else _told(done))
    if done.bot is None:
        raise typer.Exit(MAY_NOT_ENTER)


def _told(done: Submitted) -> str:
    program = done.program
    if done.known:
        return f"same content as {program.name} {program.version}".rstrip() + ", submitted before: nothing to do."
    if done.bot is None:
        return f"{program.label} may not enter ladders. Mend it and submit it again."
    note = f"Note: {done.note}.\n" if done.note else ""
    play = (program.games or ("sheepzzz",))[0]
    return (
        f"{note}{program.label} is kept as {program.content[:12]} and may enter ladders.\n"
        f"Next: arena play {play} {program.label} random   |   arena new ladder spring --bot {program.name}   |   "
        f"arena bot show {program.name}"
    )


def _data(done: Submitted) -> dict[str, Any]:
    program = done.program
    return {
        "bot": program.name,
        "version": program.version,
        "label": program.label,
        "content": program.content,
        "status": program.status,
        "sandbox": program.sandbox,
        "known": done.known,
        "note": done.note,
        "steps": list(program.report),
    }
