"""The kernel: what every rulebook is written in.  It hides, copies and imagines, so that no rulebook has to.

A rulebook subclasses `Game`.  A *step* applies a rule and returns the next `Question` or the `Outcome`;
an *options* method says what a seat may answer now, in a fixed order; everything else helps these two.
State is closed by default: only zones and `public()` values can be seen, and `view` is the only way out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import GetSetDescriptorType
from typing import Any, ClassVar, Final, NamedTuple, Self

from arena.chance import Chance, FastChance
from arena.guessing import Box
from arena.guessing import Lesson as Lesson
from arena.showing import COMPILED as COMPILED
from arena.showing import NOT_ASKED, UNKNOWN, Sheet, ShownTable, in_bytes, list_of, map_of, packed_question
from arena.showing import side_by_side as side_by_side
from arena.table import Event
from arena.variants import Variant
from arena.zones import EVERYONE, PUBLIC, Declared, Face

Option = tuple[Any, ...]
"""What a seat may answer: plain words and numbers, a card by its face, so that equal cards are one option."""
Step = Callable[..., "Question | Outcome"]
Options = Callable[..., list[Option]]


class Question:
    """Who is asked, which method lists the options, which step follows; plain data, open to all."""

    __slots__ = ("context", "options", "seats", "then", "together")

    def __init__(
        self, seats: tuple[int, ...], options: str, then: str, context: tuple[Any, ...], together: bool
    ) -> None:
        self.seats: Final = seats
        self.options: Final = options
        self.then: Final = then
        self.context: Final = context
        self.together: Final = together


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


class Game(ShownTable):
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
    _slots: ClassVar[list[str]] = []
    _public_names: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        cls._choosy = cls.could_hide is not Game.could_hide
        # Compiled (hatch_build.py), a declaration stands beside its attribute, and attributes lie in slots.
        declared = [(name.removeprefix("_declared_"), value) for name, value in vars(cls).items()]
        inherited = [item for kind in cls.__mro__ for item in vars(kind).items()]
        cls._slots = [
            name for name, value in inherited if type(value) is GetSetDescriptorType and not name.startswith("__")
        ]
        cls._zones = cls._zones | {name: value for name, value in declared if isinstance(value, Declared)}
        cls._publics = cls._publics | {name: value.value for name, value in declared if isinstance(value, _Public)}
        cls._public_names = tuple(cls._publics)
        taken = {"seat", "seats", "variant", "question", "outcome"} & (cls._zones.keys() | cls._publics.keys())
        if taken:
            raise TypeError(f"{cls.__name__}: {', '.join(sorted(taken))} already mean something in every view")
        if max(getattr(cls, "seats_allowed", ()), default=0) > PUBLIC:
            raise TypeError(f"{cls.__name__}: {PUBLIC} seats are the most, as viewer {PUBLIC} is the public")

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
        self._rows = [what.lay(name, self, row) for row, (name, what) in enumerate(self._zones.items())]
        for row in self._rows:
            setattr(self, row.name, row.held)
        for name, value in self._publics.items():
            setattr(self, name, value)
        self.question: Question | None = None
        self.outcome: Outcome | None = None
        self._offered: list[list[Option] | None] = [None] * seats
        self._in_bytes = [b""] * seats  # the same options side by side, of rulebooks that keep theirs packed
        self._told: list[Any] = []  # the public values as they were last told
        self._sheet: Sheet | None = None
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

    def ask(self, seat: int, options: Options | str, then: Step | str, *context: Any) -> Question:
        """Ask one seat, in or out of turn; its choice is seen by all.  `context` is public too.

        Methods may be named, as compiled rulebooks do (hatch_build.py).
        """
        asking = options if isinstance(options, str) else options.__name__
        return Question((seat,), asking, then if isinstance(then, str) else then.__name__, context, False)

    def ask_all(self, seats: Sequence[int], options: Options | str, then: Step | str, *context: Any) -> Question:
        """Ask several seats at once, unseen by each other; `then` gets all choices in the order of `seats`."""
        asking = options if isinstance(options, str) else options.__name__
        return Question(tuple(seats), asking, then if isinstance(then, str) else then.__name__, context, True)

    def options(self, seat: int) -> list[Option]:
        """What `seat` may answer to the question that stands."""
        offered = self._offered[seat] if 0 <= seat < self.seats else None
        if offered is None:
            question = self.question
            if question is None or seat not in question.seats:
                raise ValueError(f"seat {seat} is not asked now")
            self._in_bytes[seat] = b""
            method, context = getattr(self, question.options), question.context
            if len(context) == 1:  # unpacking takes longer than all else here
                offered = method(seat, context[0])
            else:
                offered = method(seat, *context) if context else method(seat)
            self._offered[seat] = offered
        return offered

    def packed_options(self, seat: int) -> bytes:
        """The same in msgpack, byte for byte: joined where the rulebook has its options in bytes at hand."""
        options = self.options(seat)
        packed = self._in_bytes[seat]
        return list_of(len(options)) + packed if packed else in_bytes(options)

    def answer(self, *choices: int) -> None:
        """Apply the chosen options, one per seat asked, in the order of the question's seats."""
        question = self.question
        if question is None or len(choices) != len(question.seats):
            raise ValueError("one choice is needed for each seat that is asked")
        for choice in choices:
            if choice < 0:
                raise IndexError("options are counted from 0")
        seats, context = question.seats, question.context
        step = getattr(self, question.then)
        if question.together:
            chosen = [self.options(seat)[choice] for seat, choice in zip(seats, choices, strict=True)]
            self._tell_answers(seats, chosen)
            result = step(tuple(chosen), *context)
        else:
            seat = seats[0]
            option = self.options(seat)[choices[0]]
            if self.events is not None:
                self.events.append((EVERYONE, "answer", seat, option))
            if len(context) == 1:
                result = step(seat, option, context[0])
            else:
                result = step(seat, option, *context) if context else step(seat, option)
        for seat in seats:
            self._offered[seat] = None
        self._follow(result)

    def _tell_answers(self, seats: Sequence[int], chosen: Sequence[Option]) -> None:
        """Choices made together are seen by their own seat only."""
        if self.events is not None:
            self.events.extend(
                (1 << seat, "answer", seat, option) for seat, option in zip(seats, chosen, strict=True)
            )

    def _follow(self, result: Question | Outcome) -> None:
        if type(result) is Outcome:
            self.question, self.outcome = None, result
        else:
            self.question = result  # type: ignore[assignment]
        if self.events is not None:
            self._tell_changes(self.events)

    def _tell_changes(self, events: list[Event]) -> None:
        names = self._public_names
        if not self._told:
            self._told = [events] * len(names)  # which equals no public value
        told = self._told
        for place, name in enumerate(names):
            value, before = getattr(self, name), told[place]
            if before is not value and before != value:
                told[place] = value
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
        seen = self._head(viewer)
        bit = 1 << viewer
        for row in self._rows:
            looks = [
                heap.look
                if heap.lookers & bit
                else self._look(heap, bit)
                if heap.placed & bit
                else UNKNOWN[len(heap.cards)]
                for heap in row.heaps
            ]
            seen[row.name] = looks[0] if row.single else looks
        for name in self._publics:
            seen[name] = getattr(self, name)
        seen["question"] = None if self.question is None else _plain(self.question)
        return seen

    def packed_view(self, viewer: int) -> bytes:
        """The same view in msgpack, byte for byte; only what changed since it was last sent is packed anew."""
        return b"".join(self.packed_parts(viewer))

    def packed_parts(self, viewer: int) -> list[bytes]:
        """What makes up the packed view, side by side; the list is the game's own and serves the next view too."""
        sheet = self._sheet
        if sheet is None:
            sheet = self._sheet = Sheet(self.faces, len(self._rows), self._publics)
        head = sheet.heads.get(viewer)
        if head is None:
            head = sheet.heads[viewer] = self._pack_head(viewer)
        sheet.parts[0] = head
        self._pack_rows(sheet, 1 << viewer)
        self._pack_values(sheet)
        asked = self.question
        if asked is None:
            ending = NOT_ASKED
        else:
            seats, context, together = asked.seats, asked.context, asked.together
            ending = packed_question(seats, asked.options, asked.then, context, together, sheet.words)
        sheet.parts[-3], sheet.parts[-2], sheet.parts[-1] = ending
        return sheet.parts

    def _head(self, viewer: int) -> dict[str, Any]:
        """Whose view it is: what stands first in it and never changes."""
        if viewer != PUBLIC and not 0 <= viewer < self.seats:
            raise ValueError(f"viewer {viewer} is neither a seat of this table nor PUBLIC")
        seen: dict[str, Any] = {"seat": None if viewer == PUBLIC else viewer, "seats": self.seats}
        if self._changes:
            seen["variant"] = self._changes.copy()
        return seen

    def _pack_head(self, viewer: int) -> bytes:
        head = self._head(viewer)
        return map_of(len(head) + len(self._rows) + len(self._publics) + 1) + in_bytes(head)[1:]

    def copy(self) -> Self:
        """The same game in another world, for search: playing one changes nothing in the other."""
        cls = type(self)
        twin = cls.__new__(cls)
        if cls.__dictoffset__:
            twin.__dict__.update(self.__dict__)
        for name in self._slots:
            setattr(twin, name, getattr(self, name))
        twin._rows = [row.copy() for row in self._rows]
        for row in twin._rows:
            setattr(twin, row.name, row.held)
        twin.knowers = self.knowers[:]
        twin._offered = [None] * self.seats
        twin._in_bytes = [b""] * self.seats
        twin._told = []
        twin._sheet = None
        twin.events = None
        return twin

    @classmethod
    def imagine(cls, view: dict[str, Any], chance: Chance) -> Self:
        """A whole game that could stand behind `view`, made from the view alone: unknown cards are guessed."""
        blank, box = blank_table(cls, view["seats"], view.get("variant"))
        game: Self = blank.copy()
        game.chance = chance
        for name in cls._publics:
            setattr(game, name, freeze(view[name]))
        game._guess_from(view, 1 << (PUBLIC if view["seat"] is None else view["seat"]), box)
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


