"""A bot on somebody else's machine, as far as the arena knows it: a name."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from arena.bots.manifest import NAME, NAME_RULE, Bot, BotError

PREFIX: Final = "ws:"


def remote_bot(name: str, owner: str = "") -> Bot:
    """Who holds the token of that name.  Its program cannot be seen, so its results belong to the name alone."""
    if not NAME.fullmatch(name):
        raise BotError(f"{PREFIX}{name}: a bot's {NAME_RULE}")
    content = hashlib.sha256(f"{PREFIX}{name}".encode()).hexdigest()
    return Bot(name, "", owner, (), (), "json", Path(), content, remote=True)
