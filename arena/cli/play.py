"""`arena play`: a series of deals between bots, and the table at the end."""

from __future__ import annotations

import json
import os
import secrets
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import trio

from arena import record
from arena.bots.live import LiveBot
from arena.bots.manifest import Bot, BotError, find_bot
from arena.chance import derive
from arena.cli.failure import INTERRUPTED, NOT_HERE, USAGE, Failure
from arena.cli.games import game_called
from arena.clock import TimeControl
from arena.game import Game
from arena.match import Match
from arena.referee import Fixture, Referee
from arena.transports import Hub, Link, Owner, StartError, stdio
from arena.variants import Variant, VariantError
from ladders.blocks import beaten, estimate, seatings


@dataclass(frozen=True)
class Terms:
    """What was typed."""

    game: str
    bots: list[str]
    deals: int
    seats: int | None
    seed: str | None
    jobs: int
    variant: list[str]
    move_ms: int
    bank_ms: int
    start_ms: int
    strikes: int


@dataclass(frozen=True)
class Planned:
    """One fixture and its place in the series: which deal, and which entry of the command line sits where."""

    deal: int
    seating: tuple[int, ...]
    fixture: Fixture


@dataclass
class Series:
    """What is to be played, and what has been."""

    game: type[Game]
    variant: Variant
    entries: list[Bot]
    seed: bytes
    plan: list[Planned]
    results: list[tuple[Planned, record.Document]] = field(default_factory=list)


def play_series(terms: Terms, folder: Path, trust_bots: bool, as_json: bool) -> None:
    """Play it, show it, keep the records."""
    series = _arrange(terms, trust_bots)
    show = _Progress(series, quiet=as_json)
    show.opening(terms)
    began = time.monotonic()
    interrupted = False
    try:
        trio.run(_play, series, terms, folder / "matches", show)
    except* KeyboardInterrupt:
        interrupted = True
    except* StartError as errors:  # a bot's own failure to start is a verdict; this is the machine's
        raise Failure(str(errors.exceptions[0]), NOT_HERE) from None
    summary = _summary(series, time.monotonic() - began)
    if as_json:
        print(json.dumps(summary))
    else:
        show.closing(summary)
    if interrupted:
        raise Failure(f"stopped after {len(series.results)} of {len(series.plan)} matches", INTERRUPTED)


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
    for bot in entries:
        if bot.games and game.name not in bot.games:
            raise Failure(f"{bot.name} does not play {game.name}; it plays {', '.join(bot.games)}", USAGE)
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
    return [
        Planned(
            deal,
            tuple(seating),
            Fixture(
                game,
                variant,
                tuple(entries[entry] for entry in seating),
                derive(seed, "deal", deal),
                derive(seed, "table", deal, row),
            ),
        )
        for deal in range(deals)
        for row, seating in enumerate(seatings(len(entries), deal))
    ]


async def _play(series: Series, terms: Terms, folder: Path, show: _Progress) -> None:
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
            (folder / f"{match.id}.seat-{seat}.stderr").write_bytes(said)


def _summary(series: Series, elapsed_s: float) -> dict[str, Any]:
    """All that is printed, as data."""
    return {
        "game": series.game.name,
        "variant": series.variant.changes(),
        "seats": len(series.entries),
        "seed": series.seed.hex(),
        "elapsed_s": round(elapsed_s, 3),
        "played": len(series.results),
        "planned": len(series.plan),
        "bots": _standings(series),
        "matches": [
            {
                "match": document["match"],
                "deal": plan.deal,
                "bots": [bot["name"] for bot in document["bots"]],
                "ranks": document["ranks"],
                "scores": document["scores"],
                "verdicts": document["verdicts"],
            }
            for plan, document in series.results
        ],
    }


