"""What pages read, kept as long as nothing new was stored: a ladder's numbers change only when its chain grows."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from arena import record
from arena.analyses import Analyses
from arena.portrait import Portrait, portrait
from arena.record import Document
from arena.store import Division, StoreError
from arena.store.errors import Unknown
from arena.store.matches import Found, closed
from arena.store.results import Counts
from arena.store.roster import Ladder
from arena.store.store import Store
from arena.web import queries
from arena.web.bands import Bands, bands_of
from arena.web.queries import Pulse
from arena.web.scene import Scene, scene_of
from ladders.ladder import RatingRules
from ladders.ledger import Ledger
from ladders.ratings import live_elo
from ladders.ratings.bradley_terry import fit
from ladders.ratings.settings import RatingSettings
from ladders.standings import Standings, standings

K = TypeVar("K")
V = TypeVar("V")

REST = 10
"""What was dear to compute rests ten times as long before it is computed again; meanwhile the last one serves."""

POINTS = 300
"""Of a history; a screen has hardly more pixels to show them."""


class Sealed(Exception):
    """A match whose record is not open; the text says when it will be."""


@dataclass(frozen=True)
class Meeting:
    """How one bot did against another: its share of the games in which both sat, ties being half."""

    share: float
    games: int


@dataclass(frozen=True)
class History:
    """Live Elo after some blocks, the same ones for all bots; None before a bot's first."""

    blocks: list[int]
    lines: dict[str, list[float | None]]


@dataclass(frozen=True)
class Board:
    """Everything about one division of a ladder, all of the same moment."""

    division: Division
    standings: Standings
    history: History
    bands: Bands
    meetings: dict[tuple[str, str], Meeting]


@dataclass(frozen=True)
class Boards:
    """A ladder's divisions, as of a length of its chain."""

    length: int
    boards: tuple[Board, ...]
    sandbox: str


class Kept(Generic[K, V]):
    """The last few values, and at most one thread at work on the same key."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = threading.Lock()
        self._making: dict[K, threading.Lock] = {}

    def get(self, key: K, make: Callable[[], V]) -> V:
        """The value, made when it is not there."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
            making = self._making.setdefault(key, threading.Lock())
        with making:
            with self._lock:
                if key in self._values:
                    return self._values[key]
            value = make()
            with self._lock:
                self._values[key] = value
                self._making.pop(key, None)
                while len(self._values) > self._most:
                    self._values.popitem(last=False)
            return value


