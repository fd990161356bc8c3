"""The commands and their options.  Nothing is done here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena import __version__
from arena.cli import bot, ladder, match, new, token
from arena.cli.door_options import with_door
from arena.cli.failure import USAGE, Failure
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

app = new_group("arena", "Flock Arena: bots play hidden-information card games, refereed, recorded, replayable.")
app.add_typer(ladder.app)
app.add_typer(match.app)
app.add_typer(bot.app)
app.add_typer(token.app)
app.add_typer(new.app)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"arena {__version__}")
        raise typer.Exit


@app.callback(
    invoke_without_command=True,
    no_args_is_help=False,
    epilog="Try: arena play sheepzzz greedy random   |   arena help",
)
def arena(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001  answered by its callback
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Flock Arena."""
    if context.invoked_subcommand is None:
        from arena.cli.help import greet

        greet()


@app.command()
@with_door
def play(
    game: Annotated[str, typer.Argument(help="The game, see: arena games")],
    bots: Annotated[list[str], typer.Argument(help="Bots by folder, by the name of a sample bot, or ws:NAME.")],
    deals: Annotated[int, typer.Option(min=1, help="Deals; each is played in every seating.")] = 10,
    seats: Annotated[int | None, typer.Option(min=2, help="Seats at the table; the last bot fills up.")] = None,
    seed: Annotated[str | None, typer.Option(help="Hexadecimal, up to 64 digits; the same deals again.")] = None,
    jobs: Annotated[int | None, typer.Option(min=1, max=256, help="Worker processes; one for each core.")] = None,
    tables: Annotated[int, typer.Option(min=1, max=256, help="Matches at once in each of them.")] = 8,
    variant: Annotated[list[str] | None, typer.Option(help="key=value, may be repeated.")] = None,
    move_ms: Annotated[int, typer.Option(min=1, max=600_000, help="Milliseconds for one decision.")] = 1000,
    bank_ms: Annotated[
        int, typer.Option(min=0, max=86_400_000, help="Milliseconds for a whole match, 0: no bank.")
    ] = 0,
    start_ms: Annotated[
        int, typer.Option(min=1, max=600_000, help="Milliseconds to start, and again to prepare.")
    ] = 10_000,
    strikes: Annotated[int, typer.Option(min=1, max=1_000, help="Strikes that forfeit a seat.")] = 3,
    web: Web = None,
    door: DoorTerms | None = None,
    trust_bots: TrustBots = False,
    allow: Allow = None,
    folder: Folder = Path(".arena"),
    store: StoreUrl = None,
    json: Json = False,
) -> None:
    """Play deals between bots, every deal in every seating, and print a table."""
    from arena.cli.place import Place
    from arena.cli.play import play_series
    from arena.cli.series import Terms

    terms = Terms(game, bots, deals, seats, seed, jobs, tables, variant or [], move_ms, bank_ms, start_ms, strikes)
    play_series(terms, Place(folder, store), trust_bots, allow or [], json, door, web)


@app.command()
def human(
    game: Annotated[str, typer.Argument(help="The game, see: arena games")],
    bots: Annotated[list[str], typer.Argument(help="Your opponents; the last one fills the table up.")],
    seat: Annotated[int, typer.Option(min=0, help="Where you sit.")] = 0,
    seats: Annotated[int | None, typer.Option(min=2, help="Seats at the table.")] = None,
    deals: Annotated[int, typer.Option(min=1, help="Matches, one after the other.")] = 1,
    text: Annotated[bool, typer.Option("--text", help="Play in this terminal, not in a browser.")] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Of the page; 0 is any that is free.")] = 0,
    variant: Annotated[list[str] | None, typer.Option(help="key=value, may be repeated.")] = None,
    move_ms: Annotated[
        int | None, typer.Option(min=1, max=600_000, help="A limit for every decision, also yours.")
    ] = None,
    trust_bots: TrustBots = False,
    allow: Allow = None,
    folder: Folder = Path(".arena"),
    store: StoreUrl = None,
) -> None:
    """Take a seat yourself, in a browser or in the terminal."""
    from arena.cli.human import Sitting, seat_a_human
    from arena.cli.place import Place

    sitting = Sitting(game, bots, seat, seats, deals, variant or [], move_ms)
    seat_a_human(sitting, Place(folder, store), trust_bots, allow or [], None if text else port)


