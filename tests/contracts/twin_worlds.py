"""Twin worlds: exchange two cards a viewer cannot place, and the viewer must be sent the same bytes.

A base game is played once with a ledger.  For a viewer, a shuffle and two cards of that shuffle which the
viewer could not place afterwards, the game is played again with the two cards exchanged in that shuffle.
The viewer answers by index, the others by value; where a value is missing in the twin, the twin ends.

A rule that picks a card by chance must pick a place (`hand.cards[pick]`): picked from a sorted heap, another
card goes in the twin world, and this test cannot tell that from a leak.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import msgpack

from arena.events import seen_by
from arena.game import Game, Option
from arena.variants import Variant
from arena.zones import PUBLIC, Card
from tests.contracts.traced import Broken, Ledger, RecordingChance, Shuffle, all_zones


@dataclass
class Played:
    """A whole base game: everything needed to play it again and to compare what was sent."""

    game_class: type[Game]
    seats: int
    variant: Variant
    seed: str
    faces: tuple[str, ...]
    ledger: Ledger
    answers: list[list[tuple[int, int, Option]]]
    """Per position: (seat, index, value) of everybody who was asked."""
    sent: list[dict[int, bytes]]
    """Per position and viewer: the bytes."""
    heaps: list[list[list[Card]]]
    """Per position: where all cards lay."""

    def place(self) -> str:
        """Enough to find this game again."""
        changes = self.variant.changes() or "default variant"
        return f"{self.game_class.__name__}, {self.seats} seats, {changes}, game {self.seed!r}"


def what_is_sent(game: Game, viewer: int, since: int) -> bytes:
    """All a viewer is told on reaching a position: the events, the view and, when asked, the options."""
    assert game.events is not None
    message: dict[str, Any] = {"events": seen_by(viewer, game.events[since:]), "view": game.view(viewer)}
    if game.question is not None and viewer in game.question.seats:
        options = game.options(viewer)
        message["options"] = options
        message["default"] = game.stand_in(viewer, options)
    return msgpack.packb(message)


def heaps_of(game: Game) -> list[list[Card]]:
    """Where all cards lie."""
    return [zone.cards[:] for zone in all_zones(game)]


def viewers_of(seats: int) -> list[int]:
    """Everybody who may look."""
    return [*range(seats), PUBLIC]


def compare_twins(played: Played, positions: int, chooser: Random) -> int:
    """Play twins until `positions` were compared or there was no luck for long; how many were compared."""
    compared = attempts = barren = 0
    viewers = viewers_of(played.seats)
    while compared < positions and barren < 20:
        viewer = viewers[attempts % len(viewers)]
        attempts += 1
        pair = _choose(played, viewer, chooser)
        fresh = _compare(played, viewer, *pair) if pair else 0
        compared += fresh
        barren = 0 if fresh else barren + 1
    return compared


def _choose(played: Played, viewer: int, chooser: Random) -> tuple[Shuffle, Card, Card, int] | None:
    """A shuffle, two of its cards the viewer does not get to see for a while, and when that while ends."""
    ledger = played.ledger
    if not ledger.shuffles:
        return None
    shuffle = chooser.choice(ledger.shuffles)
    first_after = next((mark for mark in ledger.reached if mark > shuffle.mark), None)
    if first_after is None:
        return None
    hidden_until, held = _hidden_until(ledger, shuffle, viewer)
    hidden = [card for card, end in hidden_until.items() if end >= first_after]
    interesting = [card for card in hidden if card in held]  # somebody else came to hold it
    if len(hidden) < 2:
        return None
    one = chooser.choice(interesting if interesting and chooser.random() < 0.7 else hidden)
    others = [card for card in hidden if played.faces[card] != played.faces[one]]
    if not others:
        return None
    other = chooser.choice(others)
    return shuffle, one, other, min(hidden_until[one], hidden_until[other])


def _hidden_until(ledger: Ledger, shuffle: Shuffle, viewer: int) -> tuple[dict[Card, int], set[Card]]:
    bit = 1 << viewer
    never = len(ledger.learnt)
    hidden_until = dict.fromkeys(shuffle.before, never)
    held: set[Card] = set()
    for mark in range(shuffle.mark, never):
        card, viewers = ledger.learnt[mark]
        if viewers & bit:
            if hidden_until.get(card) == never:
                hidden_until[card] = mark
        elif viewers:
            held.add(card)
    return hidden_until, held


def _compare(played: Played, viewer: int, shuffle: Shuffle, one: Card, other: Card, end: int) -> int:
    places = shuffle.before.index(one), shuffle.before.index(other)
    chance = RecordingChance(played.seed, exchanged=(shuffle.key, *places))
    reached = played.ledger.reached
    swap = {one: other, other: one}
    roles = {played.faces[one]: played.faces[other], played.faces[other]: played.faces[one]}
    twin = played.game_class(played.seats, played.variant, chance, log=True)
    compared = since = 0
    in_role = False
    for position, sent in enumerate(played.sent):
        if reached[position] > end:
            break
        if reached[position] > shuffle.mark:
            is_twin = heaps_of(twin) == [[swap.get(card, card) for card in cards] for cards in played.heaps[position]]
            if in_role and not is_twin:
                break
            compared += 1
            told = what_is_sent(twin, viewer, since)
            if told != sent[viewer]:
                exchange = f"{played.faces[one]} and {played.faces[other]} were exchanged in shuffle {shuffle.key}"
                raise Broken("twin worlds", _complaint(played, viewer, position, exchange, sent[viewer], told))
            if not is_twin:
                break
        since = len(twin.events or ())
        answers = _twin_answers(twin, viewer, played.answers[position], swap, roles) if twin.question else None
        if answers is None:
            break
        choices, in_role = answers
        twin.answer(*choices)
    return compared


def _twin_answers(
    twin: Game,
    viewer: int,
    answers: list[tuple[int, int, Option]],
    swap: dict[Card, Card],
    roles: dict[str, str],
) -> tuple[list[int], bool] | None:
    """The same answers by the viewer's index and the others' values.

    Who can place one of the two cards and names its face plays the card that lies in its place instead: what
    the viewer cannot place afterwards, the viewer must not notice.  The flag says that this happened.
    """
    choices = []
    in_role = False
    for seat, index, value in answers:
        if seat == viewer:
            choices.append(index)
            continue
        wanted: Option = value
        if any(twin.knowers[card] >> seat & 1 for card in swap):
            wanted = tuple(roles.get(part, part) if isinstance(part, str) else part for part in value)
            in_role |= wanted != value
        options = twin.options(seat)
        if wanted not in options:
            return None
        choices.append(options.index(wanted))
    return choices, in_role


def _complaint(played: Played, viewer: int, position: int, exchange: str, sent: bytes, told: bytes) -> str:
    who = "the public" if viewer == PUBLIC else f"seat {viewer}"
    where, base, twin = first_difference(msgpack.unpackb(sent), msgpack.unpackb(told))
    lengths = "" if len(sent) == len(told) else f"; {len(sent)} bytes became {len(told)}"
    return (
        f"{played.place()}, position {position}: "
        f"{who} can tell that {exchange}: {where} was {base!r}, became {twin!r}{lengths}"
    )


def first_difference(one: Any, other: Any, path: str = "message") -> tuple[str, Any, Any]:
    """Where two decoded messages part, and what stands there."""
    if isinstance(one, dict) and isinstance(other, dict) and list(one) == list(other):
        parts = [(f"{path}.{key}", one[key], other[key]) for key in one]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        parts = [(f"{path}[{place}]", one[place], other[place]) for place in range(len(one))]
    else:
        return path, one, other
    for part, left, right in parts:
        if left != right or type(left) is not type(right):
            return first_difference(left, right, part)
    return path, one, other