class Library:
    """Reads one store, from many threads."""

    def __init__(self, store: Store, analyses: Analyses | None = None) -> None:
        self.store, self._analyses = store, analyses
        self._boards: dict[str, tuple[Boards, float]] = {}
        self._computing: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()
        self._documents: Kept[str, Document] = Kept(32)
        self._scenes: Kept[tuple[str, int | None], Scene] = Kept(48)
        self._portraits: Kept[tuple[str, str, int], Portrait] = Kept(64)
        self._counts: Kept[tuple[str, int, int], Counts] = Kept(256)
        self._pulses: tuple[float, list[Pulse]] = (float("-inf"), [])

    def pulses(self) -> list[Pulse]:
        """How far every ladder is, at most half a second ago: many may ask at once."""
        looked, found = self._pulses
        if time.monotonic() - looked > 0.5:
            found = queries.pulses(self.store)
            self._pulses = (time.monotonic(), found)
        return found

    def ladder(self, name: str) -> tuple[Ladder, Pulse]:
        """By name, with how far it is."""
        pulse = next((pulse for pulse in self.pulses() if pulse.ladder == name), None)
        if pulse is None:
            raise Unknown(f'there is no ladder "{name}"')
        return self.store.find_ladder(name), pulse

    def counts(self, pulse: Pulse) -> Counts:
        """Blocks and matches of a ladder."""
        key = pulse.ladder, pulse.length, pulse.planned
        return self._counts.get(key, lambda: self.store.counts(self.store.find_ladder(pulse.ladder)))

    def boards(self, ladder: Ladder, pulse: Pulse) -> Boards:
        """The standings; while newer ones are being computed, or rest, the last ones."""
        with self._lock:
            kept, fresh_from = self._boards.get(ladder.name, (None, 0.0))
            computing = self._computing.setdefault(ladder.name, threading.Lock())
        if kept is not None and (kept.length == pulse.length or time.monotonic() < fresh_from):
            return kept
        if not computing.acquire(blocking=kept is None):
            assert kept is not None
            return kept
        try:
            known = self._boards.get(ladder.name)
            if kept is None and known is not None:  # somebody else computed it while we waited
                return known[0]
            began = time.thread_time()  # not the wait for a processor that others have
            made = self._compute(ladder, pulse.length)
            took = time.thread_time() - began
            self._boards[ladder.name] = (made, time.monotonic() + REST * took)
            return made
        finally:
            computing.release()

    def _compute(self, ladder: Ladder, length: int) -> Boards:
        settings = rating_settings(ladder)
        boards = []
        frozen = (
            set()
            if (moment := frozen_at(ladder)) is None
            else set(queries.blocks_since(self.store, ladder, moment))
        )
        for division in self.store.divisions_of(ladder):
            rows, names = self.store.rows_of(ladder, division)
            counted = [row for row in rows if row[0] not in frozen] if frozen else rows
            passed = sorted({*self.store.passed_over(ladder, division), *frozen})
            ledger = Ledger.from_rows(counted, names, passed)
            history = history_of(live_elo.play(ledger, settings).history)
            bands = bands_of(counted, names, settings)
            table, met = standings(ledger, settings), _meetings(ledger, settings)
            boards.append(Board(division, table, history, bands, met))
        newest = queries.a_record(self.store, ladder)
        sandbox = "" if newest is None else self._sandbox(newest)
        return Boards(length, tuple(boards), sandbox)

    def _sandbox(self, match: str) -> str:
        try:
            return str(record.unpack(self.store.record_of(match))["sandbox"])
        except (record.RecordError, StoreError, KeyError):
            return "unknown"

    def open_match(self, match: str) -> tuple[Found, Ladder, Document]:
        """A match that anybody may look into: its whole block is finished, and its ladder does not wait longer."""
        found = self.store.match(match)
        ladder = self.store.find_ladder(found.ladder)
        if why := closed(ladder, found):
            raise Sealed(why)

        def read() -> Document:
            document = record.unpack(self.store.record_of(found.match))
            if document.get("match") != found.match:
                raise record.RecordError(f"{found.match} holds the record of {document.get('match')}")
            return document

        return found, ladder, self._documents.get(found.match, read)

    def portrait(self, ladder: Ladder, pulse: Pulse, label: str) -> Portrait:
        """Of a bot on one ladder, as anybody may see it."""
        key = ladder.name, label, pulse.length
        return self._portraits.get(key, lambda: portrait(self.store, [label], ladder.name, last_words=False))

    def scene(self, document: Document, viewer: int | None) -> Scene:
        """An open match as a viewer saw it."""

        def fold() -> Scene:
            try:
                return scene_of(record.game_of(document), document, viewer)
            except (KeyError, TypeError, ValueError, IndexError, AttributeError, AssertionError) as error:
                raise record.RecordError("the events of this record do not fit together") from error

        scene = self._scenes.get((document["match"], viewer), fold)
        if self._analyses is None:
            return scene
        return scene.remarked(self._analyses.remarks(document["match"], record.game_of(document), viewer))


def settled(ladder: Ladder, key: str) -> Any:
    """What the ladder's file says under [publish]; a series says nothing."""
    return ladder.settings.get("publish", {}).get(key)


def frozen_at(ladder: Ladder) -> datetime | None:
    """From when on its public board stands still."""
    moment = settled(ladder, "freeze_at")
    return datetime.fromisoformat(moment) if moment else None


def rating_settings(ladder: Ladder) -> RatingSettings:
    """As the ladder was begun with."""
    rules = ladder.settings.get("rating")
    return RatingRules(**rules).settings() if isinstance(rules, dict) else RatingSettings()


def history_of(played: Mapping[str, Sequence[tuple[int, float]]]) -> History:
    """Of all blocks evenly chosen ones, the last among them; between its blocks a bot stays where it was."""
    numbers = sorted({number for points in played.values() for number, _ in points})
    chosen = numbers[::-1][:: max(1, -(-len(numbers) // POINTS))][::-1]
    lines: dict[str, list[float | None]] = {}
    for bot, points in played.items():
        line = lines[bot] = []
        at, elo = 0, None
        for number in chosen:
            while at < len(points) and points[at][0] <= number:
                elo = round(points[at][1], 1)
                at += 1
            line.append(elo)
    return History(chosen, lines)


def _meetings(ledger: Ledger, settings: RatingSettings) -> dict[tuple[str, str], Meeting]:
    fitted = fit(ledger, settings)
    names = [ledger.bots[bot] for bot in fitted.rated.tolist()]
    scores, games = fitted.scores.tolist(), fitted.games.tolist()
    return {
        (one, other): Meeting(scores[line][column] / games[line][column], round(games[line][column]))
        for line, one in enumerate(names)
        for column, other in enumerate(names)
        if line != column and games[line][column]
    }
