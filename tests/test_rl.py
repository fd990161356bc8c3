"""The environment passes PettingZoo's own tests, shows nothing a seat may not see, and playouts are honest."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from arena.games import GAMES
from arena.rl import MOST_OPTIONS, ArenaEnv, Layout, describe, playouts

with warnings.catch_warnings():  # its tests import one of its own environments in a way it calls old
    warnings.simplefilter("ignore")
    from pettingzoo.test import api_test, render_test, seed_test

TABLES = [(name, seats) for name, game in GAMES.items() for seats in game.seats_allowed]


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """PettingZoo warns of observations that are a Dict, which is its own convention for action masks."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module="pettingzoo")
        warnings.filterwarnings("ignore", module="gymnasium")
        yield


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_pettingzoo_accepts_the_environment(game: str, seats: int, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(ArenaEnv(game, seats), num_cycles=60)
    seed_test(lambda: ArenaEnv(game, seats), num_cycles=20)
    render_test(lambda render_mode: ArenaEnv(game, seats, render_mode=render_mode))
    capsys.readouterr()


def play(env: ArenaEnv, seed: int) -> list[bytes]:
    chooser, seen = Random(seed), []
    env.reset(seed)
    for agent in env.agent_iter():
        observation, _, over, _, _ = env.last()
        seen.append(b"".join(part.tobytes() for part in observation.values()))
        open_rows = np.flatnonzero(observation["action_mask"])
        env.step(None if over else int(chooser.choice(open_rows)))
        assert agent in env.possible_agents
    return seen


@pytest.mark.parametrize("game", GAMES)
def test_a_seed_settles_the_whole_game(game: str) -> None:
    env = ArenaEnv(game)
    first = play(env, 5)
    assert first == play(env, 5)
    assert first != play(env, 6)


@pytest.mark.parametrize("game", GAMES)
def test_rewards_come_at_the_end_and_sum_to_nothing(game: str) -> None:
    env = ArenaEnv(game, 3)
    env.reset(1)
    while env.table.question is not None:
        assert not any(env.rewards.values())
        env.step(0)
    assert sum(env.rewards.values()) == pytest.approx(0)
    assert all(env.terminations.values())
    best = env.table.outcome.ranks.index(1)
    assert env.rewards[f"seat_{best}"] == max(env.rewards.values())


def test_what_a_seat_cannot_see_changes_no_observation() -> None:
    env = ArenaEnv("sheepzzz")
    env.reset(3)
    before = env.observe("seat_0")
    hand, deck = env.table.hands[1], env.table.deck
    hand.cards[0], deck.cards[0] = deck.cards[0], hand.cards[0]
    after = env.observe("seat_0")
    assert all((before[key] == after[key]).all() for key in before)


def test_an_action_outside_the_mask_is_refused_with_a_sentence() -> None:
    env = ArenaEnv("sheepzzz")
    env.reset(3)
    with pytest.raises(ValueError, match="action mask allows 0 to 1"):
        env.step(2)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_description_names_every_number_of_an_observation(game: str, seats: int) -> None:
    layout = Layout(GAMES[game], seats, None)
    table = ArenaEnv(game, seats)
    table.reset(1)
    assert len(layout.encode(table.table.view(0))) == layout.size == sum(size for _, size, _ in layout.parts)
    told = describe(GAMES[game], seats)
    assert all(name in told for name, _, _ in layout.parts)
    assert f"action_mask: {MOST_OPTIONS}" in told


def test_variants_are_played_as_given() -> None:
    env = ArenaEnv("sheepzzz", variant={"target": 1})
    env.reset(1)
    while env.table.question is not None:
        env.step(0)
    assert env.table.round == 1


def test_playouts_play_the_policy_at_every_seat() -> None:
    chooser = Random(1)
    outcomes = list(
        playouts(GAMES["wolfpack"], lambda _, __, options: chooser.randrange(len(options)), 5, seats=3)
    )
    assert len(outcomes) == 5
    assert all(len(outcome.ranks) == 3 for outcome in outcomes)
    assert len({outcome.scores for outcome in outcomes}) > 1
