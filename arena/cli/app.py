"""The commands and their options.  Nothing is done here."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from arena import __version__
from arena.cli.failure import Failure

app = typer.Typer(
    name="arena",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Flock Arena: bots play hidden-information card games, refereed, recorded, replayable.",
    epilog="Try: arena play sheepzzz greedy random --deals 10",
)

Folder = Annotated[Path, typer.Option("--dir", help="Where records are kept.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout.")]


def _version(wanted: bool) -> None:
    if wanted:
        print(f"arena {__version__}")
        raise typer.Exit


@app.callback()
def arena(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Flock Arena."""


@app.command()
def play(
    game: Annotated[str, typer.Argument(help="The game, see: arena games")],
    bots: Annotated[list[str], typer.Argument(help="Bots by folder, or by the name of a sample bot.")],
    deals: Annotated[int, typer.Option(min=1, help="Deals; each is played in every seating.")] = 10,
    seats: Annotated[int | None, typer.Option(help="Seats at the table; the last bot fills up.")] = None,
    seed: Annotated[str | None, typer.Option(help="Hexadecimal, up to 64 digits; the same deals again.")] = None,
    jobs: Annotated[int, typer.Option(min=1, max=256, help="Matches at once.")] = 8,
    variant: Annotated[list[str] | None, typer.Option(help="key=value, may be repeated.")] = None,
    move_ms: Annotated[int, typer.Option(min=1, help="Milliseconds for one decision.")] = 1000,
    bank_ms: Annotated[int, typer.Option(min=0, help="Milliseconds for a whole match, 0: no bank.")] = 0,
    start_ms: Annotated[int, typer.Option(min=1, help="Milliseconds to start, and again to prepare.")] = 10_000,
    strikes: Annotated[int, typer.Option(min=1, help="Strikes that forfeit a seat.")] = 3,
    trust_bots: Annotated[bool, typer.Option(help="Run bots that are not ours without a sandbox.")] = False,
    folder: Folder = Path(".arena"),
    json: Json = False,
) -> None:
    """Play deals between bots, every deal in every seating, and print a table."""
    from arena.cli.play import play_series
    from arena.cli.series import Terms

    terms = Terms(game, bots, deals, seats, seed, jobs, variant or [], move_ms, bank_ms, start_ms, strikes)
    play_series(terms, folder, trust_bots, json)


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
def replay(
    match: Annotated[str, typer.Argument(help="The match, as printed by arena play: m-…")],
    seat: Annotated[str, typer.Option(help="A seat number, public, or all.")] = "all",
    folder: Folder = Path(".arena"),
    json: Json = False,
) -> None:
    """Tell a match as one viewer saw it."""
    from arena.cli.replay import tell_match

    tell_match(match, seat, folder, json)


@app.command()
def verify(
    match: Annotated[str, typer.Argument(help="The match, as printed by arena play: m-…")],
    folder: Folder = Path(".arena"),
    json: Json = False,
) -> None:
    """Referee a match again from its deal and answers, and compare every byte."""
    from arena.cli.replay import verify_match

    verify_match(match, folder, json)


def run_app() -> None:
    """Run, and turn every expected failure into a sentence and an exit code."""
    try:
        app()
    except Failure as failure:
        failure.print(as_json="--json" in sys.argv)
        sys.exit(failure.code)
    except BrokenPipeError:  # the reader of our output left, as `head` does: nothing is wrong
        sys.stdout = None
        sys.exit(0)
