"""How a bot's process is started: its command, its environment, and the walls around it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

from arena.bots.manifest import SAMPLES, Bot
from arena.referee import Starter
from arena.sandbox import SANDBOXES, Limits, launcher_in
from arena.transports import Hub, Link, Owner, stdio

KIT = SAMPLES / "flock_bot.py"


def starter_at(level: str, limits: Limits, hub: Hub) -> Starter:
    """Starts bots at one level of sandbox."""
    sandbox = SANDBOXES[level]

    def start(bot: Bot, owner: Owner) -> Link:
        environment, needs = bot.environment(), bot.needs
        if bot.sample and level != "none":
            # Inside, a sample bot has its folder alone: the interpreter with msgpack and the kit lie elsewhere.
            environment["PYTHONPATH"] = f"{SAMPLES}{os.pathsep}{SAMPLES.parent}"
            needs = (*needs, sys.prefix, sys.base_prefix, str(KIT), *_packages_for(bot))
        return stdio.start(
            hub,
            list(bot.run),
            cwd=str(bot.folder),
            env=environment,
            owner=owner,
            name=bot.name,
            launcher=launcher_in(sandbox, limits, needs),
        )

    return start


def _packages_for(bot: Bot) -> Iterator[str]:
    """The packages `arena` and `sample_bots`: `seer` plays by those rules, and takes its neighbours' advice."""
    yield str(SAMPLES.parent / "arena")
    yield str(SAMPLES / "__init__.py")
    for folder in SAMPLES.iterdir():
        if not (folder / "bot.toml").is_file():
            continue
        if folder == bot.folder:
            yield from map(str, folder.glob("*"))  # as a whole it is shown elsewhere
        else:
            yield str(folder)
