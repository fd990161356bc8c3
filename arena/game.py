"""The kernel: what every rulebook is written in.  It hides, copies and imagines, so that no rulebook has to.

A rulebook subclasses `Game`.  A *step* applies a rule and returns the next `Question` or the `Outcome`;
an *options* method says what a seat may answer now, in a fixed order; everything else helps these two.
State is closed by default: only zones and `public()` values can be seen, and `view` is the only way out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple, Self

from arena.chance import Chance
from arena.table import Event, Table
from arena.variants import Variant
from arena.zones import EVERYONE, OWN_HAND, PUBLIC, STACK, Card, Declared, Face, Zone, copy_row

Option = tuple[Any, ...]
"""What a seat may answer: plain words and numbers, a card by its face, so that equal cards are one option."""
Step = Callable[..., "Question | Outcome"]
Options = Callable[..., list[Option]]

UNKNOWN: tuple[tuple[None, ...], ...] = tuple((None,) * count for count in range(256))
"""So many cards that a viewer cannot place; no pack has more."""


class Question(NamedTuple):
    """Who is asked, which method lists the options, which step follows; plain data, open to all."""

    seats: tuple[int, ...]
    options: str
    then: str
    context: tuple[Any, ...]
    together: bool


class Outcome(NamedTuple):
    """The end of a game; equal scores share a rank (1, 1, 3)."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]


class _Public:
    def __init__(self, value: Any) -> None:
        self.value = value


def public(value: Any = None) -> Any:
    """Declare a value everybody sees.  It must be immutable: numbers, text, None, and tuples of these."""
    return _Public(value)


