"""The game contract: what holds for every rulebook, checked at every position of random games.

    from arena.contract import check_game

    check_game(MyGame, seats=3, positions=2_000)      # raises Broken, which names the check and the place

No rules here.  The checks see a game through its zones, its public values and what it sends.
"""

from __future__ import annotations

import hashlib
import inspect
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import msgpack

from arena.chance import Chance, FastChance
from arena.contract.traced import Broken, RecordingChance, all_zones, traced
from arena.contract.twin_worlds import (
    Played,
    compare_twins,
    first_difference,
    heaps_of,
    viewers_of,
    what_is_sent,
)
from arena.events import Onlooker, seen_by
from arena.game import Game, Option, state_of
from arena.variants import Variant
from arena.zones import FACE_UP, NOBODY, PUBLIC, STACK, Zone

__all__ = ["Broken", "Report", "check_class", "check_game", "transcript"]

LONGEST = 20_000
"""No game asks more often than this."""
KERNEL = {
    *("seats", "variant", "chance", "faces", "knowers", "question", "outcome", "events", "ledger"),
    *("_changes", "_eyes_only", "_offered", "_in_bytes", "_told", "_rows", "_sheet"),
}
"""What every game carries beside its zones and public values."""


@dataclass
class Report:
    """How much was looked at."""

    games: int = 0
    positions: int = 0
    twin_positions: int = 0


def check_game(
    game_class: type[Game],
    seats: int,
    variant: Variant | None = None,
    *,
    positions: int = 300,
    twin_positions: int | None = None,
    seed: str = "contract",
) -> Report:
    """Play random games until enough positions were checked and enough twin positions compared."""
    check_class(game_class)
    variant = variant or game_class.variant_type()
    wanted = positions if twin_positions is None else twin_positions
    report = Report()
    patience = 100 + positions // 5  # games; a game with nothing to hide has no twins at all
    while report.positions < positions or (report.twin_positions < wanted and report.games < patience):
        name = f"{seed} {report.games}"
        played = _play(game_class, seats, variant, name, thorough=report.positions < positions)
        missing = wanted - report.twin_positions
        report.games += 1
        report.positions += len(played.sent)
        report.twin_positions += compare_twins(played, min(missing, 3 * len(played.sent)), FastChance(name))
    return report


def check_class(game_class: type[Game]) -> None:
    """What can be said without playing: hiding, copying and imagining are the kernel's alone."""
    shown = ("view", "packed_view", "packed_parts", "_look", "_known", "_glance")
    for name in (*shown, "copy", "imagine", "answer", "options", "packed_options"):
        if name in vars(game_class):
            raise Broken("kernel", f"{game_class.__name__} overrides {name}")
    viewer = inspect.signature(game_class.view).parameters["viewer"]
    if viewer.default is not inspect.Parameter.empty:
        raise Broken("viewer", "view has a default viewer")
    for seats in game_class.seats_allowed:
        faces = game_class.pack(seats, game_class.variant_type())
        runs = 1 + sum(one != other for one, other in pairwise(faces))
        if runs != len(set(faces)):
            raise Broken("pack", f"{game_class.__name__} with {seats} seats: equal faces do not lie side by side")


def transcript(game_class: type[Game], seats: int, seed: str) -> str:
    """A digest of all bytes sent in one game: equal in every process, on every machine."""
    played = _play(game_class, seats, game_class.variant_type(), seed, thorough=False)
    digest = hashlib.sha256()
    for sent in played.sent:
        for viewer in viewers_of(seats):
            digest.update(sent[viewer])
    return digest.hexdigest()


