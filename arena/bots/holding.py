"""What a live bot has in hand: its tables, and the requests that are open or settled.  No process here.

All times come from outside, in nanoseconds of one clock.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from arena.match import ID_LENGTH, Ask, Match, request_ids
from protocol.messages import FRAME_LIMIT

NS_PER_US: Final = 1_000

SHORT_THOUGHT_NS: Final = 5_000_000
EARLY: Final = 50
"""Before so much, and one part in so many of its time, has passed, a thought is not worth a look."""

HANDFUL: Final = 64
HANDFUL_BYTES: Final = 32 * 1024
"""So many requests, and so much, travel in one message: half a pipe, so that reading can begin."""

EXTRA_ANSWERS: Final = 8
"""So many answers too many are dropped in silence; one more is a fault."""

MATCHES_REMEMBERED: Final = 16
"""An answer to one of these is known to be late or doubled, not invented."""

OWED_REMEMBERED: Final = 4096
"""So many requests of any match may still be answered when nobody waits for it."""

NOTICED_US: Final = 200_000
"""So long it may take to notice that a process ended; who ends later has been thinking."""

NOISE: Final = 256
"""So many messages that belong to no table are dropped: those of a lost seat may still be on their way."""

BLANK_BYTES: Final = 2 * FRAME_LIMIT
"""So much may come without any message in it, blank lines for example."""


class Overrun(NamedTuple):
    """A request that was settled because its time was up; its answer may still come."""

    move: int
    due_ns: int


class Asked:
    """A request that is out; time runs from hand-over."""

    # No dataclass: compiled, its `__init__` would still be interpreted, and one is made for every request.
    __slots__ = ("begun_ns", "cpu_ns", "forgiven_ns", "match", "order", "unread")

    def __init__(self, match: Match, order: Ask, begun_ns: int, unread: bool = False) -> None:
        self.match: Final = match
        self.order: Final = order
        self.begun_ns = begun_ns
        self.unread = unread  # not handed over whole yet; until then its time runs from the asking
        self.forgiven_ns = 0  # delay of ours, never charged
        self.cpu_ns: int | None = None

    @property
    def due_ns(self) -> int:
        """The last moment at which an answer is in time."""
        return self.begun_ns + self.forgiven_ns + self.order.allowance_us * NS_PER_US

    def elapsed_us(self, now_ns: int) -> int:
        """How long the bot has been thinking."""
        thought_ns = now_ns - self.begun_ns - self.forgiven_ns
        return thought_ns // NS_PER_US if thought_ns > 0 else 0

    def answered_after_us(self, now_ns: int, lag_ns: int) -> int:
        """How long the bot thought, if its answer was seen now and may have waited for us up to `lag_ns`."""
        thought_ns = now_ns - self.begun_ns - self.forgiven_ns
        if thought_ns <= 0:
            return 0
        forgiven_ns = lag_ns if lag_ns < thought_ns else thought_ns
        self.forgiven_ns += forgiven_ns
        return (thought_ns - forgiven_ns) // NS_PER_US

    def late_us(self, now_ns: int) -> int:
        """By how much the limit is passed; an answer after exactly the limit is in time."""
        return self.elapsed_us(now_ns) - self.order.allowance_us

    def forgive(self, now_ns: int, lag_ns: int) -> None:
        """Take out a delay of ours, as far as this request was there to suffer it."""
        thought_ns = now_ns - self.begun_ns - self.forgiven_ns
        if thought_ns > 0:
            self.forgiven_ns += lag_ns if lag_ns < thought_ns else thought_ns

    def is_long(self, now_ns: int) -> bool:
        """Whether it has gone on for more than a moment; still early in all the time it may take."""
        early_ns = self.order.allowance_us * NS_PER_US // EARLY
        return now_ns - self.begun_ns > (early_ns if early_ns > SHORT_THOUGHT_NS else SHORT_THOUGHT_NS)

    def computed_us(self, cpu_ns: int | None) -> int | None:
        """How much of the process time now was spent on it; None if that was not measured."""
        return None if cpu_ns is None or self.cpu_ns is None else (cpu_ns - self.cpu_ns) // NS_PER_US


class Requests:
    """What a seat was asked, by id.  Ids are not kept: they follow from the salt, and are made again if needed.

    Some of the last batch may be still to come; nobody can name one of these.
    """

    __slots__ = ("_ids", "_salt", "_seat", "batches")

    def __init__(self, salt: bytes, seat: int, batches: int) -> None:
        self.batches: Final = batches
        self._salt: Final = salt
        self._seat: Final = seat
        self._ids: set[str] = set()

    def include(self, id: str) -> bool:
        """Whether it was asked this."""
        if not self._ids:
            for batch in range(1, self.batches + 1):
                ids = request_ids(self._salt, self._seat, batch)
                self._ids.update([ids[at : at + ID_LENGTH] for at in range(0, len(ids), ID_LENGTH)])
        return id in self._ids


class Held:
    """A table this process plays at."""

    __slots__ = ("_requests", "extra", "match", "overruns", "seat", "settled")

    def __init__(self, match: Match, seat: int) -> None:
        self.match: Final = match
        self.seat: Final = seat
        self.settled = False  # whether any request was
        self.overruns: dict[str, Overrun] = {}
        self.extra = 0
        self._requests = Requests(match.salt, seat, 0)

    @property
    def move(self) -> int:
        """How many decisions the seat has been asked for."""
        return self.match.seats[self.seat].moves

    @property
    def requests(self) -> Requests:
        """All it was asked here so far."""
        batches = self.match.seats[self.seat].batches
        if self._requests.batches != batches:
            self._requests = Requests(self.match.salt, self.seat, batches)
        return self._requests

    def note_if_late(self, id: str, now_ns: int) -> bool:
        """Whether this is the one answer to a request whose time was up; the match notes how late it came."""
        overrun = self.overruns.pop(id, None)
        if overrun is None:
            return False
        self.match.came_late(self.seat, overrun.move, max(0, now_ns - overrun.due_ns) // NS_PER_US)
        return True


def in_handfuls(due: list[Asked]) -> list[list[Asked]]:
    """Requests in their order, as many together as travel in one message."""
    if len(due) == 1:  # nearly always
        return [due]
    handfuls: list[list[Asked]] = []
    size = 0
    for asked in due:
        size += len(asked.order.packed)
        if not handfuls or len(handfuls[-1]) == HANDFUL or size > HANDFUL_BYTES:
            handfuls.append([])
            size = len(asked.order.packed)
        handfuls[-1].append(asked)
    return handfuls
