"""Options of a rulebook: what is read from outside, and what is refused with a useful word."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass

import pytest

from arena.games import GAMES
from arena.variants import Variant, VariantError, choice, flag, number, text


def _even(value: str) -> None:
    if int(value) % 2:
        raise ValueError("an even number is needed")


@dataclass(frozen=True)
class Sample(Variant):
    ending: str = choice("soft", "hard", why="how it ends")
    wolves: bool = flag(True, "with wolves")
    target: int = number(75, 1, 100, "points to win")
    code: str = text("2", _even, "even", "a code")


def test_nothing_given_is_the_default() -> None:
    assert Sample.read({}) == Sample()
    assert Sample().changes() == {}


def test_only_changes_travel_and_are_read_back() -> None:
    variant = Sample.read({"ending": "hard", "target": "12", "wolves": "no"})
    assert variant == Sample(ending="hard", target=12, wolves=False)
    assert variant.changes() == {"ending": "hard", "wolves": False, "target": 12}
    assert Sample.read(variant.changes()) == variant


@pytest.mark.parametrize("word", ["true", "Yes", "on", True])
def test_a_flag_understands_yes(word: object) -> None:
    assert Sample.read({"wolves": word}).wolves is True


@pytest.mark.parametrize("word", ["false", "NO", "off", False])
def test_a_flag_understands_no(word: object) -> None:
    assert Sample.read({"wolves": word}).wolves is False


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"endin": "hard"}, 'unknown option "endin"; did you mean "ending"?'),
        ({"xyz": 1}, 'unknown option "xyz"; known: ending, wolves, target, code'),
        ({"ending": "sudden"}, 'ending = "sudden": choose soft, hard'),
        ({"wolves": "perhaps"}, 'wolves = "perhaps": choose true or false'),
        ({"wolves": 1}, 'wolves = "1": choose true or false'),
        ({"target": 0}, "target = 0: choose 1 to 100"),
        ({"target": 101}, "target = 101: choose 1 to 100"),
        ({"target": 1 << 20_000}, "target = …: choose 1 to 100"),
        ({"target": "many"}, 'target = "many": a whole number is needed'),
        ({"target": True}, 'target = "True": a whole number is needed'),
        ({"target": 7.5}, 'target = "7.5": a whole number is needed'),
        ({"code": "3"}, 'code = "3": an even number is needed'),
    ],
)
def test_what_cannot_be_is_refused_and_what_would_do_is_said(given: dict[str, object], complaint: str) -> None:
    with pytest.raises(VariantError) as refused:
        Sample.read(given)
    assert str(refused.value) == complaint


def test_a_variant_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Sample().target = 3  # type: ignore[misc]


def test_every_option_is_described() -> None:
    assert Sample.described() == [
        ("ending", "soft", "soft | hard", "how it ends"),
        ("wolves", True, "true | false", "with wolves"),
        ("target", 75, "1..100", "points to win"),
        ("code", "2", "even", "a code"),
    ]


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_defaults_of_every_game_are_values_they_would_accept(game: type) -> None:
    variant_type = game.variant_type
    for name, default, allowed, why in variant_type.described():
        assert variant_type.read({name: default}) == variant_type()
        assert variant_type.read({name: str(default)}) == variant_type()
        assert allowed
        assert why
