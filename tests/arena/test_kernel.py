"""The verbs of the table: after each of them, who can place which card.

Every picture is what seats 0, 1, 2 and the public see, in this order; a dot is a card the viewer cannot place.
"""

from __future__ import annotations

import msgpack
import pytest

from arena.events import seen_by
from arena.game import Question
from arena.zones import OWN_HAND, PUBLIC, Zone, zone
from tests.arena.kernel_bench import Bench, Tables
from tests.contracts.tiny import Magpie


@pytest.fixture
def table() -> Tables:
    return Tables()


def test_cards_from_the_box_are_seen_by_who_sees_the_zone(table: Tables) -> None:
    table.lay("deck", "AB")
    table.lay("hands.1", "CD")
    table.lay("row", "FE")
    assert table.everybody_sees("deck") == ["..", "..", "..", ".."]
    assert table.everybody_sees("hands.1") == ["..", "CD", "..", ".."]
    assert table.everybody_sees("row") == ["FE", "FE", "FE", "FE"]


def test_a_drawn_card_is_seen_by_the_drawer_alone(table: Tables) -> None:
    table.lay("deck", "ABC")
    table.do("draw", "deck", "hands.0")
    assert table.everybody_sees("hands.0") == ["C", ".", ".", "."]
    assert table.everybody_sees("deck") == ["..", "..", "..", ".."]


def test_a_card_drawn_to_a_face_up_zone_is_seen_by_all(table: Tables) -> None:
    table.lay("deck", "ABC")
    table.do("draw", "deck", "pile")
    assert table.everybody_sees("pile") == ["C", "C", "C", "C"]


def test_who_could_place_the_top_card_still_can_when_another_draws_it(table: Tables) -> None:
    table.lay("deck", "AB")
    table.do("show", "deck", cards="B", to=1 << 2)
    table.do("draw", "deck", "hands.0")
    assert table.everybody_sees("hands.0") == ["B", ".", "B", "."]


def test_a_moved_card_is_seen_by_all_even_in_a_hand(table: Tables) -> None:
    table.lay("row", "AB")
    table.lay("hands.2", "C")
    table.do("move", "A", "row", "hands.2")
    assert table.everybody_sees("row") == ["B", "B", "B", "B"]
    assert table.everybody_sees("hands.2") == ["A.", "A.", "AC", "A."]


def test_the_place_a_card_leaves_in_an_open_row_is_seen(table: Tables) -> None:
    """Two equal cards lie in the row, and it matters which one goes."""
    table.lay("row", "ACAB")
    table.do("surface", "A", "row")
    assert table.everybody_sees("row") == ["CABA"] * 4
    table.do("move", "A", "row", "box")
    assert table.everybody_sees("row") == ["CBA"] * 4


def test_a_tucked_card_lies_under_the_heap_and_all_know_it(table: Tables) -> None:
    table.lay("deck", "AB")
    table.lay("hands.0", "C")
    table.do("tuck", "C", "hands.0", "deck")
    assert table.everybody_sees("deck") == ["C..", "C..", "C..", "C.."]
    table.do("draw", "deck", "hands.1")
    assert table.everybody_sees("deck") == ["C.", "C.", "C.", "C."], "the top card was drawn, not the tucked one"


def test_a_slipped_card_is_known_to_both_ends_alone(table: Tables) -> None:
    table.lay("hands.0", "AC")
    table.lay("hands.1", "D")
    table.do("slip", "A", "hands.0", "hands.1")
    assert table.everybody_sees("hands.1") == ["A.", "AD", "..", ".."]
    assert table.everybody_sees("hands.0") == ["C", ".", ".", "."]


def test_third_parties_lose_track_of_everything_a_card_slipped_out_of(table: Tables) -> None:
    table.lay("row", "AB")
    table.lay("hands.0", "C")
    table.do("move", "A", "row", "hands.0")
    table.do("move", "B", "row", "hands.0")
    assert table.everybody_sees("hands.0") == ["ABC", "AB.", "AB.", "AB."]
    table.do("slip", "A", "hands.0", "hands.1")
    assert table.everybody_sees("hands.0") == ["BC", "B.", "..", ".."]
    assert table.everybody_sees("hands.1") == ["A", "A", ".", "."]


