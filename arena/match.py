"""One match, sans-I/O: requests out; answers, elapsed time and failures in; strikes, stand-in, clocks, record.

The referee drives many of these over live bots; tests and simulation drive the same object with no
process and no clock.  Verification is the same object again, fed from a record.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from arena.chance import KeyedChance, commitment, derive
from arena.clock import Clock, TimeControl
from arena.events import seen_by
from arena.game import Game, Option
from arena.showing import COMPILED
from arena.variants import Variant
from arena.verdicts import Fault, Verdict, bank_used_up, illegal_choice
from protocol.codec import CODECS, Codec, Packed, joined_request, opening_of
from protocol.messages import ClockRules, End, Error, Forced, FromArena, Start

_CHOSEN: Final[tuple[bytes, ...]] = tuple([f"={choice}\n".encode() for choice in range(128)])

NOTES_KEPT: Final = 1 << 18
"""Bytes of all notes of a seat; later ones are dropped, so that they cannot make a record too long to be kept."""

ID_LENGTH: Final = 16
_IDS_AT_ONCE: Final = 64
_MOST_POINTS: Final = 1 << 53
"""Not every number beyond is the same in every language."""


@dataclass(frozen=True)
class Entrant:
    """Who holds a seat, as far as a match must know."""

    name: str
    version: str = ""
    content: str = ""
    encoding: str = "msgpack"
    wants: str = "view"


class Ask:
    """A request to hand over now, already encoded; the answer is due `allowance_us` after hand-over."""

    __slots__ = ("allowance_us", "id", "packed", "seat")

    def __init__(self, seat: int, id: str, packed: bytes, allowance_us: int) -> None:
        self.seat: Final = seat
        self.id: Final = id
        self.packed: Final = packed
        self.allowance_us: Final = allowance_us


class Tell:
    """A message to hand over; no answer is expected."""

    __slots__ = ("message", "seat")

    def __init__(self, seat: int, message: FromArena) -> None:
        self.seat: Final = seat
        self.message: Final = message


Order = Ask | Tell


@dataclass(slots=True)
class _Seat:
    entrant: Entrant
    clock: Clock
    codec: Codec
    wants: str
    quick: bool  # whether its view is put together from kept bytes
    joined: bool  # and all of its requests
    ids: str = ""  # many side by side, used from the end
    ids_left: int = 0
    batches: int = 0  # of ids, made so far
    told: int = 0  # how many events this seat has been sent
    moves: int = 0
    request: str | None = None
    choices: int = 0
    default: int = 0
    allowance_us: int = 0
    strikes: int = 0
    forfeited: bool = False
    noted: int = 0  # bytes
    transcript: Any = field(default_factory=hashlib.sha256)


class Match:
    """A game between entrants.  Call `begin`, then `answered` or `failed` for every request, until `over`."""

    def __init__(
        self,
        game: type[Game],
        entrants: Sequence[Entrant],
        *,
        deal: bytes,
        salt: bytes,
        variant: Variant | None = None,
        control: TimeControl | None = None,
        strikes: int = 3,
    ) -> None:
        """`deal` decides the cards; `salt` makes everything on the wire different at every table of the deal."""
        self.id = match_id(salt)
        self.deal = deal
        self.salt = salt
        self.control = control or TimeControl()
        self.strikes = strikes
        self.game = game(len(entrants), variant, KeyedChance(deal), log=True)
        self.seats = [
            _Seat(
                entrant,
                Clock(self.control),
                CODECS[entrant.encoding],
                entrant.wants,
                COMPILED and entrant.encoding == "msgpack",
                COMPILED and entrant.encoding == "msgpack" and entrant.wants == "view",
            )
            for entrant in entrants
        ]
        self.inputs: list[tuple[Any, ...]] = []
        self.verdicts: list[Verdict] = []
        self.late: list[tuple[int, int, int]] = []
        self._banked = self.control.bank_ms > 0
        self._choices: dict[int, int] = {}
        self._opening = opening_of(self.id)

    @property
    def over(self) -> bool:
        """The outcome stands."""
        return self.game.outcome is not None

    def ranks(self) -> tuple[int, ...]:
        """Ranks by the rules, but forfeited seats behind all others."""
        assert self.game.outcome is not None
        places = [
            (seat.forfeited, 0 if seat.forfeited else rank)
            for seat, rank in zip(self.seats, self.game.outcome.ranks, strict=True)
        ]
        return tuple(1 + sum(other < place for other in places) for place in places)

    def begin(self) -> list[Order]:
        """Seat everybody and put the first question."""
        rules = ClockRules(self.control.move_ms, self.control.bank_ms, self.strikes)
        seal = commitment(self.deal, self.salt)
        orders: list[Order] = []
        for number, _ in enumerate(self.seats):
            seed = derive(self.salt, "seed", number).hex()[:16]
            self._tell(orders, number, Start(self.id, number, len(self.seats), rules, seal, seed))
        return self._go_on(orders)

    def answered(self, seat: int, choice: int, elapsed_us: int, note: str = "") -> list[Order]:
        """The seat answered its request in time, with a number that may or may not be an option."""
        state = self.seats[seat]
        if seat < 0 or state.request is None or not 0 <= elapsed_us <= state.allowance_us:
            raise ValueError(f"seat {seat} has no request that could be answered after {elapsed_us} µs")
        if note:
            state.noted += len(note.encode())
            note = note if state.noted <= NOTES_KEPT else ""
        self.inputs.append((seat, "answer", choice, elapsed_us, note))
        state.clock.charge(elapsed_us)
        state.transcript.update(state.request.encode() + _chosen(choice))
        if not 0 <= choice < state.choices:
            return self._judge(seat, illegal_choice(state.entrant.name, state.moves, choice, state.choices))
        return self._settle(seat, choice, [])

    def failed(self, seat: int, fault: Fault, elapsed_us: int = 0) -> list[Order]:
        """The seat did something wrong, whether or not it was being asked."""
        if seat < 0 or elapsed_us < 0:
            raise ValueError(f"seat {seat} cannot have failed after {elapsed_us} µs")
        if self.seats[seat].forfeited or self.over:
            return []
        self.inputs.append((seat, "fault", fault.code, fault.text, fault.final, elapsed_us))
        self.seats[seat].clock.charge(elapsed_us)
        return self._judge(seat, fault)

    def came_late(self, seat: int, move: int, late_us: int) -> None:
        """An answer after its deadline: noted, never used."""
        self.late.append((seat, move, late_us))

    def _judge(self, number: int, fault: Fault) -> list[Order]:
        seat = self.seats[number]
        if not fault.forfeits:
            seat.strikes += 1
        seat.forfeited = fault.forfeits or seat.strikes >= self.strikes
        price = self._price(fault, seat)
        text = f"{_sentence(fault.text)} {price}"
        self.verdicts.append(Verdict(number, seat.moves, fault.code, text, seat.strikes, seat.forfeited))
        orders: list[Order] = []
        if seat.request is None:
            # Nothing is played for a seat that was not asked; its author is told all the same.
            self._tell(orders, number, Error(fault.code, text, "", price))
            return orders
        left = 0 if seat.forfeited else self.strikes - seat.strikes
        self._tell(orders, number, Forced(self.id, seat.request, seat.default, fault.code, text, left))
        return self._settle(number, seat.default, orders)

    def _price(self, fault: Fault, seat: _Seat) -> str:
        if fault.forfeits:
            return "The seat is forfeited; the stand-in plays on"
        strike = f"Strike {seat.strikes} of {self.strikes}"
        if seat.forfeited:
            return f"{strike}: the seat is forfeited; the stand-in plays on"
        return strike if seat.request is None else f"{strike}: the default was played"

    def _settle(self, number: int, choice: int, orders: list[Order]) -> list[Order]:
        """A choice stands for this seat; when it was the last one asked, the game goes on."""
        self.seats[number].request = None
        question = self.game.question
        assert question is not None
        if len(question.seats) == 1:
            self.game.answer(choice)
            return self._go_on(orders)
        self._choices[number] = choice
        return self._go_on(orders) if self._choices_applied() else orders

    def _choices_applied(self) -> bool:
        """Hand the choices to the game, in seat order, once every seat that is asked has one."""
        question = self.game.question
        assert question is not None
        choices = self._choices
        if len(choices) < len(question.seats):
            return False
        self._choices = {}
        self.game.answer(*[choices[asked] for asked in question.seats])
        return True

    def _go_on(self, orders: list[Order]) -> list[Order]:
        """Put the question to the seats it is for; the stand-in answers for forfeited ones."""
        game = self.game
        while (question := game.question) is not None:
            for number in question.seats:
                seat = self.seats[number]
                if self._banked and seat.clock.bank_is_empty and not seat.forfeited:
                    orders += self._judge(number, bank_used_up(seat.entrant.name, seat.clock.used_us, seat.moves))
                if seat.forfeited:
                    self._choices[number] = game.stand_in(number, game.options(number))
                else:
                    orders.append(self._ask(number, seat, question.options))
            if not self._choices or not self._choices_applied():
                return orders
        game.count_cards()
        assert game.outcome is not None
        if not all(type(score) is int and -_MOST_POINTS < score < _MOST_POINTS for score in game.outcome.scores):
            raise RuntimeError(f"{game.name} ended with scores that cannot be told")
        self._say_goodbye(orders)
        return orders

    def _ask(self, number: int, seat: _Seat, question: str) -> Ask:
        game = self.game
        options = game.options(number)
        seat.request = self._next_id(number, seat)
        seat.moves += 1
        seat.choices = len(options)
        seat.default = game.stand_in(number, options)
        seat.allowance_us = allowance_us = seat.clock.allowance_us()
        if seat.joined:
            packed = joined_request(
                self._opening,
                seat.request,
                seat.moves,
                question,
                game.packed_options(number),
                seat.default,
                allowance_us // 1000,
                game.packed_parts(number),
            )
        else:
            packed = seat.codec.pack_request(self._request(number, seat, question, options))
        seat.transcript.update(packed)
        return Ask(number, seat.request, packed, allowance_us)

    def _request(self, number: int, seat: _Seat, question: str, options: list[Option]) -> dict[str, Any]:
        game = self.game
        request: dict[str, Any] = {
            "match": self.id,
            "id": seat.request,
            "move": seat.moves,
            "question": question,
            "options": options,
            "default": seat.default,
            "time_ms": seat.allowance_us // 1000,
        }
        if seat.wants != "events":
            request["view"] = Packed(game.packed_view(number)) if seat.quick else game.view(number)
        if seat.wants != "view":
            assert game.events is not None
            request["events"] = seen_by(number, game.events[seat.told :])
            seat.told = len(game.events)
        return request

    def _next_id(self, number: int, seat: _Seat) -> str:
        if not seat.ids_left:
            seat.batches += 1
            seat.ids, seat.ids_left = request_ids(self.salt, number, seat.batches), _IDS_AT_ONCE
        seat.ids_left -= 1
        start = ID_LENGTH * seat.ids_left
        return seat.ids[start : start + ID_LENGTH]

    def _tell(self, orders: list[Order], number: int, message: FromArena) -> None:
        seat = self.seats[number]
        seat.transcript.update(seat.codec.encode(message))
        orders.append(Tell(number, message))

    def _say_goodbye(self, orders: list[Order]) -> None:
        outcome = self.game.outcome
        assert outcome is not None
        for number, seat in enumerate(self.seats):
            own = [verdict.text for verdict in self.verdicts if verdict.seat == number]
            used_ms = seat.clock.used_us // 1000
            digest = seat.transcript.hexdigest()
            orders.append(
                Tell(number, End(self.id, list(self.ranks()), list(outcome.scores), own, used_ms, digest))
            )


def match_id(salt: bytes) -> str:
    """Sixty bits: among ten million matches no two share a name, in all likelihood."""
    return "m-" + base64.b32encode(derive(salt, "match"))[:12].decode().lower()


def request_ids(salt: bytes, seat: int, batch: int) -> str:
    """Side by side, unguessable, different at every table; many at once because hashing one is dear."""
    return hashlib.shake_256(derive(salt, "requests", seat, batch)).hexdigest(ID_LENGTH // 2 * _IDS_AT_ONCE)


def _chosen(choice: int) -> bytes:
    """How a transcript says it; formatting takes longer than hashing."""
    return _CHOSEN[choice] if 0 <= choice < len(_CHOSEN) else f"={choice}\n".encode()


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."
