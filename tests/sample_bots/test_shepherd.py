"""The shepherd beats the greedy bot, and decides well where the right choice is clear."""

from __future__ import annotations

from typing import Any

import pytest

from arena.games.sheepzzz import SheepVariant, SheepZzz
from sample_bots.greedy.bot import choose as choose_greedily
from sample_bots.shepherd.bot import choose
from tests.sample_bots.play_in_process import play, random_but_never_takes_freely, wins

# What a bot by the strategy section of the rules page wins against 1 to 4 opponents.
WON_BY_THE_PAGE = {1: 0.92, 2: 0.73, 3: 0.62, 4: 0.53}


def test_shepherd_is_clearly_ahead_of_greedy() -> None:
    won = wins(choose, choose_greedily, 1, deals=20)
    assert won.rate - 2 * won.standard_error > 0.5, str(won)


@pytest.mark.parametrize("opponents", WON_BY_THE_PAGE)
def test_shepherd_wins_at_least_as_often_as_the_rules_page_says(opponents: int) -> None:
    won = wins(choose, random_but_never_takes_freely, opponents, deals=36 // (opponents + 1))
    assert won.rate >= WON_BY_THE_PAGE[opponents] - 2 * won.standard_error, str(won)


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
def test_shepherd_finds_its_way_in_every_variant(options: dict[str, Any]) -> None:
    variant = SheepVariant.read(options)
    for deal in range(3):
        assert play("sheepzzz", [choose] * 3, f"variant deal {deal}", variant).ranks.count(1) >= 1


def view(*piles: list[str], hand: list[str], seats: int = 2, deck: int = 20, **more: Any) -> dict[str, Any]:
    """What seat 0 sees when asked for a move, unless said otherwise."""
    usual = {
        "seat": 0,
        "seats": seats,
        "deck": [None] * deck,
        "hands": [hand, *[[None] * len(hand)] * (seats - 1)],
        "piles": list(piles),
        "taken": [[] for _ in range(seats)],
        "ascending": True,
        "direction": 1,
        "totals": [0] * seats,
    }
    return usual | more


def decision(seen: dict[str, Any], *options: list[Any]) -> list[Any]:
    return options[choose(seen, list(options))]


def test_shepherd_saves_its_powers_while_no_pile_is_a_trap() -> None:
    seen = view(["8/0"], ["4/0"], ["12/0"], hand=["19/5", "14/2", "9/0", "16/1", "11/2"])
    assert decision(seen, ["play", "19/5", 2], ["play", "14/2", 2]) == ["play", "14/2", 2]


def test_shepherd_springs_a_trap_once_a_pile_is_heavy() -> None:
    heavy = ["10/3", "11/3", "9/3", "1/5", "W", "18/3"]
    seen = view(heavy, ["4/0"], ["12/0"], hand=["19/5", "14/2", "6/0", "7/1", "11/2"])
    assert decision(seen, ["play", "14/2", 2], ["play", "19/5", 0]) == ["play", "19/5", 0]


def test_shepherd_imposes_the_heavy_pile_without_room_on_the_leader() -> None:
    seen = view(
        ["10/3", "18/3", "19/5"], ["4/0"], ["12/0", "17/3"], hand=["7/0"] * 4, seats=3, totals=[30, 50, 10]
    )
    names = [["name", seat, k] for seat in (1, 2) for k in range(3)]
    assert decision(seen, ["none"], *names) == ["name", 2, 0]


def test_shepherd_turns_the_direction_to_trap_who_sits_behind() -> None:
    seen = view(["10/3", "9/3", "19/5"], ["4/0"], hand=["7/0"] * 4, seats=3)
    assert decision(seen, ["none"], ["reverse", 1], ["reverse", 0]) == ["reverse", 0]


@pytest.mark.parametrize(("gone", "closed"), [(["7/0", "7/1", "7/2"], 0), (["8/0", "8/1", "8/2"], 1)])
def test_shepherd_counts_which_cards_are_still_out(gone: list[str], closed: int) -> None:
    """Seven resets a 17 and eight an 18; both piles are equally heavy, and 19 fits on both."""
    seen = view(["10/3", "11/3", "17/3"], ["9/3", "2/3", "18/3"], ["4/0"], hand=["5/0"] * 3, taken=[gone, []])
    assert decision(seen, ["name", 1, 0], ["name", 1, 1]) == ["name", 1, closed]


def test_shepherd_takes_few_pillows_rather_than_few_cards() -> None:
    seen = view(["4/0", "5/0", "6/0", "7/0"], ["19/5"], ["12/2"], hand=["4/1", "9/2", "9/0"])
    takes = [["take", 1, "4/1"], ["take", 0, "4/1"], ["take", 2, "4/1"]]
    assert decision(seen, *takes) == ["take", 0, "4/1"]


def test_shepherd_sends_the_wolf_where_it_will_hardly_be_drawn() -> None:
    long, short, eaten_before = ["4/0", "6/0", "7/0", "8/0", "9/0", "11/0"], ["10/0"], ["W", "12/0"]
    seen = view(short, long, eaten_before, hand=["W", "9/1", "5/0"])
    assert decision(seen, *[["play", "W", k] for k in range(3)]) == ["play", "W", 1]


def test_shepherd_gets_rid_of_pillows_when_the_deck_is_gone() -> None:
    late = view(["8/0"], ["3/3"], ["12/0"], hand=["15/0", "15/1", "9/2"], deck=0)
    assert decision(late, ["play", "15/0", 2], ["play", "15/1", 2]) == ["play", "15/1", 2]


LONG = ["4/0", "5/0", "6/0", "7/0", "8/0", "9/0", "10/0", "11/0", "12/0", "13/0", "14/0"]


def test_shepherd_keeps_its_wolf_while_a_sheep_fits() -> None:
    seen = view(LONG, ["16/0"], hand=["W", "15/1"], deck=30)
    assert decision(seen, ["play", "W", 0], ["play", "15/1", 0]) == ["play", "15/1", 0]


def test_shepherd_would_rather_play_its_last_wolf_than_be_left_with_it() -> None:
    seen = view(LONG, ["16/0"], hand=["W"], deck=0)
    assert decision(seen, ["take", 0], ["play", "W", 0]) == ["play", "W", 0]


@pytest.mark.parametrize(
    ("totals", "choice"),
    [
        pytest.param([60, 74], ["take", 0], id="the other passes 75: over and won"),
        pytest.param([74, 60], ["play", "9/0", 0], id="this seat passes 75: over and lost"),
    ],
)
def test_shepherd_ends_the_round_when_that_wins_the_game(totals: list[int], choice: list[Any]) -> None:
    seen = view(["8/2"], ["3/3"], hand=["9/0", "4/0"], deck=0, totals=totals)
    assert decision(seen, ["take", 0], ["play", "9/0", 0]) == choice


def test_shepherd_ends_the_round_while_the_other_hand_is_heavier() -> None:
    """Of two seats without a deck, all cards not seen are in the other hand."""
    pack = list(SheepZzz.pack(2, SheepVariant()))
    other = ["19/5", "1/5", "18/3"]
    mine, pile = ["9/0", "5/0", "6/0"], ["8/0"]
    taken = [face for face in pack if face not in [*other, *mine, *pile]]
    seen = view(pile, hand=mine, deck=0, taken=[taken[::2], taken[1::2]])
    assert decision(seen, ["take", 0], ["play", "9/0", 0]) == ["take", 0]


def test_shepherd_lets_the_flock_count_where_its_hand_fits() -> None:
    seen = view(["4/0"], ["5/0"], ["6/0"], hand=["15/0", "16/0", "8/0", "9/0", "W"], ascending=None)
    assert decision(seen, ["descending"], ["ascending"]) == ["ascending"]
