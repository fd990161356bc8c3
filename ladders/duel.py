"""The duel: is version B better than version A?  A sequential test on blocks, with stated error rates.

Two matches on one deal make a block: some seats hold B and the others A, then every seat is swapped.  The
test looks at blocks, never at single games, and stops as soon as it can.  It decides; it does not measure: at
the moment it stops the score is biased outwards, so numbers are taken from a ladder.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ladders.ratings.distributions import Z95, normal_cdf

_NELO = 800 / math.log(10)
_STEADY = 1e-9
"""Below this variance blocks are taken to agree."""

MOST_ELO = 4_000
"""Beyond this all scores are 0 or 1, as far as numbers can tell."""

Side = Literal["A", "B", ""]
Seating = tuple[Side, ...]


def expected_score(elo: float) -> float:
    """Of a bot so many Elo stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """The way back; infinite for none or all."""
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return -400 * math.log10(1 / score - 1)


# --- Who sits where, and what it says --------------------------------------------------------------------


def mirror(arrangement: Sequence[int]) -> tuple[Seating, Seating]:
    """The two seatings of a block; the arrangement is a random order of the seats, half of them are B's first."""
    copies = set(arrangement[: len(arrangement) // 2])
    first: Seating = tuple("B" if seat in copies else "A" for seat in range(len(arrangement)))
    return first, tuple("A" if side == "B" else "B" for side in first)


def block_score(seatings: Sequence[Sequence[Side]], places: Sequence[Sequence[int]]) -> float:
    """B's mean score over A: the mean over matches of the mean over all pairs of a B and an A, a tie being half.

    A seat that holds neither (others at the table) has the side "".  Whoever forfeited has the last place.
    """
    return math.fsum(map(_match_score, seatings, places)) / len(seatings)


def _match_score(sides: Sequence[Side], places: Sequence[int]) -> float:
    ours = [place for side, place in zip(sides, places, strict=True) if side == "B"]
    theirs = [place for side, place in zip(sides, places, strict=True) if side == "A"]
    if not ours or not theirs:
        raise ValueError("a match of a duel needs A and B at the table")
    half_wins = sum((mine < other) + (mine <= other) for mine in ours for other in theirs)
    return half_wins / (2 * len(ours) * len(theirs))


# --- The test ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DuelSettings:
    """What is asked, and how often the answer may be wrong."""

    elo0: float = 0.0
    """If B is no more than this better, it should fail …"""

    elo1: float = 20.0
    """… and if it is this much better, it should pass."""

    alpha: float = 0.05
    """How often a B worth elo0 may pass."""

    beta: float = 0.05
    """How often a B worth elo1 may fail."""

    least_blocks: int = 16
    most_blocks: int | None = None
    """Where to give up; without it, at ten times the expected number."""

    normalised: bool = False
    """Whether elo0 and elo1 are in units of the spread of a game, which makes all games alike."""

    games_per_block: int = 2

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 must be below elo1, not {self.elo0:g} and {self.elo1:g}")
        if not -MOST_ELO <= self.elo0 < self.elo1 <= MOST_ELO:
            raise ValueError(f"elo0 and elo1 must be within {-MOST_ELO} and {MOST_ELO}")
        if expected_score(self.elo0) == expected_score(self.elo1):
            raise ValueError("elo0 and elo1 are too close: no number of blocks could tell them apart")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("alpha and beta are chances of an error, between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """Below the first B fails, above the second it passes."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, blocks: int, mean: float, variance: float) -> float:
        """The log-likelihood ratio of elo1 over elo0 after so many blocks."""
        if blocks == 0:
            return 0.0
        variance = _lively(variance, blocks)
        if self.normalised:
            t = (mean - 0.5) / math.sqrt(variance)
            return gsprt(blocks, t, 1.0, self._t(self.elo0), self._t(self.elo1))
        return gsprt(blocks, mean, variance, expected_score(self.elo0), expected_score(self.elo1))

    def expected_blocks(self, variance: float, halfway: bool = False) -> float:
        """How long a test takes if B is worth elo0 or elo1, or half-way, at this variance of a block."""
        lower, upper = self.bounds
        at_elo0 = 2 * ((1 - self.alpha) * -lower - self.alpha * upper)
        at_elo1 = 2 * ((1 - self.beta) * upper + self.beta * lower)
        if self.normalised:
            steps = (self._t(self.elo1) - self._t(self.elo0)) ** 2
        else:
            steps = (expected_score(self.elo1) - expected_score(self.elo0)) ** 2 / variance
        return (-lower * upper if halfway else max(at_elo0, at_elo1)) / steps

    def fitted(self, chances: Sequence[float], elo: float) -> list[float]:
        """The likeliest chances of the outcomes if B were worth exactly this."""
        values = _outcomes(len(chances))
        if not self.normalised:
            return _reweighted(chances, [value - expected_score(elo) for value in values])
        # The spread changes with the chances: go round until they agree (as fishtest does).
        t, found = self._t(elo), [1 / len(chances)] * len(chances)
        for _ in range(100):
            before = found
            mean, variance = _moments_of(found, values)
            spread = math.sqrt(variance)
            off = [x - 0.5 - t * spread * (1 + (x - mean) ** 2 / variance) / 2 for x in values]
            found = _reweighted(chances, off)
            if max(abs(old - new) for old, new in zip(before, found, strict=True)) < 1e-12:
                break
        return found

    def _t(self, nelo: float) -> float:
        return nelo / _NELO * math.sqrt(self.games_per_block)


def gsprt(count: int, mean: float, variance: float, mean0: float, mean1: float) -> float:
    """The generalised likelihood ratio of two means when the variance is not known, in closed form."""
    return count / 2 * math.log((variance + (mean - mean0) ** 2) / (variance + (mean - mean1) ** 2))


def _lively(variance: float, count: int) -> float:
    return variance if variance >= _STEADY else 1 / (4 * (count + 1))


Decision = Literal["pass", "fail", "inconclusive", "undecided"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Where a duel stands."""

    decision: Decision
    """`pass`: take B.  `fail`: keep A.  `inconclusive`: given up.  `undecided`: play on."""

    blocks: int
    """Looked at; those after the decision do not count."""

    llr: float
    bounds: tuple[float, float]
    score: float | None
    """B's mean over A."""

    margin: float | None
    """Half of its 95 % interval, if the number of blocks had been fixed beforehand."""

    expected_blocks: float | None
    """How many blocks such a test takes in the mean if B is worth elo0 or elo1."""

    sentence: str

    @property
    def over(self) -> bool:
        """Whether there is nothing more to play."""
        return self.decision != "undecided"


def judge(scores: Sequence[float], settings: DuelSettings | None = None) -> Verdict:
    """The verdict on block scores in the order of their blocks; the first crossing of a bound counts."""
    settings = settings or DuelSettings()
    lower, upper = settings.bounds
    decision: Decision = "undecided"
    count, total, squares, llr = 0, 0.0, 0.0, 0.0
    for score in scores:
        count += 1
        total += score - 0.5
        squares += (score - 0.5) ** 2
        llr = settings.llr(count, *_moments(count, total, squares))
        if count < settings.least_blocks:
            continue
        if llr >= upper:
            decision = "pass"
        elif llr <= lower:
            decision = "fail"
        elif count >= _most_blocks(settings, count, total, squares):
            decision = "inconclusive"
        if decision != "undecided":
            break
    mean, variance = _moments(count, total, squares)
    expected = settings.expected_blocks(_lively(variance, count)) if count else None
    sentence = _sentence(decision, count, mean, expected, settings)
    margin = Z95 * math.sqrt(_lively(variance, count) / count) if count > 1 else None
    return Verdict(decision, count, llr, (lower, upper), mean if count else None, margin, expected, sentence)


def _moments(count: int, total: float, squares: float) -> tuple[float, float]:
    if count == 0:
        return 0.5, 0.0
    off = total / count
    return 0.5 + off, max(0.0, squares / count - off * off)


def _most_blocks(settings: DuelSettings, count: int, total: float, squares: float) -> float:
    if settings.most_blocks is not None:
        return settings.most_blocks
    _, variance = _moments(count, total, squares)
    return 10 * settings.expected_blocks(_lively(variance, count))


def _sentence(decision: Decision, count: int, mean: float, expected: float | None, settings: DuelSettings) -> str:
    unit = "normalised Elo" if settings.normalised else "Elo"
    after = f"after {count} blocks"
    if decision == "pass":
        return (
            f"B is better than A: it passes {after} with a score of {100 * mean:.1f} %."
            f" One {settings.elo0:g} {unit} better would pass in {100 * settings.alpha:g} % of such tests."
        )
    if decision == "fail":
        return (
            f"B is not shown to be better than A: it fails {after} with a score of {100 * mean:.1f} %."
            f" One {settings.elo1:g} {unit} better would fail in {100 * settings.beta:g} % of such tests."
        )
    if decision == "inconclusive":
        return (
            f"Inconclusive {after}: A and B are too close to tell {settings.elo0:g} from {settings.elo1:g} {unit}."
        )
    hint = f"; such a test takes about {expected:.0f}" if expected is not None and count >= 2 else ""
    return f"Undecided {after}{hint}. Play on."


# --- Tallies: outcomes that were only counted -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tally:
    """What counted outcomes of games, or of pairs of games, say; margins are 95 %."""

    score: float
    elo: float
    elo_margin: float
    nelo: float
    nelo_margin: float
    los: float


def tally(counts: Sequence[int], games_per_block: int = 1) -> Tally:
    """From losses, draws, wins; or, with two games per block, from the five results of a pair, worst first."""
    count, mean, variance = _counted(counts)
    variance = _lively(variance, count)
    error = math.sqrt(variance / count)
    nelo_per_score = _NELO / math.sqrt(games_per_block * variance)
    return Tally(
        mean,
        elo_of(mean),
        (elo_of(mean + Z95 * error) - elo_of(mean - Z95 * error)) / 2,
        (mean - 0.5) * nelo_per_score,
        Z95 * error * nelo_per_score,
        normal_cdf((mean - 0.5) / error),
    )


def tally_llr(counts: Sequence[int], settings: DuelSettings) -> float:
    """The log-likelihood ratio of counted block scores, in closed form as `judge` uses it."""
    return settings.llr(*_counted(counts))


def exact_llr(counts: Sequence[int], settings: DuelSettings) -> float:
    """The same with the chance of every outcome fitted under both hypotheses; a check of the closed form."""
    likely = [max(count, 1e-3) for count in counts]  # an outcome that was not seen is not impossible
    chances = [count / math.fsum(likely) for count in likely]
    under0, under1 = settings.fitted(chances, settings.elo0), settings.fitted(chances, settings.elo1)
    return math.fsum(n * math.log(p1 / p0) for n, p0, p1 in zip(likely, under0, under1, strict=True))


def _reweighted(chances: Sequence[float], off: Sequence[float]) -> list[float]:
    """The likeliest chances under which `off` is zero in the mean: each divided by 1 + tilt * off."""
    low, high = -1 / max(off), -1 / min(off)
    while (tilt := (low + high) / 2) not in (low, high):
        if math.fsum(p * x / (1 + tilt * x) for p, x in zip(chances, off, strict=True)) > 0:
            low = tilt
        else:
            high = tilt
    return [p / (1 + tilt * x) for p, x in zip(chances, off, strict=True)]


def _moments_of(chances: Sequence[float], values: Sequence[float]) -> tuple[float, float]:
    mean = math.fsum(p * x for p, x in zip(chances, values, strict=True))
    return mean, math.fsum(p * (x - mean) ** 2 for p, x in zip(chances, values, strict=True))


def _counted(counts: Sequence[int]) -> tuple[int, float, float]:
    count = sum(counts)
    if count == 0:
        raise ValueError("nothing was counted yet")
    return count, *_moments_of([n / count for n in counts], _outcomes(len(counts)))


def _outcomes(count: int) -> list[float]:
    return [at / (count - 1) for at in range(count)]
