"""How many games a true order takes, how often intervals hold the truth, and how often a duel errs.

    python -m bench.ranking [--repetitions N]

P15  games until the mean Kendall tau is .95: 16 bots, 4 seats, four fifths of the luck come with the deal
     ours is an open ladder as it is run: duplicate deals, tables by what is least certain, Bradley-Terry
     the peers rate the same bots at random tables on random seats and fresh deals
Chance is seeded: the same version prints the same figures.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np

from bench.goals import tell
from ladders.duel import DuelSettings, expected_score, judge
from ladders.formats import Entry
from ladders.formats.open import Open, OpenOptions
from ladders.ledger import Floats, Ints, Ledger
from ladders.ratings import RatingSettings, live_elo
from ladders.ratings.bradley_terry import fit
from ladders.ratings.distributions import margin
from tests.ladders.luck import World

GOAL = 0.95
SHARE = 0.8
OURS_AT = list(range(240, 1441, 60))
PEERS_AT = list(range(480, 5281, 240))
SLOW_REPETITIONS = 10


def kendall(values: Sequence[float], truth: Floats) -> float:
    found = np.asarray(values)
    agree = np.sign(found[:, None] - found) * np.sign(truth[:, None] - truth)
    return float(agree.sum() / (len(truth) * (len(truth) - 1)))


# --- Ratings of growing ladders -----------------------------------------------------------------------------

Curve = Callable[[World], list[float]]
"""Kendall tau at each checkpoint of one repetition."""


def batch(rows: Ints, world: World, checkpoints: Sequence[int]) -> list[float]:
    prefixes = (Ledger.from_rows(rows[: games * world.size], world.names) for games in checkpoints)
    return [kendall(list(fit(ledger).theta), world.skills) for ledger in prefixes]


def open_ladder(world: World) -> list[float]:
    bots = list(world.names.values())
    ladder = Open([Entry(bot) for bot in bots], world.size, OpenOptions(), b"%032d" % world.seed)
    blocks, taus = [], []
    for number in range(OURS_AT[-1] // world.size):
        table = ladder.next_table()
        assert table is not None
        blocks.append(world.block(number, [bots.index(bot) for bot in table]))
        ladder.played(blocks[-1])
        if world.size * len(blocks) in OURS_AT:
            taus.append(kendall(list(fit(Ledger.of(blocks)).theta), world.skills))
    return taus


def duplicate_deals(world: World) -> list[float]:
    return batch(world.williams(OURS_AT[-1] // world.size), world, OURS_AT)


def batch_on_random_seats(world: World) -> list[float]:
    return batch(world.random_seats(PEERS_AT[-1]), world, PEERS_AT)


def sequential_elo(settings: RatingSettings) -> Curve:
    def curve(world: World) -> list[float]:
        ledger = Ledger.from_rows(world.random_seats(PEERS_AT[-1]), world.names)
        history = live_elo.play(ledger, settings).history
        taus = []
        for games in PEERS_AT:
            now = [next((r for n, r in reversed(history[bot]) if n < games), settings.base) for bot in ledger.bots]
            taus.append(kendall(now, world.skills))
        return taus

    return curve


def openskill(**settings: Any) -> Curve:
    def curve(world: World) -> list[float]:
        from openskill.models import PlackettLuce

        model = PlackettLuce(**settings)
        ratings = [model.rating() for _ in range(world.bots)]
        rows = world.random_seats(PEERS_AT[-1]).reshape(-1, world.size, 7)
        taus = []
        for game, match in enumerate(rows.tolist(), start=1):
            table = [row[3] for row in match]
            after = model.rate([[ratings[bot]] for bot in table], ranks=[row[4] for row in match])
            for bot, (rating,) in zip(table, after, strict=True):
                ratings[bot] = rating
            if game in PEERS_AT:
                taus.append(kendall([rating.mu for rating in ratings], world.skills))
        return taus

    return curve


def games_to_the_goal(curve: Curve, checkpoints: Sequence[int], repetitions: int) -> tuple[float | None, float]:
    """Where the mean curve meets the goal, and the highest it gets."""
    taus = np.mean([curve(World(share=SHARE, seed=seed)) for seed in range(repetitions)], axis=0)
    above = np.flatnonzero(taus >= GOAL)
    if not len(above):
        return None, float(taus.max())
    at = int(above[0])
    if at == 0:
        return float(checkpoints[0]), float(taus.max())
    part = (GOAL - taus[at - 1]) / (taus[at] - taus[at - 1])
    return checkpoints[at - 1] + part * (checkpoints[at] - checkpoints[at - 1]), float(taus.max())


def ranking(repetitions: int) -> None:
    tuned = RatingSettings(live_gain=700, live_offset=7)  # a game is a block of its own: 700 / (n + 8)
    beta = 25 / 6
    entries: list[tuple[str, Curve, Sequence[int], int]] = [
        ("ours: open ladder", open_ladder, OURS_AT, repetitions),
        ("tuned Elo 700/(n+8), random seats", sequential_elo(tuned), PEERS_AT, repetitions),
        ("Bradley-Terry, duplicate deals, random tables", duplicate_deals, OURS_AT, repetitions),
        ("Bradley-Terry, random seats", batch_on_random_seats, PEERS_AT, SLOW_REPETITIONS),
        ("Elo K=16, random seats", sequential_elo(RatingSettings(constant_k=16)), PEERS_AT, SLOW_REPETITIONS),
        ("Elo K=32, random seats", sequential_elo(RatingSettings(constant_k=32)), PEERS_AT, SLOW_REPETITIONS),
    ]
    try:
        import openskill as found  # noqa: F401
    except ImportError:
        print("openskill is not installed and left out. Try: pip install -e '.[bench]'")
    else:
        entries += [
            ("openskill PL as it comes, random seats", openskill(), PEERS_AT, SLOW_REPETITIONS),
            ("openskill PL tau 0, beta x 16", openskill(tau=0.0, beta=16 * beta), PEERS_AT, SLOW_REPETITIONS),
        ]
    print(f"{'games until Kendall tau .95 (16 bots, 4 seats)':<50}{'games':>8}{'best tau':>10}{'runs':>6}")
    needed: dict[str, float | None] = {}
    for name, curve, checkpoints, runs in entries:
        needed[name], best = games_to_the_goal(curve, checkpoints, runs)
        games = needed[name]
        print(f"{name:<50}{'never' if games is None else f'{games:,.0f}':>8}{best:>10.3f}{runs:>6}", flush=True)
    mine, peer = needed[entries[0][0]], needed[entries[1][0]]
    if mine is None or peer is None:
        raise SystemExit("P15  the goal was not reached at all")
    tell("P15", mine / peer, f"{mine:,.0f} games, {peer:,.0f} games; goal <= 900")


# --- Duels ----------------------------------------------------------------------------------------------------


def duel_blocks(world: World, lead: float, blocks: int) -> Floats:
    """Scores of mirror blocks in which B is better by this lead."""
    arrangement = world.chance.rand(blocks, world.size).argsort(axis=1)
    is_b = arrangement < world.size // 2
    sides = np.stack([is_b, ~is_b], axis=1)  # block, match, seat
    scores = world.scores(lead * sides.astype(np.float64))
    wins = scores[..., :, None] > scores[..., None, :]
    met = sides[..., :, None] & ~sides[..., None, :]
    return np.asarray(((wins & met).sum(axis=(2, 3)) / met.sum(axis=(2, 3))).mean(axis=1))


def lead_worth(world: World, score: float) -> float:
    """By how much B's skill must be above A's for this expected pair score."""
    seats = world.seat_values()
    cdf = NormalDist(0, math.sqrt(2)).cdf
    gaps = [one - other for at, one in enumerate(seats) for over, other in enumerate(seats) if at != over]
    low, high = -3.0, 3.0
    for _ in range(60):
        middle = (low + high) / 2
        if sum(cdf(middle + gap) for gap in gaps) / len(gaps) < score:
            low = middle
        else:
            high = middle
    return low


def one_by_one(world: World, lead: float, settings: DuelSettings) -> tuple[str, int]:
    scores = duel_blocks(world, lead, 500)
    while not (verdict := judge(scores.tolist(), settings)).over:
        scores = np.concatenate([scores, duel_blocks(world, lead, len(scores))])
    return verdict.decision, verdict.blocks


def duels(runs: int) -> None:
    settings = DuelSettings()
    print(f"duels, 0 against 20 Elo, 5 % errors asked for, {runs} runs each; goal: both <= 6 %")
    print(
        f"{'seats':<8}{'luck share':>12}{'passes at 0':>14}{'fails at 20':>14}{'undecided':>12}{'games at 0':>12}"
    )
    for share in (0.3, 0.8):
        for size in range(2, 7):
            world = World(size=size, share=share, seed=size)
            lead = lead_worth(world, expected_score(settings.elo1))
            worse = [one_by_one(world, 0.0, settings) for _ in range(runs)]
            better = [one_by_one(world, lead, settings) for _ in range(runs)]
            passes = sum(decision == "pass" for decision, _ in worse) / runs
            fails = sum(decision == "fail" for decision, _ in better) / runs
            given_up = sum(decision == "inconclusive" for decision, _ in worse + better)
            games = 2 * sum(blocks for _, blocks in worse) / runs
            print(f"{size:<8}{share:>12}{passes:>14.1%}{fails:>14.1%}{given_up:>12}{games:>12,.0f}", flush=True)


# --- Intervals ------------------------------------------------------------------------------------------------


def covered(world: World, blocks: int, repetitions: int) -> Iterator[Floats]:
    truth = world.truth()
    for _ in range(repetitions):
        fitted = fit(world.ledger(blocks))
        played = zip(fitted.errors(), fitted.blocks.tolist(), strict=True)
        margins = np.array([margin(error, n) or 0.0 for error, n in played])
        yield (np.abs(fitted.elo - fitted.elo.mean() - truth) <= margins).astype(np.float64)


def coverage(repetitions: int) -> None:
    print(f"\n95 % intervals that hold the truth, 12 bots, {repetitions} ladders each; goal 93-97 %")
    print(f"{'seats':<8}{'luck share':>12}{'blocks':>10}{'covered':>10}")
    for size, share, blocks in [
        (2, 0.5, 120),
        (3, 0.8, 60),
        (4, 0.0, 120),
        (4, 0.8, 30),
        (4, 0.8, 120),
        (6, 0.8, 60),
    ]:
        world = World(bots=12, size=size, share=share, seed=size)
        held = float(np.mean(list(covered(world, blocks, repetitions))))
        print(f"{size:<8}{share:>12}{blocks:>10}{held:>10.1%}", flush=True)


# --- What duplicate deals are worth on a real table -----------------------------------------------------------


def real_game(deals: int) -> None:
    """A ladder of sample bots as it is run; below 1, playing a deal in every seating saves games."""
    ladder = (
        'game = "sheepzzz"\nname = "worth"\nseats = 3\nbots = ["shepherd", "greedy", "first", "random"]\n'
        f"[schedule]\ndeals = {deals}\nsame_owner = true\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "worth.toml").write_text(ladder, "utf-8")
        words = [sys.executable, "-m", "arena", "ladder", "run", "worth.toml", "--json"]
        ran = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True)
    head = json.loads(ran.stdout.splitlines()[-1])["divisions"][0]["head"]
    effect = head["design_effect"]
    print(f"\nSheepZzz, 3 seats, sample bots, {head['games']} games: design effect {effect['value']:.2f}", end="")
    print(f": one game is worth {1 / effect['value']:.2f} independent ones")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=100)
    repetitions = parser.parse_args().repetitions
    ranking(repetitions)
    duels(10 * repetitions)
    coverage(3 * repetitions)
    real_game(deals=40)


if __name__ == "__main__":
    main()
