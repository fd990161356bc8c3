"""The `arena bot` commands and their options.  Nothing is done here."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.options import Folder, Json, StoreUrl, new_group

app = new_group("bot", "Bots that were submitted.")

Name = Annotated[str, typer.Argument(help="A bot by name or name@version, see: arena bot list")]


@app.command("list")
def list_(folder: Folder = Path(".arena"), store: StoreUrl = None, json: Json = False) -> None:
    """List the bots that were submitted, with their versions."""
    from arena.cli.bot_list import list_bots
    from arena.cli.place import Place

    list_bots(Place(folder, store), json)


@app.command()
def show(name: Name, folder: Folder = Path(".arena"), store: StoreUrl = None, json: Json = False) -> None:
    """Show how a bot is doing: what needs attention first, then its worst deals, scores and times."""
    from arena.cli.bot_show import show_bot
    from arena.cli.place import Place

    show_bot(name, Place(folder, store), json)


@app.command()
def retire(name: Name, folder: Folder = Path(".arena"), store: StoreUrl = None, json: Json = False) -> None:
    """Take a bot out of all ladders for good; what it played stays."""
    from arena.cli.bot_list import retire_bot
    from arena.cli.place import Place

    retire_bot(name, Place(folder, store), json)