def _play(game_class: type[Game], seats: int, variant: Variant, seed: str, *, thorough: bool) -> Played:
    chooser = FastChance(seed)
    chance = RecordingChance(seed)
    game = traced(game_class)(seats, variant, chance, log=True)  # type: ignore[arg-type]
    viewers = viewers_of(seats)
    onlookers = {viewer: Onlooker(viewer) for viewer in viewers}
    played = Played(game_class, seats, variant, seed, game.faces, chance.ledger, [], [], [])
    constants = _constants(game)
    since = 0
    while True:
        assert game.events is not None
        try:
            sent = {viewer: what_is_sent(game, viewer, since) for viewer in viewers}
            if thorough:
                _check_position(game, game_class, constants, onlookers, since, chooser)
        except Broken as broken:
            where = f"{played.place()}, position {len(played.sent)}"
            raise Broken(broken.check, f"{where}: {broken.text}") from broken
        played.sent.append(sent)
        played.heaps.append(heaps_of(game))
        if game.question is None:
            break
        if len(played.sent) > LONGEST:
            raise Broken("end", f"{game_class.__name__} still asks after {LONGEST} questions")
        since = len(game.events)
        asked = [(seat, game.options(seat)) for seat in game.question.seats]
        answers = [(seat, index, options[index]) for seat, options in asked for index in [_any(options, chooser)]]
        played.answers.append(answers)
        game.answer(*[index for _, index, _ in answers])
    _check_outcome(game)
    return played


def _any(options: Sequence[Option], chooser: Chance) -> int:
    if not options:
        raise Broken("options", "a seat is asked without an option")
    return chooser.pick(len(options), ())


# --- At every position --------------------------------------------------------------------------------


def _check_position(
    game: Game,
    game_class: type[Game],
    constants: Any,
    onlookers: dict[int, Onlooker],
    since: int,
    chooser: Chance,
) -> None:
    _check_cards(game)
    _check_values(game, constants)
    _check_options(game)
    _check_strangers(game)
    for viewer, onlooker in onlookers.items():
        _check_folding(game, onlooker, since)
        _check_packed(game, viewer)
        _check_imagined(game, game_class, viewer, chooser)
    if not chooser.pick(10, ()):
        _check_copy(game, chooser)
        _check_places(game)


def _check_cards(game: Game) -> None:
    lying = sorted(card for zone in all_zones(game) for card in zone.cards)
    if lying != list(range(len(game.faces))):
        gone = sorted(set(range(len(game.faces))) - set(lying))
        doubled = [card for card, times in Counter(lying).items() if times > 1]
        raise Broken("conservation", f"cards gone: {gone}, cards in two places: {doubled}")
    for zone in all_zones(game):
        for card in zone.cards:
            knowers = game.knowers[card]
            if zone.sees & ~knowers:
                raise Broken("sight", f"somebody sees into {zone.label} but cannot place {game.faces[card]}")
            if knowers & ~zone.placed:
                raise Broken(
                    "sight", f"{zone.label}.placed is no upper bound: {game.faces[card]} is known to more"
                )


def _check_values(game: Game, constants: Any) -> None:
    for name in game._publics:
        if not _plain(getattr(game, name)):
            raise Broken("plain data", f"the public value {name} is {getattr(game, name)!r}")
    asked = game.question
    if asked is not None and not _plain((asked.seats, asked.options, asked.then, asked.context, asked.together)):
        raise Broken("plain data", f"the question about {asked.options} is not plain: {asked.context!r}")
    if _constants(game) != constants:
        where, before, now = first_difference(constants, _constants(game), "state")
        raise Broken("hidden state", f"{where} is neither a zone nor public, and changed from {before} to {now}")


