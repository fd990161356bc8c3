"""The `arena new` commands and their options.  Nothing is done here."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.options import new_group

app = new_group("new", "Starter files.")

Above = Annotated[Path, typer.Option("--in", help="The folder to make it in.")]
Game = Annotated[str, typer.Option(help="The game it plays, see: arena games")]


@app.command()
def bot(
    name: Annotated[str, typer.Argument(help="Its name, and that of the folder.")],
    lang: Annotated[str, typer.Option(help="python, javascript, c or shell.")] = "python",
    game: Game = "sheepzzz",
    above: Above = Path(),
) -> None:
    """Make a folder with a bot that can play at once, to be edited."""
    from arena.cli.new_bot import new_bot

    new_bot(name, lang, game, above)


@app.command()
def ladder(
    name: Annotated[str, typer.Argument(help="Its name, and that of the file.")],
    bots: Annotated[
        list[str] | None,
        typer.Option("--bot", help="A bot to meet the sample bots; may be repeated."),
    ] = None,
    game: Game = "sheepzzz",
    above: Above = Path(),
) -> None:
    """Make a ladder file with every key in it, to be edited."""
    from arena.cli.new_ladder import new_ladder

    new_ladder(name, bots or [], game, above)


@app.command()
def game(
    name: Annotated[str, typer.Argument(help="Its name, and that of the folder.")],
    above: Above = Path(),
) -> None:
    """Make a package with a small game that can be played at once, and its tests."""
    from arena.cli.new_game import new_game

    new_game(name, above)