def _plain(question: Question) -> dict[str, Any]:
    return {
        "seats": question.seats,
        "options": question.options,
        "then": question.then,
        "context": question.context,
        "together": question.together,
    }


BLANKS_KEPT = 64
_BLANKS: dict[tuple[type[Game], int, Variant | None], tuple[Any, Box]] = {}


def blank_table(cls: type[Game], seats: int, given: dict[str, Any] | None) -> tuple[Any, Box]:
    """A table of this kind before anything lies on it, and its cards: prepared once, copied for every world."""
    variant = cls.variant_type.read(given) if given else None
    known = _BLANKS.get((cls, seats, variant))
    if known is None:
        game = cls.__new__(cls)
        game._lay(seats, variant or cls.variant_type(), FastChance(0))
        game.events = None
        known = game, Box(game.faces, [cls.back(face) for face in game.faces])
        if len(_BLANKS) >= BLANKS_KEPT:
            _BLANKS.clear()
        _BLANKS[cls, seats, variant] = known
    return known


def state_of(game: Game) -> dict[str, Any]:
    """All a game carries, by name; compiled, attributes lie in slots and not in a dictionary."""
    carried = {name: getattr(game, name) for name in game._slots if hasattr(game, name)}
    carried.update(getattr(game, "__dict__", ()))
    return carried


def freeze(value: Any) -> Any:
    """Lists, as they come off a wire, back to the tuples of public values."""
    return tuple([freeze(part) for part in value]) if isinstance(value, list) else value