@pytest.mark.parametrize("gone", ["A", "B"])
def test_of_two_equal_cards_one_must_be_left_whatever_slipped_away(table: Tables, gone: str) -> None:
    table.lay("row", "AAB")
    table.do("pour", "row", "hands.0")
    table.do("slip", gone, "hands.0", "hands.1")
    assert table.everybody_sees("hands.0")[2:] == ["A.", "A."]
    assert table.everybody_sees("hands.1")[2:] == [".", "."]


def test_a_card_that_slips_away_from_others_alike_is_followed_by_who_knew_them_all(table: Tables) -> None:
    table.lay("row", "AA")
    table.do("pour", "row", "hands.0")
    table.do("slip", "A", "hands.0", "hands.1")
    assert table.everybody_sees("hands.0") == table.everybody_sees("hands.1") == ["A"] * 4


def test_third_parties_keep_track_of_the_heap_a_card_slips_into(table: Tables) -> None:
    table.lay("row", "A")
    table.lay("hands.0", "C")
    table.do("move", "A", "row", "hands.1")
    table.do("slip", "C", "hands.0", "hands.1")
    assert table.everybody_sees("hands.1") == ["AC", "AC", "A.", "A."]


def test_a_poured_heap_is_remembered_by_who_knew_it(table: Tables) -> None:
    table.lay("row", "AB")
    table.lay("hands.0", "CD")
    table.do("pour", "row", "box")
    table.do("pour", "hands.0", "box")
    assert table.everybody_sees("box") == ["ABCD", "AB..", "AB..", "AB.."]


def test_a_heap_poured_face_up_is_seen_in_its_order(table: Tables) -> None:
    table.lay("hands.0", "DAC")
    table.do("show", "hands.0", cards="C")
    table.do("pour", "hands.0", "row")
    assert table.everybody_sees("row") == ["DAC"] * 4


def test_a_heap_poured_into_a_hand_is_seen_by_its_owner(table: Tables) -> None:
    table.lay("box", "AB")
    table.lay("hands.1", "C")
    table.do("pour", "box", "hands.1")
    assert table.everybody_sees("hands.1") == ["...", "ABC", "...", "..."]


def test_passed_hands_are_remembered_by_their_givers(table: Tables) -> None:
    table.lay("hands.0", "AB")
    table.lay("hands.1", "C")
    table.lay("hands.2", "D")
    for each in table.both:
        each.pass_on(each.hands, step=1)
    assert table.everybody_sees("hands.1") == ["AB", "AB", "..", ".."]
    assert table.everybody_sees("hands.2") == [".", "C", "C", "."]
    assert table.everybody_sees("hands.0") == ["D", ".", "D", "."]
    for each in table.both:
        each.pass_on(each.hands, step=-1)
    assert table.everybody_sees("hands.0") == ["AB", "AB", "..", ".."], "back again, and seat 1 remembers"


def test_a_surfaced_card_lies_on_top_for_all_to_see(table: Tables) -> None:
    table.lay("pile", "ABC")
    table.do("surface", "A", "pile")
    assert table.everybody_sees("pile") == ["BCA"] * 4


def test_shown_cards_are_known_to_who_looked(table: Tables) -> None:
    table.lay("hands.0", "ABC")
    table.do("show", "hands.0", cards="B", to=1 << 1)
    assert table.everybody_sees("hands.0") == ["ABC", "B..", "...", "..."]
    table.do("show", "hands.0")
    assert table.everybody_sees("hands.0") == ["ABC"] * 4


def test_a_shuffle_hides_every_place_from_all(table: Tables) -> None:
    table.lay("row", "ABCD")
    table.do("pour", "row", "deck")
    assert table.everybody_sees("deck") == ["ABCD"] * 4
    table.do("shuffle", "deck", "key")
    assert table.everybody_sees("deck") == ["...."] * 4


def test_who_sees_into_a_shuffled_heap_still_does(table: Tables) -> None:
    table.lay("hands.0", "ABC")
    table.do("show", "hands.0", cards="B")
    table.do("shuffle", "hands.0", "hand")
    assert table.everybody_sees("hands.0") == ["ABC", "...", "...", "..."]
    table.lay("row", "DEF")
    table.do("shuffle", "row", "row")
    seen = table.everybody_sees("row")
    assert sorted(seen[0]) == list("DEF")
    assert seen == [seen[0]] * 4


