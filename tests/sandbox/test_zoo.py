"""All hostile bots at every level of sandbox there is here: the exact verdict, the others unharmed, nothing left.

Many sit at tables at the same time, so that they could disturb each other as well.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

import pytest
import trio

from arena import record
from arena.bots.live import LiveBot
from arena.bots.manifest import Bot
from arena.bots.starting import starter_at
from arena.clock import TimeControl
from arena.match import Match
from arena.referee import Fixture, Referee
from arena.sandbox import SANDBOXES, Limits, why_not
from arena.transports import Hub, Link, Owner, stdio
from tests.arena.zoo import (
    HOSTILE_BOTS,
    QUIET,
    SEAT,
    Played,
    between_quiet_ones,
    bot_called,
    check_others_unharmed,
    children_of,
    descriptors_before,
    expected,
    fixture,
    marked,
    open_descriptors,
    quiet_match,
)
from tests.sandbox.cells import nothing_left_outside
from tests.sandbox.forms import NEEDS, PYTHON

SOAK = int(os.environ.get("ARENA_SOAK", "1"))
WALLS = [level for level, sandbox in SANDBOXES.items() if level != "none" and why_not(sandbox) is None]
LEVELS = [*WALLS, "none"]
CONTROL = TimeControl(move_ms=400, start_ms=4_000, prepare_ms=4_000)
PATIENT = TimeControl(move_ms=20_000, start_ms=4_000, prepare_ms=4_000)
"""For those not judged by the clock: to fill a memory takes processor time, which a crowded machine gives late."""
JUDGED_BY_THE_CLOCK = {"TIMEOUT", "IDLE"}
LIMITS = Limits(memory_mb=96, processes=32, scratch_mb=16)
AT_ONCE = 6

BY_FRAMES = {"bad_byte", "huge_len", "mixed_msgpack", "empty_frame", "timestamp"}
ARGUMENTS = {"reply_exit": ("2",), "late": ("5",)}
NOT_OUTRIGHT = {"early", "long_note"}  # a strike, and then they play well
OTHERWISE = {"quiet", "wire", "__init__", "leak_ids", "wrong_match", "dodge", "rage_quit", "dawdle"}
"""Who sits beside them; and those who need an accomplice, a second match or a longer game, tested elsewhere."""

WALLED_IN = ["memhog_turn", "daemon", "respawn", "stderr_evil", "fdhog", "forkbomb"]
"""Programs that nobody would start without walls."""

NAMES = sorted({path.stem for path in HOSTILE_BOTS.iterdir() if path.suffix in (".py", ".sh")} - OTHERWISE)


@dataclass
class Case:
    bot: Bot
    code: str


def case(name: str, level: str) -> Case:
    bot = bot_called(name, *ARGUMENTS.get(name, ()), encoding="msgpack" if name in BY_FRAMES else "json")
    return Case(_reachable(bot, level), expected(name))


def walled_in(name: str) -> Case:
    run = (PYTHON, "-BsS", "-m", f"sandbox.{name}", "token")
    return Case(Bot(name, "1", "", (), run, "json", HOSTILE_BOTS, name, needs=NEEDS), expected(f"sandbox/{name}"))


def _reachable(bot: Bot, level: str) -> Bot:
    """Inside, our own interpreter is not to be seen."""
    if level == "none" or bot.run[0] == "/bin/sh":
        return bot
    return replace(bot, run=(PYTHON, "-BsS", *bot.run[2:]), needs=NEEDS)


async def play_at(
    level: str, fixtures: list[Fixture], control: TimeControl, *, ponder: bool = False
) -> list[Played]:
    """Played as a worker plays them, but for the quiet ones, who are outside; and nothing is left of anybody."""
    descriptors, children = descriptors_before(), children_of(os.getpid())
    over: list[tuple[Match, list[LiveBot]]] = []
    links: list[stdio.StdioLink] = []
    hub = Hub()
    inside, outside = starter_at(level, LIMITS, hub), starter_at("none", LIMITS, hub)

    def starter(bot: Bot, owner: Owner) -> Link:
        link = outside(bot, owner) if bot is QUIET else inside(bot, owner)
        assert isinstance(link, stdio.StdioLink)
        links.append(link)
        return link

    def finished(match: Match, _: Fixture, bots: list[LiveBot]) -> None:
        over.append((match, list(bots)))

    with nothing_left_outside():
        async with trio.open_nursery() as nursery:
            await nursery.start(hub.run)
            with trio.fail_after(240):
                await Referee(hub, starter, finished, control, at_once=AT_ONCE, ponder=ponder).run(fixtures)
            assert not any(link.alive for link in links)
            assert not marked([link.mark for link in links])
            nursery.cancel_scope.cancel()
    assert open_descriptors() <= descriptors
    assert children_of(os.getpid()) == children, "a child was not reaped"
    return [Played(record.document_of(match, level), [_said(live) for live in bots], bots) for match, bots in over]


def _said(live: LiveBot) -> str:
    return "" if live.link is None else live.link.stderr_kept().decode(errors="replace")


@pytest.mark.parametrize("level", LEVELS)
async def test_every_hostile_bot_gets_its_verdict_and_harms_nobody(level: str) -> None:
    cases = [case(name, level) for name in NAMES]
    if level != "none":
        cases += [walled_in(name) for name in WALLED_IN]
    timed, others = [], []
    for deal, one in enumerate(cases):
        (timed if one.code in JUDGED_BY_THE_CLOCK else others).append(between_quiet_ones(one.bot, deal))
    matches = [*await play_at(level, others, PATIENT), *await play_at(level, timed, CONTROL)]
    played = {match.document["bots"][SEAT]["name"]: match for match in matches}
    wrong = []
    for deal, one in enumerate(cases):
        match = played[one.bot.name]
        check_others_unharmed(match, quiet_match(deal))
        codes = set(match.codes) or {"OK"}
        loses = one.code != "OK" and one.bot.name not in NOT_OUTRIGHT
        if codes != {one.code} or match.document["forfeits"] != [SEAT] * loses:
            wrong.append((one.bot.name, one.code, match.texts))
        assert all(text.isprintable() for text in match.texts)
    assert wrong == []


def test_there_are_at_least_sixty_hostile_bots() -> None:
    assert len(NAMES) + len(WALLED_IN) >= 70


@pytest.mark.parametrize("name", ["ponder", "starve"])
async def test_a26_a27_who_computes_all_the_time_costs_nobody_a_seat(name: str) -> None:
    """Thinking while others decide is allowed; whoever waits for a core is not blamed for it."""
    level = LEVELS[0]
    bot = case(name, level).bot
    fixtures = [fixture(QUIET, bot, deal=deal) for deal in range(10 * SOAK)]
    for played in await play_at(level, fixtures, TimeControl(move_ms=1_000)):
        # One with so many threads may starve itself; the quiet one in the first seat may not suffer.
        assert all(verdict["seat"] != 0 for verdict in played.document["verdicts"]), played.texts


@pytest.mark.parametrize("level", LEVELS)
async def test_a26_who_ponders_is_stopped_between_its_turns_unless_it_is_allowed(level: str) -> None:
    table = fixture(case("dawdle", level).bot, case("ponder", level).bot)
    woken = {}
    for allowed in (True, False):
        (played,) = await play_at(level, [table], TimeControl(move_ms=4_000), ponder=allowed)
        assert played.codes == []
        woken[allowed] = played.told("pondered", seat=1)[-1]["woken"]
    assert woken[True] == 0 < woken[False]
