"""Alpha beats chance at every table size, and plays from views alone."""

from __future__ import annotations

import pytest

from arena.chance import FastChance
from arena.game import Option
from arena.games.wolfpack import LEFT, RIGHT, Wolfpack, WolfpackVariant
from sample_bots.alpha import bot
from sample_bots.random.bot import choose as choose_by_chance
from tests.games.wolfpack_table import SHEEP, STEAL, SWAP, WOLVES, answer, asked, mover, position
from tests.sample_bots.play_in_process import as_sent, wins

# What a threshold bot reaches against one to four random bots, by the strategy section of the rules page.
EXPECTED = {2: 0.77, 3: 0.81, 4: 0.87, 5: 0.84}

DRAW, TAKE, KEEP, EXCHANGE = ("draw",), ("take",), ("keep",), ("exchange",)


@pytest.mark.parametrize("seats", EXPECTED)
def test_alpha_wins_as_often_as_the_rules_page_says(seats: int) -> None:
    won = wins(bot.choose, choose_by_chance, seats - 1, deals=60 // seats, game="wolfpack")
    assert won.rate >= EXPECTED[seats] - 3 * won.standard_error


def chosen(game: Wolfpack) -> Option:
    seat, options = mover(game), asked(game)
    return options[bot.choose(*as_sent(game, seat))]


@pytest.mark.parametrize(
    ("cards", "held", "choice"),
    [
        pytest.param("B", "WOLVES", WOLVES, id="a single foreign wolf is worth laying"),
        pytest.param("ABSSSS", "SHEEP WOLVES", WOLVES, id="foreign wolves go first: they block the sheep"),
        pytest.param("AASS", "SHEEP WOLVES", SHEEP, id="two guarded sheep come home"),
        pytest.param("AAS", "SHEEP", DRAW, id="one sheep waits for another"),
        pytest.param("BBS", "", TAKE, id="a hand worth laying needs an action card"),
        pytest.param("BBS", "SHEEP SWAP", EXCHANGE, id="useless action cards are exchanged"),
        pytest.param("", "", DRAW, id="an empty hand grows"),
        pytest.param("SSSSSS", "WOLVES", DRAW, id="no action card lays sheep without a wolf: draw one"),
    ],
)
def test_its_moves(cards: str, held: str, choice: Option) -> None:
    assert chosen(position(cards, "", actions=[held])) == choice


def test_it_swaps_with_a_much_larger_hand() -> None:
    assert chosen(position("", "BBSSS", actions=["SWAP"])) == SWAP
    assert chosen(position("BBSSS", "", actions=["SWAP"])) != SWAP


def test_it_swaps_towards_the_larger_hand() -> None:
    for hands, direction in ((["", "B", "CCSS"], LEFT), (["", "BCSS", "C"], RIGHT)):
        game = position(*hands, actions=["SWAP"])
        answer(game, SWAP)
        assert chosen(game) == direction


def test_it_steals_play_cards() -> None:
    game = position("", "BS", actions=["STEAL", "SWAP"])
    assert chosen(game) == STEAL
    answer(game, STEAL)
    assert chosen(game) == ("steal", 1, "play")


def test_it_uses_a_taken_card_at_once_or_keeps_it_for_later() -> None:
    assert chosen(position("BBS", "", taken="WOLVES")) == WOLVES
    assert chosen(position("AAA", "", taken="WOLVES")) == KEEP


@pytest.mark.parametrize(
    "variant",
    [
        WolfpackVariant(pile_choice=True, take_with_two="must_use"),
        WolfpackVariant(end_when_one_left=False, sheep_per_player=28),
    ],
    ids=str,
)
def test_it_plays_every_variant_to_its_end(variant: WolfpackVariant) -> None:
    game = Wolfpack(3, variant, FastChance(1))
    while game.question is not None:
        answer(game, chosen(game))
    assert game.outcome is not None
