"""The store: ladders, bots, blocks and matches in one database.  Synchronous; callers run it in a thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from types import TracebackType
from typing import Any

from arena.store import export, ledger, matches, programs, results, reviews, roster, verifying
from arena.store.block import THE_ARENA_STOPPED, Division, Finished, Planned, Voided
from arena.store.database import Database
from arena.store.matches import Found, Line, Wanted
from arena.store.programs import NewProgram, Program
from arena.store.results import Counts, Rows
from arena.store.reviews import Review
from arena.store.roster import Entry, Head, Ladder, NewEntry, Turn
from arena.store.verifying import Verified
from ladders.results import Block

Clock = Callable[[], datetime]


class Store:
    """Every method is one transaction: what it returned is on disk, what it raised for did not happen."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.database = database
        self._clock = clock

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give everything back."""
        self.database.close()

    def create_ladder(
        self,
        name: str,
        *,
        seed_commitment: str,
        kind: str = "ladder",
        title: str = "",
        settings: Mapping[str, Any] | None = None,
    ) -> Ladder:
        """A new ladder.  Its secret must be on disk before; see `secrets`."""
        with self.database.writing() as connection:
            return roster.create_ladder(
                connection, self._now(), name, kind, title, settings or {}, seed_commitment
            )

    def find_ladder(self, name: str) -> Ladder:
        """By name."""
        with self.database.reading() as connection:
            return roster.find_ladder(connection, name)

    def list_ladders(self, kind: str | None = None) -> list[Ladder]:
        """In the order they were made."""
        with self.database.reading() as connection:
            return roster.list_ladders(connection, kind)

    def add_bot(self, ladder: Ladder, bot: NewEntry) -> Entry:
        """Enter a bot; the same content under the same label is entered once."""
        with self.database.writing() as connection:
            return roster.add_bot(connection, self._now(), ladder, bot)

    def set_bot_status(self, ladder: Ladder, label: str, status: str) -> None:
        """Playing, paused, removed or benched."""
        with self.database.writing() as connection:
            roster.set_bot_status(connection, ladder, label, status)

    def write_turns(self, ladder: Ladder, turns: Mapping[str, Sequence[Turn]]) -> None:
        """When bots came and went, by label; replaces what was known of these."""
        with self.database.writing() as connection:
            roster.write_turns(connection, ladder, turns)

    def bots_of(self, ladder: Ladder) -> Sequence[Entry]:
        """In the order they were entered."""
        with self.database.reading() as connection:
            return roster.bots_of(connection, ladder)

    def labels_of(self, name: str) -> list[str]:
        """What the versions of a bot are called, wherever it was entered."""
        with self.database.reading() as connection:
            return roster.labels_of(connection, name)

    def add_program(self, program: NewProgram) -> Program:
        """Record a program that was handed in; its files are on the shelf before."""
        with self.database.writing() as connection:
            return programs.add_program(connection, self._now(), program)

    def list_programs(self, name: str | None = None) -> list[Program]:
        """In the order they were handed in."""
        with self.database.reading() as connection:
            return programs.list_programs(connection, name)

    def find_program(self, text: str) -> Program:
        """By `name@version`, or the newest of that name."""
        with self.database.reading() as connection:
            return programs.find_program(connection, text)

    def retire_program(self, program: Program) -> list[str]:
        """It gets no new blocks anywhere; the ladders that it left."""
        with self.database.writing() as connection:
            return programs.retire_program(connection, program)

    def plan_blocks(self, ladder: Ladder, planned: Sequence[Planned]) -> None:
        """Before play; the same plan twice is one plan."""
        self.write(ladder, planned=planned)

    def finish_blocks(self, ladder: Ladder, finished: Sequence[Finished]) -> list[str]:
        """After play: per block STORED, KNOWN, REVIEW or VOID."""
        return self.write(ladder, finished=finished)

    def write(
        self,
        ladder: Ladder,
        planned: Sequence[Planned] = (),
        finished: Sequence[Finished] = (),
        voided: Sequence[Voided] = (),
    ) -> list[str]:
        """All of it in one transaction; tells what the finished blocks came to."""
        with self.database.writing() as connection:
            book = ledger.Ledger(connection, ladder, self._now())
            book.plan(planned)
            outcomes = book.finish(finished)
            book.void(voided)
            return outcomes

    def void_unfinished(self, ladder: Ladder, why: str = THE_ARENA_STOPPED) -> list[Planned]:
        """At the start of an arena: what a killed one left is void and told, so that it is planned anew."""
        self.database.make_durable()
        with self.database.writing() as connection:
            book = ledger.Ledger(connection, ladder, self._now())
            return book.void([Voided(plan.number, why) for plan in ledger.planned_of(connection, ladder)])

    def planned_of(self, ladder: Ladder) -> list[Planned]:
        """Blocks that are neither final nor void, with their commitments."""
        with self.database.reading() as connection:
            return ledger.planned_of(connection, ladder)

    def unreplaced_of(self, ladder: Ladder) -> list[Planned]:
        """Void blocks that were not played again yet."""
        with self.database.reading() as connection:
            return ledger.unreplaced_of(connection, ladder)

    def reviews_of(self, ladder: Ladder) -> list[Review]:
        """Hand-ins that differ from what is stored or planned."""
        with self.database.reading() as connection:
            return reviews.reviews_of(connection, ladder)

    def next_number(self, ladder: Ladder) -> int:
        """The first block number that was never used."""
        with self.database.reading() as connection:
            return results.next_number(connection, ladder)

    def counts(self, ladder: Ladder) -> Counts:
        """Blocks by state, matches, and blocks held for review."""
        with self.database.reading() as connection:
            return results.counts(connection, ladder)

    def divisions_of(self, ladder: Ladder) -> dict[Division, int]:
        """Every division, with its number of final blocks."""
        with self.database.reading() as connection:
            return results.divisions_of(connection, ladder)

    def blocks_of(self, ladder: Ladder, division: Division) -> Iterator[Block]:
        """Final blocks in the order of their numbers; one snapshot, held until the iterator ends."""
        with self.database.reading() as connection:
            yield from results.blocks_of(connection, ladder, division)

    def rows_of(self, ladder: Ladder, division: Division) -> Rows:
        """The same as bare rows, much quicker."""
        with self.database.reading() as connection:
            return results.rows_of(connection, ladder, division)

    def passed_over(self, ladder: Ladder, division: Division) -> list[int]:
        """Block numbers that will never have a result in this division."""
        with self.database.reading() as connection:
            return results.passed_over(connection, ladder, division)

    def match_list(self, wanted: Wanted) -> list[Line]:
        """A page of finished matches."""
        with self.database.reading() as connection:
            return matches.match_list(connection, wanted)

    def match(self, id: str) -> Found:
        """By id, or by a beginning of it that no other match has."""
        with self.database.reading() as connection:
            return matches.find_match(connection, id)

    def record_of(self, id: str) -> bytes:
        """The record's bytes; there is none before the whole block is final."""
        with self.database.reading() as connection:
            return matches.record_of(connection, id)

    def stderr_of(self, id: str, seat: int, reader: str | None) -> bytes:
        """For the bot's owner (the reader's name) and the operator (None)."""
        with self.database.reading() as connection:
            return matches.stderr_of(connection, id, seat, reader)

    def export_json_lines(self, ladder: Ladder) -> Iterator[str]:
        """One line per match."""
        with self.database.reading() as connection:
            yield from export.as_json_lines(matches.all_matches(connection, ladder))

    def export_csv(self, ladder: Ladder) -> Iterator[str]:
        """One row per seat, after a heading."""
        with self.database.reading() as connection:
            yield from export.as_csv(matches.all_matches(connection, ladder))

    def head_of(self, ladder: Ladder) -> Head:
        """The last link of its chain, to be published."""
        with self.database.reading() as connection:
            return roster.head_of(connection, ladder)

    def verify_chain(self, ladder: Ladder) -> Verified:
        """Recompute the hash chain from the rows; names the first bad record."""
        with self.database.reading() as connection:
            return verifying.verify_chain(connection, ladder)

    def _now(self) -> str:
        return matches.stamp(self._clock())
