"""A vocabulary: a word of bits for every symbol it knows, and a way to spell out any other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from arena.packing.prefix import Reader, words_of

OTHER: Final = b""
"""Announces a symbol that has no word of its own: its size and its bytes follow."""

_SIZE_BITS = 6


class Vocabulary:
    """Symbols are plain data, spelled."""

    def __init__(self, lengths: Iterable[tuple[bytes, int]]) -> None:
        self.words = words_of(lengths)
        self._symbols = {word: symbol for symbol, word in self.words.items()}

    def say(self, symbol: bytes) -> str:
        """Its word, or the word for others and the symbol itself."""
        word = self.words.get(symbol)
        if word is not None:
            return word
        if len(symbol) >> _SIZE_BITS:
            raise ValueError(f"a symbol of {len(symbol)} bytes is too long to be spelled out")
        spelled = f"{int.from_bytes(symbol, 'big'):0{8 * len(symbol)}b}"
        return f"{self.words[OTHER]}{len(symbol):0{_SIZE_BITS}b}{spelled}"

    def hear(self, bits: Reader) -> bytes:
        """The symbol that comes next."""
        symbol = bits.read(self._symbols)
        if symbol != OTHER:
            return symbol
        size = int(bits.take(_SIZE_BITS), 2)
        return int("0" + bits.take(8 * size), 2).to_bytes(size, "big")
