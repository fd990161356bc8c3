"""`arena ladder run` and `resume`: from a ladder file, or from what the store remembers of it, to standings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import ladders
from arena.boards import Board, boards_of, definition_of, named
from arena.bots.manifest import Bot
from arena.chance import FastChance
from arena.cli.attendance import Attendance
from arena.cli.board import board, notes
from arena.cli.door import with_owners
from arena.cli.entering import bots_called, kept_on_shelf, sandbox_for, submitted_in
from arena.cli.event import Event, enter, jobs_here, open_ladder, play, program_of, secret_of
from arena.cli.failure import INTERRUPTED, USAGE, Failure, unknown
from arena.cli.games import game_called
from arena.cli.ladder_screen import LadderScreen
from arena.cli.pages import show_pages
from arena.cli.place import Place, failure_of
from arena.cli.places import Places, in_words, places_in
from arena.clock import TimeControl
from arena.door.terms import DoorTerms
from arena.runner.draws import FormatDraw
from arena.runner.orders import Terms
from arena.runner.tournament import Contest
from arena.sandbox import Limits
from arena.store import Division, StoreError
from arena.store.roster import Ladder as StoredLadder
from arena.store.store import Store
from arena.variants import Variant, VariantError
from ladders.formats import FormatError
from ladders.formats.knockout import Knockout
from ladders.ladder import Ladder, changes
from ladders.ladder_file import read_ladder
from ladders.ladder_text import LadderError

if TYPE_CHECKING:
    from arena.cluster.access import Access

SHIPPED = Path(ladders.__file__).parent
"""Ladder files that come with the arena."""


def run_ladder(
    what: str,
    place: Place,
    jobs: int | None,
    trust_bots: bool,
    allowed: Sequence[str],
    keep_settings: bool,
    as_json: bool,
    door: DoorTerms | None = None,
    web: int | None = None,
    cluster: Access | None = None,
) -> None:
    """Play a ladder file, or go on with a ladder by its name."""
    path = _shipped(what, place) or Path(what)
    if path.suffix == ".toml" or path.is_file():
        ladder = _read(path)
        bots = with_owners(bots_called(ladder.bots, path.parent, submitted_in(place)), door)
        sandbox_for(bots.values(), trust_bots or ladder.run.sandbox == "trust-bots", allowed)
    elif place.begun:
        ladder, bots = None, {}
    else:
        raise unknown("ladder", what, sorted(path.stem for path in SHIPPED.glob("*.toml")))
    try:
        with place.open(create=ladder is not None) as store:
            stored = store.find_ladder(what) if ladder is None else _stored(place, store, ladder, keep_settings)
            if stored.kind != "ladder":
                raise Failure(f"{stored.name} is a {stored.kind}, not a ladder", USAGE)
            if ladder is None or keep_settings:
                ladder = definition_of(stored)
            bots = kept_on_shelf(bots, place)
            news = _enter(store, stored, ladder, bots, what)
            event = _event(place, store, stored, ladder, bots, jobs, trust_bots, allowed)
            event.news = news
            event.door = door
            event.cluster = cluster
            if web is not None:
                show_pages(event, web, live=ladder.publish.live)
            _play(event, as_json)
    except StoreError as error:
        raise failure_of(error) from None


def _shipped(what: str, place: Place) -> Path | None:
    """A ladder file that came with the arena, by its name alone, unless one of that name was begun here."""
    path = SHIPPED / f"{what}.toml"
    if "/" in what or Path(what).exists() or not path.is_file():
        return None
    with place.open(create=True) as store:
        return None if what in {begun.name for begun in store.list_ladders()} else path


def _read(path: Path) -> Ladder:
    try:
        return read_ladder(path.read_text("utf-8"), str(path))
    except LadderError as error:
        raise Failure(str(error), USAGE) from None
    except UnicodeDecodeError as error:
        raise Failure(f"{path} is no text in UTF-8 ({error}); save it as UTF-8", USAGE) from None
    except FileNotFoundError:
        folder = "" if path.parent == Path() else f" --in {path.parent}"
        raise Failure(f"there is no file {path}; make one: arena new ladder {path.stem}{folder}", USAGE) from None
    except OSError as error:
        raise Failure(f"{path} cannot be read: {error.strerror}", USAGE) from None


def _stored(place: Place, store: Store, ladder: Ladder, keep_settings: bool) -> StoredLadder:
    _check_games(ladder)
    seed = None if ladder.run.seed == "random" else bytes.fromhex(ladder.run.seed.rjust(64, "0"))
    stored = open_ladder(place, store, ladder.name, "ladder", ladder.title, ladder.settings(), seed)
    changed = [told for told in changes(stored.settings, ladder.settings()) if not told.startswith("bots ")]
    if changed and not keep_settings:
        raise Failure(
            f"{ladder.name} has changed since it began: {', '.join(changed)}. Name it otherwise to start a "
            "new one, or go on as it was: --keep-settings",
            USAGE,
        )
    return stored


def _enter(store: Store, stored: StoredLadder, ladder: Ladder, bots: dict[str, Bot], file: str) -> list[str]:
    """Enter the bots of a file, in place of their earlier versions; tells of whoever is not in it and plays."""
    before = store.bots_of(stored)
    known = {entry.label for entry in before}
    enter(store, stored, bots)
    # Once it is drawn, a newer version would be too late, and the older one is in the draw.
    drawn = ladder.schedule.format == Knockout.name and store.next_number(stored) > 0
    newer = {} if drawn else {bot.name: label for label, bot in bots.items() if label not in known}
    news, others = [], []
    for entry in before:
        through_the_door = ladder.schedule.open_door and entry.manifest.get("remote")
        if not bots or entry.label in bots or entry.status != "playing" or through_the_door:
            continue
        if entry.name in newer:
            store.set_bot_status(stored, entry.label, "removed")
            news.append(f"{newer[entry.name]} plays from now on, in place of {entry.label}")
        else:
            others.append(entry.label)
    if others:
        remove = f"arena ladder remove {stored.name} {others[0]}"
        news.append(f"not in {file}, and playing: {', '.join(others)}. To take one out: {remove}")
    return news


def _check_games(ladder: Ladder) -> None:
    for game, variant, seats in _tables(ladder):
        try:
            game_called(game)(seats, variant, FastChance())
        except (VariantError, ValueError) as error:
            raise Failure(f"{game} for {seats} seats: {error}", USAGE) from None


def _tables(ladder: Ladder) -> Iterator[tuple[str, Variant, int]]:
    for name in ladder.games:
        game = game_called(name)
        try:
            variant = game.variant_type.read(dict(ladder.variants.get(name, {})))
        except VariantError as error:
            raise Failure(f"{ladder.name}: {error}", USAGE) from None
        for seats in ladder.seats or (game.seats_allowed[0],):
            yield name, variant, seats


def _event(
    place: Place,
    store: Store,
    stored: StoredLadder,
    ladder: Ladder,
    bots: dict[str, Bot],
    jobs: int | None,
    trust_bots: bool,
    allowed: Sequence[str],
) -> Event:
    entries = store.bots_of(stored)
    playing = [entry for entry in entries if entry.status == "playing"]
    programs = {entry.label: bots.get(entry.label) or program_of(entry) for entry in playing}
    level = sandbox_for(programs.values(), trust_bots or ladder.run.sandbox == "trust-bots", allowed)
    limits = ladder.limits
    control = TimeControl(limits.move_ms, limits.bank_ms, limits.start_ms, limits.start_ms)
    block_s = 60 + (4 * limits.start_ms + 2000 * limits.move_ms) / 1000
    walls = Limits(memory_mb=limits.memory_mb)
    terms = Terms(control, limits.strikes, ladder.run.tables, level, walls, limits.ponder, block_s)
    secret = secret_of(place, stored)
    event = Event(place, store, stored, secret, programs, terms, jobs_here(jobs or ladder.run.jobs))
    event.open_door = ladder.schedule.open_door
    # Through an open door bots come when they come; others are expected, and forfeit if they stay away.
    event.attendance = Attendance(store, stored, entries, programs, event.open_door)
    event.playing = event.attendance.there
    event.resume = f"arena ladder resume {stored.name}"
    remote = {label for label, bot in programs.items() if bot.remote}
    for game, variant, seats in _tables(ladder):
        try:
            format = ladder.begin(event.attendance.field(game), seats, secret)
        except FormatError as error:
            raise Failure(f"{ladder.name}, {game}: {error}", USAGE) from None
        division = Division.of(game, variant.changes(), seats)
        event.contests.append(Contest(division, variant.changes(), FormatDraw(format, secret, remote)))
    return event


def _play(event: Event, as_json: bool) -> None:
    screen = LadderScreen(as_json)
    failure: Failure | None = None
    over = False
    try:
        over = play(event, screen)
    except Failure as failed:
        failure = failed
    if failure is None and not over:
        done = event.store.counts(event.ladder).final
        failure = Failure(f"stopped after {done} blocks. Go on: {event.resume}", INTERRUPTED)
    boards = boards_of(event.store, event.ladder, event.place.memory)
    name, places = event.ladder.name, places_in(event.contests)
    result = {"ladder": name, "complete": over, "divisions": boards, **({"knockouts": places} if places else {})}
    screen.end(_last_lines(name, boards, places, over), result, failure)


def _last_lines(name: str, boards: list[Board], places: list[Places], over: bool) -> list[str]:
    lines = []
    for found in boards:
        lines += ["", named(found), *board(found), *notes(found)]
    lines += ["", *map(in_words, places)] if places else []
    state = "complete" if over else "not complete"
    following = f"arena ladder show {name}   |   arena serve   |   arena verify {name}"
    return [*lines, "", f"{name} is {state}. Next: {following}"]
