"""Volle Wolle by its rules page: the options of §0, who sees what (§4), chance (§3.10), and words."""

from __future__ import annotations

import random
from typing import Any

import pytest

from arena.chance import FastChance, KeyedChance
from arena.events import seen_by
from arena.games.volle_wolle import VolleWolle, WoolVariant
from arena.games.volle_wolle_cards import BONE, DOG
from arena.variants import VariantError
from arena.zones import PUBLIC
from tests.games.wool_table import PLAIN, SHEEP, Dice, answer, asked, bid, fail, lay, offered, sheep


def new(seats: int = 3, **options: Any) -> VolleWolle:
    return VolleWolle(seats, WoolVariant.read(options), KeyedChance(bytes(32)), log=True)


def play_on(game: VolleWolle, questions: int, seed: int = 0) -> VolleWolle:
    chooser = random.Random(seed)
    for _ in range(questions):
        if game.question is None:
            break
        game.answer(*[chooser.randrange(len(game.options(seat))) for seat in game.question.seats])
    return game


# --- §0 options


def test_both_editions_play_the_same() -> None:
    volle_wolle, bouc_makers = (play_on(new(edition=word), 500) for word in ("volle_wolle", "bouc_makers"))
    assert volle_wolle.events == bouc_makers.events
    assert volle_wolle.outcome is not None


def test_cards_may_be_written_out() -> None:
    written = ["white/0/-/99", "white/0/-/99", *SHEEP[2:]]
    game = new(cards=" ".join(written))
    assert game.faces == (*written, *[DOG] * 8, BONE)
    assert play_on(game, 500).outcome is not None


@pytest.mark.parametrize(
    "cards",
    [
        "",
        " ".join(SHEEP[:50]),
        " ".join(["white/x/-/1", *SHEEP[1:]]),
        " ".join(["370/3/-/1", *SHEEP[1:]]),
        " ".join(["white/99999999999999999999999/-/1", *SHEEP[1:]]),
        " ".join([f"white/1/-/{'0' * 4000}1", *SHEEP[1:]]),
    ],
    ids=[
        "none",
        "fifty",
        "no points",
        "a trio with points",
        "points beyond a wire",
        "a card of a thousand letters",
    ],
)
def test_cards_that_are_no_table_are_refused(cards: str) -> None:
    with pytest.raises(VariantError):
        WoolVariant.read({"cards": cards})


def test_equal_cards_are_one_option() -> None:
    twice = [SHEEP[0], SHEEP[0], *SHEEP[2:]]
    game = lay(table=[*twice[:2], *PLAIN], variant={"cards": " ".join(twice)}, rolls=[1, 1, 1, 1, 1, 12])
    fail(bid(game, 14, 14, 14))
    assert len(offered(game)) == 5


def test_start_chips_come_out_of_the_box() -> None:
    assert (new(4).chips, new(4).reserve) == ((2, 2, 2, 2), 17)
    assert (new(4, start_chips=3).chips, new(4, start_chips=3).reserve) == ((3, 3, 3, 3), 13)


def test_more_start_chips_than_the_box_holds_leave_no_reserve() -> None:
    assert new(6, start_chips=5).reserve == 0


def test_an_unlimited_supply_always_gives_a_chip() -> None:
    assert new(chip_supply="unlimited").reserve is None
    game = fail(bid(lay(reserve=None, variant={"chip_supply": "unlimited"}), 20, 18, 14))
    assert (game.chips, game.reserve) == ((3, 2, 2), None)


def test_board_levels_are_dealt_at_random_and_differ() -> None:
    dealt = {VolleWolle(6, None, FastChance(seed)).board_levels for seed in range(9)}
    assert len(dealt) > 1
    assert all(sorted(levels) == [1, 2, 3, 4, 5, 6] for levels in dealt)


def test_board_levels_may_be_given_and_decide_ties() -> None:
    game = bid(new(board_levels="9 8 7 6 5 4"), 26, 26, 26)
    assert (game.board_levels, game.order) == ((9, 8, 7), (2, 1, 0))


def test_equal_levels_go_by_seat() -> None:
    assert bid(new(board_levels="5 5 5 5 5 5"), 26, 26, 26).order == (0, 1, 2)


@pytest.mark.parametrize("levels", ["1 2 3", "1 2 3 4 5 six", ""])
def test_board_levels_are_six_numbers(levels: str) -> None:
    with pytest.raises(VariantError, match="6 whole numbers"):
        WoolVariant.read({"board_levels": levels})


def test_two_player_rules_cannot_be_switched_off() -> None:
    assert WoolVariant.read({"two_player_rules": "automatic"}) == WoolVariant()
    with pytest.raises(VariantError):
        WoolVariant.read({"two_player_rules": "off"})


# --- §4 who sees what


def test_hidden_nobody_sees_into_the_deck() -> None:
    game = play_on(new(), 30)
    for viewer in (0, 1, 2, PUBLIC):
        assert set(game.view(viewer)["deck"]) == {None}


