"""Tokens: who may come in.  A file that holds names and hashes; the tokens themselves are nowhere."""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import os
import secrets
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.bots.manifest import BotError
from arena.bots.names import check_name

PREFIX: Final = "arena-"
FILE: Final = "tokens.toml"


class TokenError(Exception):
    """Something is wrong with the tokens; the text says what to do."""


@dataclass(frozen=True)
class Token:
    """What is known of a token: the bot it stands for, and its hash."""

    name: str
    sha256: str
    created: str
    owner: str = ""


class Tokens:
    """The file, as it is now: what another command writes there counts from the next look on."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen: tuple[int, int, int] | None = None
        self._known: dict[str, Token] = {}

    def known(self) -> dict[str, Token]:
        """All tokens by name."""
        try:
            state = os.stat(self.path)
        except FileNotFoundError:
            self._seen, self._known = None, {}
            return self._known
        except OSError as error:
            raise TokenError(f"{self.path} cannot be read: {error.strerror}") from None
        seen = (state.st_mtime_ns, state.st_ino, state.st_size)
        if seen != self._seen:
            self._known, self._seen = self._read(), seen
        return self._known

    def bearer(self, secret: str) -> Token | None:
        """Whose token this is; it takes as long for a good one as for a bad one."""
        digest = _digest(secret)
        found = None
        for token in self.known().values():
            if hmac.compare_digest(token.sha256, digest):
                found = token
        return found

    def create(self, name: str, owner: str, created: str) -> str:
        """A new token for a bot; it can be read now and never again."""
        _check_new(name, self.known())
        return self._add(name, owner, created, _check_new)

    def create_reserved(self, name: str) -> str:
        """The same for a name that no bot may have, such as the human's at this machine."""
        return self._add(name, "", "", _check_free)

    def revoke(self, name: str) -> None:
        """Take a token back."""
        _check_there(name, self.known())
        with self._changing() as known:
            _check_there(name, known)
            del known[name]

    def _add(self, name: str, owner: str, created: str, check: Callable[[str, dict[str, Token]], None]) -> str:
        if not owner.isprintable() or '"' in owner or "\\" in owner:
            raise TokenError("an owner is printable, without quotes")
        secret = PREFIX + secrets.token_urlsafe(32)
        with self._changing() as known:
            check(name, known)
            known[name] = Token(name, _digest(secret), created, owner)
        return secret

    @contextmanager
    def _changing(self) -> Iterator[dict[str, Token]]:
        """The tokens as they are now, written when all went well; another command that changes them waits."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = os.open(self.path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise TokenError(
                f"{self.path} cannot be written: {error.strerror}; choose another place: --token-file FILE"
            ) from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            known = self._read() if self.path.exists() else {}
            yield known
            self._write(known)
        finally:
            os.close(lock)

    def _read(self) -> dict[str, Token]:
        try:
            given = tomllib.loads(self.path.read_text("utf-8"))
            return {
                name: Token(name, str(entry["sha256"]), str(entry["created"]), str(entry.get("owner", "")))
                for name, entry in given.items()
            }
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise TokenError(
                f"{self.path} cannot be read as tokens ({error}); move it away and create them again"
            ) from None

    def _write(self, known: dict[str, Token]) -> None:
        text = "".join(
            f'[{token.name}]\nsha256 = "{token.sha256}"\ncreated = "{token.created}"\nowner = "{token.owner}"\n\n'
            for token in known.values()
        )
        new = self.path.with_suffix(f".{os.getpid()}")
        try:
            with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(new, self.path)
        except OSError as error:
            raise TokenError(
                f"{self.path} cannot be written: {error.strerror}; choose another place: --token-file FILE"
            ) from None


def _check_new(name: str, known: dict[str, Token]) -> None:
    try:
        check_name(name, known)
    except BotError as error:
        raise TokenError(str(error)) from None
    _check_free(name, known)


def _check_free(name: str, known: dict[str, Token]) -> None:
    if name in known:
        raise TokenError(f"{name} has a token; to replace it: arena token revoke {name}")


def _check_there(name: str, known: dict[str, Token]) -> None:
    if name not in known:
        raise TokenError(f"{name} has no token; there are: {', '.join(known) or 'none'}")


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
