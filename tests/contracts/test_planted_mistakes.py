"""A contract is worth what it catches: mistakes planted on purpose, and the check that must notice each."""

from __future__ import annotations

from typing import Any

import pytest

from arena.contract import positions as game_contract
from arena.contract.positions import Broken, check_class, check_game
from arena.game import Game, Option, side_by_side
from arena.games.sheepzzz import SheepZzz
from arena.zones import EVERYONE, NOBODY, Row, Zone
from tests.contracts import mistakes
from tests.contracts.test_game_contract import transcripts
from tests.contracts.tiny import Magpie


@pytest.mark.parametrize(
    ("game", "check"),
    [
        (mistakes.PublicFromHands, "twin worlds"),
        (mistakes.OptionsFromDeck, "imagined"),
        (mistakes.SecretInContext, "twin worlds"),
        (mistakes.MovedWithoutVerb, "verbs"),
        (mistakes.KnownWithoutVerb, "verbs"),
        (mistakes.MutablePublic, "plain data"),
        (mistakes.DroppedCard, "conservation"),
        (mistakes.FieldLeftOut, "hidden state"),
        (mistakes.LoudDraw, "folding"),
        (mistakes.KeyUsedTwice, "chance keys"),
        (mistakes.LoudWhisper, "twin worlds"),
        (mistakes.AskedByHolding, "twin worlds"),
        (mistakes.TellingStandIn, "twin worlds"),
        (mistakes.NothingToDo, "options"),
        (mistakes.EqualOptions, "options"),
        (mistakes.OrderOfArrival, "imagined"),
        (mistakes.UnfairRanks, "outcome"),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else value.replace(" ", "-"),
)
def test_a_planted_mistake_is_caught(game: type[Game], check: str) -> None:
    with pytest.raises(Broken) as caught:
        check_game(game, 3, positions=3_000)
    assert caught.value.check == check, str(caught.value)


@pytest.mark.parametrize("game", [mistakes.OptionsFromDeck, mistakes.PublicFromHands, mistakes.LoudDraw])
def test_twin_worlds_alone_catch_what_is_derived_from_hidden_cards(game: type[Game], monkeypatch: Any) -> None:
    monkeypatch.setattr(game_contract, "_check_position", lambda *_: None)
    with pytest.raises(Broken, match=r"twin worlds.*seats.*position.*exchanged in shuffle"):
        check_game(game, 3, positions=3_000)


def test_field_left_out_is_caught_by_imagining_too(monkeypatch: Any) -> None:
    monkeypatch.setattr(game_contract, "_check_values", lambda *_: None)
    with pytest.raises(Broken) as caught:
        check_game(mistakes.FieldLeftOut, 3, positions=3_000)
    assert caught.value.check == "imagined"


def test_a_mutable_public_value_is_caught_by_playing_a_copy_too(monkeypatch: Any) -> None:
    monkeypatch.setattr(game_contract, "_plain", lambda _: True)
    monkeypatch.setattr(game_contract, "_check_folding", lambda *_: None)
    monkeypatch.setattr(game_contract, "_check_packed", lambda *_: None)
    with pytest.raises(Broken) as caught:
        check_game(mistakes.MutablePublic, 3, positions=3_000)
    assert caught.value.check == "copy"


def test_a_game_without_end_is_caught(monkeypatch: Any) -> None:
    monkeypatch.setattr(game_contract, "LONGEST", 200)
    with pytest.raises(Broken) as caught:
        check_game(mistakes.Endless, 2)
    assert caught.value.check == "end"


def test_the_order_of_a_set_is_caught_by_another_process() -> None:
    name = f"{mistakes.__name__}:{mistakes.OrderFromSet.__name__}"
    assert len({transcripts(seed, name) for seed in ("1", "2", "3", "4")}) > 1


# --- Mistakes of the kernel itself --------------------------------------------------------------------


@pytest.fixture
def unfiltered(monkeypatch: Any) -> None:
    """A view that shows every card to everybody."""
    view = Game.view

    def show_all(self: Game, viewer: int) -> dict[str, Any]:
        seen = view(self, viewer)
        for name, declared in self._zones.items():
            held = getattr(self, name)
            heaps = [[self.faces[card] for card in heap.cards] for heap in (held if declared.row else [held])]
            seen[name] = heaps if declared.row else heaps[0]
        return seen

    monkeypatch.setattr(Game, "view", show_all)


@pytest.mark.usefixtures("unfiltered")
@pytest.mark.parametrize("game", [SheepZzz, Magpie])
def test_removing_the_filter_from_view_is_caught_by_twin_worlds(game: type[Game], monkeypatch: Any) -> None:
    monkeypatch.setattr(game_contract, "_check_position", lambda *_: None)
    with pytest.raises(Broken, match=r"message\.view\."):
        check_game(game, 2)


@pytest.mark.usefixtures("unfiltered")
@pytest.mark.parametrize("game", [SheepZzz, Magpie])
def test_removing_the_filter_from_view_is_caught_by_folding(game: type[Game]) -> None:
    with pytest.raises(Broken) as caught:
        check_game(game, 2)
    assert caught.value.check == "folding"


def test_places_in_a_hidden_heap_are_caught(monkeypatch: Any) -> None:
    """Known cards at their true places would tell where the unknown ones lie."""

    def in_place(self: Game, zone: Zone, bit: int) -> tuple[list[int], int]:
        return [card for card in zone.cards if self.knowers[card] & bit], bit

    monkeypatch.setattr(Game, "_known", in_place)
    with pytest.raises(Broken) as caught:
        check_game(Magpie, 3, positions=3_000)
    assert caught.value.check == "places"


def shared_with_all(self: Game, zone: Zone, bit: int) -> tuple[list[int], int]:
    """What one viewer can place, kept for everybody."""
    return sorted(card for card in zone.cards if self.knowers[card] & bit), EVERYONE


def test_a_look_kept_for_who_cannot_place_the_cards_is_caught(monkeypatch: Any) -> None:
    monkeypatch.setattr(Game, "_known", shared_with_all)
    with pytest.raises(Broken) as caught:
        check_game(Magpie, 3, positions=3_000)
    assert caught.value.check == "folding"


def test_a_look_kept_for_who_cannot_place_the_cards_is_caught_by_twin_worlds(monkeypatch: Any) -> None:
    class Careless(Magpie):  # a class of its own, so that the twins of a compiled kernel are careless too
        _known = shared_with_all

    monkeypatch.setattr(game_contract, "check_class", lambda _: None)
    monkeypatch.setattr(game_contract, "_check_position", lambda *_: None)
    with pytest.raises(Broken) as caught:
        check_game(Careless, 3, positions=3_000)
    assert caught.value.check == "twin worlds"


def test_bytes_kept_after_a_row_was_touched_are_caught(monkeypatch: Any) -> None:
    def zone_alone(self: Game, zone: Zone) -> None:
        zone.lookers = zone.readers = NOBODY

    monkeypatch.setattr(Game, "_touch", zone_alone)
    with pytest.raises(Broken) as caught:
        check_game(Magpie, 3, positions=3_000)
    assert caught.value.check == "packed view"


def test_bytes_kept_of_cards_that_were_taken_away_are_caught(monkeypatch: Any) -> None:
    """A pile that was taken and opened again, taken for one on which a card was put."""
    monkeypatch.setattr(Game, "_touch", Game._cover)
    with pytest.raises(Broken) as caught:
        check_game(SheepZzz, 3, positions=3_000)
    assert caught.value.check == "packed view"


def test_options_that_travel_as_others_are_caught() -> None:
    class Mumbling(SheepZzz):
        def flocks(self, seat: int) -> list[Option]:
            options = super().flocks(seat)
            self._in_bytes[seat] = side_by_side(options[::-1])
            return options

    with pytest.raises(Broken) as caught:
        check_game(Mumbling, 3, positions=3_000)
    assert caught.value.check == "packed options"


def test_bytes_kept_for_who_cannot_place_the_cards_are_caught(monkeypatch: Any) -> None:
    """A row packed for one viewer and handed to the next."""
    pack_row = Game._pack_row

    def for_all(self: Game, row: Row, bit: int, faces: tuple[bytes, ...]) -> None:
        pack_row(self, row, bit, faces)
        row.readers = EVERYONE

    monkeypatch.setattr(Game, "_pack_row", for_all)
    with pytest.raises(Broken) as caught:
        check_game(Magpie, 3, positions=3_000)
    assert caught.value.check == "packed view"


def test_answers_given_together_are_secret(monkeypatch: Any) -> None:
    """Heard by all, a whispered stone would be known to all."""

    def aloud(self: Game, seats: Any, chosen: Any) -> None:
        for seat, option in zip(seats, chosen, strict=True) if self.events is not None else ():
            self.events.append((EVERYONE, "answer", seat, option))

    monkeypatch.setattr(Game, "_tell_answers", aloud)
    with pytest.raises(Broken) as caught:
        check_game(Magpie, 3, positions=3_000)
    assert caught.value.check == "twin worlds"


def test_a_default_viewer_is_caught(monkeypatch: Any) -> None:
    monkeypatch.setattr(Game, "view", lambda self, viewer=7: {})
    with pytest.raises(Broken) as caught:
        check_class(Magpie)
    assert caught.value.check == "viewer"


def test_a_rulebook_may_not_hide_or_copy_by_itself() -> None:
    class Sly(Magpie):
        def copy(self) -> Any:
            return self

    with pytest.raises(Broken, match="overrides copy"):
        check_class(Sly)


def test_a_view_for_a_stranger_is_caught(monkeypatch: Any) -> None:
    view = Game.view
    monkeypatch.setattr(Game, "view", lambda self, viewer: view(self, 7 if viewer == 6 else viewer))
    with pytest.raises(Broken) as caught:
        check_game(Magpie, 2)
    assert caught.value.check == "viewer"
