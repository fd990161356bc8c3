"""The sample bots run alone, and the greedy one is worth beating."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from arena.games.sheepzzz import SheepVariant
from sample_bots.first.bot import choose as choose_first
from sample_bots.greedy.bot import choose as choose_greedily
from sample_bots.random.bot import choose as choose_by_chance
from tests.sample_bots.conversation import BYE, ROOT, request, running
from tests.sample_bots.play_in_process import play, random_but_never_takes_freely, wins

GAMES_OF = {"random": (), "first": (), "greedy": ("sheepzzz",), "shepherd": ("sheepzzz",)}

# What a greedy bot wins against 1 to 4 opponents by the strategy section of the rules page.
WON_BY_A_GREEDY_BOT = {1: 0.92, 2: 0.73, 3: 0.62, 4: 0.53}


def manifest(name: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / "sample_bots" / name / "bot.toml").read_text())


@pytest.mark.parametrize("name", GAMES_OF)
def test_manifest_names_the_bot_and_how_to_run_it(name: str) -> None:
    assert manifest(name) == {
        "name": name,
        "version": "0.1",
        "owner": "flock-arena",
        "games": list(GAMES_OF[name]),
        "run": ["python3", "bot.py"],
        "encoding": "msgpack",
    }


@pytest.mark.parametrize("encoding", ["json", "msgpack"])
@pytest.mark.parametrize("name", GAMES_OF)
def test_bot_runs_from_its_folder_alone(name: str, encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "sample_bots" / name)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    with running([sys.executable, "bot.py"], encoding) as bot:
        hello = bot.greet()
        bot.send(BYE)
        assert bot.leave() == (0, "")
    assert (hello["name"], hello.get("games", ())) == (name, GAMES_OF[name])


def test_random_bot_finds_the_module_and_not_its_own_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "sample_bots" / "random")
    with running([sys.executable, "bot.py"], "json") as bot:
        bot.greet()
        chosen = bot.choices(*[request(n, options=3) for n in range(40)])
    assert set(chosen) == {0, 1, 2}


def test_no_sample_bot_hides_a_module_when_the_kit_is_on_the_path() -> None:
    """Installed from a wheel, all of them lie beside the kit, and inside the walls that is on the path."""
    bots = [path.parent.name for path in (ROOT / "sample_bots").glob("*/bot.toml")]
    named = sorted(sys.stdlib_module_names.intersection(bots))
    assert named == ["random"]
    where = "import random; print(random.__file__)"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "sample_bots")}
    words = [sys.executable, "-c", where]
    ran = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    assert Path(ran.stdout.strip()) == Path(random.__file__)


def test_first_bot_takes_the_first() -> None:
    assert choose_first(None, [["play", "4/0", 0], ["take", 1]]) == 0


@pytest.mark.parametrize("opponents", WON_BY_A_GREEDY_BOT)
def test_greedy_bot_wins_at_least_as_often_as_the_rules_page_says(opponents: int) -> None:
    won = wins(choose_greedily, random_but_never_takes_freely, opponents, deals=30)
    assert won.rate >= WON_BY_A_GREEDY_BOT[opponents] - 3 * won.standard_error, str(won)


def test_greedy_bot_leaves_no_chance_to_chance() -> None:
    won = wins(choose_greedily, choose_by_chance, 1, deals=20)
    assert won.rate - 3 * won.standard_error >= 0.85, str(won)


@pytest.mark.parametrize(
    "options",
    [
        {"deck": "flat"},
        {"round_end": "first_hand_empty"},
        {"reverse_power": "split"},
        {"reverse_power": "designate"},
        {"eaten_ends_round": False},
        {"strict_memory": True},
    ],
    ids=str,
)
def test_greedy_bot_finds_its_way_in_every_variant(options: dict[str, Any]) -> None:
    variant = SheepVariant.read(options)
    for deal in range(4):
        assert play("sheepzzz", [choose_greedily] * 4, f"variant deal {deal}", variant).ranks.count(1) >= 1


def test_the_same_seed_gives_the_same_match() -> None:
    bots = [choose_greedily, choose_by_chance, choose_first]
    assert play("sheepzzz", bots, "again") == play("sheepzzz", bots, "again")


HAND, OTHER = ["4/0", "9/2", "14/2", "16/1", "W"], [None] * 5


def view(*piles: list[str], hand: list[str] = HAND, deck: int = 20, **more: Any) -> dict[str, Any]:
    """What seat 0 of three sees when asked for a move, unless said otherwise."""
    usual = {
        "seat": 0,
        "seats": 3,
        "deck": [None] * deck,
        "hands": [hand, OTHER, OTHER],
        "piles": list(piles),
        "taken": [[], [], []],
        "ascending": True,
        "direction": 1,
        "totals": [0, 0, 0],
        "question": {"options": "moves"},
    }
    return usual | more


def decision(seen: dict[str, Any], *options: list[Any]) -> list[Any]:
    return options[choose_greedily(seen, list(options))]


def test_greedy_bot_takes_the_smallest_step() -> None:
    seen = view(["8/0"], ["3/0"], ["12/0"])
    assert decision(seen, ["play", "16/1", 0], ["play", "14/2", 1], ["play", "9/2", 0]) == ["play", "9/2", 0]


def test_greedy_bot_likes_a_reset_better_than_a_step() -> None:
    seen = view(["14/0"], ["3/0"], ["12/0"])
    assert decision(seen, ["play", "16/1", 0], ["play", "4/0", 0]) == ["play", "4/0", 0]


def test_greedy_bot_takes_few_pillows_rather_than_few_cards() -> None:
    seen = view(["4/0", "5/0", "6/0", "7/0"], ["19/5"], ["12/2"])
    takes = [["take", 1, "4/0"], ["take", 0, "4/0"], ["take", 2, "4/0"]]
    assert decision(seen, *takes) == ["take", 0, "4/0"]


def test_greedy_bot_gets_rid_of_pillows_when_the_deck_is_gone() -> None:
    late = view(["8/0"], ["3/0"], ["12/0"], hand=["9/0", "15/3"], deck=0)
    assert decision(late, ["play", "9/0", 0], ["play", "15/3", 0]) == ["play", "15/3", 0]


def test_greedy_bot_sends_the_wolf_where_it_will_hardly_be_drawn() -> None:
    long, short = ["4/0", "6/0", "7/0", "8/0", "9/0", "11/0"], ["9/0"]
    assert decision(view(short, long, ["W", "12/0"]), *[["play", "W", k] for k in range(3)]) == ["play", "W", 1]


def test_greedy_bot_imposes_the_costly_pile_without_room_on_the_leader() -> None:
    asked = {"question": {"options": "powers"}, "totals": [30, 50, 10]}
    seen = view(["10/3", "18/3", "19/5"], ["4/0"], ["12/0", "18/3"], **asked)
    names = [["name", seat, k] for seat in (1, 2) for k in range(3)]
    assert decision(seen, ["none"], *names) == ["name", 2, 0]


def test_greedy_bot_lets_the_flock_count_where_its_hand_fits() -> None:
    asked = {"question": {"options": "flocks"}, "ascending": None}
    seen = view(["4/0"], ["5/0"], ["6/0"], hand=["15/0", "16/0", "8/0", "9/0", "W"], **asked)
    assert decision(seen, ["descending"], ["ascending"]) == ["ascending"]
