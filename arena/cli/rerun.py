"""`arena rerun`: recorded requests put to another build of a bot, and where it answers differently.

A decision can be saved as a file that says what is expected there; run again, it is a test of the bot.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import trio
import typer

from arena.bots.manifest import Bot
from arena.bots.rerun import Decision, Rerun, cut_off
from arena.bots.starting import starter_at
from arena.cli.entering import bots_called, sandbox_for, submitted_in
from arena.cli.failure import DAMAGED, FAILED, NOT_HERE, USAGE, Failure
from arena.cli.place import Place
from arena.cli.replay import record_of
from arena.game import freeze
from arena.record import Document, RecordError, game_of
from arena.sandbox import Limits
from arena.transports import Hub, StartError
from protocol.errors import printable


@dataclass(frozen=True)
class Wanted:
    """What was typed."""

    what: str
    bot: str
    seat: int | None
    decision: int | None
    save: Path | None


def rerun(wanted: Wanted, place: Place, trust_bots: bool, allowed: Sequence[str], as_json: bool) -> None:
    """Ask the bot again, and tell where it would do otherwise."""
    found = list(bots_called([wanted.bot], Path(), submitted_in(place)).values())
    if len(found) != 1:
        raise Failure(f"{wanted.bot} names {len(found)} bots; rerun one at a time", USAGE)
    (bot,) = found
    if bot.remote:
        raise Failure("a bot that comes by itself cannot be asked again; name its folder", USAGE)
    level = sandbox_for([bot], trust_bots, allowed)
    saved = Path(wanted.what)
    if saved.is_file():
        _test(_read(saved), bot, level, as_json)
        return
    document = record_of(wanted.what, place)
    seat = _seat(document, bot, wanted.seat)
    decisions = _asked_again(document, seat, bot, level, wanted.decision)
    if wanted.decision is not None:
        decisions = [decision for decision in decisions if decision.number == wanted.decision]
        if not decisions:
            raise Failure(f"seat {seat} of {document['match']} has no decision {wanted.decision}", USAGE)
    if wanted.save is not None:
        _save(wanted.save, document, seat, decisions)
    if as_json:
        print(
            json.dumps({"match": document["match"], "seat": seat, "decisions": [asdict(it) for it in decisions]})
        )
        return
    _tell(document, seat, bot, decisions, show_all=wanted.decision is not None)
    if wanted.save is not None:
        print(f"Saved: {wanted.save}   Try: arena rerun {wanted.save} --bot {wanted.bot}")


def _seat(document: Document, bot: Bot, given: int | None) -> int:
    names = [held["name"] for held in document["bots"]]
    if given is not None:
        if given not in range(len(names)):
            raise Failure(f"--seat {given}: choose 0 to {len(names) - 1}", USAGE)
        return given
    if names.count(bot.name) != 1:
        held = ", ".join(f"{seat}: {name}" for seat, name in enumerate(names))
        raise Failure(f"which seat shall {bot.name} take? --seat 0 to {len(names) - 1} ({held})", USAGE)
    return names.index(bot.name)


def _asked_again(document: Document, seat: int, bot: Bot, level: str, last: int | None) -> list[Decision]:
    async def run() -> Rerun:
        hub = Hub()
        again = Rerun(document, seat, bot, hub, starter_at(level, Limits(), hub))
        async with trio.open_nursery() as nursery:
            await nursery.start(hub.run)
            try:
                await again.run(last)
            finally:
                nursery.cancel_scope.cancel()
        return again

    again: Rerun | None = None
    trouble: Failure | None = None
    try:
        again = trio.run(run)
    except* StartError as errors:
        trouble = Failure(str(errors.exceptions[0]), NOT_HERE)
    except* (RecordError, KeyError, ValueError, TypeError) as errors:
        trouble = Failure(f"{document.get('match')} cannot be played again: {errors.exceptions[0]}", DAMAGED)
    if trouble is not None:
        raise trouble
    assert again is not None
    if again.trouble:
        raise Failure(again.trouble)
    return again.decisions


def _tell(document: Document, seat: int, bot: Bot, decisions: list[Decision], show_all: bool) -> None:
    then = document["bots"][seat]
    title = f"{then['name']} {then['version']}".rstrip()
    print(f"{document['match']}  {document['game']}  seat {seat}: {title} then, {label(bot)} now")
    for decision in decisions:
        if show_all or not decision.same:
            print(_line(document, decision))
    other = sum(not decision.same for decision in decisions)
    print(f"{other} of {len(decisions)} decisions are different.")


def label(bot: Bot) -> str:
    """Name and version."""
    return f"{bot.name} {bot.version}".rstrip()


def _line(document: Document, decision: Decision) -> str:
    say = game_of(document).say
    then = say(decision.options[decision.then])
    if decision.now is None:
        return f"  decision {decision.number}: {then}; now {decision.trouble}"
    now = "the same" if decision.same else say(decision.options[decision.now])
    note = f'  ("{printable(decision.note)}")' if decision.note else ""
    return f"  decision {decision.number}: {then}; now {now}{note}"


# --- A decision as a test of the bot -------------------------------------------------------------------


def _save(path: Path, document: Document, seat: int, decisions: list[Decision]) -> None:
    if len(decisions) != 1:
        raise Failure("--save keeps one decision; say which: --decision N", USAGE)
    (decision,) = decisions
    if decision.now is None:
        raise Failure(f"there is no answer to be kept: {decision.trouble}")
    kept = {
        "seat": seat,
        "decision": decision.number,
        "options": decision.options,
        "expect": decision.options[decision.now],
        "record": cut_off(document, seat, decision.number),
    }
    try:
        path.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
    except OSError as error:
        raise Failure(f"{path} cannot be written: {error.strerror}; name another file", NOT_HERE) from None


def _read(path: Path) -> dict[str, Any]:
    try:
        kept = json.loads(path.read_text("utf-8"))
        whole = type(kept["seat"]) is type(kept["decision"]) is int and type(kept["expect"]) is list
        if whole and 0 <= kept["seat"] < len(kept["record"]["bots"]) and kept["decision"] > 0:
            return dict(kept)
    except OSError as error:
        raise Failure(f"{path} cannot be read: {error.strerror}", NOT_HERE) from None
    except (ValueError, TypeError, KeyError, RecursionError):
        pass
    raise Failure(
        f"{path} holds no decision as saved by: arena rerun MATCH --decision N --save {path.name}", DAMAGED
    )


def _test(kept: dict[str, Any], bot: Bot, level: str, as_json: bool) -> None:
    decisions = _asked_again(kept["record"], kept["seat"], bot, level, kept["decision"])
    if not decisions:
        raise Failure(f"seat {kept['seat']} of {kept['record']['match']} has no decision to ask for", DAMAGED)
    decision = decisions[-1]
    expected = freeze(kept["expect"])
    if expected not in decision.options:
        raise Failure(f"what decision {decision.number} is to be was no option there; save it again", DAMAGED)
    chosen = None if decision.now is None else decision.options[decision.now]
    fits = chosen == expected
    if as_json:
        print(json.dumps({"as_expected": fits, "expect": expected, "now": chosen}))
    else:
        say = game_of(kept["record"]).say
        now = decision.trouble if chosen is None else say(chosen)
        told = "as expected" if fits else f"expected: {say(expected)}"
        print(f"{label(bot)}, decision {decision.number} of {kept['record']['match']}: {now}; {told}")
    if not fits:
        raise typer.Exit(FAILED)
