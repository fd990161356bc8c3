"""Twin worlds: exchange two cards a viewer cannot place, and the viewer must be sent the same bytes.

A base game is played once with a ledger.  For a viewer, a shuffle and two cards of that shuffle which the
viewer could not place afterwards, the game is played again with the two cards exchanged in that shuffle.
The viewer answers by index, the others by value; where a value is missing in the twin, the twin ends.

Where the table learns from what is not done (a dog would have been laid aside, so this card is no dog), the
rulebook's `could_hide` says so, and such an exchange is no twin.

A rule that picks a card by chance must pick a place (`hand.cards[pick]`): picked from a sorted heap, another
card goes in the twin world, and this test cannot tell that from a leak.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import msgpack

from arena.chance import Chance
from arena.contract.traced import Broken, Ledger, RecordingChance, Shuffle, all_zones
from arena.events import seen_by
from arena.game import Game, Option
from arena.variants import Variant
from arena.zones import PUBLIC, Card


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
    message["packed view"] = game.packed_view(viewer)
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


def compare_twins(played: Played, positions: int, chooser: Chance) -> int:
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


def _choose(played: Played, viewer: int, chooser: Chance) -> tuple[Shuffle, Card, Card, int] | None:
    """A shuffle, two of its cards the viewer does not get to see for a while, and when that while ends."""
    ledger = played.ledger
    if not ledger.shuffles:
        return None
    shuffle = ledger.shuffles[chooser.pick(len(ledger.shuffles), ())]
    first_after = next((mark for mark in ledger.reached if mark > shuffle.mark), None)
    if first_after is None:
        return None
    hidden_until, held = _hidden_until(ledger, shuffle, viewer)
    hidden = [card for card, end in hidden_until.items() if end >= first_after]
    interesting = [card for card in hidden if card in held]  # somebody else came to hold it
    if len(hidden) < 2:
        return None
    likely = interesting if interesting and chooser.pick(10, ()) < 7 else hidden
    one = likely[chooser.pick(len(likely), ())]
    back = played.game_class.back
    others = [card for card in hidden if played.faces[card] != played.faces[one]]
    others = [card for card in others if back(played.faces[card]) == back(played.faces[one])]
    if not others:
        return None
    other = others[chooser.pick(len(others), ())]
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
    twin = played.game_class(played.seats, played.variant, chance, log=True)
    compared = since = 0
    in_role = False
    for position, sent in enumerate(played.sent):
        if reached[position] > end:
            break
        if reached[position] > shuffle.mark:
            heaps = [[swap.get(card, card) for card in cards] for cards in played.heaps[position]]
            is_twin = heaps_of(twin) == heaps
            if not _could_be(twin, heaps, swap):
                break  # the table would have seen the difference
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
        exchanged = swap if reached[position] > shuffle.mark else {}
        answers = _twin_answers(twin, viewer, played.answers[position], exchanged) if twin.question else None
        if answers is None:
            break
        choices, in_role = answers
        twin.answer(*choices)
    return compared


def _could_be(twin: Game, heaps: list[list[Card]], swap: dict[Card, Card]) -> bool:
    """Whether the rulebook allows the two cards where the exchange puts them (`could_hide`)."""
    zones = zip(all_zones(twin), heaps, strict=True)
    return all(twin.could_hide(zone, twin.faces[card]) for zone, cards in zones for card in swap if card in cards)


def _twin_answers(
    twin: Game, viewer: int, answers: list[tuple[int, int, Option]], swap: dict[Card, Card]
) -> tuple[list[int], bool] | None:
    """The same answers, by the viewer's index and the others' values.

    Who holds one of the two cards and names it plays the card that lies in its place instead: what the viewer
    cannot place afterwards, the viewer must not notice.  The flag says that this happened.
    """
    choices = []
    in_role = False
    for seat, index, value in answers:
        if seat == viewer:
            choices.append(index)
            continue
        roles = {twin.faces[card]: twin.faces[swap[card]] for card in swap if twin.knowers[swap[card]] >> seat & 1}
        named = {part for part in value if isinstance(part, str)} & {twin.faces[card] for card in swap}
        wanted: Option = value
        if roles and named:
            if not named <= roles.keys() or any(_knows_another(twin, seat, face, swap) for face in named):
                return None  # which of the equal cards was meant?
            wanted = tuple(roles.get(part, part) if isinstance(part, str) else part for part in value)
            in_role = True
        options = twin.options(seat)
        if wanted not in options:
            return None
        choices.append(options.index(wanted))
    return choices, in_role


def _knows_another(twin: Game, seat: int, face: str, swap: dict[Card, Card]) -> bool:
    equals = (card for card, other in enumerate(twin.faces) if other == face and card not in swap)
    return any(twin.knowers[card] >> seat & 1 for card in equals)


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
    if isinstance(one, dict) and isinstance(other, dict):
        parts = [(f"{path}.{key}", one.get(key), other.get(key)) for key in {**one, **other}]
    elif isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        pairs = zip_longest(one, other, fillvalue="nothing")
        parts = [(f"{path}[{place}]", left, right) for place, (left, right) in enumerate(pairs)]
    else:
        return path, one, other
    for part, left, right in parts:
        if left != right or type(left) is not type(right):
            return first_difference(left, right, part)
    return path, one, other
