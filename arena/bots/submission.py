"""A submission: from a stranger's files to a program that may enter ladders, or the reason why not.

Everything happens to a copy.  Whatever goes wrong, nothing of it is left but the report.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import trio

from arena.bots.build import Workshop
from arena.bots.check import Checker, Step, may_enter
from arena.bots.manifest import Bot, BotError, content_of, read_bot
from arena.bots.names import check_name, check_version
from arena.bots.shelf import Shelf, seal, write_manifest
from arena.bots.starting import starter_at
from arena.sandbox import Limits
from arena.store.programs import NewProgram, Program
from arena.store.store import Store
from arena.transports import Hub, StartError


@dataclass(frozen=True)
class Submitted:
    """What became of it."""

    program: Program
    bot: Bot | None
    """As it is run from now on; None if it failed the check."""

    known: bool = False
    """The very same was there before; nothing was done."""

    note: str = ""
    """What the operator should know."""


def submit(
    source: Path,
    games: tuple[str, ...],
    shelf: Shelf,
    store: Store,
    level_for: Callable[[Bot], str],
    heard: Callable[[Step], None],
) -> Submitted:
    """Take in, build, check, keep and record.  `level_for` says in which sandbox; `heard` is told every step."""
    with shelf.receive(source) as tree:
        handed_in = content_of(tree)
        bot = _identify(tree, source, games, handed_in, store)
        source_hash = _program_hash(bot)
        known, note = _seen_before(bot, source_hash, store)
        if known is not None:
            if not bot.build and content_of(tree) == known.content:
                shelf.put(tree)  # in case the copy was lost
            return Submitted(known, shelf.find(known.content), known=True)
        level = level_for(bot)
        if not bot.build:
            seal(tree)
        bot, steps = trio.run(_make_and_check, bot, level, tree.parent, heard)
        passed = may_enter(steps)
        kept = shelf.put(bot.folder) if passed else None
    program = store.add_program(
        NewProgram(
            bot.name,
            bot.version,
            bot.owner,
            bot.games,
            source_hash,
            kept.content if kept else "",
            "ready" if passed else "failed",
            level,
            [asdict(step) for step in steps],
        )
    )
    return Submitted(program, kept, note=note)


def _identify(tree: Path, source: Path, games: tuple[str, ...], handed_in: str, store: Store) -> Bot:
    """Who this is; a program without a manifest gets one."""
    if not (tree / "bot.toml").is_file():
        _name_it(tree, source, games, handed_in, store)
    elif games:
        raise BotError("bot.toml says which games it plays; --games is for a program without one")
    try:
        bot = read_bot(tree)
    except BotError as error:
        raise BotError(str(error).replace(str(tree), str(source))) from None
    recorded = store.list_programs()
    check_name(bot.name, {program.name for program in recorded})
    check_version(bot.version)
    for program in recorded:
        if program.name == bot.name and program.owner != bot.owner:
            owner = f"belongs to {program.owner}" if program.owner else "was submitted without an owner"
            raise BotError(f'the name "{bot.name}" {owner}; choose another, or the same owner in bot.toml')
    return bot


def _name_it(tree: Path, source: Path, games: tuple[str, ...], handed_in: str, store: Store) -> None:
    """A program that came alone is named after its file and gets the next number for a version."""
    inside = list(tree.iterdir())
    if len(inside) != 1 or not inside[0].is_file():
        raise BotError(f'{source} holds no bot.toml; it needs at least: name = "…" and run = ["./program"]')
    (program,) = inside
    check_name(program.stem)
    before = store.list_programs(program.stem)
    same = [known.version for known in before if known.source == _hash_of(handed_in, (f"./{program.name}",))]
    write_manifest(tree, program.stem, same[-1] if same else str(1 + len(before)), games)


def _program_hash(bot: Bot) -> str:
    """What is handed in, whatever it is called: the files but for the manifest, and how they are run."""
    files = content_of(bot.folder, besides="bot.toml")
    return _hash_of(files, bot.run, bot.build, bot.encoding, bot.tables, bot.needs)


def _hash_of(
    files: str,
    run: tuple[str, ...],
    build: tuple[str, ...] = (),
    encoding: str = "json",
    tables: int = 1,
    needs: tuple[str, ...] = (),
) -> str:
    return hashlib.sha256(json.dumps([files, run, build, encoding, tables, needs]).encode()).hexdigest()


def _seen_before(bot: Bot, source: str, store: Store) -> tuple[Program | None, str]:
    """The very same bot; or a sentence about the same program of somebody else.  Raises BotError."""
    note = ""
    for program in store.list_programs():
        same_label = (program.name, program.version.casefold()) == (bot.name, bot.version.casefold())
        if program.status == "failed":
            continue
        if same_label and program.source == source:
            return program, ""
        if same_label:
            raise BotError(
                f"{program.label} was submitted before with other content, and results of two programs must not "
                "mix; raise the version in bot.toml"
            )
        if program.source == source and program.owner == bot.owner:
            raise BotError(f"same content as {program.name} {program.version}".rstrip() + "; nothing was added")
        if program.source == source:
            note = f"same content as {program.label} of {program.owner or 'nobody'}"
    return None, note


async def _make_and_check(
    bot: Bot, level: str, above: Path, heard: Callable[[Step], None]
) -> tuple[Bot, list[Step]]:
    async def build(unbuilt: Bot) -> Bot:
        built = await Workshop(level, above).build(unbuilt)
        seal(built.folder)
        return built

    hub = Hub()
    checker = Checker(bot, hub, starter_at(level, Limits(), hub), heard)
    trouble: StartError | None = None
    async with trio.open_nursery() as nursery:
        await nursery.start(hub.run)
        try:
            await checker.check(build=build)
        except StartError as error:  # a bot's own failure to start is a failed step; this is the machine's
            trouble = error
        nursery.cancel_scope.cancel()
    if trouble is not None:
        raise trouble
    return checker.bot, checker.steps
