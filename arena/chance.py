"""Keyed chance: every shuffle, die and pick is named, so the same deal stays aligned whatever is played.

The value behind a key follows from the deal's secret and the key alone (SHAKE-256, rejection sampling):
no generator state is copied or recorded, and a record replays from secret and answers.
"""

from __future__ import annotations

import hashlib
import random
from struct import unpack
from typing import Protocol

Key = tuple[str | int, ...]

_WORD = 4
_RANGE = 1 << (8 * _WORD)


class Chance(Protocol):
    """Where arrangements and picks come from.  A key is used once in a game."""

    def order(self, size: int, key: Key) -> list[int]:
        """A uniform arrangement of range(size)."""

    def pick(self, size: int, key: Key) -> int:
        """A uniform number below size."""


class KeyedChance:
    """The chance of real matches: derived from a secret, equal on every machine."""

    __slots__ = ("_secret",)

    def __init__(self, secret: bytes) -> None:
        if len(secret) != 32:
            raise ValueError(f"a deal's secret has 32 bytes, not {len(secret)}")
        self._secret = secret

    def order(self, size: int, key: Key) -> list[int]:
        """Fisher-Yates from the top down, one uniform number per step."""
        arranged = list(range(size))
        words = _Words(self._secret, key, size)
        below = words.below
        for last in range(size - 1, 0, -1):
            other = below(last + 1)
            arranged[last], arranged[other] = arranged[other], arranged[last]
        return arranged

    def pick(self, size: int, key: Key) -> int:
        """One uniform number."""
        return _Words(self._secret, key, 1).below(size)


class _Words:
    """The stream of 32-bit numbers behind one key; grows when numbers are rejected."""

    __slots__ = ("_at", "_hash", "_words")

    def __init__(self, secret: bytes, key: Key, expected: int) -> None:
        self._hash = hashlib.shake_256(b"flock-arena chance 1\0" + secret + _spell(key))
        self._at = 0
        self._words = self._first(expected + 2)

    def _first(self, count: int) -> tuple[int, ...]:
        return unpack(f">{count}I", self._hash.digest(count * _WORD))

    def below(self, size: int) -> int:
        limit = _RANGE - _RANGE % size  # numbers from here on would favour the small ones
        while True:
            at = self._at
            if at == len(self._words):
                self._words = self._first(2 * at)
            self._at = at + 1
            word = self._words[at]
            if word < limit:
                return word % size


def _spell(key: Key) -> bytes:
    # The type is part of the spelling: ("a", 1) and ("a", "1") are different keys.
    return "/".join(f"{part}" if isinstance(part, int) else repr(part) for part in key).encode()


class FastChance:
    """Chance for search and simulation: quick, repeatable from a seed, and never used to deal a real match."""

    __slots__ = ("_random",)

    def __init__(self, seed: int | str | None = None) -> None:
        self._random = random.Random(seed)

    def order(self, size: int, key: Key) -> list[int]:  # noqa: ARG002  the key names chance, it does not steer it
        """Sorting by random keys is twice as fast as shuffling."""
        draw = self._random.random
        return sorted(range(size), key=[draw() for _ in range(size)].__getitem__)

    def pick(self, size: int, key: Key) -> int:  # noqa: ARG002
        """One uniform number."""
        return int(self._random.random() * size)


def derive(secret: bytes, *name: str | int) -> bytes:
    """A secret below a secret: knowing the child tells nothing of the parent or of its siblings."""
    return hashlib.shake_256(b"flock-arena derive 1\0" + secret + _spell(name)).digest(32)


def commitment(deal: bytes, salt: bytes) -> str:
    """Told before the match: it binds the arena to the deal; the salt keeps small deals from being searched."""
    return hashlib.sha256(b"flock-arena deal 1\0" + salt + deal).hexdigest()
