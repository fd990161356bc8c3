"""From what was typed or written to the bots that play: labels, contents, and who may not enter."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from glob import glob
from pathlib import Path

from arena.bots.manifest import NAME, Bot, BotError, find_bot, read_bot, sample_names
from arena.bots.remote import PREFIX, remote_bot
from arena.bots.shelf import Shelf
from arena.cli.failure import FAILED, NOT_HERE, USAGE, Failure
from arena.cli.place import Place, failure_of
from arena.sandbox import NoSandbox, best_sandbox
from arena.store.errors import StoreError, Unknown
from protocol.errors import printable

Lookup = Callable[[str], Bot | None]
"""A bot that was submitted, by `name` or `name@version`."""


def label_of(bot: Bot) -> str:
    """What boards call it: a new version is a new entrant."""
    return f"{bot.name}@{bot.version}" if bot.version else bot.name


def names_at_table(bots: Sequence[Bot]) -> list[str]:
    """Labels for one table only: the name will do, unless two versions of it meet."""
    versions: dict[str, set[str]] = {}
    for bot in bots:
        versions.setdefault(bot.name, set()).add(bot.version)
    return [bot.name if len(versions[bot.name]) == 1 else label_of(bot) for bot in bots]


def submitted_in(place: Place) -> Lookup:
    """Looks in the store, and gives the copy that was checked."""
    told: set[str] = set()

    def find(text: str) -> Bot | None:
        if not place.begun or not NAME.fullmatch(text.partition("@")[0]):
            return None
        try:
            with place.open() as store:
                program = store.find_program(text)
        except Unknown as unknown:
            if "@" in text:
                raise Failure(str(unknown), USAGE) from None
            return None
        except StoreError as error:
            raise failure_of(error) from None
        if program.status != "ready":
            why = "is retired" if program.status == "retired" else "failed its check"
            raise Failure(f"{program.label} {why}; see: arena bot show {program.name}", FAILED)
        if Path(text).exists() and text not in told:
            told.add(text)
            print(f"{text} is the submitted {program.label}; for what lies here write ./{text}", file=sys.stderr)
        return Shelf(place.shelf).find(program.content)

    return find


def bots_called(texts: Iterable[str], folder: Path, submitted: Lookup | None = None) -> dict[str, Bot]:
    """Bots by label: sample names, submitted bots, and folders or patterns such as `bots/*` below `folder`."""
    found: dict[str, Bot] = {}
    for text in texts:
        for bot in _bots_called(text, folder, submitted):
            known = found.setdefault(label_of(bot), bot)
            if known.content != bot.content:
                raise Failure(
                    f'two different bots are called "{label_of(bot)}" ({known.folder} and {bot.folder}); '
                    "give one of them another name or version in its bot.toml",
                    USAGE,
                )
    return found


def _bots_called(text: str, folder: Path, submitted: Lookup | None) -> list[Bot]:
    try:
        if text.startswith(PREFIX):
            return [remote_bot(text.removeprefix(PREFIX))]
        if any(sign in text for sign in "*?["):
            # not that of pathlib, which refuses whole paths and a ** beside other letters
            like = glob(f"{text.rstrip('/')}/bot.toml", root_dir=folder, recursive=True, include_hidden=True)
            folders = sorted((folder / path).parent for path in like)
            if not folders:
                raise Failure(f'no folder like "{text}" holds a bot.toml (looked from {folder})', USAGE)
            return [read_bot(path) for path in folders]
        if text in sample_names():
            return [find_bot(text)]
        stored = submitted(text) if submitted is not None else None
        if stored is not None:
            return [stored]
        return [read_bot(folder / text)] if (folder / text).is_dir() else [find_bot(text)]
    except BotError as error:
        raise Failure(str(error), USAGE) from None


def kept_on_shelf(bots: dict[str, Bot], place: Place) -> dict[str, Bot]:
    """The same bots, run from copies: whatever happens to a folder during a ladder, it plays what entered."""
    shelf = Shelf(place.shelf)
    try:
        return {label: bot if bot.remote else shelf.keep(bot) for label, bot in bots.items()}
    except BotError as error:
        raise Failure(str(error), USAGE) from None
    except OSError as error:
        raise Failure(f"{place.shelf} cannot be written: {error.strerror}", NOT_HERE) from None


def seated_once(bots: Sequence[Bot]) -> bool:
    """Whether there is a remote bot among them; such a one cannot sit at a table twice."""
    remote = [bot.name for bot in bots if bot.remote]
    for name in remote:
        if remote.count(name) > 1:
            raise Failure(f"ws:{name} has one connection, it cannot sit at a table twice; name other bots", USAGE)
    return bool(remote)


def sandbox_for(bots: Collection[Bot], trust_bots: bool, allowed: Sequence[str] = ()) -> str:
    """The level at which these bots play together: none for our own, or on the operator's word; else the best."""
    if trust_bots or all(bot.sample or bot.remote for bot in bots):
        return "none"
    for bot in bots:
        for need in bot.needs:
            if not any(Path(need).is_relative_to(path) for path in allowed):
                said = printable(need)
                raise Failure(
                    f"{bot.name} wants to read {said}, outside its folder; to let it: --allow {said}", NOT_HERE
                )
    try:
        return best_sandbox().level
    except NoSandbox as error:
        raise Failure(str(error), NOT_HERE) from None