@app.command()
@with_door
def duel(
    a: Annotated[str, typer.Argument(help="The bot to beat.")],
    b: Annotated[str, typer.Argument(help="The bot that may be better.")],
    game: Annotated[str | None, typer.Option(help="The game; needed when both play several.")] = None,
    seats: Annotated[
        int | None, typer.Option(min=2, help="Seats at the table; copies of A and B fill it.")
    ] = None,
    elo0: Annotated[float, typer.Option(help="No more than this better: B should be turned down.")] = 0,
    elo1: Annotated[float, typer.Option(help="This much better: B should pass.")] = 20,
    alpha: Annotated[float, typer.Option(help="How often a B worth elo0 may pass.")] = 0.05,
    beta: Annotated[float, typer.Option(help="How often a B worth elo1 may be turned down.")] = 0.05,
    most_blocks: Annotated[int | None, typer.Option(min=16, help="Give up after so many.")] = None,
    seed: Annotated[str | None, typer.Option(help="Hexadecimal, up to 64 digits; the same deals again.")] = None,
    jobs: Annotated[int | None, typer.Option(min=1, max=256, help="Worker processes; one for each core.")] = None,
    tables: Annotated[int, typer.Option(min=1, max=256, help="Matches at once in each of them.")] = 8,
    move_ms: Annotated[int, typer.Option(min=1, max=600_000, help="Milliseconds for one decision.")] = 1000,
    door: DoorTerms | None = None,
    trust_bots: TrustBots = False,
    allow: Allow = None,
    folder: Folder = Path(".arena"),
    store: StoreUrl = None,
    json: Json = False,
) -> None:
    """Is B better than A? A sequential test with stated error rates that stops as soon as it can."""
    from arena.cli.duel import Question, fight
    from arena.cli.place import Place
    from ladders.duel import DuelSettings

    try:
        test = DuelSettings(elo0, elo1, alpha, beta, most_blocks=most_blocks)
    except ValueError as error:
        raise Failure(str(error), USAGE) from None
    question = Question(a, b, game, seats, seed, jobs, tables, move_ms, test)
    fight(question, Place(folder, store), trust_bots, allow or [], json, door)


@app.command()
def games(
    name: Annotated[str | None, typer.Argument(help="One game in detail.")] = None,
    json: Json = False,
) -> None:
    """List the games, or tell all about one: seats, options, an example view."""
    from arena.cli.games import show_game, show_games

    if name is None:
        show_games(json)
    else:
        show_game(name, json)


@app.command()
@with_door
def check(
    bot: Annotated[str, typer.Argument(help="A bot by folder or program, a sample bot's name, or ws:NAME.")],
    game: Annotated[str | None, typer.Option(help="Only this one of the games it claims.")] = None,
    door: DoorTerms | None = None,
    trust_bots: TrustBots = False,
    allow: Allow = None,
    folder: Folder = Path(".arena"),
    store: StoreUrl = None,
    json: Json = False,
) -> None:
    """Check step by step that a bot may enter ladders; exit code 3 if not."""
    from arena.cli.check import check
    from arena.cli.place import Place

    check(bot, game, Place(folder, store), trust_bots, allow or [], json, door)


@app.command()
def submit(
    path: Annotated[Path, typer.Argument(help="A bot's folder, a single program, or a tar or zip of either.")],
    games: Annotated[
        list[str] | None, typer.Option(help="For a program without bot.toml; may be repeated.")
    ] = None,
    trust_bots: TrustBots = False,
    allow: Allow = None,
    folder: Folder = Path(".arena"),
    store: StoreUrl = None,
    json: Json = False,
) -> None:
    """Hand in a bot: a read-only copy is built and checked, and can be played by name; exit code 3 if it fails."""
    from arena.cli.place import Place
    from arena.cli.submit import submit_bot

    submit_bot(path, games or [], Place(folder, store), trust_bots, allow or [], json)


@app.command()
def log(
    match: Annotated[str, typer.Argument(help="The match, or the beginning of its name: m-…")],
    stderr: Annotated[str | None, typer.Option(help="All that this bot (or seat) wrote to stderr.")] = None,
    folder: Folder = Path(".arena"),
    store: StoreUrl = None,
    json: Json = False,
) -> None:
    """Tell what happened in a match: verdicts in full, time per decision, last words of bots that failed."""
    from arena.cli.log import tell_log
    from arena.cli.place import Place

    tell_log(match, stderr, Place(folder, store), json)


@app.command()
def doctor(
    folder: Folder = Path(".arena"),
    store: StoreUrl = None,
    cluster: Cluster = None,
    cluster_ca: ClusterCa = None,
    cluster_cert: ClusterCert = None,
    cluster_key: ClusterKey = None,
    insecure_cluster: InsecureCluster = False,
    json: Json = False,
) -> None:
    """Say what this machine can do: sandbox, cores, disk, database, cluster; exit code 5 if not enough."""
    from arena.cli.cluster import cluster_access
    from arena.cli.doctor import examine
    from arena.cli.place import Place

    access = cluster_access(cluster, cluster_ca, cluster_cert, cluster_key, insecure_cluster)
    examine(Place(folder, store), json, access)


