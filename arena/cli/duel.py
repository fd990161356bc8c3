"""`arena duel`: is B better than A?  A sequential test on mirrored deals that stops as soon as it can."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from arena.bots.manifest import Bot
from arena.cli.door import with_owners
from arena.cli.entering import bots_called, names_at_table, sandbox_for, seated_once, submitted_in
from arena.cli.event import Event, enter, jobs_here, open_ladder, play
from arena.cli.failure import INTERRUPTED, USAGE, Failure
from arena.cli.games import game_called
from arena.cli.place import Place, failure_of
from arena.cli.play import seed_as_said, seed_of
from arena.cli.screen import EventScreen, verdicts_of
from arena.clock import TimeControl
from arena.door.terms import DoorTerms
from arena.games import GAMES
from arena.runner.draws import DuelDraw
from arena.runner.orders import BlockReport, Terms
from arena.runner.tournament import Contest
from arena.store import Division, StoreError
from arena.store.block import canonical
from ladders.duel import DuelSettings, Verdict
from ladders.results import Block


@dataclass(frozen=True)
class Question:
    """What was typed."""

    a: str
    b: str
    game: str | None
    seats: int | None
    seed: str | None
    jobs: int | None
    tables: int
    move_ms: int
    test: DuelSettings


def fight(
    question: Question,
    place: Place,
    trust_bots: bool,
    allowed: Sequence[str],
    as_json: bool,
    door: DoorTerms | None = None,
) -> None:
    """Play until the test has decided."""
    submitted = submitted_in(place)
    a, b = (bot for text in (question.a, question.b) for bot in bots_called([text], Path(), submitted).values())
    bots_called((question.a, question.b), Path(), submitted)  # two programs of one name and version do not meet
    labels = names_at_table((a, b))
    bots = dict(zip(labels, (a, b), strict=True))
    if len(bots) < 2:
        raise Failure(f"{a.name} against itself: name two bots, or two versions of one", USAGE)
    bots = with_owners(bots, door)
    level = sandbox_for(bots.values(), trust_bots, allowed)
    game = game_called(question.game or _common_game(a, b))
    seats = question.seats or game.seats_allowed[0]
    if seats not in game.seats_allowed:
        raise Failure(f"{game.name} is for {game.seats_allowed[0]} to {game.seats_allowed[-1]} seats", USAGE)
    remote = seated_once([a, b] * -(-seats // 2))  # of three seats, each holds two in turn
    seed = seed_of(question.seed)
    control = TimeControl(question.move_ms)
    settings = {"game": game.name, "seats": seats, "duel": list(bots), "limits": asdict(control)}
    settings |= {"test": asdict(question.test)}
    asked = canonical([settings, a.content, b.content]).encode()
    name = f"duel-{hashlib.sha256(seed + asked).hexdigest()[:16]}"
    screen = DuelScreen(as_json)
    failure: Failure | None = None
    over = False
    draw = DuelDraw(labels[0], labels[1], seats, question.test, seed, fresh=remote)
    try:
        with place.open(create=True) as store:
            ladder = open_ladder(place, store, name, "series", "", settings, seed)
            enter(store, ladder, bots)
            contests = [Contest(Division.of(game.name, {}, seats), {}, draw)]
            terms = Terms(control, tables=question.tables, sandbox=level)
            event = Event(place, store, ladder, seed, bots, terms, jobs_here(question.jobs), contests)
            event.playing = set(bots)
            event.door = door
            try:
                over = play(event, screen)
            except Failure as failed:
                failure = failed
    except StoreError as error:
        raise failure_of(error) from None
    verdict = draw.verdict()
    if failure is None and not over:
        told = f"stopped after {verdict.blocks} blocks without a verdict"
        failure = Failure(f"{told}. Go on: the same command with --seed {seed_as_said(seed)}", INTERRUPTED)
    lines = ["", "A is {}, B is {}.".format(*labels), verdict.sentence]
    screen.end(lines, _data(name, bots, verdict), failure)


def _common_game(a: Bot, b: Bot) -> str:
    common = [name for name in GAMES if a.plays(name) and b.plays(name)]
    if len(common) != 1:
        raise Failure(f"which game? --game {'|'.join(common or GAMES)}", USAGE)
    return common[0]


class DuelScreen(EventScreen):
    """The test as it goes."""

    def heading(self) -> str:
        """Who asks what of whom."""
        (contest,) = self.event.contests
        assert isinstance(contest.draw, DuelDraw)
        test = contest.draw.settings
        a, b = self.event.ladder.settings["duel"]
        return (
            f"{contest.division.game}, {contest.division.seats} seats: is {b} better than {a}?  "
            f"{test.elo0:g} against {test.elo1:g} Elo, wrong in {100 * test.alpha:g} % and {100 * test.beta:g} %"
        )

    def tell_block(self, contest: Contest, block: Block, report: BlockReport) -> None:
        """Where the test stands now."""
        if not self.live:
            self.say(f"block {block.number}  {_standing(contest)}")
        for line in verdicts_of(block, report):
            self.say(line)

    def say(self, text: str) -> None:
        """A line for people; programs wait for the verdict."""
        if not self.as_json:
            self.voice.say(text)

    def frame(self) -> list[str]:
        """One line."""
        return [_standing(self.event.contests[0])]


def _standing(contest: Contest) -> str:
    assert isinstance(contest.draw, DuelDraw)
    verdict = contest.draw.verdict()
    lower, upper = verdict.bounds
    score = "–" if verdict.score is None else f"{100 * verdict.score:.1f} %"
    return f"{verdict.blocks} blocks  score {score}  LLR {verdict.llr:+.2f} ({lower:.2f} … {upper:.2f})"


def _data(name: str, bots: dict[str, Bot], verdict: Verdict) -> dict[str, object]:
    return {"duel": name, **dict(zip("ab", bots, strict=True)), **asdict(verdict)}
