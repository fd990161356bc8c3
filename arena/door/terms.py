"""What the operator said about the door, and whether it may be opened like that."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from arena.door.tokens import Tokens

GRACE_S: Final = 10.0


class DoorError(Exception):
    """The door cannot be opened; the text says why and what to do."""


@dataclass(frozen=True)
class DoorTerms:
    """Where it is, what guards it, and whom it believes to be spoken to."""

    port: int
    host: str = "127.0.0.1"
    token_file: Path = Path(".arena/tokens.toml")
    certificate: Path | None = None
    key: Path | None = None
    names: tuple[str, ...] = ()
    """Host names by which bots may call it, besides its address."""

    origins: tuple[str, ...] = ()
    """Web pages that may be bots."""

    grace_s: float = GRACE_S
    """So long a bot may be away in the middle of a match."""

    absent_s: float = 60.0
    """So long a match waits for a bot that is not there; then it forfeits."""

    silent_s: float = 20.0

    @property
    def public(self) -> bool:
        """Whether other machines can reach it."""
        if self.host == "localhost":
            return False
        try:
            return not ip_address(self.host).is_loopback
        except ValueError:
            return True

    def check(self) -> None:
        """Refuse what would send tokens over the network in the clear, or let in anybody."""
        if (self.certificate is None) != (self.key is None):
            raise DoorError("--tls-cert and --tls-key go together")
        if not self.public:
            return
        missing = [] if self.certificate else ["--tls-cert FILE --tls-key FILE"]
        if not Tokens(self.token_file).known():
            missing.append("--token-file FILE with a token in it (arena token create NAME)")
        if missing:
            raise DoorError(
                f"{self.host} can be reached by other machines: that needs {' and '.join(missing)}. "
                "Or stay on this machine: --bots-host 127.0.0.1"
            )

    def context(self) -> ssl.SSLContext | None:
        """For TLS, if it was asked for."""
        if self.certificate is None:
            return None
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        try:
            context.load_cert_chain(self.certificate, self.key)
        except (OSError, ssl.SSLError) as error:
            raise DoorError(
                f"{self.certificate} and {self.key} are no certificate with its key: {error}"
            ) from None
        return context
