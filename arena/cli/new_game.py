"""`arena new game`: a package with a game that can be played at once."""

from __future__ import annotations

from pathlib import Path

from arena.cli.failure import NOT_HERE, USAGE, Failure
from arena.game_starter import StarterError, make_game
from arena.games import GAMES


def new_game(name: str, above: Path) -> None:
    """Make it, and say what is in it and what to type next."""
    folder = above / name
    if name in GAMES:
        raise Failure(f'there is a game called "{name}"; choose another name', USAGE)
    try:
        made = make_game(name, folder)
    except StarterError as error:
        raise Failure(str(error), USAGE) from None
    except OSError as error:
        raise Failure(
            f"{folder} cannot be written: {error.strerror}; go to a folder of your own", NOT_HERE
        ) from None
    whats = (
        "the rulebook, yours to edit",
        "what every game must hold, and its own rules",
        "tells the arena where the game is",
        "how to try it",
    )
    print(f"{folder}/")
    for path, what in zip(made, whats, strict=True):
        print(f"  {path.relative_to(folder)!s:<28}{what}")
    print(f"Next: pip install -e {folder}   |   arena play {name} random first   |   arena help add-a-game")
