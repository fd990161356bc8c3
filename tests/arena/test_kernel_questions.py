"""Questions, answers, copies, imagined games and outcomes, at a table with hardly any rules."""

from __future__ import annotations

import msgpack
import pytest

from arena.chance import FastChance
from arena.events import seen_by
from arena.game import Game, freeze
from arena.zones import PUBLIC
from tests.arena.kernel_bench import EVERYBODY, Bench, Tables


def bench() -> Bench:
    return Bench(3, None, FastChance(0), log=True)


def answers_heard(game: Game, viewer: int) -> list[list[object]]:
    return [event for event in seen_by(viewer, game.events or []) if event[0] == "answer"]


def test_a_seat_that_is_not_asked_has_no_options() -> None:
    game = bench()
    assert game.options(0) == [("one",), ("many",), ("end",)]
    with pytest.raises(ValueError, match="seat 1 is not asked now"):
        game.options(1)


def test_an_answer_leads_to_the_next_question_with_its_context() -> None:
    game = bench()
    game.answer(0)
    assert game.question is not None
    assert game.question.seats == (1,)
    assert game.question.context == ("again",)
    assert game.mood == "one"


@pytest.mark.parametrize(
    ("choices", "error"), [((), ValueError), ((0, 0), ValueError), ((-1,), IndexError), ((3,), IndexError)]
)
def test_an_answer_that_is_no_option_changes_nothing(choices: tuple[int, ...], error: type[Exception]) -> None:
    game = bench()
    before = [game.view(viewer) for viewer in EVERYBODY], list(game.events or [])
    with pytest.raises(error):
        game.answer(*choices)
    assert ([game.view(viewer) for viewer in EVERYBODY], list(game.events or [])) == before


def test_a_single_answer_is_heard_by_all() -> None:
    game = bench()
    game.answer(0)
    assert all(answers_heard(game, viewer) == [["answer", 0, ("one",)]] for viewer in EVERYBODY)


def test_answers_given_together_are_heard_by_their_own_seat_and_applied_in_the_order_of_the_question() -> None:
    game = bench()
    game.answer(1)
    assert game.question is not None and game.question.together
    assert game.question.seats == (2, 0)
    game.answer(0, 2)
    assert game.mood == "one end"
    assert answers_heard(game, 2)[1:] == [["answer", 2, ("one",)], ["answer", 0, None]]
    assert answers_heard(game, 0)[1:] == [["answer", 2, None], ["answer", 0, ("end",)]]
    assert answers_heard(game, PUBLIC)[1:] == [["answer", 2, None], ["answer", 0, None]]


def test_a_finished_game_asks_nobody() -> None:
    game = bench()
    game.answer(2)
    assert game.question is None
    with pytest.raises(ValueError, match="one choice is needed"):
        game.answer(0)


def test_equal_scores_share_a_rank() -> None:
    game = bench()
    assert game.finish((3, 5, 3)).ranks == (2, 1, 2)
    assert game.finish((5, 5, 3)).ranks == (1, 1, 3)
    game.__class__ = type("LowWins", (Bench,), {"high_score_wins": False})
    assert game.finish((3, 5, 3)).ranks == (1, 3, 1)


def test_a_table_of_the_wrong_size_is_refused() -> None:
    with pytest.raises(ValueError, match="bench is for 3 to 3 seats"):
        Bench(4, None, FastChance(0))


def test_a_copy_goes_its_own_way() -> None:
    tables = Tables()
    tables.lay("deck", "ABC")
    game = tables.logged
    before = [game.view(viewer) for viewer in EVERYBODY]
    twin = game.copy()
    twin.draw(twin.deck, twin.hands[0])
    twin.answer(0)
    assert twin.view(0) != before[0]
    assert [game.view(viewer) for viewer in EVERYBODY] == before
    assert twin.events is None, "a copy is for search and keeps no log"


def test_an_imagined_game_holds_what_the_view_shows_and_guesses_the_rest() -> None:
    tables = Tables()
    tables.lay("deck", "AABC")
    tables.lay("hands.0", "DE")
    tables.lay("hands.1", "BF")
    sent = msgpack.packb(tables.logged.view(0))
    hands = set()
    for seed in range(40):
        world = Bench.imagine(msgpack.unpackb(sent), FastChance(seed))
        assert msgpack.packb(world.view(0)) == sent
        hands.add("".join(str(face) for face in world.view(1)["hands"][1]))
    assert all("D" not in hand and "E" not in hand for hand in hands), "what seat 0 holds, seat 1 does not"
    assert len(hands) > 5, "guesses differ"


def test_an_imagined_game_hides_from_the_others_what_it_guessed() -> None:
    tables = Tables()
    tables.lay("deck", "AABBC")
    tables.lay("hands.0", "DEF")
    world = Bench.imagine(tables.logged.view(PUBLIC), FastChance(0))
    assert list(world.view(1)["hands"][0]) == [None, None, None]
    assert None not in world.view(0)["hands"][0]


def test_lists_off_the_wire_become_the_tuples_they_were() -> None:
    value = (1, "a", (None, (True,)), ())
    assert freeze(msgpack.unpackb(msgpack.packb(value))) == value


def test_a_public_value_is_told_when_it_changes_and_only_then() -> None:
    game = bench()
    game.answer(0)
    game.answer(0)
    told = [event[2:] for event in game.events or [] if event[1] == "set"]
    assert told == [("mood", "calm"), ("mood", "one")]


@pytest.mark.parametrize(
    "deck",
    [["A", "A", "A"], ["F", "F"], ["Z"], [None] * 9],
    ids=["a third A", "the last card twice", "an unknown face", "too many"],
)
def test_a_view_of_other_cards_than_the_game_has_is_refused(deck: list[str | None]) -> None:
    view = Tables().logged.view(0) | {"deck": deck}
    with pytest.raises(ValueError, match="other cards than the game has"):
        Bench.imagine(view, FastChance(0))


def test_imagining_one_world_leaves_the_next_as_it_would_have_been() -> None:
    """Worlds are copies of one table that was prepared once."""
    tables = Tables()
    tables.lay("deck", "AABBC")
    view = tables.logged.view(0)
    first = Bench.imagine(view, FastChance(3))
    first.draw(first.deck, first.hands[1])
    first.answer(0)
    assert Bench.imagine(view, FastChance(5)).view(PUBLIC) == tables.logged.view(PUBLIC)
