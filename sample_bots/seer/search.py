"""Information-set Monte Carlo tree search over any rulebook: it imagines worlds behind a view and plays them out.

Every candidate is tried in the same worlds, so that luck falls on all alike, and leaves the race once it is
clearly behind.  Below it grows a tree in which each seat looks for its own good (max-n): what a seat gains is the
share of the others that it beats.  Beyond the tree a hunch plays on for a while, and the position is judged.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any, NamedTuple

import msgpack

from arena.chance import FastChance
from arena.game import Game, Option
from sample_bots.seer.hunches import Choose, Hunch

# Found by playing against the sample bots at 25 and 50 ms a decision.
WIDTH_ADVISED, WIDTH = 5, 16  # candidates at the root, with somebody who names the likely ones and without
ADVICE_SHARE = 0.15  # of the time
BEHIND = 1.5  # standard errors after which a candidate leaves the race
BEYOND_DOUBT = 3.0  # and after which the last rival does
CONVINCED = 1.0  # standard errors by which another candidate must be better than the advice
WIDEN = 0.5  # options tried at a place, times the square root of its visits
EXPLORE = 0.2  # of the reward, which is between 0 and 1
DOUBT = 0.1  # of a playout, even where all worlds are alike: the hunch may err in all of them
WORLDS_BEFORE_RACE = 6
WORLDS_BY_THUMB = 10  # so much a rule of thumb counts beside what was seen
TRUST = 0.6  # how often others who are asked at the same time are thought to follow the advice
PATIENCE = 20  # decisions beyond the horizon until the seat has its turn
SCORES_ENOUGH = 60
VICTORY = 0.5  # of the reward at the end of a game: the rest is by how much


Imagine = Callable[[dict[str, Any], FastChance], Game]


class Thought(NamedTuple):
    """What came out, and of how much work."""

    choice: int
    playouts: int
    lead: float
    """By how much the choice is better than what was advised: a share of the others beaten."""


class Weighed(NamedTuple):
    """A choice that was made, beside the best one."""

    best: int
    lost: float
    """A share of the others beaten; 0 if nothing is better."""
    doubt: float
    """The standard error of that."""
    playouts: int


class Arm:
    """An option of one seat at one place in the tree."""

    __slots__ = ("total", "visits")

    def __init__(self) -> None:
        self.visits, self.total = 0, 0.0


class Node:
    """A place in the tree: what was chosen before is the same, what was drawn and held need not be."""

    __slots__ = ("arms", "children", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.arms: dict[tuple[int, Option], Arm] = {}
        self.children: dict[tuple[Option, ...], Node] = {}


class Search:
    """Thinks about one game; nothing is remembered from one decision to the next."""

    def __init__(
        self,
        game: type[Game],
        hunch: Hunch,
        advise: Choose | None = None,
        *,
        clock: Callable[[], float] = monotonic,
        seed: int | str | None = None,
    ) -> None:
        self.game, self.hunch, self.advise, self.clock = game, hunch, advise, clock
        self.chance, self.random = FastChance(seed), random.Random(seed)
        self.sign = 1 if game.high_score_wins else -1
        self.prices: dict[int, float] = {}

    def choose(
        self, view: dict[str, Any], options: Sequence[Sequence[Any]], until: float, imagine: Imagine | None = None
    ) -> Thought:
        """The best option as far as can be seen by then; worlds come from `imagine`, the game's unless given."""
        candidates = self._candidates(view, options, until)
        if len(candidates) == 1:
            return Thought(candidates[0], 0, 0.0)
        rewards, playouts = self._race(view, candidates, until, imagine or self.game.imagine)
        best, lead = self._verdict(candidates, rewards)
        return Thought(candidates[best], playouts, lead)

    def weigh(
        self,
        view: dict[str, Any],
        options: Sequence[Sequence[Any]],
        chosen: int,
        until: float,
        imagine: Imagine | None = None,
    ) -> Weighed:
        """How much worse the option that was chosen is than the best one, as far as can be seen by then."""
        named = self._candidates(view, options, until)
        candidates = [chosen, *[index for index in named if index != chosen]]
        rewards, playouts = self._race(view, candidates, until, imagine or self.game.imagine, keep=0)
        best, lost, doubt = 0, 0.0, 0.0
        for racer in range(1, len(candidates)):
            mean, error = difference(rewards[racer], rewards[0])
            if mean - error > lost - doubt:
                best, lost, doubt = racer, mean, error
        return Weighed(candidates[best], lost, doubt, playouts)

    def _race(
        self, view: dict[str, Any], candidates: list[int], until: float, imagine: Imagine, keep: int | None = None
    ) -> tuple[list[list[float]], int]:
        """What every candidate gained in the same worlds, as long as it was in the race; `keep` is to the end."""
        self.me, self.spread = view["seat"], Spread()
        rewards: list[list[float]] = [[] for _ in candidates]
        roots = [Node() for _ in candidates]
        racing = list(range(len(candidates)))
        others = Others(self)
        playouts = 0
        while len(racing) > 1 and self.clock() < until:
            world = imagine(view, self.chance)
            answers = others.answers_in(world)
            for racer in racing:
                answers[others.place] = candidates[racer]
                twin = world.copy()
                twin.answer(*answers)
                result = self._play_out(twin, roots[racer])
                rewards[racer].append(result[self.me])
                playouts += 1
                if self.clock() >= until:
                    break
            else:
                others.learn(result)
                self.spread.take_in()
                left = still_racing(racing, rewards)
                racing = left if keep is None or keep in left else sorted([keep, *left])
        return rewards, playouts

    def _candidates(self, view: dict[str, Any], options: Sequence[Sequence[Any]], until: float) -> list[int]:
        """The options to look at, the advised one first: the adviser is asked again without what it named."""
        rest = list(range(len(options)))
        self.prices = {}
        if self.hunch.prices is not None and view["seats"] >= self.hunch.priced_from:
            prices = self.hunch.prices(view, [list(option) for option in options])
            self.prices = dict(enumerate(prices))
            return sorted(rest, key=prices.__getitem__)[:WIDTH_ADVISED]
        if self.advise is None:
            self.random.shuffle(rest)
            return rest[:WIDTH]
        named: list[int] = []
        enough = self.clock() + ADVICE_SHARE * (until - self.clock())
        while rest and len(named) < WIDTH_ADVISED:
            choice = self.advise(view, [list(options[index]) for index in rest]) if len(rest) > 1 else 0
            named.append(rest.pop(choice))
            if self.clock() > enough:
                break
        self.random.shuffle(rest)
        return named + rest[: WIDTH_ADVISED - len(named)]

    def _verdict(self, candidates: list[int], rewards: list[list[float]]) -> tuple[int, float]:
        """Another candidate than the first must be better beyond doubt; without advice, better will do."""
        doubt = CONVINCED if self.advise is not None else 0.0
        best, most, lead = 0, 0.0, 0.0
        for racer in range(1, len(candidates)):
            mean, error = difference(rewards[racer], rewards[0])
            if self.prices:
                mean, error = self._with_prices(candidates[0], candidates[racer], len(rewards[racer]), mean, error)
            if mean - doubt * error > most:
                best, most, lead = racer, mean - doubt * error, mean
        return best, lead

    def _with_prices(self, first: int, other: int, worlds: int, mean: float, error: float) -> tuple[float, float]:
        """What was seen in so many worlds, and the rule of thumb as if it had been seen in some more."""
        thumb = (self.prices[first] - self.prices[other]) / (4 * self.spread.scale)  # as `_gains` sees small gaps
        share = worlds / (worlds + WORLDS_BY_THUMB)
        return share * mean + (1 - share) * thumb, share * error

    # --- One world ---------------------------------------------------------------------------------

    def _play_out(self, world: Game, node: Node) -> list[float]:
        """Down the tree, one step beyond it, and on by the hunch; what everybody gains is noted on the way."""
        guess, me, young = self.hunch.guess, self.me, self.hunch.searched_after
        left, turn, pause = self.hunch.horizon, self.hunch.turn, self.hunch.pause
        walked: list[tuple[int, Arm]] = []
        new = False
        while (question := world.question) is not None and left > 0 and question.options != pause and not new:
            new = node.visits < young
            node.visits += 1
            choices: list[int] = []
            chosen: list[Option] = []
            for seat in question.seats:
                options = world.options(seat)
                choice = guess(world, seat, options) if new else self.select(node, world, seat)
                choices.append(choice)
                chosen.append(options[choice])
                walked.append((seat, node.arms.setdefault((seat, options[choice]), Arm())))
            world.answer(*choices)
            left -= 1
            node = node.children.setdefault(tuple(chosen), Node())
        while (question := world.question) is not None and question.options != pause:
            if left <= 0 and ((question.options == turn and me in question.seats) or left < -PATIENCE):
                break
            world.answer(*[guess(world, seat, world.options(seat)) for seat in question.seats])
            left -= 1
        gains = self._gains(world)
        for seat, arm in walked:
            arm.visits += 1
            arm.total += gains[seat]
        return gains

    def select(self, node: Node, world: Game, seat: int) -> int:
        """The most promising of the options tried here; another one when these were tried often enough."""
        options = world.options(seat)
        tried: list[tuple[int, Arm]] = []
        untried: list[int] = []
        for index, option in enumerate(options):
            arm = node.arms.get((seat, option))
            if arm is None or not arm.visits:
                untried.append(index)
            else:
                tried.append((index, arm))
        visits = sum([arm.visits for _, arm in tried])
        if untried and len(tried) <= WIDEN * math.sqrt(visits):
            choice = self.hunch.guess(world, seat, options)
            return choice if choice in untried else untried[int(self.random.random() * len(untried))]
        curiosity = EXPLORE * math.sqrt(math.log(visits + 1))
        return max(tried, key=lambda at: at[1].total / at[1].visits + curiosity / math.sqrt(at[1].visits))[0]

    def _gains(self, world: Game) -> list[float]:
        """Per seat the share of the others it beats, softened by how far apart the scores are."""
        outcome = world.outcome
        scores = self.hunch.judge(world) if outcome is None else outcome.scores
        seats, sign, spread = range(world.seats), self.sign, self.spread
        spread.scores.append(scores)
        usual, scale = spread.usual or spread.scores[0], spread.scale
        gains = []
        for seat in seats:
            gain = 0.0
            for other in seats:
                if other != seat:
                    margin = sign * (scores[seat] - scores[other])
                    gap = margin - sign * (usual[seat] - usual[other])
                    soft = 0.5 + 0.5 * math.tanh(gap / scale / 2)
                    if outcome is not None:
                        won = 0.5 if not margin else 1.0 if margin > 0 else 0.0
                        soft += VICTORY * (won - soft)
                    gain += soft
            gains.append(gain / (world.seats - 1))
        return gains


