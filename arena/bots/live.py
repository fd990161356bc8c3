"""A live bot: one process in conversation, holding one or more tables.  It knows no rulebook and no ranking.

It turns bytes into answers with their thinking time, and everything else a process can do into faults.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from arena import verdicts
from arena.bots import holding
from arena.bots.bench import Bench
from arena.bots.ending import fault_of, last_words
from arena.bots.holding import NS_PER_US, Asked, Held, Overrun, Requests, in_handfuls
from arena.bots.manifest import Bot
from arena.clock import TimeControl
from arena.match import Ask, Match
from arena.transports import Ending, Link, is_clogged
from arena.verdicts import Fault
from protocol.codec import CODECS
from protocol.errors import RemoteProtocolError, quoted
from protocol.framing import Whole
from protocol.messages import (
    FRAME_LIMIT,
    NOTE_KEPT,
    PROTOCOL_VERSION,
    Answer,
    Bye,
    Error,
    FromArena,
    Hello,
    Limits,
    Prepare,
    Ready,
    Welcome,
)
from protocol.session import READY, Session, State, agree


class LiveBot:
    """One process.  `seat` it at a match, `ask` and `tell` it things; the bench hears the rest."""

    def __init__(
        self, bot: Bot, game: str, variant: dict[str, object], control: TimeControl, bench: Bench, seed: str
    ):
        self.bot = bot
        self.session = Session("arena", CODECS[bot.encoding], Whole() if bot.remote else None)
        self.link: Link | None = None
        self.wants = "view"
        self.capacity = bot.tables
        self.tables: dict[str, Held] = {}
        self.met: set[bytes] = set()
        self.gone: Callable[[int], Fault] | None = None  # what its next turn at some move would be charged
        self.reserved = 0
        self.soured = False  # it lost a seat: not seated again
        self.was_ready = False  # so that dying before a match begins is no failed start
        self.prepared_for = (game, variant)
        self._control, self._bench, self._seed = control, bench, seed
        self._asked: dict[str, Asked] = {}
        self._due: list[Asked] = []  # of these, what is still to be handed over
        self._past: deque[Requests] = deque(maxlen=holding.MATCHES_REMEMBERED)
        self._owed: deque[str] = deque(maxlen=holding.OWED_REMEMBERED)  # of past matches, what came late
        self._noise = 0  # messages that belong to no table
        self._blank = self._unheard = 0  # bytes since the last message, and since it is gone
        self._since_ns = self._forgiven_ns = self.thought_ns = 0  # thought: all it was given, charged or not

    @property
    def ready(self) -> bool:
        """It has said hello and has prepared."""
        return self.session.state is State.READY and self.gone is None

    @property
    def free(self) -> bool:
        """It could be seated at one more table."""
        return self.heard and not self.soured and len(self.tables) + self.reserved < self.capacity

    @property
    def heard(self) -> bool:
        """What it says still counts."""
        return self.gone is None

    @property
    def thinking(self) -> bool:
        """It has been asked something."""
        return bool(self._asked)

    @property
    def idle(self) -> bool:
        """No table needs it, now or soon."""
        return not self.tables and not self.reserved

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
        self._noise = 0
        self.tables[match.id] = Held(match, seat)

    def leave(self, match: Match) -> None:
        """The match is over, or the seat is lost."""
        held = self.tables.pop(match.id, None)
        if held is not None:
            self._past.append(held.requests)
            self._owed += held.overruns
            self._asked = {id: asked for id, asked in self._asked.items() if asked.match is not match}
            self._due = [asked for asked in self._due if asked.match is not match]

    def ask(self, match: Match, order: Ask, now_ns: int) -> None:
        """Have a request handed over when this turn of the hub ends, with all others that are due by then.

        Matches are stepped quicker when nothing is written in between.
        """
        if not self._due:
            self._bench.bot_is_due(self)
        asked = self._asked[order.id] = Asked(match, order, now_ns, unread=True)
        self._due.append(asked)

    def hand_over(self, now_ns: int) -> None:
        """Send what is due in as few messages as can be; thinking begins."""
        due, self._due = self._due, []
        handfuls = in_handfuls(due) if self.link is not None and self.gone is None else []
        for place, together in enumerate(handfuls):
            assert self.link is not None
            if self.capacity > 1 and is_clogged(self.link, holding.HANDFUL_BYTES):  # here nothing is refused
                self._due = [asked for later in handfuls[place:] for asked in later]
                return
            handed = self.link.send(self.session.send_requests([asked.order.packed for asked in together]))
            begun_ns = self.link.handed_over_ns or now_ns
            for asked in together:
                asked.begun_ns, asked.unread = begun_ns, not handed

    def untouched(self, match: Match) -> list[Ask] | None:
        """What it was asked there, if it played elsewhere before and had no time to think here yet; else None.

        Many a program ends with its match: it died between two, whenever we noticed.
        """
        held = self.tables.get(match.id)
        if held is None or held.settled or not self._past:
            return None
        asked, now_ns = [it for it in self._asked.values() if it.match is match], self._bench.now_ns()
        return (
            None if any(it.elapsed_us(now_ns) > holding.NOTICED_US for it in asked) else [it.order for it in asked]
        )

    def tell(self, message: FromArena | Bye) -> None:
        """Say something that needs no answer; a process that is gone or leaving hears nothing."""
        if self.link is not None and self.gone is None and self.session.state is not State.CLOSED:
            self.link.send(self.session.send(message))

    def dismiss(self) -> None:
        """Say goodbye and close its input; whatever it still says is not heard."""
        self.gone = self.gone or (lambda move: verdicts.left(self.bot.name, move, "it was dismissed"))
        if self.link is not None:
            if self.session.state is not State.CLOSED:
                self.link.send(self.session.send(Bye()))
            self.link.stop()

    # --- What the transport tells -------------------------------------------------------------------

    def received(self, link: Link, data: bytes, now_ns: int, lag_ns: int) -> None:
        """Bytes came; `lag_ns` of the waiting was ours."""
        if not self.heard:
            return self._ignore(link, len(data))
        session = self.session
        payloads = session.frames(data)
        for payload in payloads:
            if self.gone is not None:
                break
            answer = session.codec.decode_answer_fast(payload) if session.state is READY else None
            if answer is not None:
                session.mistakes_in_a_row = 0
                self._answer(answer[0], answer[1], "", now_ns, lag_ns)
            else:
                self._hear(session.read(payload), now_ns, lag_ns)
        self._blank = 0 if payloads else self._blank + len(data)
        problem = session.broken
        if problem is None and self._blank > holding.BLANK_BYTES:
            text = f"{self._blank} bytes without a message, the limit is {holding.BLANK_BYTES}"
            problem = RemoteProtocolError(text, code="OUTPUT", fatal=True)
        if problem is not None and self.heard:
            self._mistake(problem)
        return None

    def handed_over(self, link: Link, now_ns: int) -> None:  # noqa: ARG002
        """What had clogged is through: thinking begins now."""
        for asked in self._asked.values():
            if asked.unread:
                asked.begun_ns, asked.unread = now_ns, False
        if self._due:
            self.hand_over(now_ns)

    def lost(self, link: Link, ending: Ending) -> None:  # noqa: ARG002
        """The process is gone.  Whoever is waiting for it learns now, others when they next ask."""
        if self.gone is not None:
            return
        name, words, cut = self.bot.name, last_words(self.link), self.session.pending
        if not self.was_ready:
            self._be_gone(verdicts.did_not_start(name, f"it ended before it was ready ({ending.text}){words}"))
        else:
            self._be_gone_at_next_turn(fault_of(ending, name, cut, words))

    # --- Time ---------------------------------------------------------------------------------------

    def overdue(self, now_ns: int) -> bool:
        """Whether something expected from this bot is late."""
        if self.gone is not None:
            return False
        if not self.was_ready:
            return now_ns - self._since_ns - self._forgiven_ns > self._patience_ms() * 1_000_000
        return any(asked.late_us(now_ns) > 0 for asked in self._asked.values())

    def forgive(self, now_ns: int, lag_ns: int) -> None:
        """The arena itself stood still for so long: nobody pays for that."""
        self._forgiven_ns += lag_ns
        for asked in self._asked.values():
            asked.forgive(now_ns, lag_ns)

    def sample_cpu(self, now_ns: int) -> None:
        """Remember the process time early in a long thought, to tell busy from silent."""
        for asked in self._asked.values():
            if asked.cpu_ns is None and self.link is not None and asked.is_long(now_ns):
                asked.cpu_ns = self.link.cpu_ns()

    def judge(self, now_ns: int) -> None:
        """Deal with whatever is overdue."""
        if not self.was_ready:
            word = "hello" if self.session.state is State.NEW else "ready"
            self._be_gone(
                verdicts.no_word_in_time(self.bot.name, word, self._patience_ms(), last_words(self.link)),
                hung=True,
            )
            return
        for id, asked in list(self._asked.items()):
            if id in self._asked and asked.late_us(now_ns) > 0:
                held = self._held(asked)
                held.overruns[id] = Overrun(held.move, asked.due_ns)
                self._too_late(asked)

    # --- Inside -------------------------------------------------------------------------------------

    def _hear(self, heard: object, now_ns: int, lag_ns: int) -> None:
        """Act on one message or mistake."""
        match heard:
            case Answer(answers):
                for choice in answers:
                    if self.heard:
                        self._answer(choice.id, choice.choice, choice.note[:NOTE_KEPT], now_ns, lag_ns)
            case RemoteProtocolError():
                self._mistake(heard)
            case Hello():
                self._greet(heard, now_ns)
            case Ready():
                self.was_ready = True
                self._bench.bot_is_ready(self)
            case Bye() if not self.was_ready:
                self._be_gone(verdicts.did_not_start(self.bot.name, "it said bye before it was ready"))
            case Bye():
                self._be_gone_at_next_turn(lambda move: verdicts.left(self.bot.name, move, "it said bye"))

    def _greet(self, hello: Hello, now_ns: int) -> None:
        try:
            agree(hello, self.prepared_for[0])
        except RemoteProtocolError as error:
            return self._mistake(error)
        self.wants = hello.wants
        self.capacity = min(self.capacity, hello.tables)
        self.tell(Welcome(PROTOCOL_VERSION, self.capacity, Limits(), self._seed))
        self.tell(Prepare(*self.prepared_for, self._control.prepare_ms))
        self._since_ns, self._forgiven_ns = now_ns, 0
        return None

    def _answer(self, id: str, choice: int, note: str, now_ns: int, lag_ns: int) -> None:
        asked = self._asked.get(id)
        if asked is None:
            return self._unexpected(id, now_ns)
        held = self.tables[asked.match.id]
        held.settled = True
        elapsed_us = asked.answered_after_us(now_ns, lag_ns)
        if elapsed_us > asked.order.allowance_us:
            held.match.came_late(held.seat, held.move, elapsed_us - asked.order.allowance_us)
            return self._too_late(asked)
        del self._asked[id]
        self.thought_ns += now_ns - asked.begun_ns
        return self._bench.bot_answered(held.match, held.seat, choice, elapsed_us, note)

    def _unexpected(self, id: str, now_ns: int) -> None:
        """An answer to nothing that is open: late, doubled, or never asked."""
        for held in self.tables.values():
            if held.requests.include(id):
                return self._late_or_doubled(held, id, now_ns)
        if id in self._owed:
            return self._owed.remove(id)
        if not any(requests.include(id) for requests in self._past):
            return self._fault_at_all(lambda held: verdicts.unknown_request(self.bot.name, held.move, quoted(id)))
        self._noise += 1
        if self._noise > holding.NOISE:
            count, self._noise = self._noise, 0
            self._fault_at_all(lambda held: verdicts.too_many_answers(self.bot.name, held.move, count))
        return None

    def _late_or_doubled(self, held: Held, id: str, now_ns: int) -> None:
        if held.note_if_late(id, now_ns):
            return
        held.extra += 1
        if held.extra > holding.EXTRA_ANSWERS:
            count, held.extra = held.extra, 0
            self._fault_at(held, verdicts.too_many_answers(self.bot.name, held.move, count))

    def _too_late(self, asked: Asked) -> None:
        cpu_us = asked.computed_us(self.link.cpu_ns()) if self.link is not None else None
        held, limit_us = self._held(asked), asked.order.allowance_us
        lag_us = asked.forgiven_ns // NS_PER_US
        fault = verdicts.too_late(self.bot.name, held.move, limit_us, cpu_us, lag_us, asked.unread)
        self._fault_at(held, fault, limit_us)

    def _mistake(self, error: RemoteProtocolError) -> None:
        """The bot hears what was wrong, and pays."""
        if not self.was_ready:
            self.tell(Error(error.code, error.text, error.path, "the bot is not seated"))
            return self._be_gone(verdicts.did_not_start(self.bot.name, error.text))
        what_next = "the seat is forfeited" if error.fatal else "it counts as a strike"
        self.tell(Error(error.code, error.text, error.path, what_next))

        def fault(move: int) -> Fault:
            return verdicts.broken_message(self.bot.name, move, error.code, error.text, error.fatal)

        if not error.fatal:
            return self._fault_at_all(lambda held: fault(held.move))
        for held in list(self.tables.values()):
            self._fault_at(held, fault(held.move))
        return self._be_gone_at_next_turn(fault)

    def _fault_at_all(self, fault: Callable[[Held], Fault]) -> None:
        """A message that names no table counts where an answer is awaited; if nowhere, at every table."""
        waiting = {asked.match.id for asked in self._asked.values()} or set(self.tables)
        for held in [held for id, held in self.tables.items() if id in waiting]:
            self._fault_at(held, fault(held))
        if not waiting:
            self._make_noise()

    def _make_noise(self) -> None:
        """Nobody can be asked to pay for what a bot says between its matches; it may not go on for ever."""
        self._noise += 1
        if self._noise > holding.NOISE:
            count = self._noise
            self._be_gone_at_next_turn(lambda move: verdicts.noisy(self.bot.name, move, count))

    def _fault_at(self, held: Held, fault: Fault, elapsed_us: int = 0) -> None:
        if self._due:  # it hears of a match in the order of its transcript: first that it is asked
            self.hand_over(self._bench.now_ns())
            self._due = [asked for asked in self._due if asked.match is not held.match]
        for id in [id for id, asked in self._asked.items() if asked.match is held.match]:
            del self._asked[id]
            held.settled = True
        self._bench.bot_failed(held.match, held.seat, fault, elapsed_us)

    def _be_gone_at_next_turn(self, fault_at: Callable[[int], Fault]) -> None:
        """Answers already given count; whoever is waiting, or asks again, gets the fault."""
        self.gone = fault_at
        waiting = {asked.match.id for asked in self._asked.values()}
        for held in [held for id, held in self.tables.items() if id in waiting]:
            if self.untouched(held.match) is None:
                self._fault_at(held, fault_at(held.move))
        self._bench.bot_is_gone(self)

    def _be_gone(self, fault: Fault, hung: bool = False) -> None:
        self.gone = lambda move: fault  # noqa: ARG005
        if hung and self.link is not None:
            self.link.kill()
        self._bench.bot_is_gone(self)

    def _ignore(self, link: Link, size: int) -> None:
        """It may finish its sentence; whoever floods us is not waited for."""
        self._unheard += size
        if self._unheard > FRAME_LIMIT:
            link.kill()

    def _held(self, asked: Asked) -> Held:
        return self.tables[asked.match.id]

    def _patience_ms(self) -> int:
        return self._control.start_ms if self.session.state is State.NEW else self._control.prepare_ms
