"""SheepZzz: its options (§0), its card tables (§1), what a viewer is shown (§4) and how long it takes (§8)."""

from __future__ import annotations

from collections import Counter
from random import Random
from statistics import mean

import pytest

from arena.chance import FastChance
from arena.games.sheepzzz import SheepVariant, SheepZzz
from arena.games.sheepzzz_cards import cards_of, pillows_on
from arena.variants import VariantError
from arena.zones import PUBLIC
from tests.games.sheep_table import Tape, asked, asks, choose, options, pile, table, tops


def numbers(deck: str) -> Counter[int]:
    return Counter(int(face.split("/")[0]) for face in cards_of(deck) if face != "W")


@pytest.mark.parametrize("deck", ["pyramid", "flat"])
def test_a_card_table_has_44_sheep_4_wolves_and_74_pillows(deck: str) -> None:
    faces = cards_of(deck)
    assert Counter(face == "W" for face in faces) == {False: 44, True: 4}
    assert sum(map(pillows_on, faces)) == 74
    assert set(numbers(deck)) == set(range(1, 20))


@pytest.mark.parametrize("deck", ["pyramid", "flat"])
def test_a_card_table_favours_neither_direction(deck: str) -> None:
    sheep = Counter(face for face in cards_of(deck) if face != "W")
    mirrored = Counter(f"{20 - int(n)}/{pillows}" for n, pillows in (face.split("/") for face in sheep.elements()))
    assert sheep == mirrored


def test_the_pyramid_is_layered_as_its_page_says() -> None:
    assert [face for face in cards_of("pyramid") if pillows_on(face) == 5] == ["1/5", "19/5"]
    of_ten = [face for face in cards_of("pyramid") if face.startswith("10/")]
    assert of_ten == ["10/0", "10/1", "10/2", "10/3"]
    assert max(Counter(face for face in cards_of("pyramid") if face != "W").values()) == 1


def test_a_deck_can_be_written_out() -> None:
    text = ", ".join(["10/2"] * 40 + ["3/1", "1/0", "19/9", "2/0"])
    faces = cards_of(text)
    assert faces[:4] == ("1/0", "2/0", "3/1", "10/2"), "in canonical order, equal faces side by side"
    game = SheepZzz(2, SheepVariant.read({"deck": text}), FastChance(0))
    assert game.view(0)["variant"] == {"deck": text}


@pytest.mark.parametrize(
    ("deck", "complaint"),
    [
        ("pyramids", '"pyramids" is no sheep'),
        ("10/3", "these are 1"),
        (" ".join(["10/3"] * 45), "these are 45"),
        (" ".join(["10/3"] * 43 + ["20/1"]), '"20/1" is no sheep'),
        (" ".join(["10/3"] * 43 + ["0/1"]), '"0/1" is no sheep'),
        (" ".join(["10/3"] * 43 + ["10/-1"]), '"10/-1" is no sheep'),
        (" ".join(["10/3"] * 43 + ["W"]), '"W" is no sheep'),
        (
            " ".join(["10/3"] * 43 + ["10/03"]),
            '"10/03" is no sheep',
        ),  # an equal card by another name
        (" ".join(["10/3"] * 43 + ["10/\u0663"]), "is no sheep"),
        (" ".join(["10/3"] * 43 + [f"10/{10**20}"]), "is no sheep"),  # a total must fit into 64 bits
        ("", "these are 0"),
    ],
)
def test_a_bad_deck_is_refused_with_the_reason(deck: str, complaint: str) -> None:
    with pytest.raises(VariantError, match=complaint):
        SheepVariant.read({"deck": deck})


def test_equal_cards_of_a_deck_are_equal_options() -> None:
    game = table([["10/2", "10/2", "11/0"], ["10/2"]], ["9/0"], cards=" ".join(["10/2"] * 42 + ["11/0", "9/0"]))
    assert options(game) == [("play", "10/2", 0), ("play", "11/0", 0), ("take", 0, "10/2"), ("take", 0, "11/0")]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_setup_deals_five_cards_each_and_leaves_the_rest(seats: int) -> None:
    game = SheepZzz(seats, None, FastChance(3))
    assert [len(hand) for hand in game.hands] == [5] * seats
    assert [len(heap) for heap in game.piles] == [1, 1, 1]
    assert len(game.deck) == {2: 35, 3: 30, 4: 25, 5: 20}[seats]
    assert (asked(game), asks(game)) == (0, "flocks")
    assert game.ascending is None


@pytest.mark.parametrize(("face", "ascending"), [("ascending", True), ("descending", False)])
def test_the_starter_chooses_the_flock_and_takes_the_first_turn(face: str, ascending: bool) -> None:
    game = SheepZzz(3, SheepVariant(first_starter="2"), FastChance(3))
    assert asked(game) == 2
    choose(game, face)
    assert game.ascending is ascending
    assert (asked(game), asks(game)) == (2, "moves")


