"""What a submitted bot may be called: one spelling, nobody else's name, and none that looks like another."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from arena.bots.manifest import NAME, NAME_RULE, BotError, sample_names
from protocol.errors import quoted

VERSION: Final = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+_-]{0,31}")
VERSION_RULE: Final = "version may use letters, digits and . + - _ (1 to 32), beginning with a letter or digit"

RESERVED: Final = frozenset(
    {
        "admin", "administrator", "all", "anonymous", "anybody", "arena", "bot", "deserter", "everybody",
        "everyone", "host", "judge", "moderator", "nobody", "none", "null", "operator", "owner", "partner",
        "player", "public", "referee", "root", "somebody", "stand-in", "standin", "system", "table", "you",
    }
)  # fmt: skip
"""Words by which the arena speaks of itself, of seats, or of whoever is meant."""

# What a reader takes for the same at a glance; all else that looks alike is outside a-z 0-9 - _ anyway.
_ALIKE: Final = (("_", "-"), ("0", "o"), ("1", "l"), ("rn", "m"), ("vv", "w"))


def check_name(name: str, others: Iterable[str] = ()) -> None:
    """Refuse a name that breaks the rule, is reserved, or looks like one of `others`; raises BotError."""
    if not NAME.fullmatch(name):
        plain = unicodedata.normalize("NFKC", name).casefold()
        hint = f'; write "{plain}"' if NAME.fullmatch(plain) else ""
        raise BotError(f"{quoted(name, mark=chr(34))}: {NAME_RULE}{hint}")
    seen = look(name)
    if seen in map(look, RESERVED):
        raise BotError(f'the name "{name}" is reserved; choose another')
    for other in sample_names():
        if seen == look(other):
            raise BotError(f'the name "{name}" would be taken for the sample bot "{other}"; choose another')
    for other in others:
        if other != name and seen == look(other):
            raise BotError(f'the name "{name}" would be taken for "{other}"; choose another')


def check_version(version: str) -> None:
    """A version is a word: `name@version` must be one, too."""
    if version and not VERSION.fullmatch(version):
        raise BotError(f"{quoted(version, mark=chr(34))}: {VERSION_RULE}")


def look(name: str) -> str:
    """What a name looks like at a glance: two names that look the same are one to a reader."""
    seen = unicodedata.normalize("NFKC", name).casefold()
    for written, read in _ALIKE:
        seen = seen.replace(written, read)
    return seen
