"""Playthroughs: whole games as text, read by people, compared by machines."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.events import seen_by
from arena.games import GAMES
from arena.games.sheepzzz import SheepZzz
from arena.telling import tell
from arena.zones import PUBLIC
from tests.playthroughs import FOLDER, random_game, texts


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_reads_as_it_did(name: str) -> None:
    """`python -m tests.playthroughs` writes the texts anew."""
    for file, text in texts(GAMES[name]).items():
        assert text == (FOLDER / file).read_text(), f"{file} is told differently now"


def test_every_text_belongs_to_a_game() -> None:
    known = {file for game in GAMES.values() for file in texts(game)}
    assert {path.name for path in Path(FOLDER).glob("*.txt")} == known


def test_a_hidden_card_has_no_face_in_the_text() -> None:
    drawn = [["draw", "deck", "hands.1", None], ["draw", "deck", "hands.1", None], ["ask", {}]]
    assert list(tell(SheepZzz, drawn)) == ["    seat 1 draws 2 cards"]
    seen = [["draw", "deck", "hands.1", "10/3"], ["ask", {}]]
    assert list(tell(SheepZzz, seen)) == ["    seat 1 draws sheep 10 (3 pillows)"]


def test_only_the_own_draws_are_told_with_their_faces() -> None:
    game = random_game(SheepZzz)
    for viewer in (0, 1, 2, PUBLIC):
        lines = list(tell(SheepZzz, seen_by(viewer, game.events or [])))
        for seat in range(3):
            draws = [line for line in lines if line.startswith(f"    seat {seat} draws")]
            assert draws
            assert all((" pillow" in line) == (viewer == seat) for line in draws)


def test_a_wolf_an_eaten_pile_and_the_turned_flock_can_be_read() -> None:
    events = [
        ["answer", 2, ["play", "W", 0]],
        ["move", "hands.2", "piles.0", None, "W"],
        ["surface", "piles.0", 1, "W"],
        ["pour", "piles.0", "taken.2", 2],
        ["set", "ascending", False],
        ["ask", {}],
    ]
    assert list(tell(SheepZzz, [["set", "ascending", True], ["ask", {}], *events])) == [
        "    ascending yes",
        "seat 2: play the wolf (3 pillows) on pile 0",
        "    the wolf (3 pillows) comes to the top of pile 0",
        "    2 cards from pile 0 to taken 2",
        "    ascending no",
    ]


def test_a_round_has_a_heading_and_the_end_its_ranks() -> None:
    events = [
        ["answer", 0, ["take", 1]],
        ["pour", "piles.1", "taken.0", 3],
        ["show", "hands.1", "4/0"],
        ["show", "hands.1", None],
        ["pour", "taken.0", "deck", 3],
        ["pour", "hands.1", "deck", 2],
        ["shuffle", "deck", 48],
        ["set", "round", 2],
        ["set", "totals", [4, 0]],
        ["ask", {}],
        ["answer", 1, None],
        ["end", [80, 70], [2, 1]],
    ]
    assert list(tell(SheepZzz, events)) == [
        "seat 0: take pile 1",
        "    3 cards from pile 1 to taken 0",
        "    the hand of seat 1 shows sheep 4 (0 pillows)",
        "    totals 4, 0",
        "",
        "Round 2",
        "    5 cards from the table to the deck",
        "    the deck is shuffled, 48 cards",
        "seat 1: a secret choice",
        "",
        "The game is over; 1. seat 1 with 70, 2. seat 0 with 80",
    ]


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (["fill", "deck", 48], "48 cards from the box to the deck"),
        (["draw", "deck", "piles.0", "4/0"], "sheep 4 (0 pillows) from the deck to pile 0"),
        (["move", "hands.0", "piles.0", None, "4/0"], "sheep 4 (0 pillows) from the hand of seat 0 to pile 0"),
        (["tuck", "piles.0", "deck", 0, "W"], "the wolf (3 pillows) from pile 0 goes under the deck"),
        (
            ["slip", "hands.0", "hands.1", None, None],
            "a card goes unseen from the hand of seat 0 to the hand of seat 1",
        ),
        (["pass", ["hands.0", "hands.1"], 1], "2 heaps, the hand of seat 0 first, are passed on by 1"),
        (["cut", "deck", ["piles.0", "piles.1"], [4, 3]], "the deck is cut into 2 heaps of 3 to 4 cards"),
        (["roll", 6, 5], "a die of 6 shows 5"),
        (["invent", "a", None], "invent a open"),
        (["set", "marks", [None] * 20], None),
        (["set", "score", 7], "score 7"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_every_verb_has_its_sentence(event: list[object], line: str | None) -> None:
    assert list(tell(SheepZzz, [event])) == ([] if line is None else [f"    {line}"])


def test_of_a_long_row_only_the_change_is_told() -> None:
    before, after = [None] * 20, [None] * 7 + [2] + [None] * 12
    events = [["set", "marks", before], ["ask", {}], ["set", "marks", after], ["ask", {}]]
    assert list(tell(SheepZzz, events)) == ["    marks 7: 2"]
