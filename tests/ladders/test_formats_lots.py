"""Lots: chance for schedules."""

from __future__ import annotations

from collections import Counter

from ladders.lots import labelled, lot, shuffled

SEED = b"\x07" * 32


def test_a_lot_follows_from_seed_and_key_alone() -> None:
    assert lot(SEED, "coin", 1) == lot(SEED, "coin", 1)
    drawn = {lot(SEED, "a", 1), lot(SEED, "a", "1"), lot(SEED, "a/1"), lot(SEED, "a"), lot(b"other", "a", 1)}
    assert len(drawn) == 5


def test_lots_never_change_between_versions() -> None:
    assert f"{lot(SEED, 'coin', 1):.15f}" == "0.571941145943630"
    assert shuffled(SEED, "abcdef", "order", 3) == list("cefdab")
    assert labelled(SEED, 12, ("wolf", "dog", "sheep")) == ("dog", "wolf", "sheep")


def test_lots_are_uniform() -> None:
    tenths = Counter(int(10 * lot(SEED, "spread", number)) for number in range(10_000))
    assert set(tenths) == set(range(10))
    assert all(850 < count < 1150 for count in tenths.values())  # five standard deviations


def test_every_arrangement_is_equally_likely() -> None:
    seen = Counter("".join(shuffled(SEED, "abc", number)) for number in range(6_000))
    assert len(seen) == 6
    assert all(850 < count < 1150 for count in seen.values())


def test_nothing_and_one_thing_can_be_shuffled() -> None:
    assert shuffled(SEED, []) == []
    assert shuffled(SEED, ["a"]) == ["a"]


def test_labels_do_not_depend_on_the_order_in_which_bots_are_named() -> None:
    assert labelled(SEED, 5, ("c", "a", "b")) == labelled(SEED, 5, ("a", "b", "c"))


def test_labels_go_round_over_the_blocks() -> None:
    first = Counter(labelled(SEED, block, ("a", "b", "c"))[0] for block in range(3_000))
    assert all(850 < first[bot] < 1150 for bot in "abc")
