"""`arena human`: a table with one seat kept for whoever holds its token, in a browser or at this terminal.

The human is a websocket bot like any other: the referee knows nothing of it.
"""

from __future__ import annotations

import secrets
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import trio

from arena.bots.manifest import Bot
from arena.bots.remote import PREFIX
from arena.cli.entering import names_at_table, sandbox_for, submitted_in
from arena.cli.event import Event, enter, open_ladder, play
from arena.cli.failure import USAGE, Failure
from arena.cli.games import game_called
from arena.cli.place import Place, failure_of
from arena.cli.play import arrange
from arena.cli.screen import EventScreen
from arena.clock import TimeControl
from arena.door.terms import DoorTerms
from arena.door.tokens import FILE, Tokens
from arena.gallery import Gallery
from arena.runner.draws import SeatedDraw
from arena.runner.house import House
from arena.runner.orders import BlockReport, Terms
from arena.runner.tournament import Contest
from arena.store import Division, StoreError
from arena.variants import Variant
from ladders.results import Block

HUMAN = "you"
"""Reserved: no bot can take that name."""

ALL_DAY_MS = 24 * 3600 * 1000
"""The limit of a decision where none is set: nobody hurries a human."""

AWAY_S = 300.0
COMING_S = 3600.0
"""So long the table waits for a human who is away, and for one who has not come yet."""

Seating = Callable[[str, str, Gallery], Awaitable[None]]
"""Runs beside the match, given the door's address, the token, and where spectators sit."""


@dataclass(frozen=True)
class Sitting:
    """What was typed."""

    game: str
    bots: list[str]
    seat: int
    seats: int | None
    deals: int
    variant: list[str]
    move_ms: int | None


@dataclass
class Table:
    """The same with everybody named: what a page or a terminal must know."""

    sitting: Sitting
    variant: Variant
    bots: list[Bot]
    labels: list[str] = field(default_factory=list)

    @property
    def timed(self) -> bool:
        """Whether the human has to mind a clock."""
        return self.sitting.move_ms is not None


def seat_a_human(
    sitting: Sitting, place: Place, trust_bots: bool, allowed: Sequence[str], port: int | None
) -> None:
    """Play at a table of bots: on a page at a port, or in this terminal."""
    table = _set(sitting, place)
    level = sandbox_for(table.bots, trust_bots, allowed)
    if port is None:
        from arena.cli.human_text import play_here

        _play(table, place, level, (), play_here(table))
        return
    from arena.cli.human_page import HumanPage  # loads a web server

    page = HumanPage(table, place, port)
    with page:
        # Whoever stops it while the last match is being stored wants no replay.
        if _play(table, place, level, page.origins, page.seat):
            page.stay()


def _set(sitting: Sitting, place: Place) -> Table:
    game = game_called(sitting.game)
    seats = sitting.seats or max(game.seats_allowed[0], len(sitting.bots) + 1)
    if sitting.seat >= seats:
        raise Failure(f"--seat {sitting.seat}: seats at this table are 0 to {seats - 1}", USAGE)
    others = [*sitting.bots, *[sitting.bots[-1]] * (seats - 1 - len(sitting.bots))]
    called = [*others[: sitting.seat], f"{PREFIX}{HUMAN}", *others[sitting.seat :]]
    variant, bots = arrange(sitting.game, called, seats, sitting.variant, submitted_in(place))
    return Table(sitting, variant, bots, names_at_table(bots))


def _play(table: Table, place: Place, level: str, origins: tuple[str, ...], seating: Seating) -> bool:
    """Until all is played; False if a signal came meanwhile."""
    sitting = table.sitting
    control = TimeControl(sitting.move_ms or ALL_DAY_MS)
    terms = Terms(control, tables=1, sandbox=level)
    settings = {"game": sitting.game, "variant": table.variant.changes(), "limits": asdict(control)}
    division = Division.of(sitting.game, table.variant.changes(), len(table.bots))
    seed = secrets.token_bytes(32)
    bots = dict(zip(table.labels, table.bots, strict=True))
    with tempfile.TemporaryDirectory(prefix="arena-human-") as folder:
        tokens = Path(folder) / FILE
        token = Tokens(tokens).create_reserved(HUMAN)
        screen = HumanScreen()
        try:
            with place.open(create=True) as store:
                series = open_ladder(place, store, f"human-{secrets.token_hex(8)}", "series", "", settings, seed)
                enter(store, series, bots)
                contest = Contest(division, table.variant.changes(), SeatedDraw(table.labels, sitting.deals))
                event = Event(place, store, series, seed, bots, terms, 1, [contest])
                event.playing = set(bots)
                event.hasty = True
                event.door = DoorTerms(0, token_file=tokens, origins=origins, grace_s=AWAY_S, absent_s=COMING_S)

                event.gallery = gallery = Gallery(series.name)

                async def beside(say: Callable[[str], None]) -> None:  # noqa: ARG001
                    await seating(await screen.door_is_open(), token, gallery)

                event.beside = beside
                over = play(event, screen)
        except StoreError as error:
            raise failure_of(error) from None
        finally:
            screen.close([])
    if not over:
        raise Failure("you left; what was not finished does not count")
    return not event.stopped


class HumanScreen(EventScreen):
    """Says how matches ended, and what goes wrong; nothing else, for a human plays here."""

    def __init__(self) -> None:
        super().__init__(as_json=False)
        self.live = False

    def heading(self) -> str:
        """Nothing."""
        return ""

    def say(self, text: str) -> None:
        """Nobody comes or goes here but the human."""

    def trouble(self, text: str) -> None:
        """Said all the same."""
        print(text, file=sys.stderr, flush=True)

    def void(self, number: int, why: str) -> None:  # noqa: ARG002
        """The human should know why there are new cards."""
        self.trouble(f"the match does not count: {why}. The next one begins")

    def tell_block(self, contest: Contest, block: Block, report: BlockReport) -> None:  # noqa: ARG002
        """A match is over and stored."""
        for match in block.matches:
            result = sorted(zip(match.places, match.bots, match.points, strict=True))
            told = ", ".join(f"{place}. {bot} {points}" for place, bot, points in result)
            self.voice.say(f"{match.match}  {told}")
            self.voice.say(f"Next: arena replay {match.match}   |   arena verify {match.match}")

    async def door_is_open(self) -> str:
        """Its address, as soon as it has one."""
        runner = self.tournament.runner
        assert isinstance(runner, House)
        while not runner.door.port:
            await trio.sleep(0.01)
        return runner.door.url
