"""What all events show alike: lines for people or programs, and on a terminal a frame that is kept up to date."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import trio

from arena.cli.event import Event
from arena.cli.failure import Failure
from arena.cli.voice import Voice, can_redraw
from arena.runner.orders import BlockReport, BlockVoid
from arena.runner.tournament import Contest, Tournament
from ladders.results import Block
from protocol.errors import printable

PAINT_S = 0.5
SHARE = 20
"""A frame may take one twentieth of the time: what is dear to compute is renewed less often."""


class EventScreen:
    """Hears from a tournament and speaks through a voice that never holds it up."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json
        self.live = can_redraw(sys.stdout) and not as_json
        self.voice = Voice(sys.stdout)
        self.event: Event
        self.tournament: Tournament

    # --- What differs from event to event -----------------------------------------------------------

    def heading(self) -> str:
        """What is going to be played."""
        raise NotImplementedError

    def tell_block(self, contest: Contest, block: Block, report: BlockReport) -> None:
        """A block counts, and is on disk."""
        raise NotImplementedError

    def frame(self) -> list[str]:
        """How things stand; computed in a thread."""
        raise NotImplementedError

    # --- What a tournament tells --------------------------------------------------------------------

    def opened(self, event: Event, tournament: Tournament) -> None:
        """It begins."""
        self.event, self.tournament = event, tournament
        if not self.as_json:
            self.say(self.heading())
        for text in event.news:
            self.say(text)
        if self.as_json:
            return
        played = sum(contest.seated for contest in event.contests)
        if played:
            self.say(f"{played:,} blocks were played before; it goes on from there")

    def stored(self, contest: Contest, block: Block, report: BlockReport) -> None:
        """A block counts, and is on disk."""
        self.tell_block(contest, block, report)

    def void(self, number: int, why: str) -> None:
        """A block does not count."""
        self.say(f"block {number} was void: {why}. It is played again with a new deal")

    def broken(self, void: BlockVoid) -> None:
        """Keep what there is of a match that a rulebook broke, for the rulebook's author."""
        if not void.record:
            return
        path = self.event.place.folder / "broken" / f"{void.match}.match"
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.touch(mode=0o600)
            path.write_bytes(void.record)
        except OSError as error:
            self.say(f"{void.match} cannot be kept: {error}")
            return
        self.say(f"to see it break again: arena verify {path}")

    def trouble(self, text: str) -> None:
        """Something the operator should know."""
        self.say(text)

    def say(self, text: str) -> None:
        """A line."""
        self.voice.say(json.dumps({"note": text}) if self.as_json else text)

    async def keep_up_to_date(self) -> None:
        """Renew the frame, never using more than a small share of the time."""
        while True:
            began = time.monotonic()
            if self.live:
                self.voice.show(await trio.to_thread.run_sync(self.frame))
            await trio.sleep(max(PAINT_S, SHARE * (time.monotonic() - began)))

    def end(self, lines: list[str], result: dict[str, Any], failure: Failure | None) -> None:
        """The last words; for programs a single object, in which a failure stands beside what there is."""
        if self.as_json:
            lines = [json.dumps(result if failure is None else result | failure.as_data())]
        self.close(lines)
        if failure is not None:
            failure.told = self.as_json
            raise failure

    def close(self, lines: list[str]) -> None:
        """The last words."""
        if self.live:
            self.voice.show([])
        for line in lines:
            self.voice.say(line)
        self.voice.close()


def verdicts_of(block: Block, report: BlockReport) -> list[str]:
    """What went wrong in a block, in full, and where to read on: this is the operator's screen."""
    return [
        f"{match.match}  {match.bots[verdict.seat]}  {verdict.code}: {printable(verdict.text)}. "
        f"See: arena log {match.match} --stderr {verdict.seat}"
        for match, heard in zip(block.matches, report.verdicts, strict=True)
        for verdict in heard
    ]