@app.command()
def replay(
    match: Annotated[str, typer.Argument(help="The match, as printed by arena play: m-…")],
    seat: Annotated[str, typer.Option(help="A seat number, public, or all.")] = "all",
    folder: Folder = Path(".arena"),
    store: StoreUrl = None,
    json: Json = False,
) -> None:
    """Tell a match as one viewer saw it."""
    from arena.cli.place import Place
    from arena.cli.replay import tell_match

    tell_match(match, seat, Place(folder, store), json)


@app.command()
def analyse(
    match: Annotated[str, typer.Argument(help="The match: m-…")],
    seat: Annotated[int, typer.Option(help="Whose decisions.")],
    think_ms: Annotated[int, typer.Option(min=1, help="Milliseconds for each of them.")] = 200,
    folder: Folder = Path(".arena"),
    store: StoreUrl = None,
    json: Json = False,
) -> None:
    """Find the decisions of a seat that lost most, by the search of the sample bot seer."""
    from arena.cli.analyse import analyse
    from arena.cli.place import Place

    analyse(match, seat, think_ms, Place(folder, store), json)


@app.command()
def rerun(
    what: Annotated[str, typer.Argument(help="The match (m-…), or a file written by --save.")],
    bot: Annotated[str, typer.Option(help="The bot to be asked, by folder or name.")],
    seat: Annotated[int | None, typer.Option(help="Whose requests; by default the seat of that name.")] = None,
    decision: Annotated[int | None, typer.Option(min=1, help="Only this one; the first is 1.")] = None,
    save: Annotated[Path | None, typer.Option(help="Keep the decision, with its answer, as a test.")] = None,
    trust_bots: TrustBots = False,
    allow: Allow = None,
    folder: Folder = Path(".arena"),
    store: StoreUrl = None,
    json: Json = False,
) -> None:
    """Put the requests of a recorded match to a bot, and list where it answers differently."""
    from arena.cli.place import Place
    from arena.cli.rerun import Wanted
    from arena.cli.rerun import rerun as ask_again

    ask_again(Wanted(what, bot, seat, decision, save), Place(folder, store), trust_bots, allow or [], json)


@app.command()
def verify(
    what: Annotated[str, typer.Argument(help="A match (m-…), a ladder, or a file that holds a record.")],
    folder: Folder = Path(".arena"),
    store: StoreUrl = None,
    json: Json = False,
) -> None:
    """Referee again from deals and answers, recompute the chain and the ratings, and compare every byte."""
    from arena.cli.place import Place
    from arena.cli.verify import verify_it

    verify_it(what, Place(folder, store), json)


@app.command()
@with_door
def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen on; only this machine by default.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 is any that is free.")] = 8080,
    name: Annotated[
        list[str] | None, typer.Option(help="A host name it is called by from outside; may be repeated.")
    ] = None,
    door: DoorTerms | None = None,
    folder: Folder = Path(".arena"),
    store: StoreUrl = None,
) -> None:
    """Show ladders, matches and replays in a browser; with --bots-port, remote bots may come in and wait."""
    from arena.cli.place import Place
    from arena.cli.serve import serve_store

    serve_store(host, port, name or [], Place(folder, store), door)


@app.command()
def export(
    ladder: Annotated[str, typer.Argument(help="The ladder's name.")],
    as_: Annotated[str, typer.Option("--as", help="jsonl: a line per match; csv: a row per seat.")] = "jsonl",
    folder: Folder = Path(".arena"),
    store: StoreUrl = None,
) -> None:
    """Print all finished matches of a ladder."""
    from arena.cli.match_list import export_matches
    from arena.cli.place import Place

    export_matches(ladder, as_, Place(folder, store))


@app.command()
def help(
    topic: Annotated[
        str | None, typer.Argument(help="A page, or a heading of one: quickstart, protocol, exit-codes, TIMEOUT")
    ] = None,
) -> None:
    """Show a page of the documents, or list them; nothing is fetched."""
    from arena.cli.help import list_topics, show_topic

    if topic is None:
        list_topics()
    else:
        show_topic(topic)


@app.command()
def completion(shell: Annotated[str, typer.Argument(help="bash, zsh or fish.")]) -> None:
    """Print what lets a shell complete commands and options."""
    from arena.cli.completing import print_script

    print_script(shell)
