"""The game contract, on every registered game at every table size, and on every option at least once.

With `ARENA_SOAK=100` a hundred thousand positions of each game and table size, ten thousand of each option.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.contract.positions import check_game
from arena.game import Game
from arena.games import GAMES
from arena.variants import Variant
from tests.contracts.tiny import Magpie
from tests.contracts.variants_of import other_variants

SOAK = int(os.environ.get("ARENA_SOAK", "1"))
POSITIONS = 1_000 * SOAK
ROOT = Path(__file__).parents[2]

TABLES = [(game, seats) for game in (*GAMES.values(), Magpie) for seats in game.seats_allowed]
VARIANTS = [
    pytest.param(game, name, variant, id=f"{game.name}-{name}")
    for game in GAMES.values()
    for name, variant in other_variants(game)
]


@pytest.mark.parametrize(("game", "seats"), TABLES, ids=[f"{game.name}-{seats}" for game, seats in TABLES])
def test_a_game_keeps_the_contract(game: type[Game], seats: int) -> None:
    positions = max(POSITIONS, 2_000 if game.name == "sheepzzz" else 0)
    assert check_game(game, seats, positions=positions).twin_positions >= positions


@pytest.mark.parametrize(("game", "name", "variant"), VARIANTS)
def test_every_option_keeps_the_contract(game: type[Game], name: str, variant: Variant) -> None:
    sizes = list(game.seats_allowed)
    seats = sizes[sum(map(ord, name)) % len(sizes)]
    positions = max(POSITIONS // 10, 200)
    assert check_game(game, seats, variant, positions=positions, seed=name).twin_positions >= positions


def test_a_game_sends_the_same_bytes_in_every_process() -> None:
    """Sets and hashes differ from process to process; nothing that is sent may follow them."""
    assert transcripts("1") == transcripts("2")


def transcripts(hash_seed: str, names: str = "registered") -> str:
    command = [sys.executable, "-m", "tests.contracts.transcripts", names]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return ran.stdout
