"""The nearest games of other engines, driven from Python as ours are; whatever is not installed is left out."""

from __future__ import annotations

import math
import random
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Peer:
    """Another engine's game: `play(seed)` plays one random game and counts its decisions, or other units."""

    name: str
    like: str  # which of our figures it is compared with
    goal: str  # by its number in bench/goals.py
    play: Callable[[int], int]
    unit: str = "decisions"


def found() -> Iterator[Peer]:
    """Every peer that is installed here."""
    yield from _open_spiel()
    yield from _rlcard()
    yield from _pettingzoo()


def _open_spiel() -> Iterator[Peer]:
    try:
        import pyspiel
    except ImportError:
        print("  OpenSpiel is not installed")
        return

    def go_on(state: Any, rng: random.Random, until: float = math.inf) -> int:
        """Random play, until so many decisions and whatever chance follows them are made."""
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
            elif decisions >= until:
                break
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(rng.random() * len(actions))])
                decisions += 1
        return decisions

    def player(name: str) -> Callable[[int], int]:
        game = pyspiel.load_game(name)
        return lambda seed: go_on(game.new_initial_state(), random.Random(seed))

    def guesser(name: str) -> Callable[[int], int]:
        middle = pyspiel.load_game(name).new_initial_state()
        go_on(middle, random.Random(7), until=30)

        def play(seed: int) -> int:
            rng = random.Random(seed)
            go_on(middle.resample_from_infostate(middle.current_player(), rng.random), rng)
            return 1

        return play

    for name in ("crazy_eights", "hearts", "gin_rummy", "skat"):
        yield Peer(f"OpenSpiel {name}", "random", "P8", player(name))
    yield Peer("OpenSpiel gin_rummy, resample + playout", "imagined", "P10", guesser("gin_rummy"), "playouts")


def _rlcard() -> Iterator[Peer]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import rlcard
    except ImportError:
        print("  RLCard is not installed")
        return

    def player(name: str) -> Callable[[int], int]:
        env = rlcard.make(name, config={"seed": 1})

        def play(seed: int) -> int:
            rng = random.Random(seed)
            state, _ = env.reset()
            decisions = 0
            while not env.is_over():
                state, _ = env.step(rng.choice(list(state["legal_actions"])))
                decisions += 1
            return decisions

        return play

    yield Peer("RLCard uno, with observation", "refereed", "P9a", player("uno"))


def _pettingzoo() -> Iterator[Peer]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pettingzoo.classic import texas_holdem_v4
    except ImportError:
        print("  PettingZoo's classic games are not installed")
        return
    env = texas_holdem_v4.env()

    def play(seed: int) -> int:
        rng = random.Random(seed)
        env.reset(seed=seed)
        decisions = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            mask = observation["action_mask"]
            env.step(rng.choice([action for action, legal in enumerate(mask) if legal]))
            decisions += 1
        return decisions

    yield Peer("PettingZoo texas hold'em", "refereed", "P9b", play)
