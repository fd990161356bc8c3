"""A live bot: one process in conversation, holding one or more tables.  It knows no rulebook and no ranking.

It turns bytes into answers with their thinking time, and everything else a process can do into faults.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from arena import verdicts
from arena.bots.manifest import Bot
from arena.clock import TimeControl
from arena.match import Ask, Match
from arena.transports import Ending, Link
from arena.verdicts import Fault
from protocol.codec import CODECS
from protocol.errors import RemoteProtocolError
from protocol.messages import (
    NOTE_KEPT,
    PROTOCOL_VERSION,
    Answer,
    Bye,
    Choice,
    Error,
    FromArena,
    Hello,
    Limits,
    Prepare,
    Ready,
    Welcome,
)
from protocol.session import Session, State, agree

EXTRA_ANSWERS = 8
_US = 1_000


class Bench(Protocol):
    """Whoever seats live bots: it hears what they say, match by match."""

    def bot_is_ready(self, bot: LiveBot) -> None:
        """The bot has said hello and prepared."""

    def bot_answered(self, match: Match, seat: int, choice: int, elapsed_us: int, note: str) -> None:
        """An answer came in time."""

    def bot_failed(self, match: Match, seat: int, fault: Fault, elapsed_us: int) -> None:
        """Something went wrong at one table."""

    def bot_is_gone(self, bot: LiveBot) -> None:
        """Nothing more will come from this process."""


@dataclass(slots=True)
class Asked:
    """A request that is out; time runs from hand-over."""

    match: Match
    seat: int
    allowance_us: int
    asked_ns: int
    handed_ns: int | None
    forgiven_ns: int = 0  # delay of ours, never charged
    cpu_ns: int | None = None


@dataclass(slots=True)
class Held:
    """A table this process plays at."""

    match: Match
    seat: int
    done: dict[str, int] = field(default_factory=dict)  # request id -> when it was due, in ns
    extra: int = 0


class LiveBot:
    """One process.  `seat` it at a match, `ask` and `tell` it things; the bench hears the rest."""

    def __init__(
        self, bot: Bot, game: str, variant: dict[str, object], control: TimeControl, bench: Bench, seed: str
    ):
        self.bot = bot
        self.session = Session("arena", CODECS[bot.encoding])
        self.link: Link | None = None
        self.wants = "view"
        self.capacity = 1
        self.tables: dict[str, Held] = {}
        self.met: set[bytes] = set()
        self.gone: Callable[[int], Fault] | None = None  # what its next turn at some move would be charged
        self.reserved = 0
        self.soured = False  # it lost a seat: not seated again
        self.died_idle = False  # it was ready and then left while nobody asked it anything
        self._game, self._variant, self._control, self._bench, self._seed = game, variant, control, bench, seed
        self._asked: dict[str, Asked] = {}
        self._since_ns = 0
        self._forgiven_ns = 0

    @property
    def ready(self) -> bool:
        """It has said hello and has prepared."""
        return self.session.state is State.READY and self.gone is None

    @property
    def free(self) -> bool:
        """It could be seated at one more table."""
        return self.gone is None and not self.soured and len(self.tables) + self.reserved < self.capacity

    def started(self, link: Link, now_ns: int) -> None:
        """The process runs; it has to say hello."""
        self.link = link
        self._since_ns = now_ns

    def never_started(self, reason: str) -> None:
        """There is no process; its first turn is charged for that."""
        fault = verdicts.did_not_start(self.bot.name, reason)
        self.gone = lambda move: fault  # noqa: ARG005

    # --- What the referee does ----------------------------------------------------------------------

    def reserve(self, deal: bytes) -> None:
        """Promise it to a table that is not complete yet.  No process ever meets the same deal twice."""
        assert deal not in self.met, "a process may not meet a deal twice"
        self.met.add(deal)
        self.reserved += 1

    def seat(self, match: Match, seat: int) -> None:
        """Take the place that was reserved."""
        self.reserved -= 1
        self.tables[match.id] = Held(match, seat)

    def leave(self, match: Match) -> None:
        """The match is over, or the seat is lost."""
        held = self.tables.pop(match.id, None)
        if held is not None:
            self._asked = {id: asked for id, asked in self._asked.items() if asked.match is not match}

    def ask(self, match: Match, order: Ask, now_ns: int) -> None:
        """Hand a request over; if the process is gone, that is the moment it counts."""
        assert self.link is not None
        handed = self.link.send(self.session.send_requests((order.packed,)))
        self._asked[order.id] = Asked(match, order.seat, order.allowance_us, now_ns, now_ns if handed else None)

    def tell(self, message: FromArena | Bye) -> None:
        """Say something that needs no answer; a process that is gone or leaving hears nothing."""
        if self.link is not None and self.gone is None and self.session.state is not State.CLOSED:
            self.link.send(self.session.send(message))

    def dismiss(self) -> None:
        """Say goodbye and close its input; whatever it still says is not heard."""
        self.tell(Bye())
        self.gone = self.gone or (lambda move: verdicts.left(self.bot.name, move, "it was dismissed", 0))
        if self.link is not None:
            self.link.stop()

    # --- What the transport tells -------------------------------------------------------------------

    def received(self, link: Link, data: bytes, now_ns: int, lag_ns: int) -> None:  # noqa: ARG002
        """Bytes came; `lag_ns` of the waiting was ours."""
        if self.gone is not None:
            return
        session = self.session
        quick = session.codec.decode_answer_fast
        for payload in session.frames(data):
            answer = quick(payload) if session.state is State.READY else None
            if answer is not None:
                self._answer(answer[0], answer[1], "", now_ns, lag_ns)
            elif not self._hear(session.read(payload), now_ns, lag_ns):
                return
        if session.broken is not None:
            self._hear(session.broken, now_ns, lag_ns)

    def handed_over(self, link: Link, now_ns: int) -> None:  # noqa: ARG002
        """What had clogged is through: thinking begins now."""
        for asked in self._asked.values():
            if asked.handed_ns is None:
                asked.handed_ns = now_ns

    def lost(self, link: Link, ending: Ending) -> None:  # noqa: ARG002
        """The process is gone.  Whoever is waiting for it learns now, others when they next ask."""
        if self.gone is not None:
            return
        unfinished = self.session.pending
        if self.session.state is not State.READY:
            why = f"it ended before it was ready ({ending.text})"
            self._be_gone(verdicts.did_not_start(self.bot.name, why + self._last_words()))
        elif ending.signal is not None:
            signal = ending.signal
            self._be_gone_at_next_turn(lambda move: verdicts.died(self.bot.name, move, signal, unfinished))
        else:
            self._be_gone_at_next_turn(lambda move: verdicts.left(self.bot.name, move, ending.text, unfinished))

    # --- Time ---------------------------------------------------------------------------------------

    def overdue(self, now_ns: int) -> bool:
        """Whether something expected from this bot is late."""
        if self.gone is not None:
            return False
        if self.session.state is not State.READY:
            return now_ns - self._since_ns - self._forgiven_ns > self._patience_ms() * 1_000_000
        return any(self._elapsed_us(asked, now_ns) > asked.allowance_us for asked in self._asked.values())

    def forgive(self, lag_ns: int) -> None:
        """The arena itself stood still for so long: nobody pays for that."""
        self._forgiven_ns += lag_ns
        for asked in self._asked.values():
            asked.forgiven_ns += lag_ns

    def sample_cpu(self) -> None:
        """Remember the process time at the beginning of a long thought, to tell busy from silent."""
        for asked in self._asked.values():
            if asked.cpu_ns is None and self.link is not None:
                asked.cpu_ns = self.link.cpu_ns()

    def judge(self, now_ns: int) -> None:
        """Deal with whatever is overdue."""
        if self.session.state is not State.READY:
            word = "hello" if self.session.state is State.NEW else "ready"
            self._be_gone(verdicts.no_word_in_time(self.bot.name, word, self._patience_ms(), self._last_line()))
            return
        for id, asked in list(self._asked.items()):
            if id in self._asked and self._elapsed_us(asked, now_ns) > asked.allowance_us:
                self._too_late(id, asked)

    # --- Inside -------------------------------------------------------------------------------------

    def _hear(self, heard: object, now_ns: int, lag_ns: int) -> bool:
        """Act on one message or mistake; False when nothing further is to be read."""
        match heard:
            case Answer(answers):
                for choice in answers:
                    self._answer_with_note(choice, now_ns, lag_ns)
            case RemoteProtocolError():
                return self._mistake(heard)
            case Hello():
                return self._greet(heard, now_ns)
            case Ready():
                self._bench.bot_is_ready(self)
            case Bye():
                self._be_gone_at_next_turn(lambda move: verdicts.left(self.bot.name, move, "it said bye", 0))
                return False
        return True

    def _greet(self, hello: Hello, now_ns: int) -> bool:
        try:
            agree(hello, self._game)
        except RemoteProtocolError as error:
            self._be_gone(verdicts.did_not_start(self.bot.name, error.text))
            return False
        self.wants = hello.wants
        self.tell(Welcome(PROTOCOL_VERSION, self.capacity, Limits(), self._seed))
        self.tell(Prepare(self._game, self._variant, self._control.prepare_ms))
        self._since_ns, self._forgiven_ns = now_ns, 0
        return True

    def _answer_with_note(self, choice: Choice, now_ns: int, lag_ns: int) -> None:
        self._answer(choice.id, choice.choice, choice.note[:NOTE_KEPT], now_ns, lag_ns)

    def _answer(self, id: str, choice: int, note: str, now_ns: int, lag_ns: int) -> None:
        asked = self._asked.pop(id, None)
        if asked is None:
            return self._unexpected(id, now_ns)
        asked.forgiven_ns += lag_ns
        elapsed_us = self._elapsed_us(asked, now_ns)
        if elapsed_us > asked.allowance_us:
            self._asked[id] = asked
            self._too_late(id, asked)
            return self._unexpected(id, now_ns)
        self.tables[asked.match.id].done[id] = 0
        return self._bench.bot_answered(asked.match, asked.seat, choice, elapsed_us, note)

    def _unexpected(self, id: str, now_ns: int) -> None:
        """An answer to nothing that is open: late, doubled, or never asked."""
        for held in list(self.tables.values()):
            due_ns = held.done.get(id)
            if due_ns is None:
                continue
            if due_ns:
                held.match.came_late(held.seat, (now_ns - due_ns) // _US)
            held.extra += 1
            if held.extra > EXTRA_ANSWERS:
                held.extra = 0
                self._fault_at(held, verdicts.too_many_answers(self.bot.name, _move(held), EXTRA_ANSWERS + 1))
            return
        self._fault_at_all(lambda held: verdicts.unknown_request(self.bot.name, _move(held)))

    def _too_late(self, id: str, asked: Asked) -> None:
        cpu_us = None
        if self.link is not None and asked.cpu_ns is not None and (now := self.link.cpu_ns()) is not None:
            cpu_us = (now - asked.cpu_ns) // _US
        held = self.tables[asked.match.id]
        begun = asked.asked_ns if asked.handed_ns is None else asked.handed_ns
        held.done[id] = begun + asked.forgiven_ns + asked.allowance_us * _US
        fault = verdicts.too_late(
            self.bot.name,
            _move(held),
            asked.allowance_us,
            cpu_us,
            asked.forgiven_ns // _US,
            unread=asked.handed_ns is None,
        )
        self._fault_at(held, fault, asked.allowance_us)

    def _mistake(self, error: RemoteProtocolError) -> bool:
        if self.session.state is not State.READY:
            self._be_gone(verdicts.did_not_start(self.bot.name, error.text))
            return False
        what_next = "the seat is forfeited" if error.fatal else "it counts as a strike"
        self.tell(Error(error.code, error.text, error.path, what_next))

        def fault(held: Held) -> Fault:
            return verdicts.broken_message(self.bot.name, _move(held), error.code, error.text, error.fatal)

        if not error.fatal:
            self._fault_at_all(fault)
            return True
        for held in list(self.tables.values()):
            self._fault_at(held, fault(held))
        self._be_gone(verdicts.did_not_start(self.bot.name, error.text))
        return False

    def _fault_at_all(self, fault: Callable[[Held], Fault]) -> None:
        """A message that names no table counts where an answer is awaited; if nowhere, at every table."""
        waiting = {asked.match.id for asked in self._asked.values()} or set(self.tables)
        for held in [held for id, held in self.tables.items() if id in waiting]:
            self._fault_at(held, fault(held))

    def _fault_at(self, held: Held, fault: Fault, elapsed_us: int = 0) -> None:
        for id in [id for id, asked in self._asked.items() if asked.match is held.match]:
            asked = self._asked.pop(id)
            held.done.setdefault(id, (asked.handed_ns or asked.asked_ns) + asked.allowance_us * _US)
        self._bench.bot_failed(held.match, held.seat, fault, elapsed_us)

    def _be_gone_at_next_turn(self, fault_at: Callable[[int], Fault]) -> None:
        """Answers already given count; whoever is waiting, or asks again, gets the fault."""
        waiting = {asked.match.id for asked in self._asked.values()}
        self.died_idle = not self.tables
        self.gone = fault_at
        for held in [held for id, held in self.tables.items() if id in waiting]:
            self._fault_at(held, fault_at(_move(held)))
        self._bench.bot_is_gone(self)

    def _be_gone(self, fault: Fault) -> None:
        self.gone = lambda move: fault  # noqa: ARG005
        if self.link is not None:
            self.link.kill()
        self._bench.bot_is_gone(self)

    def _elapsed_us(self, asked: Asked, now_ns: int) -> int:
        begun = asked.asked_ns if asked.handed_ns is None else asked.handed_ns
        return max(0, now_ns - begun - asked.forgiven_ns) // _US

    def _patience_ms(self) -> int:
        return self._control.start_ms if self.session.state is State.NEW else self._control.prepare_ms

    def _last_line(self) -> str:
        if self.link is None:
            return ""
        lines = self.link.stderr_tail().decode("utf-8", "replace").strip().splitlines()
        return lines[-1].encode("unicode_escape").decode()[:120] if lines else ""

    def _last_words(self) -> str:
        line = self._last_line()
        return f'. Last stderr line: "{line}"' if line else ""


def _move(held: Held) -> int:
    return held.match.seats[held.seat].moves
