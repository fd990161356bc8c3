"""Making a bot's program by the `build` command of its manifest.  Bounded in time; no sandbox here."""

from __future__ import annotations

import os
import signal
import subprocess

from arena.bots.manifest import Bot, BotError
from protocol.errors import quoted

BUILD_S = 60.0
LINES_SHOWN = 8


def build_bot(bot: Bot) -> None:
    """Run its build command in its folder, if it has one; raises BotError with what the command said."""
    if not bot.build:
        return
    try:
        process = subprocess.Popen(
            bot.build,
            cwd=bot.folder,
            env=bot.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        raise BotError(f"{bot.name} cannot be built: {bot.build[0]}: {error.strerror}") from None
    with process:
        try:
            said, _ = process.communicate(timeout=BUILD_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise BotError(f"{bot.name} was not built within {BUILD_S:.0f} s: {' '.join(bot.build)}") from None
    if process.returncode:
        lines = said.decode("utf-8", "replace").strip().splitlines()[-LINES_SHOWN:]
        told = "".join(f"\n  {quoted(line, mark='', limit=160)}" for line in lines)
        raise BotError(f"{bot.name} was not built: {' '.join(bot.build)} ended with {process.returncode}{told}")
