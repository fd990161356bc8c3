"""The answers of a match in bits: who chose what, after how long.  Faults and notes are written out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from arena.packing.codebook import Codebook
from arena.packing.prefix import Reader, lengths_of, words_of

_LONGEST_DIGITS: Final = 40
_SHORT_US: Final = 1 << 12
_TOO_LONG_US: Final = 1 << _LONGEST_DIGITS
_AT_ONCE: Final = _LONGEST_DIGITS + 1
"""No time at all, as measured where the bot was ready before the arena looked."""

# How many binary digits more than its seat's middle time a time has, as seen with Python bots on a busy machine.
_USUAL = {0: 30.0, 1: 19.0, -1: 16.0, _AT_ONCE: 12.0, -2: 7.0, 2: 4.0, -3: 4.0, 3: 1.0}
_RARE = {more: 0.1 for more in range(-_LONGEST_DIGITS, _LONGEST_DIGITS + 1) if more not in _USUAL}
_SIZES: Final = words_of(lengths_of(_USUAL | _RARE))
_SIZES_HEARD: Final = {word: more for more, word in _SIZES.items()}


class LeftOver(NamedTuple):
    """What the bits do not say."""

    total: int
    middles: list[int]
    """Per seat: how many binary digits its middle time has."""

    written_out: list[tuple[int, Any]]
    notes: list[tuple[int, str]]


def say(inputs: Sequence[Any], seats: int, book: Codebook) -> tuple[str, LeftOver]:
    """Bits for all choices, then for the times of every seat; and what they leave out."""
    bits: list[str] = []
    times: list[list[int]] = [[] for _ in range(seats)]
    written_out: list[tuple[int, Any]] = []
    notes: list[tuple[int, str]] = []
    answers = book.answers
    before = -1
    for at, entry in enumerate(inputs):
        if len(entry) == 5:
            seat, kind, choice, elapsed_us, note = entry
            word = answers.get((before, seat, choice))
            if word and kind == "answer" and type(elapsed_us) is int and 0 <= elapsed_us < _TOO_LONG_US:
                bits.append(word)
                times[seat].append(elapsed_us)
                before = seat
                if note:
                    notes.append((at, note))
                continue
        written_out.append((at, entry))
    middles = [len(f"{sorted(own)[len(own) // 2]:b}") if own else 0 for own in times]
    for own, middle in zip(times, middles, strict=True):
        at_hand = _short_times(middle)
        bits += [at_hand[us] if us < _SHORT_US else _time(us, middle) for us in own]
    return "".join(bits), LeftOver(len(inputs), middles, written_out, notes)


def _time(elapsed_us: int, middle: int) -> str:
    digits = f"{elapsed_us:b}"
    return _SIZES[len(digits) - middle if elapsed_us else _AT_ONCE] + digits[1:]


@lru_cache(_LONGEST_DIGITS)
def _short_times(middle: int) -> list[str]:
    """Most times are short: their words are at hand."""
    return [_time(elapsed_us, middle) for elapsed_us in range(_SHORT_US)]


def hear(left: LeftOver, bits: Reader, book: Codebook) -> list[Any]:
    """The inputs again."""
    inputs: list[Any] = []
    written_out, notes = dict(left.written_out), dict(left.notes)
    before = -1
    for at in range(left.total):
        if at in written_out:
            inputs.append(written_out[at])
        else:
            before, choice = bits.read(book.answers_heard[before])
            inputs.append([before, "answer", choice, 0, notes.get(at, "")])
    for seat, middle in enumerate(left.middles):
        for at, entry in enumerate(inputs):
            if at not in written_out and entry[0] == seat:
                entry[3] = _heard_time(bits, middle)
    return inputs


def _heard_time(bits: Reader, middle: int) -> int:
    more = bits.read(_SIZES_HEARD)
    return 0 if more == _AT_ONCE else int("1" + bits.take(more + middle - 1), 2)
