"""A recorded match put to another bot: it gets the requests that one seat got, and says what it would have done.

The match goes on as it went then, whatever is answered now, so that every question is the one of that day.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import trio

from arena import record
from arena.bots.live import LiveBot
from arena.bots.manifest import Bot
from arena.clock import TimeControl
from arena.game import Option
from arena.match import Ask, Entrant, Match, Order, Tell
from arena.record import Document
from arena.referee import GRACE_S, TICK_S, Starter
from arena.transports import Hub, stop_all
from arena.verdicts import Fault
from protocol.messages import End, Start


@dataclass(frozen=True)
class Decision:
    """One request, what was chosen then, and what is chosen now."""

    number: int
    """The first decision of a seat is 1."""
    question: str
    options: list[Option]
    then: int
    now: int | None
    """None if no answer came, for the reason given in `trouble`."""
    note: str = ""
    trouble: str = ""

    @property
    def same(self) -> bool:
        """Whether it stayed with what was chosen."""
        return self.then == self.now


class Rerun:
    """One seat of one record, played by one process of another bot."""

    def __init__(self, document: Document, seat: int, bot: Bot, hub: Hub, starter: Starter) -> None:
        self.document, self.seat, self.bot, self.hub = document, seat, bot, hub
        self.decisions: list[Decision] = []
        self.trouble = ""
        """Why it did not even begin; empty if it did."""
        self._starter = starter
        self._match: Match | None = None
        self._steps: Iterator[None] = iter(())
        self._said: tuple[int | None, str, str] = None, "", ""
        self._done = trio.Event()

    async def run(self, last: int | None = None) -> list[Decision]:
        """All decisions of the seat, or those up to number `last`.  The hub must be running."""
        document = self.document
        control = TimeControl(**document["clock"])
        live = self._live = LiveBot(
            self.bot, document["game"], document["variant"], control, bench=self, seed=document["match"]
        )
        live.capacity = 1
        link = self._starter(self.bot, live)
        live.started(link, self.hub.now_ns())
        self._steps = self._play(last)
        ticks = self.hub.every(TICK_S, self._tick)
        await self._done.wait()
        ticks.cancel()
        live.dismiss()
        await stop_all([link], GRACE_S)
        return self.decisions

    def _play(self, last: int | None) -> Iterator[None]:
        """The match as it went; pauses whenever the bot is thinking."""
        live = self._live
        bot, bots = self.bot, list(self.document["bots"])
        bots[self.seat] = record.fields_of(Entrant(bot.name, bot.version, bot.content, bot.encoding, live.wants))
        match = self._match = record.match_of({**self.document, "bots": bots})
        live.reserve(match.deal)
        live.seat(match, self.seat)
        asked = self._tell(match.begin())
        for entry in self.document["inputs"]:
            if entry[0] == self.seat and asked is not None:
                state = match.seats[self.seat]
                options, question = match.game.options(self.seat), match.game.question
                assert question is not None
                played = entry[2] if entry[1] == "answer" and 0 <= entry[2] < state.choices else state.default
                self._said = None, "", "its process is gone"
                if live.gone is None:
                    live.ask(match, asked, self.hub.now_ns())
                    live.hand_over(self.hub.now_ns())
                    yield
                self.decisions.append(Decision(state.moves, question.options, options, played, *self._said))
                asked = None
                if self.decisions[-1].number == last:
                    break
            asked = self._tell(record.take_in(match, entry)) or asked
        live.leave(match)

    def _tell(self, orders: list[Order]) -> Ask | None:
        """Beginning and end are told; what was forced on the seat then is no matter of this bot."""
        found = None
        for order in orders:
            if order.seat == self.seat and isinstance(order, Ask):
                found = order
            elif order.seat == self.seat and isinstance(order, Tell) and isinstance(order.message, Start | End):
                self._live.tell(order.message)
        return found

    def _go_on(self) -> None:
        if next(self._steps, self) is self:
            self._done.set()

    def _tick(self, now_ns: int, lag_ns: int) -> None:  # noqa: ARG002
        if self._live.overdue(now_ns):
            self.hub.turn()
        if self._live.overdue(now_ns):
            self._live.judge(now_ns)

    # --- What the live bot says ---------------------------------------------------------------------

    def now_ns(self) -> int:
        """The hub's time."""
        return self.hub.now_ns()

    def bot_is_ready(self, bot: LiveBot) -> None:  # noqa: ARG002
        """The match may begin."""
        self._go_on()

    def bot_answered(self, match: Match, seat: int, choice: int, elapsed_us: int, note: str) -> None:  # noqa: ARG002
        """Note it, and go on as it went then."""
        last = match.seats[seat].choices - 1
        trouble = "" if 0 <= choice <= last else f"it chose {choice}; the options are 0 to {last}"
        self._said = None if trouble else choice, note, trouble
        self._go_on()

    def bot_failed(self, match: Match, seat: int, fault: Fault, elapsed_us: int) -> None:  # noqa: ARG002
        """No answer, for this reason."""
        self._said = None, "", f"{fault.code}: {fault.text}"
        self._go_on()

    def bot_is_due(self, bot: LiveBot) -> None:
        """It is told to hand over as soon as it was asked."""

    def bot_is_gone(self, bot: LiveBot) -> None:
        """Before it was ready there is nothing to be asked."""
        if self._match is None:
            assert bot.gone is not None
            fault = bot.gone(0)
            self.trouble = f"{fault.code}: {fault.text}"
            self._done.set()


KEPT = ("match", "game", "rules", "variant", "deal", "salt", "bots", "clock", "strikes", "inputs")


def cut_off(document: Document, seat: int, decision: int) -> Document:
    """As much of a record as is needed to come to this decision again."""
    own = [place for place, entry in enumerate(document["inputs"]) if entry[0] == seat]
    last = own[min(decision, len(own)) - 1]
    return {**{key: document[key] for key in KEPT}, "inputs": document["inputs"][: last + 1]}
