"""`arena new bot`: a folder with a bot that can play at once."""

from __future__ import annotations

from pathlib import Path

from arena.bots.manifest import BotError
from arena.bots.starters import make_bot
from arena.cli.failure import NOT_HERE, USAGE, Failure
from arena.cli.games import game_called


def new_bot(name: str, language: str, game: str, above: Path) -> None:
    """Make a bot's folder, and say what is in it and what to type next."""
    folder = above / name
    try:
        made = make_bot(name, language, game_called(game), folder)
    except BotError as error:
        raise Failure(str(error), USAGE) from None
    except OSError as error:
        raise Failure(
            f"{folder} cannot be written: {error.strerror}; go to a folder of your own", NOT_HERE
        ) from None
    program, manifest, readme, *kit = (path.name for path in made)
    print(f"{folder}/")
    width = max(16, len(", ".join(kit)) + 2)
    for file, what in (
        (program, "yours to edit: it says which option to play"),
        (manifest, "name, version, games, and the command that runs it"),
        (", ".join(kit), "talks to the arena"),
        (readme, "how to check it, play it, hand it in"),
    ):
        print(f"  {file:<{width}}{what}")
    print(f"Next: arena check {folder}   |   arena play {game} {folder} random")
