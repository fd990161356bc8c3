"""A ladder: what is played, by whom, under which limits.  How it is written in a file is said in `ladder_file`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from ladders.formats import FORMATS, Entry, Format, Options
from ladders.formats.open import Open
from ladders.formats.planned import PlannedOptions
from ladders.ladder_text import LadderText
from ladders.ratings.settings import RatingSettings

HARMLESS = ("run.jobs", "run.tables", "publish.live")
"""Settings of a run; a ladder may go on with others.  All else was promised when it began, and stays."""


@dataclass(frozen=True)
class Schedule:
    """Who plays whom."""

    format: str = "round_robin"
    options: Options = field(default_factory=PlannedOptions)
    """Of the format's own type."""

    anonymous: bool = True
    """Bots are told seats, not names."""

    open_door: bool = False
    """Whoever holds a token takes part while connected."""


@dataclass(frozen=True)
class Limits:
    """What a bot may use."""

    start_ms: int = 10_000
    move_ms: int = 1_000
    bank_ms: int = 0
    strikes: int = 3
    memory_mb: int = 512
    ponder: bool = False
    """Whether a bot may compute while others decide."""


@dataclass(frozen=True)
class Run:
    """How it is carried out."""

    jobs: int | None = None
    """Worker processes; None: as many as suit the machine."""

    tables: int = 8
    """Matches at once in each of them."""

    sandbox: str = "require"
    seed: str = "random"
    """Up to 64 hexadecimal digits, or "random"."""


@dataclass(frozen=True)
class RatingRules:
    """How results become numbers."""

    base: float = 1_500
    """The mean of the established bots, or the anchor's number where there is an anchor (then 1000 by default)."""

    anchor: str = ""
    provisional_blocks: int = 30
    live: float | str = "decaying"
    """Steps of the live Elo: "decaying", or a constant K."""

    def settings(self) -> RatingSettings:
        """As the rating systems want it."""
        return RatingSettings(
            base=self.base,
            anchor=self.anchor or None,
            anchor_elo=self.base,
            provisional_blocks=self.provisional_blocks,
            constant_k=None if isinstance(self.live, str) else float(self.live),
        )


@dataclass(frozen=True)
class Publish:
    """What is shown, to whom, and when."""

    open_after: str = "block"
    """Hands and deals are shown when the "block", or the whole "ladder", is finished."""

    notes: str = "owner"
    live: bool = True
    freeze_at: str = ""
    """ISO time at which the public board stands still; empty: never."""


@dataclass(frozen=True)
class Ladder:
    """Everything a ladder file can say."""

    name: str
    title: str
    games: tuple[str, ...]
    bots: tuple[str, ...]
    """Folders, patterns, names of sample bots, and `ws:NAME`, as they are written."""

    variants: Mapping[str, Mapping[str, Any]]
    """Per game its options; the games check them."""

    seats: tuple[int, ...] = ()
    """Table sizes; none: the runner decides."""

    schedule: Schedule = Schedule()
    limits: Limits = Limits()
    run: Run = Run()
    rating: RatingRules = RatingRules()
    publish: Publish = Publish()
    text: LadderText | None = field(default=None, compare=False, repr=False)
    """Where it was read, to say where something is wrong that only the runner can see."""

    def begin(self, entries: Sequence[Entry], seats: int, seed: bytes) -> Format[Any]:
        """The format of this ladder at its start; stored blocks are handed in by `played`."""
        kind = FORMATS[self.schedule.format]
        if issubclass(kind, Open):
            from ladders.formats.rated import rate_by  # loads numpy

            assert isinstance(self.schedule.options, kind.options_type)
            return kind(entries, seats, self.schedule.options, seed, rate_by(self.rating.settings()))
        return kind(entries, seats, self.schedule.options, seed)

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Self:
        """The ladder whose `settings()` these are; they were read once, so nothing is refused.

        What they do not say, because an earlier arena wrote them, holds by default.
        """
        schedule: dict[str, Any] = {
            key: tuple(told) if isinstance(told, list) else told for key, told in settings["schedule"].items()
        }
        kind = FORMATS[schedule.pop("format")]
        about = {key: schedule.pop(key) for key in ("anonymous", "open_door") if key in schedule}
        run = dict(settings["run"])
        if run.get("jobs") == "auto":
            del run["jobs"]
        return cls(
            settings["name"],
            settings["title"],
            tuple(settings["game"]),
            tuple(settings["bots"]),
            settings["variant"],
            tuple(settings["seats"]),
            Schedule(kind.name, kind.options_type(**schedule), **about),
            Limits(**settings["limits"]),
            Run(**run),
            RatingRules(**settings["rating"]),
            Publish(**settings["publish"]),
        )

    def settings(self) -> dict[str, Any]:
        """Everything, with all defaults filled in and under the names of the file, as JSON knows it."""
        settings = {
            "name": self.name,
            "title": self.title,
            "game": self.games,
            "bots": self.bots,
            "variant": {game: dict(self.variants.get(game, {})) for game in self.games},
            "seats": self.seats,
            "schedule": {
                "format": self.schedule.format,
                "anonymous": self.schedule.anonymous,
                **({"open_door": True} if self.schedule.open_door else {}),
                **asdict(self.schedule.options),
            },
            "limits": asdict(self.limits),
            "run": asdict(self.run) | {"jobs": self.run.jobs or "auto"},
            "rating": asdict(self.rating),
            "publish": asdict(self.publish),
        }
        canonical: dict[str, Any] = json.loads(json.dumps(settings))
        return canonical


def changes(old: Mapping[str, Any], new: Mapping[str, Any], harmless: Sequence[str] = HARMLESS) -> list[str]:
    """What two `settings()` differ in, as "move_ms 1000 -> 500"; harmless keys and tables are left out."""
    before, after = dict(_leaves(old)), dict(_leaves(new))
    told = []
    for path in dict.fromkeys((*before, *after)):
        known = before.get(path, "nothing"), after.get(path, "nothing")
        ignored = any(".".join(path[:depth]) in harmless for depth in range(1, len(path) + 1))
        if known[0] != known[1] and not ignored:
            # "live" stands in two tables; such a name alone would not say which
            alone = sum(other[-1] == path[-1] for other in after) < 2
            told.append(f"{path[-1] if alone else '.'.join(path)} {known[0]} -> {known[1]}")
    return told


def _leaves(settings: Mapping[str, Any], above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    for key, value in settings.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, (*above, key))
        elif isinstance(value, str):
            yield (*above, key), value or '""'
        else:
            yield (*above, key), "none" if value is None else json.dumps(value)