# --- Equal cards look alike -----------------------------------------------------------------------------


@pytest.mark.parametrize("known_first", [True, False])
def test_nobody_can_tell_which_of_two_equal_cards_was_played(table: Tables, known_first: bool) -> None:
    """All saw one A go to the hand; that another lies there too must not show when an A is played."""
    if not known_first:
        table.lay("hands.0", "A")
    table.lay("row", "A")
    table.do("move", "A", "row", "hands.0")
    if known_first:
        table.lay("hands.0", "A")
    assert table.everybody_sees("hands.0") == ["AA", "A.", "A.", "A."]
    table.do("move", "A", "hands.0", "pile")
    assert table.everybody_sees("hands.0") == ["A", ".", ".", "."]


@pytest.mark.parametrize("known_first", [True, False])
def test_nobody_can_tell_which_of_two_equal_cards_is_shown(table: Tables, known_first: bool) -> None:
    if not known_first:
        table.lay("hands.0", "A")
    table.lay("row", "A")
    table.do("move", "A", "row", "hands.0")
    if known_first:
        table.lay("hands.0", "A")
    table.do("show", "hands.0", cards="A")
    assert table.everybody_sees("hands.0") == ["AA", "A.", "A.", "A."]
    table.do("show", "hands.0")
    assert table.everybody_sees("hands.0") == ["AA"] * 4, "shown together they are two"


@pytest.mark.parametrize("known_first", [True, False])
def test_who_is_given_one_of_two_equal_cards_cannot_tell_which(table: Tables, known_first: bool) -> None:
    if not known_first:
        table.lay("hands.0", "A")
    table.lay("row", "A")
    table.do("move", "A", "row", "hands.0")
    if known_first:
        table.lay("hands.0", "A")
    table.do("slip", "A", "hands.0", "hands.1")
    assert table.everybody_sees("hands.0") == ["A", ".", ".", "."]
    assert table.everybody_sees("hands.1") == ["A", "A", ".", "."]


def test_a_card_drawn_openly_is_taken_for_the_equal_one_known_below() -> None:
    """Events do not tell places in a hidden heap, so that views must not know more than who folds events."""
    table = Tables()
    table.lay("deck", "BA")
    table.lay("row", "A")
    table.do("tuck", "A", "row", "deck")
    assert table.everybody_sees("deck") == ["A..", "A..", "A..", "A.."]
    table.do("draw", "deck", "hands.0")
    assert table.everybody_sees("deck") == ["..", "A.", "A.", "A."], "the others did not see which card it was"
    table.do("draw", "deck", "pile")
    assert table.everybody_sees("deck") == [".", "A", "A", "A"]


def test_how_much_a_viewer_learns_is_hidden_from_the_others() -> None:
    """Seat 1 gave A or E away, then an A is played: seat 2 cannot tell whether seat 1 knows what is left."""
    heard = []
    for gift, other in ("AE", "EA"):
        table = Tables()
        table.lay("hands.0", f"D{other}")
        table.lay("hands.1", gift)
        table.do("slip", gift, "hands.1", "hands.0")
        table.do("move", "A", "hands.0", "row")
        assert table.sees(1, "hands.0") == (".." if gift == "A" else "E.")
        table.do("show", "hands.0", to=1 << 1)
        for each in table.both:
            each.pass_on(each.hands)
        heard.append(seen_by(2, table.logged.events or []))
    assert heard[0] == heard[1]


def test_the_order_in_which_cards_came_to_a_hand_is_not_told_with_the_hand() -> None:
    heard = []
    for order in ("DEF", "FDE"):
        table = Tables()
        table.lay("deck", order)
        for _ in order:
            table.do("draw", "deck", "hands.0")
        before = len(table.logged.events or [])
        table.do("show", "hands.0", to=1 << 2)
        for each in table.both:
            each.pass_on(each.hands)
        heard.append([seen_by(viewer, (table.logged.events or [])[before:]) for viewer in (1, 2, PUBLIC)])
    assert heard[0] == heard[1]


