"""What the rules cost: random games, views, copies and imagined worlds, beside their peers in the same run.

    python -m bench.rules [--rounds N] [--plain]

Processor time, not wall time; every figure is the median of interleaved rounds.  Read the ratios.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable

from arena.chance import FastChance
from arena.game import Game
from arena.games import GAMES
from arena.showing import COMPILED
from bench import peers, plain_sheepzzz
from bench.forms import FORM, in_its_form, offer_both
from bench.goals import tell
from protocol.codec import CODECS, Packed

SLICE_S = 0.25


def random_game(game: type[Game], seats: int, seed: int) -> int:
    """One random game; the number of decisions."""
    return play_on(game(seats, None, FastChance(seed)), random.Random(seed).random)


def play_on(table: Game, draw: Callable[[], float]) -> int:
    """Random play to the end; the number of decisions."""
    decisions = 0
    options, answer = table.options, table.answer
    while (question := table.question) is not None:
        asked = question.seats
        decisions += len(asked)
        if len(asked) == 1:
            answer(int(draw() * len(options(asked[0]))))
        else:
            answer(*[int(draw() * len(options(seat))) for seat in asked])
    return decisions


def refereed_game(game: type[Game], seats: int, seed: int, pack: Callable[[dict[str, object]], bytes]) -> int:
    """The same with what a referee does at every decision (`Match._ask`): options, view, encoding."""
    draw = random.Random(seed).random
    table = game(seats, None, FastChance(seed))
    options, packed_view, view, answer = table.options, table.packed_view, table.view, table.answer
    decisions = 0
    while (question := table.question) is not None:
        choices = []
        for seat in question.seats:
            offered = options(seat)
            pack({"view": Packed(packed_view(seat)) if COMPILED else view(seat), "options": offered})
            choices.append(int(draw() * len(offered)))
        decisions += len(choices)
        answer(*choices)
    return decisions


def imagined_playout(view: dict[str, object], game: type[Game], seed: int) -> int:
    """A world that could stand behind the view, played at random to its end: one playout."""
    play_on(game.imagine(view, FastChance(seed)), random.Random(seed).random)
    return 1


def rate(play: Callable[[int], int]) -> float:
    """Decisions, or whatever is counted, per second over one slice of time."""
    counted, seed, began = 0, 0, time.process_time()
    while (spent := time.process_time() - began) < SLICE_S:
        counted += play(seed)
        seed += 1
    return counted / spent


def cost_us(act: Callable[[], object]) -> float:
    """Microseconds of one call."""
    count, began = 0, time.process_time()
    while (spent := time.process_time() - began) < SLICE_S / 2:
        for _ in range(20):
            act()
        count += 20
    return spent / count * 1e6


def interleaved(measures: dict[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """The median of every measure, taken in turns so that noise falls on all alike."""
    seen: dict[str, list[float]] = {name: [] for name in measures}
    for _ in range(rounds):
        for name, measure in measures.items():
            seen[name].append(measure())
    return {name: statistics.median(values) for name, values in seen.items()}


def mid_game(game: type[Game], seats: int) -> Game:
    """A position thirty decisions in."""
    table = game(seats, None, FastChance(7))
    for _ in range(30):
        assert table.question is not None
        table.answer(*[table.stand_in(seat, table.options(seat)) for seat in table.question.seats])
    return table


def measures_of(game: type[Game]) -> dict[str, Callable[[], float]]:
    """What is measured of one rulebook, by name."""
    seats = min(4, game.seats_allowed[-1])
    table = mid_game(game, seats)
    assert table.question is not None
    view = table.view(table.question.seats[0])
    chance = FastChance(1)
    pack = CODECS["msgpack"].pack_request
    return {
        f"{game.name} random": lambda: rate(lambda seed: random_game(game, seats, seed)),
        f"{game.name} refereed": lambda: rate(lambda seed: refereed_game(game, seats, seed, pack)),
        f"{game.name} imagined": lambda: rate(lambda seed: imagined_playout(view, game, seed)),
        f"{game.name} view": lambda: cost_us(lambda: table.view(0)),
        f"{game.name} copy": lambda: cost_us(table.copy),
        f"{game.name} imagine": lambda: cost_us(lambda: game.imagine(view, chance)),
    }


def report(game: type[Game], got: dict[str, float]) -> None:
    seats = min(4, game.seats_allowed[-1])
    random_rate, refereed, playouts, view, copy, imagine = (
        got[f"{game.name} {what}"] for what in ("random", "refereed", "imagined", "view", "copy", "imagine")
    )
    per_game = sum(random_game(game, seats, seed) for seed in range(20)) / 20
    decision_us = 1e6 / random_rate
    print(f"\n{game.title}, {seats} seats")
    print(f"  random play        {random_rate:>10,.0f} decisions/s  {random_rate / per_game:,.0f} games/s")
    print(f"  as a referee       {refereed:>10,.0f} decisions/s  (options + view + msgpack each time)")
    print(f"  imagined playouts  {playouts:>10,.0f} /s  (imagine mid-game, random play to the end)")
    print(f"  view               {view:>10.1f} µs  {view / decision_us:.2f} decisions")
    print(f"  copy               {copy:>10.1f} µs  {copy / decision_us:.2f} decisions, goal < 3")
    print(f"  imagine            {imagine:>10.1f} µs  {imagine / decision_us:.2f} decisions, goal < 15")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    offer_both(parser)
    options = parser.parse_args()
    in_its_form("rules", options.plain)
    rounds = options.rounds
    others = list(peers.found())
    measures = {name: measure for game in GAMES.values() for name, measure in measures_of(game).items()}
    measures["plain"] = lambda: rate(lambda seed: plain_sheepzzz.play(4, seed))
    for peer in others:
        measures[peer.name] = lambda play=peer.play: rate(play)  # type: ignore[misc]
    got = interleaved(measures, rounds)
    print(f"\nThe rules, {FORM}")
    for game in GAMES.values():
        report(game, got)
    plain = got["plain"]
    share = got["sheepzzz random"] / plain
    print(f"\nPlain state machine of SheepZzz {plain:,.0f} decisions/s: ours is {share:.2f} of it, goal >= 0.3")
    for peer in others:
        ours = "  ".join(f"{name} {got[f'{name} {peer.like}'] / got[peer.name]:.1f}x" for name in GAMES)
        print(f"{peer.name:<48}{got[peer.name]:>10,.0f} {peer.unit}/s   ours: {ours}")
    for peer in others:
        ratios = {name: got[f"{name} {peer.like}"] / got[peer.name] for name in GAMES}
        worst = "sheepzzz" if peer.goal == "P10" else min(ratios, key=ratios.__getitem__)
        tell(peer.goal, ratios[worst], f"{worst} / {peer.name}")


if __name__ == "__main__":
    main()
