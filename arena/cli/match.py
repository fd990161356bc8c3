"""The `arena match` commands and their options.  Nothing is done here."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.options import Folder, Json, StoreUrl, new_group

app = new_group("match", "Find matches.")


@app.command("list")
def list_(
    ladder: Annotated[str | None, typer.Option(help="Of this ladder.")] = None,
    bot: Annotated[str | None, typer.Option(help="With this bot.")] = None,
    vs: Annotated[str | None, typer.Option(help="And with this one.")] = None,
    game: Annotated[str | None, typer.Option(help="Of this game.")] = None,
    reason: Annotated[str | None, typer.Option(help="With this verdict: TIMEOUT, CRASH, ILLEGAL …")] = None,
    since: Annotated[str | None, typer.Option(help="Finished since then: 2026-11-16, or with a time.")] = None,
    sort: Annotated[str, typer.Option(help="newest, oldest, longest or slowest.")] = "newest",
    limit: Annotated[int, typer.Option(min=1, help="So many.")] = 20,
    offset: Annotated[int, typer.Option(min=0, help="After so many others.")] = 0,
    folder: Folder = Path(".arena"),
    store: StoreUrl = None,
    json: Json = False,
) -> None:
    """List finished matches."""
    from arena.cli.match_list import list_matches, moment
    from arena.cli.place import Place
    from arena.store.matches import Wanted

    wanted = Wanted(ladder, bot, vs, game, reason, moment(since), sort, limit, offset)
    list_matches(wanted, Place(folder, store), json)


@app.command()
def show(
    match: Annotated[str, typer.Argument(help="The match, or the beginning of its name: m-…")],
    folder: Folder = Path(".arena"),
    store: StoreUrl = None,
    json: Json = False,
) -> None:
    """Tell what is known of a match: who sat where, how it ended, what went wrong."""
    from arena.cli.match_list import show_match
    from arena.cli.place import Place

    show_match(match, Place(folder, store), json)