# --- Views ----------------------------------------------------------------------------------------------


def test_strict_memory_shows_what_lies_open_to_the_eye_alone() -> None:
    table = Tables(strict_memory=True)
    table.lay("pile", "ABC")
    table.lay("row", "DE")
    table.lay("hands.0", "BA")
    assert table.everybody_sees("pile") == ["..C"] * 4
    assert table.everybody_sees("row") == ["DE"] * 4
    assert table.everybody_sees("hands.0") == ["AB", "..", "..", ".."]
    table.do("pour", "row", "box")
    table.do("move", "C", "pile", "hands.0")
    assert table.everybody_sees("box") == [".."] * 4, "remembered, but not seen"
    assert table.everybody_sees("hands.0") == ["ABC", "...", "...", "..."]


@pytest.mark.parametrize("stranger", [3, 5, 6, 8, -1])
def test_a_view_for_nobody_at_the_table_is_an_error(table: Tables, stranger: int) -> None:
    with pytest.raises(ValueError, match="neither a seat of this table nor PUBLIC"):
        table.logged.view(stranger)
    with pytest.raises(ValueError, match="neither a seat of this table nor PUBLIC"):
        table.logged.packed_view(stranger)


def test_a_hidden_heap_is_shown_in_an_order_that_tells_nothing(table: Tables) -> None:
    table.lay("hands.0", "FAC")
    assert table.sees(0, "hands.0") == "ACF"


def test_a_zone_never_prints_its_cards(table: Tables) -> None:
    table.lay("hands.0", "FAC")
    assert repr(table.logged.hands[0]) == "<hands.0: 3 cards, own hand>"


def test_a_hand_belongs_to_a_seat() -> None:
    with pytest.raises(TypeError, match="a hand belongs to a seat"):
        zone(OWN_HAND).lay("hand", None)


def test_a_zone_may_not_take_a_name_that_every_view_uses() -> None:
    with pytest.raises(TypeError, match="seats already mean something"):
        type("Wrong", (Bench,), {"seats": zone(OWN_HAND)})


def test_finding_a_face_that_is_not_there_says_so(table: Tables) -> None:
    empty: Zone = table.logged.deck
    with pytest.raises(LookupError, match="no A in deck"):
        table.logged.find(empty, "A")


def test_the_public_is_no_seat(table: Tables) -> None:
    assert table.logged.view(PUBLIC)["seat"] is None
    assert table.logged.view(2)["seat"] == 2


def test_a_look_is_shared_by_those_alone_who_can_place_every_card(table: Tables) -> None:
    """Seat 2 and then seat 0 look at a heap that seat 0 knows whole; whoever looks first decides nothing."""
    table.lay("box", "AB")
    table.do("show", "box", to=1 << 0)
    table.do("show", "box", cards="A", to=1 << 2)
    for viewer, seen in ((2, "A."), (0, "AB"), (2, "A."), (1, ".."), (0, "AB")):
        assert table.sees(viewer, "box") == seen
        assert table.logged.packed_view(viewer) == msgpack.packb(table.logged.view(viewer))


def test_a_public_value_that_is_equal_but_another_kind_travels_as_what_it_is(table: Tables) -> None:
    """Packed, True and 1 differ, and so do None and nothing."""
    game = table.logged
    for value in (True, 1, False, 0, None, (), (True,), (1,)):
        game.mood = value  # type: ignore[assignment]
        assert game.packed_view(0) == msgpack.packb(game.view(0))


def test_what_is_asked_travels_as_it_is_shown(table: Tables) -> None:
    game = table.logged
    for seats in ((0,), (2,), (1, 2), (0, 1, 2)):
        for context in ((), (None,), (True,), (1,), ("A", (2, "B"))):
            for together in (False, True) if len(seats) == 1 else (True,):
                game.question = Question(seats, "bids", "reveal", context, together)
                assert game.packed_view(1) == msgpack.packb(game.view(1))


def test_no_table_has_a_seat_that_is_the_public() -> None:
    with pytest.raises(TypeError, match="7 seats are the most"):

        class Crowd(Magpie):
            seats_allowed = range(2, 9)