class Others:
    """What other seats answer to the very question that is put to us, unseen by us; mostly nobody is asked."""

    def __init__(self, search: Search) -> None:
        self.search, self.me = search, search.me
        self.place = 0
        self.node = Node()
        self.advised: dict[int, int | None] = {}
        self.answered: list[tuple[int, Arm]] = []

    def answers_in(self, world: Game) -> list[int]:
        """One answer for each seat asked; ours is to be filled in at `place`."""
        question = world.question
        assert question is not None
        self.place = question.seats.index(self.me)
        self.answered = []
        return [0 if seat == self.me else self._answer(world, seat) for seat in question.seats]

    def _answer(self, world: Game, seat: int) -> int:
        search = self.search
        if seat not in self.advised:
            self.advised[seat] = search.advise(*as_sent(world, seat)) if search.advise is not None else None
        advised = self.advised[seat]
        options = world.options(seat)
        if advised is not None and advised < len(options) and search.random.random() < TRUST:
            choice = advised
        else:
            choice = search.select(self.node, world, seat)
        self.answered.append((seat, self.node.arms.setdefault((seat, options[choice]), Arm())))
        return choice

    def learn(self, gains: list[float]) -> None:
        """What came of their answers, against one of ours."""
        for seat, arm in self.answered:
            arm.visits += 1
            arm.total += gains[seat]


