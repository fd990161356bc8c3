"""`arena play`: arranges a series of deals between bots, has it refereed, and keeps it in the store."""

from __future__ import annotations

import hashlib
import re
import secrets
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from arena.bots.manifest import Bot
from arena.chance import FastChance
from arena.cli.door import with_owners
from arena.cli.entering import Lookup, bots_called, names_at_table, sandbox_for, seated_once, submitted_in
from arena.cli.event import Event, enter, jobs_here, open_ladder, play
from arena.cli.failure import INTERRUPTED, USAGE, Failure
from arena.cli.games import game_called
from arena.cli.pages import show_pages
from arena.cli.place import Place, failure_of
from arena.cli.series import Terms, summary
from arena.cli.series_screen import SeriesScreen, closing
from arena.clock import TimeControl
from arena.door.terms import DoorTerms
from arena.runner.draws import SeriesDraw
from arena.runner.orders import Terms as MatchTerms
from arena.runner.tournament import Contest
from arena.store import Division, StoreError
from arena.store.block import canonical
from arena.variants import Variant, VariantError


def play_series(
    terms: Terms,
    place: Place,
    trust_bots: bool,
    allowed: Sequence[str],
    as_json: bool,
    door: DoorTerms | None = None,
    web: int | None = None,
) -> None:
    """Play it, show it, keep it."""
    variant, entries = arrange(terms.game, terms.bots, terms.seats, terms.variant, submitted_in(place))
    remote = seated_once(entries)
    with_owners({bot.name: bot for bot in entries}, door)
    level = sandbox_for(entries, trust_bots, allowed)
    seed = seed_of(terms.seed)
    labels = names_at_table(entries)
    control = TimeControl(terms.move_ms, terms.bank_ms, terms.start_ms, terms.start_ms)
    limits = {**asdict(control), "strikes": terms.strikes}
    settings = {"game": terms.game, "variant": variant.changes(), "table": labels, "limits": limits}
    # The same seed, table and limits are the same series: it is gone on with, never played twice.
    programs = [bot.content for bot in entries]
    told = canonical([settings, programs]).encode()
    name = f"play-{hashlib.sha256(seed + told).hexdigest()[:16]}"
    division = Division.of(terms.game, variant.changes(), len(entries))
    screen = SeriesScreen(seed, as_json)
    began = time.monotonic()
    failure: Failure | None = None
    over = False
    try:
        with place.open(create=True) as store:
            series = open_ladder(place, store, name, "series", "", settings, seed)
            bots = dict(zip(labels, entries, strict=True))
            enter(store, series, bots)
            match_terms = MatchTerms(control, terms.strikes, terms.tables, level)
            draw = SeriesDraw(labels, terms.deals, fresh=remote)
            contests = [Contest(division, variant.changes(), draw)]
            jobs = jobs_here(terms.jobs, draw.planned)
            event = Event(place, store, series, seed, bots, match_terms, jobs, contests)
            event.playing = set(bots)
            event.door = door
            if web is not None:
                show_pages(event, web)
            try:
                over = play(event, screen)
            except Failure as failed:
                failure = failed
            result = summary(store, series, seed, time.monotonic() - began)
    except StoreError as error:
        raise failure_of(error) from None
    result["planned"] = terms.deals * len(entries)
    if failure is None and not over:
        so_far = f"stopped after {result['played']} of {result['planned']} matches"
        failure = Failure(f"{so_far}. Go on: the same command with --seed {seed_as_said(seed)}", INTERRUPTED)
    screen.end(closing(result), result, failure)


def arrange(
    called: str, bots: Sequence[str], wanted: int | None, changes: Sequence[str], submitted: Lookup
) -> tuple[Variant, list[Bot]]:
    """The table that was typed; the last bot fills it up to the wanted seats."""
    game = game_called(called)
    try:
        variant = game.variant_type.read(dict(_pair(text) for text in changes))
    except VariantError as error:
        raise Failure(str(error), USAGE) from None
    entries = [bot for text in bots for bot in bots_called([text], Path(), submitted).values()]
    seats = wanted or len(entries)
    allowed = game.seats_allowed
    if seats not in allowed or seats < len(entries):
        bots_given = f"{len(entries)} bot{'' if len(entries) == 1 else 's'}"
        raise Failure(
            f"{game.name} is for {allowed[0]} to {allowed[-1]} seats; {bots_given} for {seats} seats do not fit. "
            "Name more bots, or let the last one fill up: --seats N",
            USAGE,
        )
    entries += [entries[-1]] * (seats - len(entries))
    bots_called(bots, Path(), submitted)  # two programs of one name and version do not meet
    try:
        game(seats, variant, FastChance())  # an option may fit some tables only
    except VariantError as error:
        raise Failure(str(error), USAGE) from None
    for bot in entries:
        if not bot.plays(game.name):
            raise Failure(f"{bot.name} does not play {game.name}; it plays {', '.join(bot.games)}", USAGE)
    return variant, entries


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise VariantError(f'--variant "{text}": write name=value')
    return key.strip(), value.strip()


def seed_as_said(seed: bytes) -> str:
    """As `--seed` takes it."""
    return seed.hex().lstrip("0") or "0"


def seed_of(text: str | None) -> bytes:
    """32 bytes from what was typed, or from the system."""
    if text is None:
        return secrets.token_bytes(32)
    if not re.fullmatch("[0-9a-fA-F]{1,64}", text):
        raise Failure(f'--seed "{text}": 1 to 64 hexadecimal digits', USAGE)
    return bytes.fromhex(text.rjust(64, "0"))
