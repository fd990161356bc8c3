"""A tournament: draws say what is played, the runner plays it, the store keeps it; what is shown has been kept.

It joins those three and knows no screen.  A block is planned, and its commitments are on disk, before its first
card is dealt; its results are on disk before anybody hears of them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import InitVar, dataclass, field
from typing import Any, Protocol

import trio

from arena import record
from arena.bots.manifest import Bot
from arena.chance import commitment, derive
from arena.match import match_id
from arena.runner.draws import Draw, FormatDraw, Rows
from arena.runner.orders import BlockOrder, BlockReport, BlockVoid
from arena.runner.quarantine import MOST_IN_A_ROW, Quarantine
from arena.runner.runner import Runner
from arena.store.block import KNOWN, REVIEW, STORED, Division, Finished, Planned, Voided
from arena.store.roster import Turn
from arena.store.writer import Writer
from ladders.formats import Entry
from ladders.results import Block, Result

CHECKED = 100
"""One match in so many is refereed again in another process."""

MOST_MISTAKES = 3
"""So many blocks in a row a rulebook may break before its division pauses."""


@dataclass
class Contest:
    """One division and what is drawn for it."""

    division: Division
    variant: dict[str, Any]
    draw: Draw
    mistakes: int = 0
    paused: str = ""
    """Why nothing more is played here."""

    seated: int = 0
    """Blocks played or under way."""


@dataclass
class _UnderWay:
    contest: Contest
    rows: Rows
    reported: bool = False
    settled: trio.Event = field(default_factory=trio.Event)


class Watcher(Protocol):
    """Whoever looks on.  It is told of nothing that could still be lost."""

    def stored(self, contest: Contest, block: Block, report: BlockReport) -> None:
        """A block counts."""

    def void(self, number: int, why: str) -> None:
        """A block does not count; it will be played again with another deal."""

    def broken(self, void: BlockVoid) -> None:
        """A rulebook broke; what there is of the match may be kept for its author."""

    def trouble(self, text: str) -> None:
        """Something the operator should know."""


@dataclass
class Tournament:
    """Plays contests until they are over, or until told to `stop`."""

    name: str
    secret: bytes
    """All deals follow from it, and with the name everything else that must not be foreseen."""

    contests: list[Contest]
    bots: dict[str, Bot]
    runner: Runner
    writer: Writer
    watcher: Watcher
    next_number: int
    void: InitVar[Iterable[Planned]] = ()
    """Blocks that are to be played again."""

    patient: bool = False
    """Whoever may play next has perhaps not come yet: to have nothing to do is not the end."""

    unrepeatable: str = ""
    """The first match that came out differently when it was refereed again."""

    benched: dict[str, Turn] = field(default_factory=dict)
    """Who failed too often in a row and gets no new blocks, and since when."""

    _to_replace: dict[tuple[Division, tuple[str, ...]], deque[int]] = field(default_factory=dict)
    """The numbers of void blocks by division and table, oldest first."""
    _quarantine: Quarantine = field(default_factory=Quarantine)
    _under_way: dict[int, _UnderWay] = field(default_factory=dict)
    _stopping: trio.Event = field(default_factory=trio.Event)
    _news: trio.Event = field(default_factory=trio.Event)

    def __post_init__(self, void: Iterable[Planned]) -> None:
        for planned in void:
            self._is_void(planned.division, planned.table, planned.number)

    async def run(self) -> None:
        """Until everything is played and kept."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.writer.run)
            await nursery.start(self.runner.run)
            nursery.start_soon(self._hand_out)
            async with trio.open_nursery() as settling:
                async for report in self.runner.reports:
                    settling.start_soon(self._settle if self._is_first(report) else self._settle_again, report)
            await self._nothing_under_way()
            await self.writer.drained()
            nursery.cancel_scope.cancel()

    def stop(self) -> int:
        """Hand out nothing more; how many blocks will still be finished."""
        self._stopping.set()
        self._wake()
        return len(self._under_way)

    def enter(self, label: str, bot: Bot) -> None:
        """A bot joins while the others play."""
        self.bots[label] = bot
        for draw in self._formats(bot):
            draw.format.enter(Entry(label, bot.owner))
            if bot.remote:
                draw.remote.add(label)
        self._wake()

    def withdraw(self, label: str) -> None:
        """A bot gets no new blocks."""
        for draw in self._formats():
            if draw.format.takes_part(label):
                draw.format.withdraw(label)
        self._wake()

    def _formats(self, bot: Bot | None = None) -> Iterable[FormatDraw]:
        for contest in self.contests:
            if isinstance(contest.draw, FormatDraw) and (bot is None or bot.plays(contest.division.game)):
                yield contest.draw

    @property
    def turn(self) -> Turn:
        """Now, among the blocks."""
        return Turn(self.next_number, tuple(sorted(self._under_way)))

    @property
    def under_way(self) -> int:
        """Blocks planned and not settled."""
        return len(self._under_way)

    @property
    def over(self) -> bool:
        """Every contest has been played to its end."""
        return all(contest.draw.over for contest in self.contests)

    # --- Handing out --------------------------------------------------------------------------------

    async def _hand_out(self) -> None:
        while not self._stopping.is_set():
            await self.writer.room()
            batch = self._plan_a_batch()
            if not batch:
                if not self._under_way and (self.over or not self.patient):
                    break  # over, or paused: nothing that could come in would change it
                await self._news.wait()
                continue
            for planned, _ in batch[:-1]:
                self.writer.hand_in(planned)
            await self.writer.write(batch[-1][0])  # in order: when the last is on disk, all are
            for planned, order in batch:
                if self._stopping.is_set():
                    await self._give_back(planned.number, "the operator stopped the ladder before it began")
                else:
                    await self.runner.submit(order)
        await self._nothing_under_way()
        await self.runner.close()

    def _plan_a_batch(self) -> list[tuple[Planned, BlockOrder]]:
        """As many blocks as the workers can begin soon, the contests in turn."""
        batch: list[tuple[Planned, BlockOrder]] = []
        matches = self.runner.jobs * self.runner.terms.tables
        while matches > 0:
            found = next(
                filter(None, map(self._plan, sorted(self._open(), key=lambda contest: contest.seated))), None
            )
            if found is None:
                break
            batch.append(found)
            matches -= len(found[1].rows)
        return batch

    def _open(self) -> Iterable[Contest]:
        return (contest for contest in self.contests if not contest.paused)

    def _plan(self, contest: Contest) -> tuple[Planned, BlockOrder] | None:
        number = self.next_number
        rows = contest.draw.next_rows(number)
        if rows is None:
            return None
        self.next_number += 1
        contest.seated += 1
        self._under_way[number] = _UnderWay(contest, rows)
        deal = derive(self.secret, "deal", number)
        salts = tuple(derive(self.secret, "table", self.name, number, row) for row in range(len(rows)))
        table = tuple(sorted(rows[0]))
        void = self._to_replace.get((contest.division, table))
        planned = Planned(
            number,
            contest.division,
            table,
            tuple((match_id(salt), commitment(deal, salt)) for salt in salts),
            void.popleft() if void else None,
        )
        seated = tuple(tuple((label, self.bots[label]) for label in row) for row in rows)
        order = BlockOrder(number, contest.division.game, contest.variant, seated, (deal,) * len(rows), salts)
        return planned, order

    # --- Taking in ----------------------------------------------------------------------------------

    def _is_first(self, report: BlockReport | BlockVoid) -> bool:
        """Decided as they arrive: tasks that begin together run in any order."""
        under_way = self._under_way.get(report.number)
        if under_way is None or under_way.reported:
            return False
        under_way.reported = True
        return True

    async def _settle(self, report: BlockReport | BlockVoid) -> None:
        if isinstance(report, BlockVoid):
            await self._give_back(report.number, report.reason, report)
            return
        wrong = await self._refereed_again(report)
        if wrong:
            await self._give_back(report.number, wrong, BlockVoid(report.number, wrong, by_rulebook=True))
            return
        outcome = await self.writer.write(Finished(report.number, report.matches))
        if outcome not in (STORED, KNOWN):
            why = f"what came back was not kept: {outcome}"
            await self._give_back(report.number, why, BlockVoid(report.number, why))
            return
        contest = self._end(report.number).contest
        contest.mistakes = 0
        block = _block(report)
        contest.draw.played(block)
        self.watcher.stored(contest, block, report)
        for label, match in self._quarantine.begun_by(report):
            self._bench(label, match)
        self._wake()

    async def _settle_again(self, report: BlockReport | BlockVoid) -> None:
        """A worker that was given up had played it after all: what came first counts, and is kept first."""
        under_way = self._under_way.get(report.number)
        if under_way is not None:
            await under_way.settled.wait()
        if isinstance(report, BlockVoid):
            return
        outcome = await self.writer.write(Finished(report.number, report.matches))
        if outcome == REVIEW:
            self.watcher.trouble(f"block {report.number} came in twice with different results: the first counts")

    def _end(self, number: int) -> _UnderWay:
        under_way = self._under_way.pop(number)
        under_way.settled.set()
        return under_way

    def _bench(self, label: str, match: str) -> None:
        """Give it no new blocks, where a format can do without it."""
        left = [draw for draw in self._formats() if draw.format.takes_part(label)]
        for draw in left:
            draw.format.withdraw(label)
        if left:
            self.benched[label] = self.turn
            self.watcher.trouble(
                f"{label} is benched: it failed in {MOST_IN_A_ROW} matches in a row. See the last: arena log "
                f"{match}. Once it is mended: arena ladder release {self.name} {label}"
            )

    async def _give_back(self, number: int, why: str, void: BlockVoid | None = None) -> None:
        """The block does not count, and nobody is charged; it is drawn again under a new number and deal."""
        await self.writer.write(Voided(number, why))
        under_way = self._end(number)
        contest = under_way.contest
        contest.seated -= 1
        contest.draw.dropped(number, under_way.rows)
        self._is_void(contest.division, under_way.rows[0], number)
        if void is not None:
            self.watcher.void(number, why)
        if void is not None and void.by_rulebook:
            self.watcher.broken(void)
            contest.mistakes += 1
            if contest.mistakes >= MOST_MISTAKES:
                contest.paused = f"{contest.division.game} broke {contest.mistakes} times: {why}"
                self.watcher.trouble(f"{contest.division.game} is paused: {contest.paused}")
        self._wake()

    def _is_void(self, division: Division, table: Iterable[str], number: int) -> None:
        self._to_replace.setdefault((division, tuple(sorted(table))), deque()).append(number)

    async def _refereed_again(self, report: BlockReport) -> str:
        """One match in a hundred is played again, in another process: rules must be repeatable."""
        if derive(self.secret, "check", report.number)[0] * CHECKED >= 256 * len(report.matches):
            return ""
        try:
            differ = await trio.to_thread.run_sync(record.differences, record.unpack(report.matches[0].record))
        except record.RecordError as error:
            differ = str(error)
        if not differ:
            return ""
        self.unrepeatable = self.unrepeatable or report.matches[0].match
        return f"{report.matches[0].match} came out differently when it was refereed again"

    async def _nothing_under_way(self) -> None:
        while self._under_way:
            await self._news.wait()

    def _wake(self) -> None:
        self._news.set()
        self._news = trio.Event()


def _block(report: BlockReport) -> Block:
    return Block(
        report.number,
        tuple(
            Result(
                played.match,
                tuple(seat.bot for seat in played.seats),
                tuple(seat.place for seat in played.seats),
                tuple(seat.points for seat in played.seats),
                tuple(seat.forfeited for seat in played.seats),
            )
            for played in report.matches
        ),
    )