def _check_options(game: Game) -> None:
    for seat in game.question.seats if game.question else ():
        options = game.options(seat)
        if not options:
            raise Broken("options", f"seat {seat} is asked without an option")
        if not all(isinstance(option, tuple) and _plain(option) for option in options):
            raise Broken("options", f"options are not plain tuples: {options!r}")
        if len(set(options)) != len(options):
            raise Broken("options", f"equal options: {options!r}")
        assert game.question is not None
        if getattr(game, game.question.options)(seat, *game.question.context) != options:
            raise Broken("options", "computed again, the options are others or in another order")
        if game.packed_options(seat) != msgpack.packb(options):
            raise Broken(
                "packed options", f"{msgpack.unpackb(game.packed_options(seat))!r} stands for {options!r}"
            )
        default = game.stand_in(seat, options)
        if type(default) is not int or not 0 <= default < len(options):
            raise Broken("options", f"the stand-in plays {default!r} of {len(options)} options")
        if not all(isinstance(game.say(option), str) for option in options):
            raise Broken("options", "an option has no words")


def _check_strangers(game: Game) -> None:
    for stranger in (game.seats, 6, 8, -1, None):
        for view in (game.view, game.packed_view):
            try:
                view(stranger)  # type: ignore[arg-type]
            except (ValueError, TypeError):
                continue
            raise Broken("viewer", f"view({stranger!r}) shows something, with {game.seats} seats")


def _check_packed(game: Game, viewer: int) -> None:
    """The bytes that travel are those of the view, whoever looked before."""
    sent, shown = game.packed_view(viewer), game.view(viewer)
    if sent != msgpack.packb(shown):
        where, packed, plain = first_difference(msgpack.unpackb(sent), shown, "view")
        raise Broken("packed view", f"viewer {viewer}: {where} is {plain!r}, packed {packed!r}")


def _check_folding(game: Game, onlooker: Onlooker, since: int) -> None:
    """Who folds the events knows what the view shows."""
    assert game.events is not None
    for event in msgpack.unpackb(msgpack.packb(seen_by(onlooker.viewer, game.events[since:]))):
        try:
            onlooker.see(event)
        except (ValueError, AssertionError, TypeError) as error:
            raise Broken("folding", f"viewer {onlooker.viewer} cannot take {event!r} in: {error}") from error
    view = msgpack.unpackb(msgpack.packb(game.view(onlooker.viewer)))
    remembers_more = getattr(game.variant, "strict_memory", False)
    for name, declared in game._zones.items():
        held, shown = getattr(game, name), view[name]
        for zone, faces in zip(held, shown, strict=True) if declared.row else [(held, shown)]:
            folded = onlooker.zones.get(zone.label, [])
            if len(faces) != len(folded) or not (remembers_more or _same_heap(zone, faces, folded)):
                raise Broken(
                    "folding", f"viewer {onlooker.viewer} sees {faces} in {zone.label}, events say {folded}"
                )
    for name in game._publics:
        if onlooker.values.get(name) != view[name]:
            raise Broken("folding", f"{name} is {view[name]!r}, events say {onlooker.values.get(name)!r}")
    if onlooker.question != view["question"]:
        raise Broken("folding", f"the question is {view['question']!r}, events say {onlooker.question!r}")


def _same_heap(zone: Zone, faces: list[str | None], folded: list[str | None]) -> bool:
    if faces == folded or zone.sight in (FACE_UP, STACK):
        return faces == folded
    return sorted(map(str, faces)) == sorted(map(str, folded))


def _check_imagined(game: Game, game_class: type[Game], viewer: int, chooser: Chance) -> None:
    """What can be guessed from a view shows that view again, and can be played."""
    sent = msgpack.packb(game.view(viewer))
    world = game_class.imagine(msgpack.unpackb(sent), FastChance(chooser.pick(1 << 32, ())))
    again = msgpack.packb(world.view(viewer))
    if again != sent:
        where, shown, imagined = first_difference(msgpack.unpackb(sent), msgpack.unpackb(again), "view")
        raise Broken("imagined", f"viewer {viewer}: {where} is {shown!r}, imagined {imagined!r}")
    if game.question is None:
        return
    try:
        if viewer in game.question.seats and world.options(viewer) != game.options(viewer):
            raise Broken("imagined", f"seat {viewer} may {game.options(viewer)}, imagined {world.options(viewer)}")
        if not chooser.pick(50, ()):
            _play_on(world, chooser)
    except Broken:
        raise
    except Exception as error:
        raise Broken("imagined", f"a world imagined by viewer {viewer} cannot be played: {error!r}") from error


