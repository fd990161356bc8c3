"""A portrait of a bot, from what it played: what needs attention first, then its worst deals, scores and times.

Made from finished matches and from nothing else.  Attention and worst deals are for its owner and the operator.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log10
from typing import TYPE_CHECKING, Any, Final

from arena import record
from arena.store.matches import Line, Wanted
from ladders.blocks import beaten, estimate
from protocol.errors import quoted

if TYPE_CHECKING:
    from arena.store.store import Store

MATCHES: Final = 2000
PAGE: Final = 500
TIMED: Final = 50
"""Of so many matches the records are opened to see how long each decision took."""

WORST: Final = 5
SLOWEST: Final = 5


@dataclass(frozen=True)
class Attention:
    """Faults of one kind with the same last words."""

    code: str
    words: str
    """The last line of its stderr, harmless to print."""

    count: int
    forfeits: int
    first: str
    last: str
    match: str
    """The newest."""

    bot: str
    seat: int


@dataclass(frozen=True)
class BadDeal:
    """A deal that others made more of, from the same seat."""

    match: str
    game: str
    seat: int
    bot: str
    points: int
    share: float
    others: tuple[tuple[str, int, float], ...]
    """Bot, points, and share of the opponents beaten."""

    @property
    def behind(self) -> float:
        """How much less of the table it beat than the others did on average."""
        return sum(share for _, _, share in self.others) / len(self.others) - self.share


@dataclass(frozen=True)
class Score:
    """The share of opponents beaten, over so many games."""

    of: str
    games: int
    share: float
    margin: float | None


@dataclass(frozen=True)
class Times:
    """How long decisions took, in the newest matches."""

    decisions: int
    median_ms: float
    p99_ms: float
    limit_ms: int
    slowest: tuple[tuple[float, str, int], ...]
    """Milliseconds, match, move."""

    spread: tuple[tuple[float, int], ...]
    """About how many milliseconds, a third of a decade apart, and how many decisions."""


@dataclass(frozen=True)
class Portrait:
    """Everything there is to tell."""

    labels: list[str]
    matches: int
    attention: list[Attention]
    worst: list[BadDeal]
    by_opponent: list[Score]
    by_seat: list[Score]
    by_version: list[Score]
    times: Times | None


def portrait(
    store: Store, labels: Sequence[str], ladder: str | None = None, *, last_words: bool = True
) -> Portrait:
    """Of the bot that goes by these labels, on all ladders or one; its last words are for its owner alone."""
    own = frozenset(labels)
    lines = _lines(store, labels, ladder)
    by_block: dict[tuple[str, int], list[Line]] = {}
    for line in lines:
        by_block.setdefault((line.ladder, line.block), []).append(line)
    worst = sorted(_bad_deals(by_block.values(), own), key=lambda deal: -deal.behind)
    return Portrait(
        list(labels),
        len(lines),
        _attention(store, lines, own, last_words),
        worst[:WORST],
        _scores(by_block.values(), own, _opponent),
        _scores(by_block.values(), own, _place),
        _scores(by_block.values(), own, _version),
        _times(store, lines, own),
    )


def _lines(store: Store, labels: Sequence[str], ladder: str | None) -> list[Line]:
    """The newest matches of all its versions, each once."""
    found: dict[str, Line] = {}
    for label in labels:
        for offset in range(0, MATCHES, PAGE):
            page = store.match_list(Wanted(ladder, label, limit=PAGE, offset=offset))
            found |= {line.match: line for line in page}
            if len(page) < PAGE:
                break
    return sorted(found.values(), key=lambda line: line.finished, reverse=True)


def _attention(store: Store, lines: Iterable[Line], own: frozenset[str], last_words: bool) -> list[Attention]:
    groups: dict[tuple[str, str], list[tuple[Line, int]]] = {}
    for line in lines:
        for number, seat in enumerate(line.seats):
            if seat.bot in own and seat.code:
                words = last_line(store.stderr_of(line.match, number, None)) if last_words else ""
                groups.setdefault((seat.code, words), []).append((line, number))
    told = [
        Attention(
            code,
            words,
            len(found),
            sum(line.seats[seat].forfeited for line, seat in found),
            found[-1][0].finished,
            found[0][0].finished,
            found[0][0].match,
            found[0][0].seats[found[0][1]].bot,
            found[0][1],
        )
        for (code, words), found in groups.items()
    ]
    return sorted(told, key=lambda group: (-group.forfeits, -group.count, group.code))


def last_line(said: bytes) -> str:
    """The last thing a bot wrote, harmless to print."""
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return quoted(lines[-1], mark="", limit=160) if lines else ""


def _bad_deals(blocks: Iterable[Sequence[Line]], own: frozenset[str]) -> Iterable[BadDeal]:
    for block in blocks:
        made: dict[int, list[tuple[str, int, float, str, bool]]] = {}
        for line in block:
            shares = beaten([seat.place for seat in line.seats])
            for number, (seat, share) in enumerate(zip(line.seats, shares, strict=True)):
                made.setdefault(number, []).append((seat.bot, seat.points, share, line.match, seat.forfeited))
        for number, results in made.items():
            others = tuple(
                (bot, points, share) for bot, points, share, _, gone in results if bot not in own and not gone
            )
            for bot, points, share, match, gone in results:
                deal = BadDeal(match, block[0].division.game, number, bot, points, share, others)
                if bot in own and not gone and others and deal.behind > 0:
                    yield deal


def _opponent(line: Line, seat: int, other: int) -> str:  # noqa: ARG001
    return line.seats[other].bot


def _place(line: Line, seat: int, other: int) -> str:  # noqa: ARG001
    return f"{line.division.game}, seat {seat} of {len(line.seats)}"


def _version(line: Line, seat: int, other: int) -> str:  # noqa: ARG001
    return line.seats[seat].bot


def _scores(
    blocks: Iterable[Sequence[Line]], own: frozenset[str], named: Callable[[Line, int, int], str]
) -> list[Score]:
    """Won, tied or lost against each opponent, grouped by a name; errors come from the spread between deals."""
    of_block: dict[str, list[float]] = {}
    games: dict[str, set[str]] = {}
    for block in blocks:
        here: dict[str, list[float]] = {}
        for line in block:
            for seat, mine in enumerate(line.seats):
                for other, theirs in enumerate(line.seats):
                    if mine.bot in own and theirs.bot not in own:
                        ahead = 1.0 if mine.place < theirs.place else 0.5 if mine.place == theirs.place else 0.0
                        here.setdefault(named(line, seat, other), []).append(ahead)
                        games.setdefault(named(line, seat, other), set()).add(line.match)
        for name, shares in here.items():
            of_block.setdefault(name, []).append(sum(shares) / len(shares))
    told = []
    for name, shares in of_block.items():
        score = estimate(shares)
        told.append(Score(name, len(games[name]), score.mean, score.margin))
    return sorted(told, key=lambda score: (score.share, score.of))


def _times(store: Store, lines: Sequence[Line], own: frozenset[str]) -> Times | None:
    taken: list[tuple[float, str, int]] = []
    limit_ms = 0
    for line in lines[:TIMED]:
        try:
            document = record.unpack(store.record_of(line.match))
        except record.RecordError:
            continue  # `arena verify` says so; here it is one match less
        limit_ms = max(limit_ms, document["clock"]["move_ms"])
        for number, seat in enumerate(line.seats):
            if seat.bot in own:
                taken += [(ms, line.match, move) for move, ms in decisions(document, number)]
    if not taken:
        return None
    in_order = sorted(taken, reverse=True)
    times = [ms for ms, _, _ in in_order]
    slowest = tuple(in_order[:SLOWEST])
    return Times(
        len(times), times[len(times) // 2], times[len(times) // 100], limit_ms, slowest, tuple(_spread(times))
    )


def _spread(times_ms: Iterable[float]) -> Iterator[tuple[float, int]]:
    counts = Counter(round(3 * log10(max(time, 0.01))) for time in times_ms)
    for step in range(min(counts), max(counts) + 1):
        yield 10 ** (step / 3), counts[step]


def decisions(document: record.Document, seat: int) -> list[tuple[int, float]]:
    """Move and milliseconds of every decision of a seat, whatever came of it."""
    own: list[Any] = [entry for entry in document["inputs"] if entry[0] == seat]
    told = [entry[3] if entry[1] == "answer" else entry[5] for entry in own]
    return [(move, elapsed_us / 1000) for move, elapsed_us in enumerate(told, 1)]
