"""The door as commands know it: what was said about it, who may come in there, and one that only stands open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import trio

from arena.bots.manifest import Bot
from arena.cli.failure import NO_TOKEN, USAGE, Failure
from arena.door.admission import STRANGERS
from arena.door.door import Door
from arena.door.terms import DoorError, DoorTerms
from arena.door.tokens import FILE, TokenError, Tokens
from arena.transports import Hub


def door_terms(
    folder: Path,
    bots_port: int | None,
    bots_host: str,
    bots_name: list[str] | None,
    bots_origin: list[str] | None,
    tls_cert: Path | None,
    tls_key: Path | None,
    token_file: Path | None,
) -> DoorTerms | None:
    """What the options say about the door; None if there is to be none."""
    if bots_port is None:
        if bots_name or bots_origin or tls_cert or tls_key:
            raise Failure("that says how bots come in; say also where: --bots-port 8765", USAGE)
        return None
    terms = DoorTerms(
        bots_port,
        bots_host,
        token_file or folder / FILE,
        tls_cert,
        tls_key,
        tuple(bots_name or ()),
        tuple(bots_origin or ()),
    )
    try:
        terms.check()
        terms.context()
    except (DoorError, TokenError) as error:
        raise Failure(str(error), USAGE) from None
    return terms


def with_owners(bots: Mapping[str, Bot], terms: DoorTerms | None) -> dict[str, Bot]:
    """The same bots, remote ones as their tokens describe them; refuses those who could never come in."""
    described = dict(bots)
    for label, bot in bots.items():
        if not bot.remote:
            continue
        if terms is None:
            raise Failure(f"ws:{bot.name} has to come in somewhere: add --bots-port 8765", USAGE)
        try:
            token = Tokens(terms.token_file).known().get(bot.name)
        except TokenError as error:
            raise Failure(str(error)) from None
        if token is None:
            raise Failure(f"{bot.name} has no token; make one: arena token create {bot.name}", NO_TOKEN)
        described[label] = replace(bot, owner=token.owner)
    return described


def guests_of(terms: DoorTerms) -> int:
    """How many may be connected at once: everybody with a token, and those who have not shown one yet."""
    try:
        return len(Tokens(terms.token_file).known()) + STRANGERS
    except TokenError as error:
        raise Failure(str(error)) from None


async def keep_door_open(terms: DoorTerms, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
    """Let bots come in and wait, and say who is there; nothing is played."""
    hub = Hub()
    door = Door(hub, terms, say=lambda text: print(text, flush=True))
    async with trio.open_nursery() as nursery:
        await nursery.start(hub.run)
        await nursery.start(door.run)
        print(f"the door is open at {door.url}: bots may come in and wait for a match", flush=True)
        task_status.started()


def first_of(errors: Exception) -> Exception:
    """The first thing that went wrong; groups of it come from the nurseries it passed."""
    while isinstance(errors, ExceptionGroup):
        errors = errors.exceptions[0]
    return errors