def test_hidden_a_contract_is_its_owners_until_all_have_one() -> None:
    game = new()
    assert game.events is not None
    before = len(game.events)
    assert game.view(1)["contracts"] == ()
    bid(game, 20, 18, 16)
    answers = [event for event in seen_by(1, game.events[before:]) if event[0] == "answer"]
    assert answers == [["answer", 0, None], ["answer", 1, ("bid", 18)], ["answer", 2, None]]
    assert game.view(PUBLIC)["contracts"] == (20, 18, 16)


def test_layout_and_dice_are_seen_by_all() -> None:
    game = bid(new(), 26, 25, 24)
    assert game.events is not None
    seen = seen_by(PUBLIC, game.events)
    assert all(event[-1] is not None for event in seen if event[0] in ("draw", "roll", "move"))
    assert game.view(PUBLIC)["dice"] == game.dice != (0, 0, 0)


def test_whole_flocks_are_remembered() -> None:
    game = play_on(new(), 60)
    flocks = [tuple(game.faces[card] for card in flock.cards) for flock in game.flocks]
    assert sum(map(len, flocks)) > 6
    assert all(game.view(viewer)["flocks"] == flocks for viewer in (0, 1, 2, PUBLIC))


def test_hidden_below_the_top_with_strict_memory_even_to_the_owner() -> None:
    game = lay(flocks={0: sheep(1, 2, 3)}, beside={0: [DOG]}, variant={"strict_memory": True})
    for viewer in (0, 1, PUBLIC):
        view = game.view(viewer)
        assert view["flocks"][0] == (None, None, *sheep(3))
        assert view["beside"][0] == (DOG,)


def test_received_sheep_lie_open_until_one_is_on_top() -> None:
    game = lay(table=PLAIN[:2], rolls=[8, 10, 12], variant={"strict_memory": True})
    bid(game, 18, 14, 14)
    assert set(game.view(1)["received"]) == set(PLAIN[:2])
    answer(game, ("top", PLAIN[0]))
    assert game.view(1)["flocks"][0] == (None, PLAIN[0])


def test_nobody_imagines_a_dog_in_a_flock() -> None:
    view = play_on(new(strict_memory=True), 40).view(0)
    for seed in range(20):
        game = VolleWolle.imagine(view, FastChance(seed))
        assert all("/" in game.faces[card] for flock in game.flocks for card in flock.cards)


# --- §3.10 chance


def test_dice_are_named_by_round_seat_attempt_and_die() -> None:
    game = bid(lay(), 14, 20, 18)
    answer(game, ("keep", 10))
    chance = game.chance
    assert isinstance(chance, Dice)
    assert chance.keys == [
        *[("dice", 3, 1, 1, sides) for sides in (8, 10, 12)],
        *[("dice", 3, 1, 2, sides) for sides in (8, 12)],
    ]


def test_the_same_seat_rolls_the_same_whatever_the_others_bid() -> None:
    first, second = bid(new(), 26, 14, 15), bid(new(), 26, 25, 24)
    assert first.dice == second.dice


def test_a_kept_die_lies_for_good() -> None:
    game = bid(lay(chips=[1, 2, 2], rolls=[1, 6, 7, 1, 2, 8]), 17, 14, 14)
    answer(game, ("keep", 10))
    assert (game.dice, offered(game)) == ((1, 6, 2), [("keep", 8), ("keep", 12)])
    answer(game, ("keep", 12))
    assert (game.dice, game.kept, asked(game)) == ((8, 6, 2), (10, 12), (0, "claims"))


# --- Words and stand-in


def test_the_stand_in_bids_lowest_and_keeps_its_chips() -> None:
    game = lay(rolls=[2, 10, 5])
    assert game.options(0)[game.stand_in(0, game.options(0))] == ("bid", 14)
    bid(game, 18, 14, 14)
    assert offered(game)[game.stand_in(0, offered(game))] == ("continue",)


@pytest.mark.parametrize(
    ("option", "words"),
    [
        (("bid", 18), "promise 18"),
        (("bid", "26+"), "promise 26+ for a chip"),
        (("claim", 0), "claim the cards with the bonus"),
        (("claim", 2), "claim the cards for 2 chips"),
        (("continue",), "let the roll go"),
        (("keep", 12), "keep the d12"),
        (("pick", SHEEP[28], DOG), "take white sheep worth 8 with -3 (level 57), a dog"),
        (("top", SHEEP[36]), "put 3-7-0 with a bone (level 13) on top"),
        (("pick", BONE), "take the bone"),
        (("pay", 1), "keep the black sheep away for a chip"),
        (("take",), "take the black sheep"),
    ],
)
def test_options_read_as_sentences(option: tuple[Any, ...], words: str) -> None:
    assert VolleWolle.say(option) == words


def test_a_round_asks_everybody_at_once() -> None:
    game = new(5)
    assert game.question is not None
    assert (game.question.seats, game.question.together, asked(game)[1]) == ((0, 1, 2, 3, 4), True, "bids")
