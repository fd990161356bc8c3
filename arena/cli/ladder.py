"""The `arena ladder` commands and their options.  Nothing is done here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.door_options import with_door
from arena.cli.options import (
    Allow,
    Cluster,
    ClusterCa,
    ClusterCert,
    ClusterKey,
    Folder,
    InsecureCluster,
    Json,
    StoreUrl,
    TrustBots,
    Web,
    new_group,
)

if TYPE_CHECKING:
    from arena.door.terms import DoorTerms

app = new_group("ladder", "Run tournaments and read their standings.")

Name = Annotated[str, typer.Argument(help="The ladder's name, see: arena ladder list")]
Jobs = Annotated[int | None, typer.Option(min=1, max=256, help="Worker processes; one for each core by default.")]


@app.command()
@with_door
def run(
    ladder: Annotated[str, typer.Argument(help="A ladder file, or the name of a ladder that was begun.")],
    jobs: Jobs = None,
    trust_bots: TrustBots = False,
    allow: Allow = None,
    keep_settings: Annotated[bool, typer.Option(help="Go on as it began, whatever the file says now.")] = False,
    web: Web = None,
    door: DoorTerms | None = None,
    cluster: Cluster = None,
    cluster_ca: ClusterCa = None,
    cluster_cert: ClusterCert = None,
    cluster_key: ClusterKey = None,
    insecure_cluster: InsecureCluster = False,
    folder: Folder = Path(".arena"),
    store: StoreUrl = None,
    json: Json = False,
) -> None:
    """Play a tournament; run again, it goes on where it stopped."""
    from arena.cli.cluster import cluster_access
    from arena.cli.ladder_run import run_ladder
    from arena.cli.place import Place

    port = None if door is None else door.port
    access = cluster_access(cluster, cluster_ca, cluster_cert, cluster_key, insecure_cluster, jobs, port)
    place = Place(folder, store)
    run_ladder(ladder, place, jobs, trust_bots, allow or [], keep_settings, json, door, web, access)


@app.command()
@with_door
def resume(
    name: Name,
    jobs: Jobs = None,
    trust_bots: TrustBots = False,
    allow: Allow = None,
    web: Web = None,
    door: DoorTerms | None = None,
    cluster: Cluster = None,
    cluster_ca: ClusterCa = None,
    cluster_cert: ClusterCert = None,
    cluster_key: ClusterKey = None,
    insecure_cluster: InsecureCluster = False,
    folder: Folder = Path(".arena"),
    store: StoreUrl = None,
    json: Json = False,
) -> None:
    """Go on with a ladder."""
    from arena.cli.cluster import cluster_access
    from arena.cli.ladder_run import run_ladder
    from arena.cli.place import Place

    port = None if door is None else door.port
    access = cluster_access(cluster, cluster_ca, cluster_cert, cluster_key, insecure_cluster, jobs, port)
    place = Place(folder, store)
    run_ladder(name, place, jobs, trust_bots, allow or [], False, json, door, web, access)


@app.command()
def show(
    name: Name,
    folder: Folder = Path(".arena"),
    store: StoreUrl = None,
    json: Json = False,
) -> None:
    """Print the standings, computed from what is stored."""
    from arena.cli.ladder_show import show_ladder
    from arena.cli.place import Place

    show_ladder(name, Place(folder, store), json)


@app.command("list")
def list_(folder: Folder = Path(".arena"), store: StoreUrl = None, json: Json = False) -> None:
    """List the ladders."""
    from arena.cli.ladder_show import list_ladders
    from arena.cli.place import Place

    list_ladders(Place(folder, store), json)


@app.command()
def status(
    name: Name,
    folder: Folder = Path(".arena"),
    store: StoreUrl = None,
    json: Json = False,
) -> None:
    """Say how far a ladder is, who runs it, and which bots take part."""
    from arena.cli.ladder_show import tell_status
    from arena.cli.place import Place

    tell_status(name, Place(folder, store), json)


@app.command()
def add(
    name: Name,
    bots: Annotated[list[str], typer.Argument(help="Bots by folder, or by the name of a sample bot.")],
    folder: Folder = Path(".arena"),
    store: StoreUrl = None,
    json: Json = False,
) -> None:
    """Enter bots, also while the ladder runs; a paused one plays again."""
    from arena.cli.ladder_roster import add_bots
    from arena.cli.place import Place

    add_bots(name, bots, Place(folder, store), json)


@app.command()
def remove(
    name: Name,
    bot: Annotated[str, typer.Argument(help="As the standings call it.")],
    folder: Folder = Path(".arena"),
    store: StoreUrl = None,
    json: Json = False,
) -> None:
    """Take a bot out; what it played stays."""
    from arena.cli.ladder_roster import set_status
    from arena.cli.place import Place

    set_status(name, bot, "removed", Place(folder, store), json)


@app.command()
def pause(
    name: Name,
    bot: Annotated[str, typer.Argument(help="As the standings call it.")],
    folder: Folder = Path(".arena"),
    store: StoreUrl = None,
    json: Json = False,
) -> None:
    """Give a bot no new blocks until it is released."""
    from arena.cli.ladder_roster import set_status
    from arena.cli.place import Place

    set_status(name, bot, "paused", Place(folder, store), json)


@app.command()
def release(
    name: Name,
    bot: Annotated[str, typer.Argument(help="As the standings call it.")],
    folder: Folder = Path(".arena"),
    store: StoreUrl = None,
    json: Json = False,
) -> None:
    """Let a bot that was paused or benched play again."""
    from arena.cli.ladder_roster import set_status
    from arena.cli.place import Place

    set_status(name, bot, "playing", Place(folder, store), json)
