"""A worker process: one trio loop that referees the blocks it is given, and reports each when it is whole.

It knows no ladder and no database, and of a deal's secrets only those it plays.  It dies with the arena.
"""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import sys
import time
import traceback
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from types import FrameType

import trio

from arena import record
from arena.bots.live import LiveBot
from arena.bots.manifest import Bot
from arena.bots.starting import starter_at
from arena.games import GAMES
from arena.match import Match
from arena.privacy import keep_private
from arena.referee import Fixture, Referee, Starter
from arena.runner.orders import Beat, BlockOrder, BlockReport, BlockVoid, Glimpse, Helpless, Terms, Watch
from arena.runner.pipe import Pipe, standard_pipe
from arena.runner.window import Window
from arena.store.block import Played
from arena.store.played import played
from arena.transports import Hub, StartError
from arena.verdicts import Verdict

BEAT_S = 1.0
PR_SET_PDEATHSIG = 1


class RulebookStuck(Exception):
    """A rulebook that does not return."""


@dataclass
class _Block:
    order: BlockOrder
    played: dict[int, tuple[Played, tuple[Verdict, ...]]] = field(default_factory=dict)
    void: bool = False
    left: int = 0


class _Feed:
    """The fixtures waiting for a table; it may run dry and have more later."""

    def __init__(self) -> None:
        self.waiting: deque[Fixture] = deque()

    def __iter__(self) -> _Feed:
        return self

    def __next__(self) -> Fixture:
        if not self.waiting:
            raise StopIteration
        return self.waiting.popleft()


class Worker:
    """Plays orders, `terms.tables` matches at a time; blocks that are whole come out of `reports`."""

    def __init__(self, terms: Terms, hub: Hub, starter: Starter) -> None:
        self.terms = terms
        self.hub = hub
        self.feed = _Feed()
        self._bots: dict[tuple[str, str, str], Bot] = {}
        self._places: dict[int, tuple[_Block, int, Fixture, float]] = {}  # by the fixture's identity
        self._outgoing, self.reports = trio.open_memory_channel[BlockReport | BlockVoid | Beat | Glimpse](1000)
        self.referee = Referee(
            self.hub,
            starter,
            self._finished,
            terms.control,
            terms.strikes,
            terms.tables,
            self._abandoned,
            ponder=terms.ponder,
        )
        self.window = Window(hub, self.referee.playing, self._say)

    async def run(self, pipe: Pipe) -> None:
        """Play until the arena closes the pipe or says that nothing more will come."""
        async with trio.open_nursery() as nursery:
            await nursery.start(self.hub.run)
            nursery.start_soon(self._send, pipe)
            nursery.start_soon(self._receive, pipe)
            self._beat(0, 0)
            self.hub.every(min(BEAT_S, self.terms.step_s / 10), self._beat)
            await self.referee.run(self.feed, closing=False)
            self._outgoing.close()
            nursery.cancel_scope.cancel()

    async def _receive(self, pipe: Pipe) -> None:
        while True:
            order = await pipe.receive()
            if order is None:
                self.referee.close()
                return
            if isinstance(order, Watch):
                self.window.show(order.matches)
            else:
                self.take(order)

    async def _send(self, pipe: Pipe) -> None:
        async for report in self.reports:
            await pipe.send(report)

    def take(self, order: BlockOrder) -> None:
        """One more block to play."""
        block = _Block(order, left=len(order.rows))
        game = GAMES[order.game]
        variant = game.variant_type.read(order.variant)
        for row, (entries, deal, salt) in enumerate(zip(order.rows, order.deals, order.salts, strict=True)):
            bots = tuple(self._bots.setdefault((bot.name, bot.content, bot.encoding), bot) for _, bot in entries)
            fixture = Fixture(game, variant, bots, deal, salt)
            self._places[id(fixture)] = (block, row, fixture, time.monotonic())
            self.feed.waiting.append(fixture)
        self.referee.more()

    def _finished(self, match: Match, fixture: Fixture, bots: list[LiveBot]) -> None:
        block, row, _, began = self._places.pop(id(fixture))
        if not block.void:
            took_ms = round(1000 * (time.monotonic() - began))
            labels = [label for label, _ in block.order.rows[row]]
            document = record.document_of(match, self.terms.sandbox)
            try:
                kept = played(document, labels, took_ms, _last_words(match, bots))
            except Exception as error:  # it told what no record can hold, or too much
                self._void(block, match, error)
            else:
                block.played[row] = kept, tuple(match.verdicts)
        self._one_less(block)

    def _abandoned(self, fixture: Fixture, match: Match | None, error: Exception) -> None:
        block, _, _, _ = self._places.pop(id(fixture))
        if not block.void:
            self._void(block, match, error)
        self._one_less(block)

    def _void(self, block: _Block, match: Match | None, error: Exception) -> None:
        """The block does not count; what there is of the match is for the rulebook's author, if it can be kept."""
        block.void = True
        left = b""
        if match is not None:
            with suppress(Exception):  # what broke the match may be what no record can hold
                left = record.pack(record.unfinished(match, self.terms.sandbox))
        self._outgoing.send_nowait(
            BlockVoid(block.order.number, _blame(error), True, match.id if match is not None else "", left)
        )
        for other in [place for place in self._places.values() if place[0] is block]:
            if other[2] in self.feed.waiting:
                self.feed.waiting.remove(other[2])
                del self._places[id(other[2])]
                block.left -= 1

    def _one_less(self, block: _Block) -> None:
        block.left -= 1
        if block.left:
            return
        for deal in set(block.order.deals):
            self.referee.forget(deal)
        if not block.void:
            matches, verdicts = zip(*(block.played[row] for row in range(len(block.order.rows))), strict=True)
            self._outgoing.send_nowait(BlockReport(block.order.number, matches, verdicts))

    def _beat(self, now_ns: int, lag_ns: int) -> None:  # noqa: ARG002
        expect_progress(self.terms.step_s)
        self._say(Beat(lag_ns / 1e6, tuple(match.id for match in self.referee.playing())))

    def _say(self, word: Beat | Glimpse) -> bool:
        """Something the arena can do without while it is busy: it will hear from us again."""
        try:
            self._outgoing.send_nowait(word)
        except trio.WouldBlock:
            return False
        return True