def test_the_first_starter_can_be_drawn_by_lot() -> None:
    starters = {asked(SheepZzz(4, SheepVariant(first_starter="random"), FastChance(seed))) for seed in range(60)}
    assert starters == {0, 1, 2, 3}
    for wrong in ("6", "-1", "nobody", ""):
        with pytest.raises(VariantError, match="a seat number"):
            SheepVariant.read({"first_starter": wrong})


@pytest.mark.parametrize(("target", "over"), [(3, True), (4, False)])
def test_the_target_is_an_option(target: int, over: bool) -> None:
    game = table([["2/3"], ["6/0"]], ["5/0", "9/0"], deck=[], rest_under=1, target=target)
    choose(game, "take", 0)
    assert game.totals == (3, 0)
    assert (game.outcome is not None) is over


@pytest.mark.parametrize(("eaten_ends_round", "round_after"), [(True, 2), (False, 1)])
def test_an_eaten_pile_counts_as_taken_without_a_deck(eaten_ends_round: bool, round_after: int) -> None:
    piles = ["5/0", "9/1", "12/2"]
    game = table(
        [["W", "6/0"], ["7/0"]],
        piles,
        deck=[],
        rest_under=2,
        eaten_ends_round=eaten_ends_round,
        tape=Tape(1),
    )
    choose(game, "play", "W", 0)
    assert game.round == round_after


def test_an_eaten_pile_leaves_the_others_in_order_and_comes_back_next_round() -> None:
    game = table([["W", "6/0"], ["7/0"]], ["5/0", ["9/1", "9/2"], "12/2"], tape=Tape(1))
    choose(game, "play", "W", 0)
    assert tops(game) == ["9/2", "12/2"]
    assert pile(game, 0) == ["9/1", "9/2"]
    assert game.piles[2].cards == []
    while game.round == 1:
        game.answer(len(options(game)) - 1)
    assert [len(heap) for heap in game.piles] == [1, 1, 1]


def test_with_strict_memory_only_tops_and_sizes_are_shown() -> None:
    heaps = [["5/0", "6/1"], "9/1", "12/2"]
    open_view = table([["6/0"], ["7/0"]], heaps, taken={1: ["4/0"]}).view(0)
    strict = table([["6/0"], ["7/0"]], heaps, taken={1: ["4/0"]}, strict_memory=True).view(0)
    assert [list(heap) for heap in strict["piles"]] == [[None, "6/1"], ["9/1"], ["12/2"]]
    assert [list(heap) for heap in strict["taken"]] == [[], [None]]
    assert [list(heap) for heap in strict["hands"]] == [["6/0"], [None]]
    assert strict["hands"] == open_view["hands"]
    assert [list(heap) for heap in open_view["piles"]] == [["5/0", "6/1"], ["9/1"], ["12/2"]]


def test_what_went_face_up_is_remembered_by_all() -> None:
    game = SheepZzz(2, None, FastChance(0))
    choose(game, "ascending")
    option = next(option for option in options(game) if option[0] == "take" and option[1] == 0)
    top = tops(game)[0]
    choose(game, *option)
    assert list(game.view(1)["taken"][0]) == list(game.view(PUBLIC)["taken"][0]) == [top]


def test_words_are_spoken_at_the_table() -> None:
    assert SheepZzz.say_face("10/3") == "sheep 10 (3 pillows)"
    assert SheepZzz.say_face("4/1") == "sheep 4 (1 pillow)"
    assert SheepZzz.say_face("W") == "the wolf (3 pillows)"
    spoken = [
        ("ascending",), ("play", "4/0", 2), ("take", 1), ("take", 1, "4/0"), ("none",), ("name", 2, 1),
        ("impose", 0), ("reverse",), ("reverse", 1), ("reverse", 3, 1),
    ]  # fmt: skip
    assert len({SheepZzz.say(option) for option in spoken}) == len(spoken)


@pytest.mark.parametrize(
    ("seats", "rounds", "decisions"), [(2, 2.3, 96), (3, 3.1, 115), (4, 4.0, 126), (5, 4.8, 127)]
)
def test_random_games_are_as_long_as_measured(seats: int, rounds: float, decisions: int) -> None:
    """§8, loosely: 120 games against means over many more."""
    lengths, widths, played = [], [], []
    for seed in range(120):
        game, chooser, count = SheepZzz(seats, None, FastChance(seed)), Random(seed), 0
        while game.question is not None:
            if asks(game) == "moves":
                widths.append(len(options(game)))
            game.answer(chooser.randrange(len(options(game))))
            count += 1
        lengths.append(count)
        played.append(game.round)
    assert mean(played) == pytest.approx(rounds, rel=0.15)
    assert mean(lengths) == pytest.approx(decisions, rel=0.15)
    assert max(widths) <= 30
