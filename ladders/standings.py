"""The standings: what a ladder prints, as data.  A pure function of the ledger and the settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ladders.ledger import Floats, Ledger
from ladders.ratings import live_elo
from ladders.ratings.bradley_terry import Fit, fit
from ladders.ratings.checks import (
    Bin,
    CycleCheck,
    DesignEffect,
    SeatScore,
    calibration,
    cycle_check,
    design_effect,
    replay_audit,
    seat_table,
)
from ladders.ratings.clustered import Means, means
from ladders.ratings.distributions import margin
from ladders.ratings.settings import RatingSettings

_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Row:
    """One bot.  None stands where nothing can be said yet."""

    rank: int | None
    """Among the established bots; None for all others."""

    rank_interval: tuple[int, int] | None
    """The best and the worst rank it may truly have, with 95 % confidence."""

    bot: str
    elo: float | None
    margin: float | None
    """Half of the 95 % interval, relative to the pool."""

    los: float | None
    """The chance that it is better than the next row of its section."""

    blocks: int
    games: int
    first: float
    """Share of games won; a shared first place counts in part."""

    beaten: float
    """Share of opponents it finished ahead of."""

    points: float | None
    points_margin: float | None
    forfeits: int
    provisional: bool
    flags: tuple[str, ...]
    """Why it is provisional, and what else should be known; the words are the keys of `ladders.flags.FLAGS`."""

    live_elo: float | None
    se: float | None
    df: int | None


@dataclass(frozen=True, slots=True)
class Head:
    """What is said about the ladder as a whole."""

    blocks: int
    games: int
    design_effect: DesignEffect
    seats: tuple[SeatScore, ...]
    cycles: CycleCheck
    calibration: tuple[Bin, ...]
    live_blocks: int
    """Live Elo has counted all blocks with lower numbers."""

    method: str
    inputs: str
    """SHA-256 of everything the numbers were computed from."""


@dataclass(frozen=True, slots=True)
class Standings:
    """The table: established bots by Elo, then provisional ones by Elo, then those who have met nobody."""

    head: Head
    rows: tuple[Row, ...]

    @property
    def established(self) -> tuple[Row, ...]:
        """Those with a rank."""
        return tuple(row for row in self.rows if not row.provisional)

    @property
    def provisional(self) -> tuple[Row, ...]:
        """Those without one yet."""
        return tuple(row for row in self.rows if row.provisional)

    def as_data(self) -> dict[str, Any]:
        """For JSON, rounded: the same ledger gives the same bytes."""
        return {"head": _rounded(asdict(self.head)), "rows": [_rounded(asdict(row)) for row in self.rows]}


def standings(ledger: Ledger, settings: RatingSettings | None = None) -> Standings:
    """Everything a ladder shows, computed from nothing."""
    settings = settings or RatingSettings()
    fitted = fit(ledger, settings)
    live = live_elo.play(ledger, settings).checkpoint
    lines = _Lines(ledger, fitted)
    order = sorted(range(len(fitted.theta)), key=lambda line: -fitted.theta[line])  # ties stay alphabetical
    established = [line for line in order if not fitted.provisional[line]]
    provisional = [line for line in order if fitted.provisional[line]]
    better = fitted.surely_better()[np.ix_(established, established)]
    rows = []
    for section in (established, provisional):
        for at, line in enumerate(section):
            ranked = section is established
            interval = (1 + int(better[:, at].sum()), len(section) - int(better[at].sum())) if ranked else None
            los = fitted.los(line, section[at + 1]) if at + 1 < len(section) else None
            rows.append(lines.row(line, at + 1 if ranked else None, interval, los, live.ratings))
    rows += [_unrated(bot) for at, bot in enumerate(ledger.bots) if at not in set(fitted.rated.tolist())]
    head = Head(
        ledger.blocks,
        ledger.games,
        design_effect(fitted),
        tuple(seat_table(ledger)),
        cycle_check(fitted),
        tuple(calibration(fitted)),
        live.next_block,
        method(settings, fitted),
        ledger.fingerprint,
    )
    return Standings(head, tuple(rows))


def method(settings: RatingSettings, fitted: Fit) -> str:
    """How the numbers came about, in words that are printed under the table."""
    if fitted.anchor is not None:
        scale = f"{settings.anchor} is fixed at {settings.anchor_elo:g}"
    elif settings.anchor is not None:
        scale = f"{settings.anchor} has not played yet, so the mean of the established bots is {settings.base:g}"
    else:
        scale = f"the mean of the established bots is {settings.base:g}"
    live = "with steps that shrink" if settings.constant_k is None else "with a constant K: not convergent"
    return (
        "Elo: batch Bradley-Terry fit of all blocks on the pairs of every game; a tie is half, a pair weighs"
        f" 3/(seats+1), a phantom in the middle of the pool counts {settings.prior:g}; {scale}."
        " Margins: 95 %, from the spread between blocks, relative to the pool."
        f" Provisional: below {settings.provisional_blocks} blocks, below {settings.provisional_wins:g} weighted"
        f" wins or losses, or not connected. Live Elo: after every block, {live}."
    )


class _Lines:
    """Turns lines of a fit into rows."""

    def __init__(self, ledger: Ledger, fitted: Fit) -> None:
        self.ledger, self.fit = ledger, fitted
        self.errors = fitted.errors()
        self.games = ledger.tally(np.broadcast_to(tables.matches, tables.bots.shape) for tables in ledger.tables)
        self.beaten = ledger.tally(
            tables.per_block(tables.half_beaten) / (2 * (tables.size - 1)) for tables in ledger.tables
        )
        self.first = ledger.tally(_firsts(ledger))
        self.forfeits = ledger.tally(tables.per_block(tables.forfeited.view(np.int8)) for tables in ledger.tables)
        self.points = _points(ledger)
        self.remembers = {memory.bot for memory in replay_audit(ledger) if memory.suspicious}

    def row(
        self,
        line: int,
        rank: int | None,
        interval: tuple[int, int] | None,
        los: float | None,
        live: Mapping[str, float],
    ) -> Row:
        bot = int(self.fit.rated[line])
        blocks, games = int(self.fit.blocks[line]), int(self.games[bot])
        return Row(
            rank=rank,
            rank_interval=interval,
            bot=self.ledger.bots[bot],
            elo=float(self.fit.elo[line]),
            margin=margin(self.errors[line], blocks),
            los=los,
            blocks=blocks,
            games=games,
            first=float(self.first[bot]) / games,
            beaten=float(self.beaten[bot]) / games,
            points=float(self.points.mean[bot]),
            points_margin=self.points.margin(bot),
            forfeits=int(self.forfeits[bot]),
            provisional=bool(self.fit.provisional[line]),
            flags=tuple(self.flags(line, self.ledger.bots[bot])),
            live_elo=live.get(self.ledger.bots[bot]),
            se=self.errors[line],
            df=blocks - 1 if blocks > 1 else None,
        )

    def flags(self, line: int, bot: str) -> list[str]:
        settings, fitted = self.fit.settings, self.fit
        said = {
            "few blocks": fitted.blocks[line] < settings.provisional_blocks,
            "few wins": fitted.wins[line].sum() < settings.provisional_wins,
            "few losses": fitted.wins[:, line].sum() < settings.provisional_wins,
            "unconnected": not fitted.connected[line],
            "remembers deals": bot in self.remembers,
        }
        return [flag for flag, true in said.items() if true]


def _unrated(bot: str) -> Row:
    return Row(
        rank=None,
        rank_interval=None,
        bot=bot,
        elo=None,
        margin=None,
        los=None,
        blocks=0,
        games=0,
        first=0.0,
        beaten=0.0,
        points=None,
        points_margin=None,
        forfeits=0,
        provisional=True,
        flags=("unrated",),
        live_elo=None,
        se=None,
        df=None,
    )


def _firsts(ledger: Ledger) -> list[Floats]:
    """Player by block: games won, a first place shared by k counting 1/k; whoever forfeited has not won."""
    found = []
    for tables in ledger.tables:
        won = (tables.places == tables.places.min(axis=0)) & ~tables.forfeited
        found.append(tables.per_block(won / np.maximum(1, won.sum(axis=0))))
    return found


def _points(ledger: Ledger) -> Means:
    who = [tables.bots.T.reshape(-1) for tables in ledger.tables]
    sums = [tables.per_block(tables.points).T.reshape(-1) for tables in ledger.tables]
    counts = [np.repeat(tables.matches, tables.size) for tables in ledger.tables]
    none = [np.zeros(0, dtype=np.int64)]
    return means(
        np.concatenate(none + who),
        np.concatenate(none + sums).astype(np.float64),
        np.concatenate(none + counts).astype(np.float64),
        len(ledger.bots),
    )


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, _DIGITS) + 0.0  # no minus zero
    if isinstance(value, dict):
        return {key: _rounded(inner) for key, inner in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_rounded(inner) for inner in value]
    return value