def _last_words(match: Match, bots: list[LiveBot]) -> dict[int, bytes]:
    """What bots that failed had to say."""
    failed = {verdict.seat for verdict in match.verdicts}
    said = {seat: link.stderr_kept() for seat in sorted(failed) if (link := bots[seat].link) is not None}
    return {seat: words for seat, words in said.items() if words}


def _blame(error: Exception) -> str:
    """Where the rulebook broke; no values, for they may be somebody's cards."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {os.path.basename(frame.filename)} line {frame.lineno} ({frame.name})"


def collect_garbage_rarely() -> None:
    """What a match leaves behind is freed by counting; searching for rings of it cost a tenth of the time."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def watch_rulebooks() -> None:
    """From now on a rulebook that does not return is interrupted, if `expect_progress` was said before."""
    signal.signal(signal.SIGPROF, _stuck)


def expect_progress(step_s: float) -> None:
    """To be said again and again: whoever computes for so long without it being said has lost its way."""
    # Again and again, too: when one rulebook is interrupted, the next may be stuck before we are back.
    signal.setitimer(signal.ITIMER_PROF, step_s, step_s)


def _stuck(signum: int, frame: FrameType | None) -> None:  # noqa: ARG001
    raise RulebookStuck


async def _work() -> None:
    pipe = standard_pipe()
    terms = await pipe.receive()
    try:
        hub = Hub()
        await Worker(terms, hub, starter_at(terms.sandbox, terms.limits, hub)).run(pipe)
    except* StartError as errors:  # a bot's own failure to start is a verdict; this is the machine's
        await pipe.send(Helpless(str(_first(errors))))


def _first(errors: BaseException) -> BaseException:
    """The first thing that went wrong; groups of it come from the nurseries it passed."""
    while isinstance(errors, BaseExceptionGroup):
        errors = errors.exceptions[0]
    return errors


def main() -> None:
    """Serve the arena on standard input and output."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    keep_private()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the arena decides when a worker stops
    watch_rulebooks()
    collect_garbage_rarely()
    try:
        trio.run(_work)
    except* (EOFError, trio.BrokenResourceError):
        pass  # the arena is gone, and so are our bots


if __name__ == "__main__":
    main()
