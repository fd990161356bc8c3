"""A game that writes down what its verbs do: who could ever place a card, and which chance was used.

Nothing here knows a rulebook.  `traced(SheepZzz)` is SheepZzz with a ledger; its copies keep none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

from arena.chance import Chance, FastChance, Key
from arena.game import Game
from arena.table import Table
from arena.zones import EVERYONE, Card, Zone

VERBS = tuple(
    name
    for name, value in vars(Table).items()
    if callable(value) and not name.startswith("_") and name not in ("roll", "pick", "find")
)


class Broken(AssertionError):
    """A game broke the contract; `check` is the name of the check that noticed."""

    def __init__(self, check: str, text: str) -> None:
        super().__init__(f"[{check}] {text}")
        self.check = check
        self.text = text


@dataclass(frozen=True)
class Shuffle:
    """One shuffle: its key, the heap before it, and how much had been learnt by then."""

    key: Key
    before: tuple[Card, ...]
    mark: int


@dataclass
class Ledger:
    """What happened below the rules, in order."""

    learnt: list[tuple[Card, int]] = field(default_factory=list)
    shuffles: list[Shuffle] = field(default_factory=list)
    reached: list[int] = field(default_factory=list)
    """For every position, the length of `learnt` when it was reached."""
    in_verb: int = 0
    heaps: list[list[Card]] | None = None
    knowers: list[int] = field(default_factory=list)
    """Where the last verb left the cards, and who could place them then."""

    def note(self, game: Any) -> None:
        """A verb is done: where do the cards lie now, and who learnt what?"""
        self.heaps = [heap.cards[:] for heap in all_zones(game)]
        if self.knowers != game.knowers:
            pairs = enumerate(zip(self.knowers, game.knowers, strict=True))
            self.learnt.extend((card, now) for card, (before, now) in pairs if before != now)
            self.knowers = game.knowers[:]


class RecordingChance:
    """Chance that refuses to be asked twice for the same key; `exchanged` swaps two places of one shuffle.

    Every key gets its own generator, so that a twin game draws the same whatever is asked in between.
    """

    def __init__(self, seed: int | str, exchanged: tuple[Key, int, int] | None = None) -> None:
        self.seed = seed
        self.exchanged = exchanged
        self.ledger = Ledger()
        self.keys: set[str] = set()

    def order(self, size: int, key: Key) -> list[int]:
        """As always, but for the two places that are exchanged."""
        order = self._chance(key).order(size, key)
        if self.exchanged is None or self.exchanged[0] != key:
            return order
        _, one, other = self.exchanged
        swap = {one: other, other: one}
        return [swap.get(place, place) for place in order]

    def pick(self, size: int, key: Key) -> int:
        """As always."""
        return self._chance(key).pick(size, key)

    def _chance(self, key: Key) -> Chance:
        spelled = repr(key)
        if spelled in self.keys:
            raise Broken("chance keys", f"{key} is used twice")
        self.keys.add(spelled)
        return FastChance(f"{self.seed} {spelled}")


class _Tracing:
    """Goes before the rulebook in the order of classes."""

    def _lay(self: Any, seats: int, variant: Any, chance: Any) -> None:
        super()._lay(seats, variant, chance)  # type: ignore[misc]
        self.ledger = chance.ledger
        self.ledger.knowers = self.knowers[:]

    def _follow(self: Any, result: Any) -> None:
        super()._follow(result)  # type: ignore[misc]
        if self.ledger is None:
            return
        settled(self)
        self.ledger.reached.append(len(self.ledger.learnt))

    def copy(self: Any) -> Any:
        """A copy keeps no ledger."""
        twin = super().copy()  # type: ignore[misc]
        twin.ledger = None
        return twin

    def judge(self: Any, zone: Zone) -> None:
        """All have learnt something of these cards."""
        if self.ledger is not None:
            # No twin can differ in these any more.
            self.ledger.learnt.extend((card, EVERYONE) for card in zone.cards)
        super().judge(zone)  # type: ignore[misc]

    def shuffle(self: Any, zone: Zone, *key: str | int) -> None:
        """Written down with the heap as it was."""
        if self.ledger is None:
            super().shuffle(zone, *key)  # type: ignore[misc]
            return
        self.ledger.shuffles.append(Shuffle(key, tuple(zone.cards), len(self.ledger.learnt)))
        super().shuffle(zone, *key)  # type: ignore[misc]
        # Who sees into the heap knows it as before, and yet learns it anew.
        self.ledger.learnt.extend((card, self.knowers[card]) for card in zone.cards)


def _verb(name: str, inner: Any = None) -> Any:
    def verb(self: Any, *args: Any, **kwargs: Any) -> Any:
        ledger: Ledger | None = self.ledger
        act = partial(inner, self) if inner else getattr(super(_Tracing, self), name)
        if ledger is None:
            return act(*args, **kwargs)
        settled(self)
        ledger.in_verb += 1
        try:
            return act(*args, **kwargs)
        finally:
            ledger.in_verb -= 1
            ledger.note(self)

    verb.__name__ = name
    return verb


for _name in VERBS:
    setattr(_Tracing, _name, _verb(_name, _Tracing.__dict__.get(_name)))


@cache
def traced(game_class: type[Game]) -> type[Game]:
    """The same rulebook, keeping a ledger (which it takes from its `RecordingChance`)."""
    return type(f"Traced{game_class.__name__}", (_Tracing, game_class), {})


def settled(game: Any) -> None:
    """No card travels between verbs."""
    ledger: Ledger = game.ledger
    if ledger.in_verb or ledger.heaps is None:
        return
    for zone, cards in zip(all_zones(game), ledger.heaps, strict=True):
        if zone.cards != cards:
            raise Broken("verbs", f"{zone.label} was changed without a verb")
    if game.knowers != ledger.knowers:
        raise Broken("verbs", "who can place a card was changed without a verb")


def all_zones(game: Game) -> Iterator[Zone]:
    """Every zone, in the order of declaration."""
    for name, declared in game._zones.items():
        held = getattr(game, name)
        if declared.row:
            yield from held
        else:
            yield held
