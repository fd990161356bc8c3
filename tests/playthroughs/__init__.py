"""One whole random game per rulebook, told as each viewer saw it.

`python -m tests.playthroughs` writes the texts anew; read the difference before keeping it.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

from arena.chance import KeyedChance
from arena.events import seen_by
from arena.game import Game
from arena.games import GAMES
from arena.telling import tell
from arena.zones import PUBLIC

FOLDER = Path(__file__).parent
SECRET = bytes(range(32))
SEATS = 3


def random_game(game_class: type[Game], seed: int = 1) -> Game:
    """The same game every time: the deal from a fixed secret, the answers from a fixed seed."""
    seats = min(max(SEATS, game_class.seats_allowed[0]), game_class.seats_allowed[-1])
    game = game_class(seats, None, KeyedChance(SECRET), log=True)
    chooser = Random(seed)
    while game.question is not None:
        game.answer(*[int(chooser.random() * len(game.options(seat))) for seat in game.question.seats])
    return game


def texts(game_class: type[Game]) -> dict[str, str]:
    """File names and what they should say."""
    game = random_game(game_class)
    assert game.events is not None
    viewers = {f"seat-{seat}": seat for seat in range(game.seats)} | {"public": PUBLIC}
    return {
        f"{game_class.name}.{who}.txt": "\n".join(tell(game_class, seen_by(viewer, game.events))) + "\n"
        for who, viewer in viewers.items()
    }


def write_all() -> None:
    """Write the texts of all registered games."""
    for game_class in GAMES.values():
        for name, text in texts(game_class).items():
            (FOLDER / name).write_text(text)
