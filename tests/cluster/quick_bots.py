"""Bots in C that choose by position: quick to start, always the same, and no sample bots, so that they travel."""

from __future__ import annotations

import shutil
from pathlib import Path

from arena.bots.manifest import Bot, read_bot
from tests.sample_bots.test_kit_c import choosing, compiled_program

WAYS = {"first": "0", "last": "request->count - 1", "middle": "request->count / 2"}


def quick_bots(folder: Path) -> dict[str, Bot]:
    """One for each way, below `folder`."""
    return {name: quick_bot(folder, name, f"return {way};") for name, way in WAYS.items()}


def quick_bot(folder: Path, name: str, body: str) -> Bot:
    place = folder / f"quick-{name}"
    place.mkdir(parents=True)
    building = folder / f"building-{name}"
    building.mkdir()
    shutil.move(compiled_program(building, choosing(body), ["cc", "-O1"]), place / "bot")
    (place / "bot.toml").write_text(f'name = "quick-{name}"\nrun = ["./bot"]\nencoding = "msgpack"\n')
    return read_bot(place)
