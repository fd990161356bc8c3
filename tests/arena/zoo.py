"""Plays hostile bots against quiet ones, as real processes, and looks for what they leave behind."""

from __future__ import annotations

import gc
import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import trio

from arena import record
from arena.bots.live import LiveBot
from arena.bots.manifest import Bot
from arena.chance import derive
from arena.clock import TimeControl
from arena.games import GAMES
from arena.match import Ask, Entrant, Match
from arena.referee import Fixture, Referee
from arena.transports import Hub, Link, Owner, stdio
from arena.variants import Variant

HOSTILE_BOTS = Path(__file__).parent.parent / "hostile_bots"
GAME = GAMES["sheepzzz"]
ONE_ROUND = GAME.variant_type.read({"target": 1})
CONTROL = TimeControl(move_ms=150, start_ms=5_000, prepare_ms=5_000)
SEAT = 1  # where the hostile bot sits, between two quiet ones
FORFEIT = "The seat is forfeited; the stand-in plays on"


def strike(number: int, asked: bool = True) -> str:
    return f"Strike {number} of 3" + (": the default was played" if asked else "")


THIRD_STRIKE = "Strike 3 of 3: the seat is forfeited; the stand-in plays on"


def bot_called(name: str, *arguments: str, encoding: str = "json") -> Bot:
    """A program of the folder; a test that gives it arguments says so here."""
    path = next(HOSTILE_BOTS.glob(f"{name}.*"))
    shell = ("/bin/sh",) if path.suffix == ".sh" else (sys.executable, "-BEsS")
    return program(name, *shell, path.name, *arguments, encoding=encoding)


def program(name: str, *run: str, encoding: str = "json", folder: Path = HOSTILE_BOTS) -> Bot:
    return Bot(name, "1", "", (), run, encoding, folder, content=name)


QUIET = bot_called("quiet")


def expected(name: str) -> str:
    """What a hostile bot says of itself in its first line."""
    path = next(HOSTILE_BOTS.glob(f"{name}.*"))
    return path.read_text("utf-8").partition("\n")[0].removeprefix("# expect: ")


def fixture(*bots: Bot, deal: int = 0, variant: Variant = ONE_ROUND) -> Fixture:
    return Fixture(GAME, variant, bots, derive(bytes(32), "deal", deal), derive(bytes(32), "table", deal))


def between_quiet_ones(bot: Bot, deal: int = 0, variant: Variant = ONE_ROUND) -> Fixture:
    return fixture(QUIET, bot, QUIET, deal=deal, variant=variant)


@cache
def quiet_match(deal: int = 0, variant: Variant = ONE_ROUND) -> Match:
    """The same deal when the seat in the middle quietly plays the defaults."""
    where = between_quiet_ones(QUIET, deal, variant)
    entrants = [Entrant("quiet", encoding="json") for _ in where.bots]
    match = Match(GAME, entrants, deal=where.deal, salt=where.salt, variant=variant)
    orders = match.begin()
    while not match.over:
        (ask,) = [order for order in orders if isinstance(order, Ask)]
        last = len(match.game.options(ask.seat)) - 1
        orders = match.answered(ask.seat, match.seats[ask.seat].default if ask.seat == SEAT else last, 0)
    return match


def answers_of(inputs: Sequence[Sequence[Any]], seat: int) -> list[int]:
    return [entry[2] for entry in inputs if entry[0] == seat and entry[1] == "answer"]


@dataclass
class Played:
    """A match that is over, and what its bots wrote to stderr until they were gone."""

    document: record.Document
    stderr: list[str]
    bots: list[LiveBot]

    @property
    def codes(self) -> list[str]:
        return [verdict["code"] for verdict in self.document["verdicts"]]

    @property
    def texts(self) -> list[str]:
        return [verdict["text"] for verdict in self.document["verdicts"]]

    def told(self, kind: str, seat: int = SEAT) -> list[dict[str, Any]]:
        """The messages of one kind that a bot wrote down as received."""
        lines = [line for line in self.stderr[seat].splitlines() if line.startswith("{")]
        return [message for message in map(json.loads, lines) if message["type"] == kind]


@dataclass
class Table:
    """Everything one referee did."""

    played: list[Played]
    referee: Referee


