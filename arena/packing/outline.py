"""The outline of an event: what is left of it when cards and numbers are taken out.

Events with the same outline follow each other in the same ways, whichever card was played.  Any list can be
outlined; how well the cuts are chosen decides how small a record gets, never whether it can be read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import msgpack
import msgspec

spell: Callable[[Any], bytes] = msgspec.msgpack.Encoder().encode
"""The one spelling of plain data as bytes; unlike equality it tells True from 1."""

CARD = msgpack.ExtType(1, b"")
NUMBER = msgpack.ExtType(2, b"")

_FEW = range(8)  # seats, piles, directions: they decide what can follow, so they stay in the outline


class Outlined(NamedTuple):
    """An event taken apart; `outline` is spelled, and so is every number."""

    outline: bytes
    cards: tuple[str, ...]
    numbers: tuple[bytes, ...]


def taken_apart(event: Sequence[Any]) -> Outlined:
    """The event's outline, and what fills its gaps."""
    if len(event) < 2:
        return Outlined(spell(event), (), ())
    cards: list[str] = []
    numbers: list[bytes] = []

    def card(word: str) -> Any:
        cards.append(word)
        return CARD

    def number(value: Any) -> Any:
        numbers.append(spell(value))
        return NUMBER

    def choice(part: Any, first: bool) -> Any:
        """Of what was asked and answered the small numbers and the first word stay: `take, 0, 10/2`."""
        if isinstance(part, (list, tuple)):
            return [choice(inner, first and not at) for at, inner in enumerate(part)]
        if isinstance(part, str):
            return part if first else card(part)
        return number(part) if type(part) is int and part not in _FEW else part

    def thing(part: Any, last: bool) -> Any:
        """Of what happened the names of places stay; the last word is the card."""
        if isinstance(part, (list, tuple)):
            return [thing(inner, last) for inner in part]
        if isinstance(part, str):
            return card(part) if last else part
        return number(part) if type(part) is int else part

    def value(part: Any) -> Any:
        """Of a value that was set nothing stays but its build."""
        if isinstance(part, (list, tuple)):
            return [value(inner) for inner in part]
        return card(part) if isinstance(part, str) else number(part)

    witnesses, verb, *rest = event
    end = len(rest) - 1
    if verb == "ask":
        left = [choice(part, False) if at == 3 else part for at, part in enumerate(rest)]
    elif verb == "answer":
        left = [choice(part, True) if at else part for at, part in enumerate(rest)]
    elif verb == "set":
        left = [value(part) if at else part for at, part in enumerate(rest)]
    else:
        left = [
            part if not at and isinstance(part, (str, int)) else thing(part, at == end)
            for at, part in enumerate(rest)
        ]
    return Outlined(msgpack.packb([witnesses, verb, *left]), tuple(cards), tuple(numbers))


def filled_in(plan: Any, cards: Iterator[str], numbers: Iterator[bytes]) -> Any:
    """The event again."""
    if isinstance(plan, list):
        return [filled_in(part, cards, numbers) for part in plan]
    if type(plan) is not msgpack.ExtType:
        return plan
    return next(cards) if plan == CARD else msgpack.unpackb(next(numbers))


def gaps_of(plan: Any) -> tuple[int, int]:
    """How many cards and how many numbers are missing."""
    if isinstance(plan, list):
        inner = [gaps_of(part) for part in plan]
        return sum(cards for cards, _ in inner), sum(numbers for _, numbers in inner)
    return int(plan == CARD), int(plan == NUMBER)


def topic_of(plan: list[Any]) -> str:
    """What its numbers are about: those of one topic are spread alike."""
    return f"{plan[1]} {plan[2]}" if plan[1] in ("set", "roll") else str(plan[1])
