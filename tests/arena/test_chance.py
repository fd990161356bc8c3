"""Keyed chance: the same on every machine, uniform, and named; and nothing else deals cards."""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

from arena.chance import FastChance, KeyedChance, commitment, derive

SECRET = bytes(range(32))
ARENA = Path(__file__).parents[2] / "arena"


def chance() -> KeyedChance:
    return KeyedChance(SECRET)


def test_values_are_the_same_on_every_machine() -> None:
    assert chance().order(10, ("deal", 1)) == [4, 6, 1, 9, 3, 2, 8, 5, 7, 0]
    assert chance().order(10, ("deal", 2)) == [1, 9, 6, 5, 0, 3, 8, 2, 4, 7]
    assert chance().order(5, ("é\n'",)) == [2, 1, 0, 4, 3]
    assert chance().pick(1000, ("wolf", 1, 2)) == 219
    assert chance().pick(1 << 31, ("x",)) == 1535906719


def test_many_deals_are_the_same_on_every_machine() -> None:
    deals = repr([chance().order(48, ("deal", number)) for number in range(200)])
    digest = hashlib.sha256(deals.encode()).hexdigest()
    assert digest == "4596d5e323a319d966f1a8b4e382895c1adb39eaf4e8cc8e6874a82e84ada8c4"


def test_a_pick_can_be_computed_by_hand() -> None:
    """Another language needs SHAKE-256, a prefix, the secret and the spelling of the key; nothing else."""
    stream = hashlib.shake_256(b"flock-arena chance 1\0" + SECRET + b"'wolf'/1/2").digest(4)
    assert int.from_bytes(stream, "big") % 1000 == chance().pick(1000, ("wolf", 1, 2))


def test_the_order_of_asking_does_not_matter() -> None:
    one, other = chance(), chance()
    first = one.order(48, ("deal", 1)), one.pick(9, ("wolf", 1))
    second = other.pick(9, ("wolf", 1)), other.order(48, ("deal", 1))
    assert first == second[::-1]


def test_different_keys_and_different_secrets_give_different_deals() -> None:
    keys = [
        ("deal", 1),
        ("deal", 2),
        ("deal", "1"),
        ("deal",),
        ("deal", 1, 1),
        ("deal", 11),
        ("deal/1",),
        ("de", "al"),
    ]
    assert len({tuple(chance().order(48, key)) for key in keys}) == len(keys)
    others = [KeyedChance(bytes(31) + bytes([last])).order(48, ("deal", 1)) for last in range(20)]
    assert len(set(map(tuple, others))) == 20


def test_a_number_and_its_spelling_are_different_keys() -> None:
    assert chance().order(48, ("a", 1)) != chance().order(48, ("a", "1"))


def test_empty_and_single_heaps_need_no_luck() -> None:
    assert chance().order(0, ("a",)) == []
    assert chance().order(1, ("a",)) == [0]
    assert chance().pick(1, ("a",)) == 0


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_secret_of_the_wrong_length_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match=f"32 bytes, not {length}"):
        KeyedChance(bytes(length))


# --- Uniformity: fixed secrets, so that these can fail but not flake -----------------------------------------

DEALS = 24_000


def unevenness(order: Callable[[int], list[int]]) -> float:
    """Chi-square of the 24 arrangements of four cards; 23 degrees of freedom, 58 is one in ten thousand."""
    counts = Counter(tuple(order(number)) for number in range(DEALS))
    expected = DEALS / 24
    return sum((counts[arranged] - expected) ** 2 / expected for arranged in permutations(range(4)))


def naive_order(number: int) -> list[int]:
    """The well-known wrong shuffle: every place changes with any other."""
    luck, cards = Random(number), [0, 1, 2, 3]
    for place in range(4):
        other = luck.randrange(4)
        cards[place], cards[other] = cards[other], cards[place]
    return cards


def test_every_arrangement_is_equally_likely() -> None:
    assert unevenness(lambda number: chance().order(4, ("deal", number))) < 58
    fast = FastChance(1)
    assert unevenness(lambda number: fast.order(4, ("deal", number))) < 58


def test_the_measure_of_unevenness_finds_a_naive_shuffle() -> None:
    assert unevenness(naive_order) > 200


def test_every_card_is_equally_likely_at_every_place() -> None:
    size, deals = 12, 10_000
    counts = Counter(
        (place, card)
        for number in range(deals)
        for place, card in enumerate(chance().order(size, ("deal", number)))
    )
    expected = deals / size
    assert len(counts) == size * size
    # 121 degrees of freedom: mean 121, standard deviation 15.6
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 190


def test_numbers_that_would_favour_the_small_are_rejected() -> None:
    """Without rejection, numbers below 2**30 would come up half of the time instead of a third."""
    size = 3 << 30
    small = sum(chance().pick(size, ("pick", number)) < 1 << 30 for number in range(6_000))
    assert 1_850 < small < 2_150


def test_a_stream_of_rejections_is_followed_further() -> None:
    """About every fourth word is rejected here, so some of these need more words than were made at first."""
    picks = [chance().pick(3 << 30, ("long", number)) for number in range(2_000)]
    assert len(set(picks)) > 1_990


# --- Fast chance, secrets, commitments --------------------------------------------------------------------------


def test_fast_chance_repeats_from_its_seed() -> None:
    one, other = FastChance(7), FastChance(7)
    assert [one.order(9, ("a",)), one.pick(9, ("a",))] == [other.order(9, ("a",)), other.pick(9, ("a",))]
    assert FastChance(7).order(30, ("a",)) != FastChance(8).order(30, ("a",))
    assert sorted(FastChance(7).order(30, ("a",))) == list(range(30))
    assert {FastChance(seed).pick(3, ("a",)) for seed in range(50)} == {0, 1, 2}


def test_a_derived_secret_is_pinned_and_depends_on_every_part_of_its_name() -> None:
    child = derive(SECRET, "deal", 3)
    assert child.hex() == "46f365f07fb122f69bc4cdadf5036dab830e529e68219a5e62612040db282cac"
    others = [derive(SECRET, "deal", 4), derive(SECRET, "deal", "3"), derive(bytes(32), "deal", 3), derive(SECRET)]
    assert len({child, *others}) == 5


def test_a_commitment_is_pinned_and_depends_on_deal_and_salt() -> None:
    told = commitment(SECRET, b"salt" * 8)
    assert told == "fb2d7b0bfaacf88d30e40a4d1efc92a9af4bdad89d282de03408ed80743d755f"
    assert len({told, commitment(SECRET, b"pepper"), commitment(bytes(32), b"salt" * 8)}) == 3


# --- Nothing else deals cards -----------------------------------------------------------------------------------


def imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.split(".")[0])
    return found


RULES = [*sorted((ARENA / "games").glob("*.py")), *(ARENA / f"{name}.py" for name in ("game", "table", "zones"))]


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_rules_know_no_chance_but_the_one_they_are_handed(path: Path) -> None:
    assert not imported(path) & {"random", "secrets", "time", "os", "uuid", "numpy"}


def test_the_search_for_imports_finds_them() -> None:
    assert "random" in imported(ARENA / "chance.py")