async def play(
    *fixtures: Fixture,
    control: TimeControl = CONTROL,
    strikes: int = 3,
    at_once: int = 1,
    tap: Callable[[Hub], object] = lambda hub: None,
) -> Table:
    """Play them as `arena play` does, and make sure that nothing is left."""
    descriptors, children = descriptors_before(), children_of(os.getpid())
    hub = Hub()
    over: list[tuple[record.Document, list[LiveBot]]] = []
    links: list[Any] = []

    def finished(match: Match, _: Fixture, bots: list[LiveBot]) -> None:
        over.append((record.document_of(match, sandbox="none"), list(bots)))

    def starter(bot: Bot, owner: Owner) -> Link:
        link = stdio.start(
            hub, list(bot.run), cwd=str(bot.folder), env=bot.environment(), owner=owner, name=bot.name
        )
        links.append(link)
        return link

    referee = Referee(hub, starter, finished, control, strikes, at_once)
    async with trio.open_nursery() as nursery:
        await nursery.start(hub.run)
        tap(hub)
        with trio.fail_after(60):
            await referee.run(iter(fixtures))
        assert not any(link.alive for link in links)
        assert not marked([link.mark for link in links])
        nursery.cancel_scope.cancel()
    assert open_descriptors() <= descriptors
    assert children_of(os.getpid()) == children, "a child was not reaped"
    return Table([Played(document, [_said(live) for live in bots], bots) for document, bots in over], referee)


def _said(live: LiveBot) -> str:
    return "" if live.link is None else live.link.stderr_kept().decode()


def descriptors_before() -> set[str]:
    """What this process has open, when what earlier tests dropped has been closed."""
    gc.collect()
    return open_descriptors()


def open_descriptors() -> set[str]:
    """What this process has open.  Nothing is tidied up first: what waits for the collector was left behind."""
    return set(os.listdir("/proc/self/fd"))


def children_of(parent: int) -> set[int]:
    """All children, zombies among them."""
    found = set()
    for entry in os.listdir("/proc"):
        try:
            fields = (
                Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split() if entry.isdecimal() else []
            )
        except OSError:
            continue
        if fields and int(fields[1]) == parent:
            found.add(int(entry))
    return found


def marked(marks: list[str]) -> set[int]:
    """Processes that carry one of these marks in their environment."""
    found = set()
    for entry in os.listdir("/proc"):
        try:
            environment = Path(f"/proc/{entry}/environ").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if any(f"ARENA_MARK={mark}" in environment for mark in marks):
            found.add(int(entry))
    return found


async def play_one(
    bot: Bot, *, control: TimeControl = CONTROL, strikes: int = 3, deal: int = 0, variant: Variant = ONE_ROUND
) -> Played:
    """One hostile bot between two quiet ones; whatever it did, they are unharmed and the record holds."""
    (played,) = (await play(between_quiet_ones(bot, deal, variant), control=control, strikes=strikes)).played
    check_others_unharmed(played, quiet_match(deal, variant))
    return played


def check_others_unharmed(played: Played, quiet: Match) -> None:
    """The quiet bots gave the answers they give to a quiet bot, got the same result, and paid for nothing else."""
    document = played.document
    assert quiet.game.outcome is not None
    assert record.differences(document) == ""
    assert {verdict["seat"] for verdict in document["verdicts"]} <= {SEAT}
    for seat in (0, 2):
        own = [entry for entry in document["inputs"] if entry[0] == seat]
        assert {entry[1] for entry in own} == {"answer"}
        assert sum(entry[3] for entry in own) == document["thinking_us"][seat]
        assert all(entry[3] <= document["clock"]["move_ms"] * 1000 for entry in own)
        assert not played.told("error", seat) and not played.told("forced", seat)
        assert answers_of(document["inputs"], seat) == answers_of(quiet.inputs, seat)
    assert tuple(document["scores"]) == quiet.game.outcome.scores
    ranks = tuple(document["ranks"])
    if SEAT in document["forfeits"]:
        assert ranks[SEAT] == 3 and max(ranks[0], ranks[2]) < 3
    else:
        assert ranks == quiet.game.outcome.ranks
    for text in played.texts:
        assert not re.search(r"\b\d+/\d\b", text), "a verdict names a card"


def check(played: Played, code: str, *texts: str, forfeit: bool = True) -> None:
    """The verdicts are exactly these, in this order; each text is a pattern for the whole."""
    assert played.codes == [code] * len(texts), played.texts
    for text, verdict in zip(texts, played.document["verdicts"], strict=True):
        assert re.fullmatch(text, verdict["text"]), verdict["text"]
        assert verdict["seat"] == SEAT
    assert played.document["forfeits"] == ([SEAT] if forfeit else [])
