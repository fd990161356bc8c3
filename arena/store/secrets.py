"""A ladder's secret, from which all its deals follow: a file of its own, never in the database.

The file is named after the commitment, so making a secret never overwrites one, and a ladder finds its own.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
from pathlib import Path
from typing import Final

from arena.store.errors import StoreError, Unavailable

_BYTES: Final = 32


def commitment_of(secret: bytes) -> str:
    """Told when the ladder is made; binds it to the secret without giving it away."""
    return hashlib.sha256(b"flock-arena ladder 1\0" + secret).hexdigest()


def make_secret(folder: Path, secret: bytes | None = None) -> str:
    """Write a new secret under the arena's folder, safely on disk; tells its commitment, for the ladder's row."""
    secret = secret or secrets.token_bytes(_BYTES)
    commitment = commitment_of(secret)
    path = _path(folder, commitment)
    half = path.with_suffix(".part")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        half.unlink(missing_ok=True)
        with open(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secret.hex().encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        half.replace(path)
        _sync(path.parent)
        _sync(folder)
    except OSError as error:
        raise Unavailable(f"the ladder's secret cannot be kept under {folder}", str(error.strerror)) from None
    return commitment


def read_secret(folder: Path, commitment: str) -> bytes:
    """The secret behind a ladder's commitment."""
    path = _path(folder, commitment)
    try:
        with path.open("rb") as file:
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
            written = file.read(4 * _BYTES)
    except FileNotFoundError:
        raise StoreError(
            f"the ladder's secret is missing: no {path}. Without it no deal can be made or checked; "
            "bring it back from where the ladder was made"
        ) from None
    except OSError as error:
        raise StoreError(f"the ladder's secret cannot be read: {path}: {error.strerror}") from None
    if mode & 0o077:
        raise StoreError(f"others may read the ladder's secret (mode {mode:03o}); do: chmod 600 {path}")
    try:
        secret = bytes.fromhex(written.decode("ascii"))
    except ValueError:
        secret = b""
    if commitment_of(secret) != commitment:
        raise StoreError(f"{path} is not the secret that this ladder was made with: the file is damaged")
    return secret


def _path(folder: Path, commitment: str) -> Path:
    return folder / "secrets" / f"{commitment[:32]}.secret"


def _sync(folder: Path) -> None:
    """A new name is safe only when its folder is."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
