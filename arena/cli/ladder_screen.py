"""What is seen of a ladder while it runs: on a terminal a table that renews itself, elsewhere a line per block."""

from __future__ import annotations

import json
import time

from arena.boards import boards_of, named
from arena.cli.board import board
from arena.cli.screen import EventScreen, verdicts_of
from arena.runner.orders import BlockReport
from arena.runner.tournament import Contest
from ladders.blocks import beaten
from ladders.results import Block


class LadderScreen(EventScreen):
    """Standings on a terminal; a line per block elsewhere."""

    def __init__(self, as_json: bool) -> None:
        super().__init__(as_json)
        self._done = 0
        self._began = time.monotonic()

    def heading(self) -> str:
        """Game, bots, workers, limits."""
        event = self.event
        divisions = "; ".join(named(contest.division._asdict()) for contest in event.contests)
        workers = f"{event.jobs} workers" if event.cluster is None else event.cluster.address
        return (
            f"{event.ladder.name}  {divisions}  {len(event.playing)} bots  {workers} x "
            f"{event.terms.tables} tables  move {event.terms.control.move_ms} ms  sandbox {event.terms.sandbox}  "
            f"pondering {'allowed' if event.terms.ponder else 'stopped'}"
        )

    def tell_block(self, contest: Contest, block: Block, report: BlockReport) -> None:
        """Who finished ahead of whom."""
        self._done += 1
        scores = shares(block)
        if self.as_json:
            told = {"block": block.number, **contest.division._asdict(), "score": scores}
            told |= {"matches": [match.match for match in block.matches], "verdicts": verdicts_of(block, report)}
            self.voice.say(json.dumps(told))
            return
        if not self.live:
            order = sorted(scores.items(), key=lambda entry: (-entry[1], entry[0]))
            told_scores = "  ".join(f"{bot} {share:.2f}" for bot, share in order)
            self.say(f"block {block.number}  {contest.division.game}  {told_scores}  {block.matches[0].match} …")
        for line in verdicts_of(block, report):
            self.say(line)

    def frame(self) -> list[str]:
        """How far it is, and the standings."""
        lines = [self._progress()]
        for found in boards_of(self.event.store, self.event.ladder):
            lines += ["", named(found), *board(found)]
        return lines

    def _progress(self) -> str:
        counts = [contest.draw.planned for contest in self.event.contests]
        planned = None if None in counts else sum(count for count in counts if count is not None)
        done = sum(contest.seated for contest in self.event.contests) - self.tournament.under_way
        rate = self._done / max(0.001, time.monotonic() - self._began)
        told = f"{done:,} blocks" if planned is None else f"{done:,} of {planned:,} blocks"
        if planned and rate:
            left = round((planned - done) / rate)
            told += f"  {done / planned:.0%}  eta {left // 3600:02}:{left // 60 % 60:02}:{left % 60:02}"
        return f"{told}  {rate:.1f}/s  lag {self.tournament.runner.lag_ms:.0f} ms"


def shares(block: Block) -> dict[str, float]:
    """Per bot, the share of opponents it finished ahead of in this block."""
    found: dict[str, list[float]] = {}
    for match in block.matches:
        for bot, share in zip(match.bots, beaten(match.places), strict=True):
            found.setdefault(bot, []).append(share)
    return {bot: round(sum(values) / len(values), 6) for bot, values in found.items()}
