"""Prefix codes: what is frequent gets few bits, what is certain gets none.

Bits are text of "0" and "1" until the very end: joining text is the quickest thing Python can do with them.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from typing import TypeVar

S = TypeVar("S")

_LONGEST = 64


def lengths_of(counts: Mapping[S, float]) -> list[tuple[S, int]]:
    """Huffman's code for these counts: each symbol with the length of its word."""
    lengths = dict.fromkeys(counts, 0)
    heap = [(count, order, [symbol]) for order, (symbol, count) in enumerate(counts.items())]
    heapq.heapify(heap)
    for order in range(len(heap), 2 * len(heap) - 1):
        rare, less_rare = heapq.heappop(heap), heapq.heappop(heap)
        together = rare[2] + less_rare[2]
        for symbol in together:
            lengths[symbol] += 1
        heapq.heappush(heap, (rare[0] + less_rare[0], order, together))
    return list(lengths.items())


def words_of(lengths: Iterable[tuple[S, int]]) -> dict[S, str]:
    """The words that follow from their lengths, shorter ones first, equal ones in the order given."""
    words = {}
    word, before = 0, 0
    for symbol, length in sorted(lengths, key=lambda entry: entry[1]):
        word <<= length - before
        words[symbol] = f"{word:0{length}b}" if length else ""
        word, before = word + 1, length
    return words


def as_bytes(bits: str) -> bytes:
    """Filled up with zeros to whole bytes."""
    size = (len(bits) + 7) // 8
    return int(bits.ljust(8 * size, "0") or "0", 2).to_bytes(size, "big")


class Reader:
    """Bits read from front to back."""

    def __init__(self, data: bytes) -> None:
        self._bits = f"{int.from_bytes(data, 'big'):0{8 * len(data)}b}" if data else ""
        self._at = 0

    def take(self, count: int) -> str:
        """The next bits as they are."""
        start, self._at = self._at, self._at + count
        if self._at > len(self._bits):
            raise ValueError("the bits end too early")
        return self._bits[start : self._at]

    def read(self, symbols: Mapping[str, S]) -> S:
        """The symbol whose word comes next."""
        for end in range(self._at, min(self._at + _LONGEST, len(self._bits)) + 1):
            symbol = symbols.get(self._bits[self._at : end])
            if symbol is not None:
                self._at = end
                return symbol
        raise ValueError("the bits make no word")

    def finish(self) -> None:
        """Nothing may be left but what fills the last byte."""
        left = self._bits[self._at :]
        if len(left) > 7 or "1" in left:
            raise ValueError("more bits than there is to say")
