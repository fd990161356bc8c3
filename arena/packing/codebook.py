"""The codebook of a division: which events follow which, and in how few bits each can be said.

A help and no more: what it has no words for is written out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgpack

from arena.packing.outline import filled_in, gaps_of, spell, taken_apart, topic_of
from arena.packing.prefix import Reader, words_of
from arena.packing.vocabulary import Vocabulary

_KEPT: Final = 1 << 15
"""Phrases and steps kept at hand: the same events come again in match after match."""


class Phrase(NamedTuple):
    """An event in the words of the book: its key, and bits for its cards and for its numbers."""

    key: int
    cards: tuple[str, ...]
    named: str
    counted: str


class Step:
    """What an event says from a row on: bits and next row, in full and for when its cards were named just before.

    Without a next row it must be written out.
    """

    __slots__ = ("cards", "said", "said_again", "then", "then_again")

    def __init__(
        self, cards: tuple[str, ...], said: str, then: Row | None, said_again: str, then_again: Row | None
    ) -> None:
        self.cards: Final = cards
        self.said: Final = said
        self.then: Final = then
        self.said_again: Final = said_again
        self.then_again: Final = then_again


class Row:
    """A place in the book: what may come next, and the steps of events that came here before."""

    __slots__ = ("hears", "says", "steps")

    def __init__(self) -> None:
        self.says: dict[int, tuple[str, Row]] = {}
        self.hears: dict[str, tuple[int, Row]] = {}
        self.steps: dict[bytes, Step] = {}


class Codebook:
    """Made from plain data as `arena.packing.training` writes it.

    The key of an event is twice the number of its outline, plus one if its cards are those named last.
    """

    def __init__(self, data: dict[str, Any]) -> None:
        outlines = data["outlines"]
        self._plans = [msgpack.unpackb(outline) for outline in outlines]
        self._gaps = [gaps_of(plan) for plan in self._plans]
        self._numbered = {outline: number for number, outline in enumerate(outlines)}
        self._cards = Vocabulary(data["cards"])
        self._numbers = {topic: Vocabulary(lengths) for topic, lengths in data["numbers"].items()}
        self._rows = self._joined(data["rows"])
        self.start = self._rows[()]
        self.answers: dict[tuple[int, int, int], str] = {}
        self.answers_heard: dict[int, dict[str, tuple[int, int]]] = {}
        for before, lengths in data["answers"].items():
            words = words_of(((seat, choice), length) for seat, choice, length in lengths)
            self.answers |= {(before, *answer): word for answer, word in words.items()}
            self.answers_heard[before] = {word: answer for answer, word in words.items()}
        self._phrase = lru_cache(_KEPT)(self._put_in_words)
        self._steps_kept = 0

    def _joined(self, data: list[Any]) -> dict[tuple[int, ...], Row]:
        """Rows by what came before: the last two events where the book tells them apart, else the last one."""
        rows = {tuple(before): Row() for before, _ in data}
        for before, lengths in data:
            row = rows[tuple(before)]
            for key, word in words_of(lengths).items():
                then = rows.get((*before[-1:], key), rows[key,])
                row.says[key] = word, then
                row.hears[word] = key, then
        return rows

    def step(self, row: Row, spelled: bytes) -> Step:
        """Where an event leads from here; kept for the next time."""
        self._steps_kept += 1
        if self._steps_kept > _KEPT:
            self._steps_kept = 1
            for other in self._rows.values():
                other.steps.clear()
        phrase = self._phrase(spelled)
        if phrase is None:
            step = Step((), "", None, "", None)
        else:
            word, then = row.says.get(phrase.key, ("", None))
            word_again, then_again = row.says.get(phrase.key + 1, ("", None))
            said, said_again = word + phrase.named + phrase.counted, word_again + phrase.counted
            step = Step(phrase.cards, said, then, said_again, then_again)
        row.steps[spelled] = step
        return step

    def _put_in_words(self, spelled: bytes) -> Phrase | None:
        """The event in the words of the book, if it has any."""
        outline, cards, numbers = taken_apart(msgpack.unpackb(spelled))
        known = self._numbered.get(outline)
        if known is None or spell(filled_in(self._plans[known], iter(cards), iter(numbers))) != spelled:
            return None
        topic = self._numbers[topic_of(self._plans[known])]
        try:
            named = "".join(self._cards.say(spell(card)) for card in cards)
            counted = "".join(topic.say(number) for number in numbers)
        except ValueError:  # a name that fills lines is better written out
            return None
        return Phrase(2 * known, cards, named, counted)

    def event(self, key: int, last: tuple[str, ...], bits: Reader) -> tuple[list[Any], tuple[str, ...]]:
        """The event with this key, its gaps filled from the bits, and the cards named last."""
        plan = self._plans[key >> 1]
        cards_missing, numbers_missing = self._gaps[key >> 1]
        cards = last if key & 1 else tuple(msgpack.unpackb(self._cards.hear(bits)) for _ in range(cards_missing))
        if len(cards) != cards_missing:
            raise ValueError(f"an event with {cards_missing} cards cannot name {len(cards)} again")
        topic = self._numbers[topic_of(plan)]
        numbers = [topic.hear(bits) for _ in range(numbers_missing)]
        return filled_in(plan, iter(cards), iter(numbers)), cards or last

    def row_after(self, event: Sequence[Any], row: Row, last: tuple[str, ...]) -> tuple[Row, tuple[str, ...]]:
        """Where an event leads that had to be written out, and the cards named last."""
        outline, cards, _ = taken_apart(event)
        return self._rows.get((2 * self._numbered.get(outline, -1),), row), cards or last
