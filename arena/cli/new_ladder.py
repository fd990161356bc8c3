"""`arena new ladder`: a ladder file with every key in it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from arena.bots.manifest import find_bot, sample_names
from arena.cli.failure import NOT_HERE, USAGE, Failure
from arena.cli.games import game_called
from ladders.ladder_keys import KEYS, NAME
from ladders.ladder_starter import ladder_text

SLOW: Final = frozenset({"seer"})
"""Thinks for as long as it may: no bot for a first ladder."""


def new_ladder(name: str, bots: Sequence[str], game: str, above: Path) -> None:
    """Write it, and say what to type next."""
    rules = game_called(game)
    if not NAME.fullmatch(name):
        raise Failure(f'a ladder cannot be called "{name}": {KEYS[""]["name"].says}', USAGE)
    samples = [sample for sample in sample_names() if sample not in SLOW and find_bot(sample).plays(game)]
    entered = list(dict.fromkeys((*bots, *samples)))
    path = above / f"{name}.toml"
    try:
        text = ladder_text(name, rules.name, rules.seats_allowed[0], entered).encode()
    except UnicodeEncodeError:
        raise Failure("a ladder file cannot name a folder that is no text in UTF-8; rename it", USAGE) from None
    try:
        above.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(text)
    except FileExistsError:
        raise Failure(f"{path} is there already; choose another name, or move it away", USAGE) from None
    except OSError as error:
        raise Failure(
            f"{path} cannot be written: {error.strerror}; go to a folder of your own", NOT_HERE
        ) from None
    print(f"{path}: {game}, {len(entered)} bots; every key is in it, with its default")
    print(f"Next: arena ladder run {path}   |   arena help run-a-ladder")
