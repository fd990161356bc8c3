"""An event: a ladder, a series or a duel, opened in the store, played, and closed again whatever happens."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import trio

from arena.bots.manifest import Bot, BotError, read_bot
from arena.bots.remote import remote_bot
from arena.cli.attendance import Attendance
from arena.cli.door import first_of, guests_of, with_owners
from arena.cli.failure import DAMAGED, FAILED, NOT_HERE, USAGE, Failure
from arena.cli.place import Place, failure_of
from arena.door.terms import DoorError, DoorTerms
from arena.gallery import Gallery
from arena.runner.draws import FormatDraw
from arena.runner.house import House
from arena.runner.local import LocalRunner, WorkersFail
from arena.runner.orders import Terms
from arena.runner.runner import Runner
from arena.runner.tournament import Contest, Tournament, Watcher
from arena.store import StoreError
from arena.store.lock import LadderLock
from arena.store.roster import Entry, Ladder, NewEntry
from arena.store.secrets import make_secret, read_secret
from arena.store.store import Store
from arena.store.writer import Writer
from ladders.formats import FormatError
from ladders.formats.replay import replay

if TYPE_CHECKING:
    from arena.cluster.access import Access

ROSTER_S = 2.0
GATHER_S = 0.2
"""So long a result may wait to be stored and shown together with others."""

DESCRIPTORS_A_SEAT = 8
"""Pipes and handles of a bot that plays and of one kept warm beside it."""

DESCRIPTORS_A_GUEST = 2
"""A connection, and once more while it is clogged."""


class Screen(Watcher, Protocol):
    """What the operator sees."""

    def opened(self, event: Event, tournament: Tournament) -> None:
        """It begins."""

    async def keep_up_to_date(self) -> None:
        """Runs beside the matches, until cancelled."""

    def say(self, text: str) -> None:
        """A line."""


@dataclass
class Event:
    """What is played and where it is kept."""

    place: Place
    store: Store
    ladder: Ladder
    secret: bytes
    bots: dict[str, Bot]
    """By label, whoever may be needed."""

    terms: Terms
    jobs: int
    contests: list[Contest] = field(default_factory=list)
    playing: set[str] = field(default_factory=set)
    """Labels of those who get new blocks."""

    refused: set[str] = field(default_factory=set)
    """Who is on the roster, and came too late or cannot be found."""

    attendance: Attendance | None = None
    """Of a ladder, whose bots come and go."""

    door: DoorTerms | None = None
    """Where remote bots come in."""

    open_door: bool = False
    """Whoever comes in takes part."""

    cluster: Access | None = None
    """Where other machines wait for work."""

    beside: Callable[[Callable[[str], None]], Awaitable[None]] | None = None
    """Runs beside the matches, and may say something."""

    gallery: Gallery | None = None
    """Where spectators sit."""

    hasty: bool = False
    """The first signal stops it at once: nobody waits for a human to finish."""

    stopped: bool = False
    """A signal came."""

    news: list[str] = field(default_factory=list)
    """What the operator should know before it begins."""

    resume: str = ""
    """What to type to go on after an interruption."""

    def replayed(self, contest: Contest) -> Contest:
        """The contest as far as it was played before."""
        blocks = self.store.blocks_of(self.ladder, contest.division)
        if self.attendance is not None and isinstance(contest.draw, FormatDraw):
            changes = self.attendance.changes(contest.division.game)
            contest.seated += replay(contest.draw.format, blocks, changes)
            return contest
        for block in blocks:
            contest.draw.played(block)
            contest.seated += 1
        return contest


def open_ladder(
    place: Place, store: Store, name: str, kind: str, title: str, settings: Mapping[str, Any], seed: bytes | None
) -> Ladder:
    """The ladder of that name; made, with its secret, when it is new."""
    known = next((ladder for ladder in store.list_ladders() if ladder.name == name), None)
    if known is not None:
        return known
    place.folder.mkdir(parents=True, exist_ok=True)
    commitment = make_secret(place.folder, seed)
    return store.create_ladder(name, seed_commitment=commitment, kind=kind, title=title, settings=settings)


def secret_of(place: Place, ladder: Ladder) -> bytes:
    """What all deals of a ladder follow from."""
    return read_secret(place.folder, ladder.seed_commitment)


def enter(store: Store, ladder: Ladder, bots: Mapping[str, Bot]) -> None:
    """Put bots on a ladder; a program that changed under the same name and version is another bot."""
    entered = {entry.label: entry for entry in store.bots_of(ladder)}
    for label, bot in bots.items():
        known = entered.get(label)
        if known is None:
            manifest: dict[str, Any] = {"remote": True} if bot.remote else {"folder": str(bot.folder)}
            manifest["games"] = list(bot.games)
            store.add_bot(ladder, NewEntry(label, bot.name, bot.version, bot.owner, bot.content, manifest))
        elif known.content != bot.content:
            raise Failure(
                f"{label} has changed since it entered {ladder.name}: results of two programs must not mix. "
                "Raise its version in its bot.toml, and it enters as a new bot"
            )


def jobs_here(wanted: int | None, blocks: int | None = None) -> int:
    """Worker processes: as asked, or one for each core; never more than there are blocks."""
    jobs = wanted or len(os.sched_getaffinity(0))
    return jobs if blocks is None else min(jobs, blocks)


def check_descriptors(terms: Terms, seats: int, remote: int = 0) -> None:
    """Say before the first match that the machine would run out of descriptors, not during one.

    So many remote bots may come in.
    """
    around = 64 + remote * DESCRIPTORS_A_GUEST
    needed = around + terms.tables * seats * DESCRIPTORS_A_SEAT
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < needed:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
        except (ValueError, OSError):
            fits = max(1, (soft - around) // (seats * DESCRIPTORS_A_SEAT))
            guests = f" and {remote} bots at the door" if remote else ""
            raise Failure(
                f"{terms.tables} matches at once{guests} need {needed:,} descriptors, the limit is {hard:,}: "
                f"use --tables {fits}, or raise it: ulimit -n {needed}",
                NOT_HERE,
            ) from None


def play(event: Event, screen: Screen) -> bool:
    """Play until it is over (True) or was stopped (False)."""
    if event.cluster is None:
        remote = guests_of(event.door) if event.door is not None else 0
        check_descriptors(event.terms, _widest_table(event), remote)
    event.bots = with_owners(event.bots, event.door)
    if event.open_door and event.door is None:
        raise Failure(f"{event.ladder.name} has an open door: say where, --bots-port 8765", USAGE)
    try:
        with LadderLock(event.store, event.ladder) as lock:
            over = _play(event, screen, lock)
            if over:
                lock.finish()
            return over
    except StoreError as error:
        raise failure_of(error) from None


def _play(event: Event, screen: Screen, lock: LadderLock) -> bool:
    void = event.store.void_unfinished(event.ladder)
    if void:
        screen.say(f"{len(void)} blocks were void: the arena stopped. They are played again with new deals")
    event.contests = [event.replayed(contest) for contest in event.contests]
    writer = Writer(event.store, event.ladder, lock, screen.say, gather_s=GATHER_S)
    runner = _runner(event, screen)
    tournament = Tournament(
        event.ladder.name,
        event.secret,
        event.contests,
        event.bots,
        runner,
        writer,
        screen,
        event.store.next_number(event.ladder),
        event.store.unreplaced_of(event.ladder),
        patient=event.open_door,
    )
    _catch_up(event, tournament, screen)
    screen.opened(event, tournament)
    stopped = trio.run(_run, event, tournament, screen)
    if stopped:
        event.store.void_unfinished(event.ladder, "the operator stopped the ladder")
    _write_down(event, tournament)
    if tournament.unrepeatable:
        raise Failure(
            f"{tournament.unrepeatable} came out differently when it was refereed again: mistrust its rulebook",
            DAMAGED,
        )
    paused = next((contest.paused for contest in event.contests if contest.paused), "")
    if paused:
        raise Failure(paused, FAILED)
    return tournament.over


def _runner(event: Event, screen: Screen) -> Runner:
    """Other machines, this one with a door, or this one."""
    if event.cluster is not None:
        from arena.cluster.runner import ClusterRunner  # loads Dask

        return ClusterRunner(event.terms, event.cluster, _widest_table(event), screen.say)
    if event.door is not None:
        # Who thinks answers no ping: that is no silence.
        silent_s = max(event.door.silent_s, 10 + 2 * event.terms.control.move_ms / 1000)
        here: LocalRunner = House(event.terms, event.jobs, replace(event.door, silent_s=silent_s), screen.say)
    else:
        here = LocalRunner(event.terms, event.jobs)
    here.gallery = event.gallery
    return here


def _widest_table(event: Event) -> int:
    return max(contest.division.seats for contest in event.contests)


async def _run(event: Event, tournament: Tournament, screen: Screen) -> bool:
    """Play beside a screen that keeps up; the first signal lets matches finish, the second does not."""
    stopped = False

    async def listen() -> None:
        nonlocal stopped
        with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM, signal.SIGHUP) as signals:
            async for _ in signals:
                event.stopped = True
                if stopped or event.hasty:
                    stopped = True
                    nursery.cancel_scope.cancel()
                    return
                stopped = True
                left = tournament.stop()
                screen.say(f"finishing {left} blocks (press Ctrl-C again to stop now)")

    async def call_the_roll() -> None:
        while True:
            await trio.sleep(ROSTER_S)
            await _enter_guests(event, tournament.runner)
            await trio.to_thread.run_sync(_write_down, event, tournament)
            entries = await trio.to_thread.run_sync(event.store.bots_of, event.ladder)
            for entry in entries:
                _follow(event, tournament, entry, screen)
            if event.attendance is not None:
                await trio.to_thread.run_sync(event.attendance.write_down)

    trouble: Exception | None = None
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(listen)
            nursery.start_soon(screen.keep_up_to_date)
            nursery.start_soon(call_the_roll)
            if event.beside is not None:
                nursery.start_soon(event.beside, screen.say)
            await tournament.run()
            nursery.cancel_scope.cancel()
    except* (WorkersFail, DoorError) as failures:
        trouble = first_of(failures)
    if trouble is not None:
        raise Failure(str(trouble), NOT_HERE)
    return stopped


async def _enter_guests(event: Event, runner: Runner) -> None:
    """Through an open door, whoever holds a token enters the ladder."""
    if not event.open_door or not isinstance(runner, House):
        return
    entered = {entry.label for entry in await trio.to_thread.run_sync(event.store.bots_of, event.ladder)}
    new = {guest.name: remote_bot(guest.name, guest.token.owner) for guest in runner.door.guests.values()}
    new = {label: bot for label, bot in new.items() if label not in entered}
    if new:
        await trio.to_thread.run_sync(enter, event.store, event.ladder, new)


def _catch_up(event: Event, tournament: Tournament, screen: Screen) -> None:
    """What became of the roster while nobody played takes effect before the first block."""
    if event.attendance is None:
        return
    for entry in event.store.bots_of(event.ladder):
        if not event.attendance.leaves_out(entry):
            _follow(event, tournament, entry, screen)
    event.attendance.write_down()


def _write_down(event: Event, tournament: Tournament) -> None:
    """Who was benched stays out until it is released, also when the ladder is resumed."""
    while tournament.benched:
        label, turn = tournament.benched.popitem()
        event.store.set_bot_status(event.ladder, label, "benched")
        event.playing.discard(label)
        if event.attendance is not None:
            event.attendance.note(label, turn)
    if event.attendance is not None:
        event.attendance.write_down()


def _follow(event: Event, tournament: Tournament, entry: Entry, screen: Screen) -> None:
    """What another command did to the roster takes effect here."""
    plays = entry.status == "playing"
    if event.open_door and entry.manifest.get("remote") and isinstance(tournament.runner, House):
        plays &= tournament.runner.door.knows(entry.name)  # it takes part while it is there
    if not plays:
        event.refused.discard(entry.label)
    if plays == (entry.label in event.playing) or entry.label in event.refused:
        return
    try:
        if plays:
            tournament.enter(entry.label, event.bots.get(entry.label) or program_of(entry))
            event.playing.add(entry.label)
            screen.say(f"{entry.label} joins")
        else:
            tournament.withdraw(entry.label)
            event.playing.remove(entry.label)
            why = "away" if entry.status == "playing" else entry.status
            screen.say(f"{entry.label} is {why}: it gets no new blocks")
    except (Failure, FormatError) as error:
        event.refused.add(entry.label)
        screen.say(f"{entry.label} does not play: {error}")
        return
    if event.attendance is not None and not event.attendance.leaves_out(entry):
        event.attendance.note(entry.label, tournament.turn)


def program_of(entry: Entry) -> Bot:
    """The bot that was entered, if it is still what it was."""
    if entry.manifest.get("remote"):
        return remote_bot(entry.name, entry.owner)
    folder = Path(entry.manifest["folder"])
    try:
        bot = read_bot(folder)
    except BotError as error:
        raise Failure(f"{entry.label} cannot be found again: {error}", NOT_HERE) from None
    if bot.content != entry.content:
        raise Failure(f"{entry.label} has changed since it entered ({folder}): raise its version in bot.toml")
    return bot