class Spread:
    """What is usual in this decision, and how far results lie apart: a large lead is one that is large here."""

    def __init__(self) -> None:
        self.usual: list[float] = []
        self.scale = 5.0  # a guess
        self.scores: list[Sequence[float]] = []

    def take_in(self) -> None:
        """Between two worlds, so that in one world all are measured alike."""
        count = len(self.scores)
        if count < SCORES_ENOUGH:
            self.usual = [sum(column) / count for column in zip(*self.scores, strict=True)]
            squares = [(row[0] - self.usual[0] - row[-1] + self.usual[-1]) ** 2 for row in self.scores]
            self.scale = max(1.0, math.sqrt(sum(squares) / count))


def still_racing(racing: list[int], rewards: list[list[float]]) -> list[int]:
    """Without those who are clearly behind the leader; looked at after every second world.

    The last rival stays until there is no doubt: the time would be of no other use.
    """
    worlds = len(rewards[racing[0]])
    if worlds < WORLDS_BEFORE_RACE or worlds % 2:
        return racing
    leader = max(racing, key=lambda racer: sum(rewards[racer]))
    behind = {}
    for racer in racing:
        if racer != leader:
            mean, error = difference(rewards[leader], rewards[racer])
            behind[racer] = mean / error
    nearest = min(behind, key=behind.__getitem__)
    return [
        racer
        for racer in racing
        if racer == leader or behind[racer] < (BEYOND_DOUBT if racer == nearest else BEHIND)
    ]


def difference(one: list[float], other: list[float]) -> tuple[float, float]:
    """By how much one is better in the same worlds, and the standard error of that."""
    gaps = [mine - yours for mine, yours in zip(one, other, strict=False)]
    count = len(gaps)
    if count < 3:
        return 0.0, 1.0
    mean = sum(gaps) / count
    variance = sum([(gap - mean) ** 2 for gap in gaps]) / (count - 1)
    return mean, math.sqrt((variance + DOUBT**2) / count)


def as_sent(world: Game, seat: int) -> tuple[Any, list[Any]]:
    """View and options of a seat as its bot would get them."""
    view, options = msgpack.unpackb(msgpack.packb([world.view(seat), world.options(seat)]))
    return view, options
