"""What a visitor asks at the door, and the first reason to send it away.  No socket here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final
from urllib.parse import parse_qs, urlsplit

from arena.door.doorstep import Doorstep
from arena.door.terms import DoorTerms
from arena.door.tokens import Token, Tokens

ENCODINGS: Final = {"flock.json": "json", "flock.msgpack": "msgpack"}
"""Subprotocols: how messages are written.  Who names none writes JSON."""

BEARER: Final = "bearer."
"""A browser cannot set headers: there the token may travel as a subprotocol, `bearer.TOKEN`."""

SHOW_A_TOKEN: Final = (
    b"Send the bot's token in the header: Authorization: Bearer TOKEN. Never in the URL. "
    b"Whoever runs the arena makes one with: arena token create NAME\n"
)


@dataclass(frozen=True)
class Refusal:
    """An answer before the upgrade."""

    status: int
    body: bytes
    wait_s: int = 0
    """Retry after so long."""


@dataclass(frozen=True)
class Visit:
    """A bot that may come in, and where it says its conversation stands."""

    token: Token
    subprotocol: str | None
    session: str
    """Chosen by the bot, so that it can come back; empty for one that will not."""

    got: int
    begins: int

    @property
    def text(self) -> bool:
        """Messages are JSON text, not binary msgpack."""
        return ENCODINGS.get(self.subprotocol or "", "json") == "json"


def look_at(
    step: Doorstep, path: str, offered: Sequence[str], terms: DoorTerms, tokens: Tokens
) -> Visit | Refusal:
    """Whom it takes us for, where it comes from, and whether its token is good, in this order."""
    if not step.proper:
        return Refusal(400, b"")
    host = step.header(b"host") or ""
    if not _is_us(host, terms):
        return Refusal(421, b"This is not the host you asked for.\n")
    origin = step.header(b"origin")
    if origin is not None and origin not in terms.origins:
        return Refusal(403, b"Pages of this origin may not be bots here; to allow it: --bots-origin ORIGIN\n")
    token = tokens.bearer(_shown(step.header(b"authorization"), offered))
    if token is None:
        return Refusal(401, SHOW_A_TOKEN)
    asked = parse_qs(path.partition("?")[2])
    session, got, begins = (asked.get(key, [""])[0] for key in ("session", "got", "begins"))
    if len(session) > 64 or not all(len(count) < 12 and (count or "0").isdecimal() for count in (got, begins)):
        return Refusal(400, b"session is a word, got and begins are numbers\n")
    subprotocol = next((name for name in offered if name in ENCODINGS), None)
    return Visit(token, subprotocol, session, int(got or 0), int(begins or 0))


def _shown(authorization: str | None, offered: Sequence[str]) -> str:
    if authorization is not None:
        scheme, _, secret = authorization.partition(" ")
        return secret.strip() if scheme.lower() == "bearer" else ""
    return next((name.removeprefix(BEARER) for name in offered if name.startswith(BEARER)), "")


def _is_us(host: str, terms: DoorTerms) -> bool:
    """A page that points a foreign name at this machine is not let in by that name."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if name in terms.names:
        return True
    if not terms.public:
        return name == "localhost" or _is_address(name, loopback=True)
    return name == terms.host or _is_address(name)


def _is_address(name: str, loopback: bool = False) -> bool:
    try:
        address = ip_address(name)
    except ValueError:
        return False
    return address.is_loopback or not loopback
