"""A game told in words, from the events one viewer saw.  No rules here, and nothing the viewer did not see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from arena.events import Seen
from arena.game import Game

_EFFECT = "    "
_LONG = 8
"""Longer rows of public values, a pasture's marks for one, are not told whole."""


def tell(game_class: type[Game], seen: Iterable[Seen]) -> Iterator[str]:
    """One line per answer, and below it what followed; a new round gets a heading."""
    step: list[Seen] = []
    told: dict[str, Any] = {}
    for event in seen:
        step.append(event)
        if event[0] in ("ask", "end"):
            yield from _tell_step(game_class, step, told)
            step = []
    yield from _tell_step(game_class, step, told)


def _tell_step(game_class: type[Game], step: list[Seen], told: dict[str, Any]) -> Iterator[str]:
    answers = [event for event in step if event[0] == "answer"]
    values = {event[1]: event[2] for event in step if event[0] == "set"}
    happened = [event for event in step if event[0] not in ("answer", "set", "ask", "end")]
    for _, seat, option in answers:
        yield f"seat {seat}: {'a secret choice' if option is None else game_class.say(tuple(option))}"
    named = {part for _, _, option in answers for part in option or ()}
    heading = values.pop("round", None)
    before = _end_of_round(happened) if heading is not None else len(happened)
    yield from _tell_effects(game_class, happened[:before], named)
    changes = [_change(name.replace("_", " "), told.get(name), value) for name, value in values.items()]
    if any(changes):
        yield _EFFECT + "; ".join(filter(None, changes))
    told.update(values)
    if heading is not None:
        yield ""
        yield f"Round {heading}"
        yield from _tell_effects(game_class, happened[before:], named)
    for event in step:
        if event[0] == "end":
            yield ""
            yield f"The game is over; {_standing(*event[1:])}"


def _end_of_round(happened: list[Seen]) -> int:
    """Where the cards are gathered for the next round: at the pours before the first shuffle."""
    first = next((place for place, event in enumerate(happened) if event[0] == "shuffle"), len(happened))
    while first and happened[first - 1][0] in ("pour", "fill"):
        first -= 1
    return first


def _tell_effects(game_class: type[Game], events: list[Seen], named: set[Any]) -> Iterator[str]:
    for (verb, *places), group in groupby(events, _alike):
        line = _sentence(game_class, verb, places, list(group), named)
        if line:
            yield _EFFECT + line


def _alike(event: Seen) -> tuple[Any, ...]:
    """Events that make one sentence together: cards drawn by one seat, shown in one place, poured into one."""
    verb = event[0]
    if verb == "draw":
        return verb, event[1], event[2]
    if verb == "show":
        return verb, event[1]
    if verb == "pour":
        return verb, event[2]
    return verb, repr(event)


def _sentence(game_class: type[Game], verb: str, places: list[str], events: list[Seen], named: set[Any]) -> str:
    what = [event[-1] for event in events]
    match events[0]:
        case ["draw", source, target, _]:
            if target.startswith("hands."):
                return f"seat {target[6:]} draws {_cards(game_class, what)}"
            return f"{_cards(game_class, what)} from {_place(source)} to {_place(target)}"
        case ["show", where, _]:
            known = [face for face in what if face is not None]
            return f"{_place(where)} shows {_cards(game_class, known)}" if known else ""
        case ["pour", source, target, _]:
            poured = [count if isinstance(count, int) else len(count) for count in what]
            sources = [event[1] for event, count in zip(events, poured, strict=True) if count]
            origin = _place(source if not sources else sources[0]) if len(sources) == 1 else "the table"
            return f"{_count(sum(poured))} from {origin} to {_place(places[0])}" if sources else ""
        case ["move", source, target, _, face]:
            return "" if face in named else f"{_card(game_class, face)} from {_place(source)} to {_place(target)}"
        case ["tuck", source, target, _, face]:
            return f"{_card(game_class, face)} from {_place(source)} goes under {_place(target)}"
        case ["slip", source, target, _, face]:
            return f"{_card(game_class, face)} goes unseen from {_place(source)} to {_place(target)}"
        case ["surface", where, _, face]:
            return f"{_card(game_class, face)} comes to the top of {_place(where)}"
        case ["fill", where, count]:
            return f"{_count(count)} from the box to {_place(where)}"
        case ["shuffle", where, count]:
            return f"{_place(where)} is shuffled, {_count(count)}"
        case ["cut", source, row, sizes]:
            return f"{_place(source)} is cut into {len(row)} heaps of {min(sizes)} to {max(sizes)} cards"
        case ["pass", row, step]:
            return f"{len(row)} heaps, {_place(row[0])} first, are passed on by {step}"
        case ["roll", sides, thrown]:
            return f"a die of {sides} shows {thrown}"
    return f"{verb} {' '.join(_value(part) for part in events[0][1:])}"


def _card(game_class: type[Game], face: str | None) -> str:
    return "a card" if face is None else game_class.say_face(face)


def _cards(game_class: type[Game], faces: list[str | None]) -> str:
    known = [game_class.say_face(face) for face in faces if face is not None]
    unknown = len(faces) - len(known)
    if unknown:
        known.append("a card" if unknown == 1 else _count(unknown))
    return known[0] if len(known) == 1 else f"{', '.join(known[:-1])} and {known[-1]}"


def _count(cards: int) -> str:
    return f"{cards} card{'' if cards == 1 else 's'}"


def _place(label: str) -> str:
    name, _, index = label.partition(".")
    name = name.replace("_", " ")
    if name == "hands":
        return f"the hand of seat {index}"
    return f"{name.removesuffix('s')} {index}" if index else f"the {name}"


def _change(name: str, before: Any, value: Any) -> str:
    """A value in words; of a long row only what changed, and nothing of what starts empty."""
    row = value if isinstance(value, (list, tuple)) else [value]
    if before is None:
        return f"{name} {_value(value)}" if any(row) and len(row) <= _LONG else ""
    if len(row) > _LONG and len(row) == len(before):
        changed = [place for place in range(len(row)) if row[place] != before[place]]
        return f"{name} " + ", ".join(f"{place}: {_value(row[place])}" for place in changed)
    return f"{name} {_value(value)}"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "open"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_value, value)) or "none"
    return str(value)


def _standing(scores: list[int], ranks: list[int]) -> str:
    rows = sorted(zip(ranks, range(len(ranks)), scores, strict=True))
    return ", ".join(f"{rank}. seat {seat} with {score}" for rank, seat, score in rows)