def _standings(series: Series) -> list[dict[str, Any]]:
    """One row per bot, best first; errors come from the spread between deals, not between games."""
    rows = []
    for name in dict.fromkeys(bot.name for bot in series.entries):
        by_deal: dict[int, list[float]] = {}
        points: list[int] = []
        firsts = forfeits = moves = thinking_us = 0
        for plan, document in series.results:
            shares = beaten(document["ranks"])
            for seat, bot in enumerate(document["bots"]):
                if bot["name"] != name:
                    continue
                by_deal.setdefault(plan.deal, []).append(shares[seat])
                points.append(document["scores"][seat])
                firsts += document["ranks"][seat] == 1
                forfeits += seat in document["forfeits"]
                moves += document["moves"][seat]
                thinking_us += document["thinking_us"][seat]
        if not points:
            continue
        score = estimate([sum(shares) / len(shares) for shares in by_deal.values()])
        rows.append(
            {
                "bot": name,
                "score": round(score.mean, 4),
                "margin": None if score.margin is None else round(score.margin, 4),
                "games": len(points),
                "first": firsts,
                "points": round(sum(points) / len(points), 2),
                "forfeits": forfeits,
                "ms_per_move": round(thinking_us / max(1, moves) / 1000, 3),
            }
        )
    return sorted(rows, key=lambda row: -row["score"])


class _Progress:
    """What is seen while it runs: a line that renews itself on a terminal, one line per match otherwise."""

    def __init__(self, series: Series, quiet: bool) -> None:
        self._series = series
        self._quiet = quiet
        self._live = sys.stderr.isatty() and not quiet

    def opening(self, terms: Terms) -> None:
        if not self._quiet:
            names = " ".join(bot.name for bot in self._series.entries)
            print(
                f"{self._series.game.name}  {names}  {terms.deals} deals x {len(self._series.entries)} seatings"
                f"  move {terms.move_ms} ms  seed {self._series.seed.hex().lstrip('0') or '0'}  sandbox none",
                flush=True,
            )

    def finished(self, plan: Planned, document: record.Document) -> None:
        if self._live:
            done, all_of_them = len(self._series.results), len(self._series.plan)
            bar = "#" * (20 * done // all_of_them)
            print(f"\r{done}/{all_of_them} [{bar:<20}]", end="", file=sys.stderr, flush=True)
        elif not self._quiet:
            seats = ", ".join(
                f"{rank}. {bot['name']} {score}"
                for rank, bot, score in zip(document["ranks"], document["bots"], document["scores"], strict=True)
            )
            reason = "; ".join(f"{verdict['code']} {verdict['text']}" for verdict in document["verdicts"])
            self._say(f"{document['match']}  deal {plan.deal}  {seats}" + (f"  {{{reason}}}" if reason else ""))

    def _say(self, line: str) -> None:
        try:
            print(line, flush=True)
        except (
            BrokenPipeError
        ):  # whoever read us has seen enough; the matches are played and recorded all the same
            self._quiet = True
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def closing(self, summary: dict[str, Any]) -> None:
        if self._live:
            print(file=sys.stderr)
        rows = summary["bots"]
        print(
            f"\n{'':<16}{'score':>7}{'95 %':>8}{'games':>7}{'first':>7}{'points':>9}{'forfeits':>10}{'ms/move':>9}"
        )
        for row in rows:
            margin = "" if row["margin"] is None else f"±{100 * row['margin']:.1f}"
            print(
                f"{row['bot']:<16}{100 * row['score']:>6.1f}%{margin:>8}{row['games']:>7}{row['first']:>7}"
                f"{row['points']:>9.1f}{row['forfeits']:>10}{row['ms_per_move']:>9.2f}"
            )
        print(_verdict(rows))
        for match in summary["matches"]:
            if match["verdicts"]:
                print(f"{match['match']}: {match['verdicts'][0]['text']}.")
                break
        if summary["matches"]:
            last = summary["matches"][-1]["match"]
            print(f"Next: arena replay {last} --seat 0   |   arena verify {last}")


def _verdict(rows: list[dict[str, Any]]) -> str:
    if len(rows) < 2 or rows[0]["margin"] is None:
        return "Too few deals to tell the bots apart; try more: --deals 50"
    lead = rows[0]["score"] - rows[1]["score"]
    if lead > rows[0]["margin"] + rows[1]["margin"]:
        return f"{rows[0]['bot']} is better than {rows[1]['bot']} (95 % intervals do not meet)."
    return f"{rows[0]['bot']} and {rows[1]['bot']} cannot be told apart yet; try more deals: --deals {_more(rows)}"


def _more(rows: list[dict[str, Any]]) -> int:
    return int(max(50, 4 * max(row["games"] for row in rows)))
