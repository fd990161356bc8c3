"""The door as a command and as options of others: where remote bots come in."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import trio

from arena.bots.manifest import Bot
from arena.cli.failure import NOT_HERE, USAGE, Failure
from arena.door.door import Door
from arena.door.terms import DoorError, DoorTerms
from arena.door.tokens import FILE, TokenError, Tokens
from arena.transports import Hub

HERE = "127.0.0.1"


def door_terms(
    port: int | None,
    folder: Path,
    host: str = HERE,
    token_file: Path | None = None,
    certificate: Path | None = None,
    key: Path | None = None,
    names: list[str] | None = None,
    origins: list[str] | None = None,
) -> DoorTerms | None:
    """What was said about the door; None if there is to be none."""
    if port is None:
        return None
    terms = DoorTerms(
        port, host, token_file or folder / FILE, certificate, key, tuple(names or ()), tuple(origins or ())
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
            raise Failure(f"{bot.name} has no token; make one: arena token create {bot.name}", USAGE)
        described[label] = replace(bot, owner=token.owner)
    return described


def keep_door_open(terms: DoorTerms) -> None:
    """Let bots come in and wait, and say who is there; nothing is played."""

    async def stand_open() -> None:
        hub = Hub()
        door = Door(hub, terms, say=lambda text: print(text, flush=True))
        async with trio.open_nursery() as nursery:
            await nursery.start(hub.run)
            await nursery.start(door.run)
            print(f"the door is open at {door.url}; Ctrl-C closes it", file=sys.stderr, flush=True)

    trouble: Exception | None = None
    try:
        trio.run(stand_open)
    except* KeyboardInterrupt:
        pass
    except* DoorError as errors:
        trouble = first_of(errors)
    if trouble is not None:
        raise Failure(str(trouble), NOT_HERE)


def first_of(errors: Exception) -> Exception:
    """The first thing that went wrong; groups of it come from the nurseries it passed."""
    while isinstance(errors, ExceptionGroup):
        errors = errors.exceptions[0]
    return errors