class Game(Table):
    """One game in progress.  `question` is what is asked now; it is None once there is an `outcome`."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    seats_allowed: ClassVar[range]
    rules_version: ClassVar[int] = 1
    high_score_wins: ClassVar[bool] = True
    layout: ClassVar[tuple[tuple[str, ...], ...]] = ()
    """Zone names as they lie on a table, row by row; what is not named is drawn below."""
    variant_type: ClassVar[type[Variant]] = Variant

    _zones: ClassVar[dict[str, Declared]] = {}
    _publics: ClassVar[dict[str, Any]] = {}

    def __init_subclass__(cls) -> None:
        declared = cls.__dict__.items()
        cls._zones = cls._zones | {name: value for name, value in declared if isinstance(value, Declared)}
        cls._publics = cls._publics | {name: value.value for name, value in declared if isinstance(value, _Public)}
        taken = {"seat", "seats", "variant", "question", "outcome"} & (cls._zones.keys() | cls._publics.keys())
        if taken:
            raise TypeError(f"{cls.__name__}: {', '.join(sorted(taken))} already mean something in every view")

    def __init__(self, seats: int, variant: Variant | None, chance: Chance, *, log: bool = False) -> None:
        """Set up a new game and arrive at its first question; with `log`, `events` keeps what happens."""
        self._lay(seats, variant or self.variant_type(), chance)
        self.events = [] if log else None
        self._follow(self.set_up())

    def _lay(self, seats: int, variant: Variant, chance: Chance) -> None:
        if seats not in self.seats_allowed:
            raise ValueError(f"{self.name} is for {self.seats_allowed[0]} to {self.seats_allowed[-1]} seats")
        self.seats = seats
        self.variant = variant
        self._changes = variant.changes()
        self._eyes_only: bool = getattr(variant, "strict_memory", False)
        self.chance = chance
        self.faces = self.pack(seats, variant)
        self.knowers = [0] * len(self.faces)  # per card, the viewers who can place it
        for name, declared in self._zones.items():
            setattr(self, name, declared.lay(name, self))
        self.__dict__.update(self._publics)
        self.question: Question | None = None
        self.outcome: Outcome | None = None
        self._offered: dict[int, list[Option]] = {}
        self._told: dict[str, Any] = {}
        self.prepare()

    # --- What a rulebook says ---------------------------------------------------------------------

    @classmethod
    def pack(cls, seats: int, variant: Variant) -> tuple[Face, ...]:
        """The faces of all cards in canonical order, equal faces side by side."""
        raise NotImplementedError

    def prepare(self) -> None:
        """Work out constants from seats, variant and faces; runs for imagined games too."""

    def set_up(self) -> Question | Outcome:
        """The first step."""
        raise NotImplementedError

    @classmethod
    def back(cls, face: Face) -> str:  # noqa: ARG003  most games have one kind of back
        """How a card looks from behind; in an imagined world it lies where `zone(…, back=…)` says so."""
        return ""

    def could_hide(self, zone: Zone, face: Face) -> bool:  # noqa: ARG002
        """Whether a card that nobody saw in `zone` may have this face; asked when a world is imagined.

        Say no to what the table would have seen.  Public values and known cards are in place by then.
        """
        return True

    def stand_in(self, seat: int, options: Sequence[Option]) -> int:  # noqa: ARG002
        """What is played for a seat that failed; also the default told with every request."""
        return 0

    @classmethod
    def say_face(cls, face: Face) -> str:
        """A card in words."""
        return face

    @classmethod
    def say(cls, option: Option) -> str:
        """An option in words."""
        return " ".join(str(part) for part in option if part is not None)

    # --- Asking -----------------------------------------------------------------------------------

    def ask(self, seat: int, options: Options, then: Step, *context: Any) -> Question:
        """Ask one seat, in or out of turn; its choice is seen by all.  `context` is public too."""
        return Question((seat,), options.__name__, then.__name__, context, False)

    def ask_all(self, seats: Sequence[int], options: Options, then: Step, *context: Any) -> Question:
        """Ask several seats at once, unseen by each other; `then` gets all choices in the order of `seats`."""
        return Question(tuple(seats), options.__name__, then.__name__, context, True)

    def options(self, seat: int) -> list[Option]:
        """What `seat` may answer to the question that stands."""
        offered = self._offered.get(seat)
        if offered is None:
            question = self.question
            if question is None or seat not in question.seats:
                raise ValueError(f"seat {seat} is not asked now")
            offered = self._offered[seat] = getattr(self, question.options)(seat, *question.context)
        return offered

    def answer(self, *choices: int) -> None:
        """Apply the chosen options, one per seat asked, in the order of the question's seats."""
        question = self.question
        if question is None or len(choices) != len(question.seats):
            raise ValueError("one choice is needed for each seat that is asked")
        if min(choices) < 0:
            raise IndexError("options are counted from 0")
        seats, _, then, context, together = question
        step = getattr(self, then)
        if together:
            chosen = [self.options(seat)[choice] for seat, choice in zip(seats, choices, strict=True)]
            self._tell_answers(seats, chosen)
            result = step(tuple(chosen), *context)
        else:
            seat = seats[0]
            option = self.options(seat)[choices[0]]
            if self.events is not None:
                self.events.append((EVERYONE, "answer", seat, option))
            result = step(seat, option, *context)
        self._follow(result)

    def _tell_answers(self, seats: Sequence[int], chosen: Sequence[Option]) -> None:
        """Choices made together are seen by their own seat only."""
        if self.events is not None:
            self.events.extend(
                (1 << seat, "answer", seat, option) for seat, option in zip(seats, chosen, strict=True)
            )

    def _follow(self, result: Question | Outcome) -> None:
        self._offered = {}
        if type(result) is Outcome:
            self.question, self.outcome = None, result
        else:
            self.question = result  # type: ignore[assignment]
        if self.events is not None:
            self._tell_changes(self.events)

    def _tell_changes(self, events: list[Event]) -> None:
        own, told = self.__dict__, self._told
        for name in self._publics:
            value = own[name]
            if told.get(name, events) is not value and told.get(name, events) != value:
                told[name] = value
                events.append((EVERYONE, "set", name, value))
        asked = self.question
        if asked is not None:
            events.append((EVERYONE, "ask", asked.seats, asked.options, asked.then, asked.context, asked.together))
        elif self.outcome is not None:
            events.append((EVERYONE, "end", self.outcome.scores, self.outcome.ranks))

    def count_cards(self) -> None:
        """Every card lies in one place; a rulebook that lost or doubled one has a mistake, and no result."""
        lying = []
        for name, declared in self._zones.items():
            held = getattr(self, name)
            for zone in held if declared.row else (held,):
                lying += zone.cards
        if sorted(lying) != list(range(len(self.faces))):
            raise RuntimeError(f"{self.name} lost or doubled a card: {len(lying)} lie on the table")

    def finish(self, scores: Sequence[int]) -> Outcome:
        """The game is over; ranks follow from the scores."""
        sign = 1 if self.high_score_wins else -1
        ranks = tuple(1 + sum(sign * other > sign * score for other in scores) for score in scores)
        return Outcome(tuple(scores), ranks)

    # --- The way out ------------------------------------------------------------------------------

    def view(self, viewer: int) -> dict[str, Any]:
        """All that `viewer` (a seat, or PUBLIC) may know now, as plain data; unknown cards are None."""
        if viewer != PUBLIC and not 0 <= viewer < self.seats:
            raise ValueError(f"viewer {viewer} is neither a seat of this table nor PUBLIC")
        bit = 1 << viewer
        own = self.__dict__
        seen: dict[str, Any] = {"seat": None if viewer == PUBLIC else viewer, "seats": self.seats}
        if self._changes:
            seen["variant"] = self._changes.copy()
        for name, declared in self._zones.items():
            held = own[name]
            if declared.row:
                seen[name] = [
                    heap.look
                    if heap.lookers & bit
                    else self._look(heap, bit)
                    if heap.placed & bit
                    else UNKNOWN[len(heap.cards)]
                    for heap in held
                ]
            else:
                seen[name] = self._look(held, bit) if held.placed & bit else UNKNOWN[len(held.cards)]
        for name in self._publics:
            seen[name] = own[name]
        seen["question"] = None if self.question is None else _plain(self.question)
        return seen

    def _look(self, zone: Zone, bit: int) -> tuple[Face | None, ...]:
        """The faces of a zone: open heaps in their order, hidden ones sorted so that places tell nothing."""
        cards, faces = zone.cards, self.faces
        zone.lookers = bit
        if self._eyes_only:
            zone.look = self._glance(zone, bit)
        elif zone.sees == EVERYONE:
            zone.look = tuple([faces[card] for card in cards])
            zone.lookers = EVERYONE
        elif zone.sees & bit:
            zone.look = tuple([faces[card] for card in sorted(cards)])
        else:
            knowers = self.knowers
            known = [faces[card] for card in sorted(cards) if knowers[card] & bit]
            zone.look = (*known, *UNKNOWN[len(cards) - len(known)])
        return zone.look

    def _glance(self, zone: Zone, bit: int) -> tuple[Face | None, ...]:
        """What lies open to the eye, without what is only remembered."""
        cards, faces = zone.cards, self.faces
        if zone.sight is STACK and cards:
            return (*UNKNOWN[len(cards) - 1], faces[cards[-1]])
        if not zone.sees & bit:
            return UNKNOWN[len(cards)]
        return tuple([faces[card] for card in (sorted(cards) if zone.sight is OWN_HAND else cards)])

    def copy(self) -> Self:
        """The same game in another world, for search: playing one changes nothing in the other."""
        twin = object.__new__(type(self))
        own = twin.__dict__
        own.update(self.__dict__)
        for name, declared in self._zones.items():
            held = own[name]
            own[name] = copy_row(held) if declared.row else held.copy()
        own["knowers"] = self.knowers[:]
        own["_offered"] = {}
        own["_told"] = {}
        own["events"] = None
        return twin

    @classmethod
    def imagine(cls, view: dict[str, Any], chance: Chance) -> Self:
        """A whole game that could stand behind `view`, made from the view alone: unknown cards are guessed."""
        game = object.__new__(cls)
        game._lay(view["seats"], cls.variant_type.read(view.get("variant", {})), chance)
        game.events = None
        heaps: list[tuple[Zone, list[Face | None]]] = []
        for name, declared in cls._zones.items():
            held = getattr(game, name)
            heaps.extend(zip(held, view[name], strict=True) if declared.row else [(held, view[name])])
        for name in cls._publics:
            setattr(game, name, freeze(view[name]))
        game._place(heaps, 1 << (PUBLIC if view["seat"] is None else view["seat"]))
        asked = view["question"]
        if asked is not None:
            game.question = Question(
                tuple(asked["seats"]),
                asked["options"],
                asked["then"],
                freeze(asked["context"]),
                asked["together"],
            )
        return game

    def _place(self, heaps: list[tuple[Zone, list[Face | None]]], viewer: int) -> None:
        spare: dict[Face, list[Card]] = {}
        for card in range(len(self.faces) - 1, -1, -1):
            spare.setdefault(self.faces[card], []).append(card)
        for zone, faces in heaps:
            zone.cards = [-1 if face is None else spare[face].pop() for face in faces]
            zone.placed = zone.sees | viewer
        rest = sorted(card for cards in spare.values() for card in cards)
        backs = {face: self.back(face) for face in spare}
        by_back: dict[str, list[Card]] = {zone.back: [] for zone, _ in heaps}
        for place in self.chance.order(len(rest), ("imagine",)):
            by_back[backs[self.faces[rest[place]]]].append(rest[place])
        choosy = type(self).could_hide is not Game.could_hide
        for zone, _ in self._choosiest_first(heaps, rest) if choosy else heaps:
            guesses = by_back[zone.back]
            for place, card in enumerate(zone.cards):
                if card < 0:
                    zone.cards[place] = card = self._guess(zone, guesses) if choosy else guesses.pop()
                    self.knowers[card] = zone.sees
                else:
                    self.knowers[card] = zone.sees | viewer

    def _choosiest_first(self, heaps: list[tuple[Zone, Any]], rest: list[Card]) -> list[tuple[Zone, Any]]:
        """Zones that could hide little choose before zones that could hide anything."""
        faces = [self.faces[card] for card in rest]

        def choice(heap: tuple[Zone, Any]) -> int:
            zone = heap[0]
            return sum(self.could_hide(zone, face) for face in faces) if -1 in zone.cards else -1

        return sorted(heaps, key=choice)

    def _guess(self, zone: Zone, guesses: list[Card]) -> Card:
        for place in range(len(guesses) - 1, -1, -1):
            if self.could_hide(zone, self.faces[guesses[place]]):
                return guesses.pop(place)
        raise ValueError(f"no card is left that {zone.label} could hide")


def _plain(question: Question) -> dict[str, Any]:
    seats, options, then, context, together = question
    return {"seats": seats, "options": options, "then": then, "context": context, "together": together}


def freeze(value: Any) -> Any:
    """Lists, as they come off a wire, back to the tuples of public values."""
    return tuple(freeze(part) for part in value) if isinstance(value, (list, tuple)) else value
