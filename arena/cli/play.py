"""`arena play`: arranges a series of deals between bots and has it refereed."""

from __future__ import annotations

import json
import secrets
import time
from pathlib import Path

import trio

from arena import record
from arena.bots.live import LiveBot
from arena.bots.manifest import Bot, BotError, find_bot
from arena.chance import FastChance, derive
from arena.cli.failure import INTERRUPTED, NOT_HERE, USAGE, Failure
from arena.cli.games import game_called
from arena.cli.progress import Progress
from arena.cli.series import Planned, Series, Terms, summary
from arena.clock import TimeControl
from arena.game import Game
from arena.match import Match
from arena.referee import Fixture, Referee
from arena.transports import Hub, Link, Owner, StartError, stdio
from arena.variants import Variant, VariantError
from ladders.blocks import seatings


def play_series(terms: Terms, folder: Path, trust_bots: bool, as_json: bool) -> None:
    """Play it, show it, keep the records."""
    series = _arrange(terms, trust_bots)
    show = Progress(series, quiet=as_json)
    show.opening(terms)
    began = time.monotonic()
    interrupted = False
    try:
        trio.run(_play, series, terms, folder / "matches", show)
    except* KeyboardInterrupt:
        interrupted = True
    except* StartError as errors:  # a bot's own failure to start is a verdict; this is the machine's
        raise Failure(str(_first(errors)), NOT_HERE) from None
    except* OSError as errors:
        raise Failure(f"records cannot be kept under {folder}: {_first(errors)}", NOT_HERE) from None
    told = summary(series, time.monotonic() - began)
    if as_json:
        print(json.dumps(told))
    else:
        show.closing(told)
    if interrupted:
        raise Failure(f"stopped after {len(series.results)} of {len(series.plan)} matches", INTERRUPTED)


def _first(errors: BaseException) -> BaseException:
    """The first thing that went wrong; groups of it come from the nurseries it passed."""
    while isinstance(errors, BaseExceptionGroup):
        errors = errors.exceptions[0]
    return errors


def _arrange(terms: Terms, trust_bots: bool) -> Series:
    game = game_called(terms.game)
    try:
        variant = game.variant_type.read(dict(_pair(text) for text in terms.variant))
        bots = {text: find_bot(text) for text in terms.bots}
    except (VariantError, BotError) as error:
        raise Failure(str(error), USAGE) from None
    entries = [bots[text] for text in terms.bots]
    seats = terms.seats or len(entries)
    allowed = game.seats_allowed
    if seats not in allowed or seats < len(entries):
        bots_given = f"{len(entries)} bot{'' if len(entries) == 1 else 's'}"
        raise Failure(
            f"{game.name} is for {allowed[0]} to {allowed[-1]} seats; {bots_given} for {seats} seats do not fit. "
            "Name more bots, or let the last one fill up: --seats N",
            USAGE,
        )
    entries += [entries[-1]] * (seats - len(entries))
    try:
        game(seats, variant, FastChance())  # an option may fit some tables only
    except VariantError as error:
        raise Failure(str(error), USAGE) from None
    for bot in entries:
        if bot.games and game.name not in bot.games:
            raise Failure(f"{bot.name} does not play {game.name}; it plays {', '.join(bot.games)}", USAGE)
        if any(other.name == bot.name and other.content != bot.content for other in entries):
            raise Failure(f'two different bots are called "{bot.name}"; rename one in its bot.toml', USAGE)
        if not bot.sample and not trust_bots:
            raise Failure(
                f"{bot.name} is not one of our sample bots, and this version has no sandbox to run it in; "
                "if you trust the program: --trust-bots",
                NOT_HERE,
            )
    seed = _seed(terms.seed)
    return Series(game, variant, entries, seed, _plan(game, variant, entries, seed, terms.deals))


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise VariantError(f'--variant "{text}": write name=value')
    return key.strip(), value.strip()


def _seed(text: str | None) -> bytes:
    if text is None:
        return secrets.token_bytes(32)
    try:
        return bytes.fromhex(text.rjust(64, "0") if len(text) <= 64 else "no")
    except ValueError:
        raise Failure(f'--seed "{text}": up to 64 hexadecimal digits', USAGE) from None


def _plan(game: type[Game], variant: Variant, entries: list[Bot], seed: bytes, deals: int) -> list[Planned]:
    """Every deal in every seating of a balanced square, all tables of a deal one after the other."""
    series = (
        game.name,
        repr(sorted(variant.changes().items())),
        *(f"{bot.name} {bot.content}" for bot in entries),
    )
    return [
        Planned(
            deal,
            tuple(seating),
            Fixture(
                game,
                variant,
                tuple(entries[entry] for entry in seating),
                derive(seed, "deal", deal),
                derive(seed, "table", *series, deal, row),  # no two series share a name, whatever the seed
            ),
        )
        for deal in range(deals)
        for row, seating in enumerate(seatings(len(entries), deal))
    ]


async def _play(series: Series, terms: Terms, folder: Path, show: Progress) -> None:
    hub = Hub()
    planned = {id(plan.fixture): plan for plan in series.plan}
    open_deals: dict[int, list[str]] = {}

    def finished(match: Match, fixture: Fixture, bots: list[LiveBot]) -> None:
        plan = planned[id(fixture)]
        document = record.document_of(match, sandbox="none")
        record.write(folder, document)
        _keep_stderr(folder, match, bots)
        block = open_deals.setdefault(plan.deal, [])
        block.append(match.id)
        if len(block) == len(series.entries):
            record.open_block(folder, open_deals.pop(plan.deal))
        series.results.append((plan, document))
        show.finished(plan, document)

    def starter(bot: Bot, owner: Owner) -> Link:
        return stdio.start(
            hub, list(bot.run), cwd=str(bot.folder), env=bot.environment(), owner=owner, name=bot.name
        )

    referee = Referee(
        hub,
        starter,
        finished,
        TimeControl(terms.move_ms, terms.bank_ms, terms.start_ms, terms.start_ms),
        terms.strikes,
        terms.jobs,
    )
    async with trio.open_nursery() as nursery:
        await nursery.start(hub.run)
        await referee.run(plan.fixture for plan in series.plan)
        nursery.cancel_scope.cancel()


def _keep_stderr(folder: Path, match: Match, bots: list[LiveBot]) -> None:
    """What a bot that failed had to say, for its author."""
    for seat in {verdict.seat for verdict in match.verdicts}:
        link = bots[seat].link
        said = link.stderr_kept() if link is not None else b""
        if said:
            path = folder / f"{match.id}.seat-{seat}.stderr"
            path.touch(mode=0o600)
            path.write_bytes(said)
