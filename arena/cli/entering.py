"""From what was typed or written to the bots that play: labels, contents, and who may not enter."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from arena.bots.manifest import Bot, BotError, find_bot, read_bot, sample_names
from arena.cli.failure import NOT_HERE, USAGE, Failure
from arena.sandbox import NoSandbox, best_sandbox


def label_of(bot: Bot) -> str:
    """What boards call it: a new version is a new entrant."""
    return f"{bot.name}@{bot.version}" if bot.version else bot.name


def names_at_table(bots: Sequence[Bot]) -> list[str]:
    """Labels for one table only: the name will do, unless two versions of it meet."""
    versions: dict[str, set[str]] = {}
    for bot in bots:
        versions.setdefault(bot.name, set()).add(bot.version)
    return [bot.name if len(versions[bot.name]) == 1 else label_of(bot) for bot in bots]


def bots_called(texts: Iterable[str], folder: Path) -> dict[str, Bot]:
    """Bots by label: sample names, folders and patterns such as `bots/*`, relative to `folder`."""
    found: dict[str, Bot] = {}
    for text in texts:
        for bot in _bots_called(text, folder):
            known = found.setdefault(label_of(bot), bot)
            if known.content != bot.content:
                raise Failure(
                    f'two different bots are called "{label_of(bot)}" ({known.folder} and {bot.folder}); '
                    "give one of them another name or version in its bot.toml",
                    USAGE,
                )
    return found


def _bots_called(text: str, folder: Path) -> list[Bot]:
    try:
        if any(sign in text for sign in "*?["):
            folders = sorted(path.parent for path in folder.glob(f"{text.rstrip('/')}/bot.toml"))
            if not folders:
                raise Failure(f'no folder like "{text}" holds a bot.toml (looked from {folder})', USAGE)
            return [read_bot(path) for path in folders]
        if text not in sample_names() and (folder / text).is_dir():
            return [read_bot(folder / text)]
        return [find_bot(text)]
    except BotError as error:
        raise Failure(str(error), USAGE) from None


def sandbox_for(bots: Collection[Bot], trust_bots: bool, allowed: Sequence[str] = ()) -> str:
    """The level at which these bots play together: none for our own, or on the operator's word; else the best."""
    if trust_bots or all(bot.sample for bot in bots):
        return "none"
    for bot in bots:
        for need in bot.needs:
            if not any(Path(need).is_relative_to(path) for path in allowed):
                raise Failure(
                    f"{bot.name} wants to read {need}, outside its folder; to let it: --allow {need}", NOT_HERE
                )
    try:
        return best_sandbox().level
    except NoSandbox as error:
        raise Failure(str(error), NOT_HERE) from None
