"""A bot that has come in: it waits to be seated, and may say hello meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from arena.door.tokens import Token
from arena.transports import Ending, Hub, Link, Owner
from arena.transports.websocket import WebsocketLink

POLICY: Final = 1008


class Guest:
    """The owner of a link that nobody plays with yet."""

    def __init__(self, hub: Hub, token: Token, session: str, changed: Callable[[Guest], None]) -> None:
        self.token = token
        self.session = session
        self.seated = False
        self.link: WebsocketLink
        self._hub = hub
        self._changed = changed
        self._greeting: bytes | None = None
        self._forgiven = False

    @property
    def name(self) -> str:
        """The bot's name."""
        return self.token.name

    @property
    def encoding(self) -> str:
        """How it writes."""
        return "json" if self.link.text else "msgpack"

    @property
    def here(self) -> bool:
        """Somebody is at the other end, and is not at a table."""
        return not self.seated and self.link.alive and self.link.connected

    def forgiven(self) -> bool:
        """Whether we sent it away ourselves, so that its coming in did not count; said once."""
        forgiven = self.link.stopping and not self._forgiven
        self._forgiven |= forgiven
        return forgiven

    def seat(self, owner: Owner) -> Link:
        """It plays from now on; what it said before is told to its new owner."""
        self.seated = True
        self.link.owner = owner
        if self._greeting is not None:
            self._hub.later(0, self._introduce)
        return self.link

    def _introduce(self) -> None:
        if self._greeting is not None and self.link.alive:
            greeting, self._greeting = self._greeting, None
            self.link.owner.received(self.link, greeting, self._hub.now_ns(), 0)

    # --- As an owner --------------------------------------------------------------------------------

    def received(self, link: Link, data: bytes, now_ns: int, lag_ns: int) -> None:  # noqa: ARG002
        """Its hello waits; more than that is not for it to say."""
        if self._greeting is not None:
            self.link.refuse(POLICY, "say hello and wait for welcome")
            return
        self._greeting = data

    def handed_over(self, link: Link, now_ns: int) -> None:
        """Nothing was sent."""

    def lost(self, link: Link, ending: Ending) -> None:  # noqa: ARG002
        """It left without having played."""
        self._changed(self)