def _check_copy(game: Game, chooser: Chance) -> None:
    before = _fingerprint(game), [game.view(viewer) for viewer in viewers_of(game.seats)]
    twin = game.copy()
    if any(twin.view(viewer) != game.view(viewer) for viewer in (*range(game.seats), PUBLIC)):
        raise Broken("copy", "a copy shows something else")
    if any(twin.packed_view(viewer) != game.packed_view(viewer) for viewer in viewers_of(game.seats)):
        raise Broken("copy", "a copy sends something else")
    twin.chance = FastChance(chooser.pick(1 << 32, ()))
    _play_on(twin, chooser)
    after = _fingerprint(game), [game.view(viewer) for viewer in viewers_of(game.seats)]
    if after != before:
        where, was, now = first_difference(before, after, "state")
        raise Broken("copy", f"playing a copy changed {where} from {was!r} to {now!r}")


def _check_places(game: Game) -> None:
    """In a hidden heap a place tells when a card came, so that it must not show."""
    twin = game.copy()
    for zone in all_zones(twin):
        if zone.sight not in (FACE_UP, STACK):
            zone.cards.reverse()
            zone.lookers = NOBODY  # what it looked like before does not count
    for viewer in viewers_of(game.seats):
        if twin.view(viewer) != game.view(viewer):
            where, shown, turned = first_difference(game.view(viewer), twin.view(viewer), "view")
            raise Broken(
                "places", f"viewer {viewer}: {where} is {shown!r}, with hidden heaps turned over {turned!r}"
            )


def _play_on(game: Game, chooser: Chance) -> None:
    for _ in range(LONGEST):
        if game.question is None:
            return
        game.answer(*[_any(game.options(seat), chooser) for seat in game.question.seats])
    raise Broken("end", f"a copy or an imagined world still asks after {LONGEST} questions")


def _check_outcome(game: Game) -> None:
    if game.outcome is None:
        raise Broken("outcome", "nobody is asked, and there is no outcome")
    scores, ranks = game.outcome
    if len(scores) != game.seats or not all(type(score) is int for score in scores):
        raise Broken("outcome", f"scores are one whole number per seat, not {scores!r}")
    sign = 1 if game.high_score_wins else -1
    fair = tuple(1 + sum(sign * other > sign * score for other in scores) for score in scores)
    if ranks != fair:
        raise Broken("outcome", f"scores {scores} are ranked {ranks}, not {fair}")


# --- Looking at state ---------------------------------------------------------------------------------


def _plain(value: Any) -> bool:
    if type(value) is tuple:
        return all(_plain(part) for part in value)
    return value is None or type(value) in (int, str, bool)


def _constants(game: Game) -> Any:
    """Everything a game carries that is neither kernel, zone nor public: it may not change."""
    known = KERNEL | game._zones.keys() | game._publics.keys()
    return {name: _fingerprint(value) for name, value in state_of(game).items() if name not in known}


def _fingerprint(value: Any) -> Any:
    """A comparable picture of any state, containers and zones taken apart."""
    if isinstance(value, Game):
        passing = ("chance", "ledger", "_offered", "_in_bytes", "_rows", "events")
        own = {name: _fingerprint(part) for name, part in state_of(value).items() if name not in passing}
        return {**own, "events": None if value.events is None else len(value.events)}
    if isinstance(value, Zone):
        return [value.label, value.sees, value.placed, value.cards[:]]
    if isinstance(value, dict):
        return {repr(key): _fingerprint(part) for key, part in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted(map(repr, value))
    if isinstance(value, list) or (isinstance(value, tuple) and not _hashable(value)):
        return [_fingerprint(part) for part in value]
    return value if _hashable(value) else repr(value)


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True
