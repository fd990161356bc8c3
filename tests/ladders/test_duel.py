"""The duel: who sits where, what a block says, and when it is over."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from ladders.duel import (
    DuelSettings,
    Side,
    block_score,
    elo_of,
    exact_llr,
    expected_score,
    judge,
    mirror,
    tally,
    tally_llr,
)


@pytest.mark.parametrize("seats", range(2, 7))
def test_a_mirror_gives_b_half_the_seats_and_then_the_others(seats: int) -> None:
    for arrangement in list(permutations(range(seats)))[:50]:
        first, second = mirror(arrangement)
        assert first.count("B") == seats // 2
        assert [one == other for one, other in zip(first, second, strict=True)] == [False] * seats
        assert {at for at, side in enumerate(first) if side == "B"} == set(arrangement[: seats // 2])


def test_a_block_score_is_the_mean_over_all_pairs_of_both_matches() -> None:
    first, second = mirror([2, 0, 1])
    assert first == ("A", "A", "B")
    assert block_score([first], [(1, 2, 2)]) == 0.25
    assert block_score([first, second], [(1, 2, 2), (1, 2, 2)]) == (0.25 + 0.75) / 2


def test_equal_bots_on_the_same_deal_score_a_half_however_good_the_cards() -> None:
    """What the seats get is swapped: B's luck in one match is A's in the other."""
    assert block_score(mirror([0, 1, 2, 3]), [(1, 2, 3, 4), (1, 2, 3, 4)]) == 0.5


def test_others_at_the_table_do_not_count() -> None:
    field: list[tuple[Side, ...]] = [("A", "", "B", ""), ("", "B", "", "A")]
    assert block_score(field, [(4, 1, 3, 2), (1, 2, 3, 2)]) == 0.75


def test_a_match_without_both_is_refused() -> None:
    with pytest.raises(ValueError, match="needs A and B"):
        block_score([("A", "A")], [(1, 2)])


def test_a_clearly_better_b_passes_as_soon_as_it_may() -> None:
    verdict = judge([0.6, 0.5] * 30)
    assert (verdict.decision, verdict.blocks) == ("pass", 16)
    assert verdict.llr >= verdict.bounds[1]
    assert verdict.score == pytest.approx(0.55)
    assert verdict.sentence.startswith("B is better than A: it passes after 16 blocks")


def test_a_worse_b_fails() -> None:
    verdict = judge([0.4, 0.5] * 30)
    assert (verdict.decision, verdict.over) == ("fail", True)
    assert "it fails after 16 blocks" in verdict.sentence


def test_nothing_is_decided_before_sixteen_blocks() -> None:
    assert judge([0.6, 0.5] * 7).decision == "undecided"
    assert judge([0.6, 0.5] * 7, DuelSettings(least_blocks=2)).decision == "pass"
    assert judge([0.6, 0.5] * 8).decision == "pass"


def test_the_first_crossing_counts() -> None:
    verdict = judge([0.6, 0.5] * 8 + [0.0] * 500)
    assert (verdict.decision, verdict.blocks) == ("pass", 16)


def test_a_duel_between_equals_in_everything_fails() -> None:
    """No block ever differs: the variance is taken for what so few blocks could hide."""
    assert judge([0.5] * 200).decision == "fail"


def test_a_duel_half_way_is_given_up_in_the_end() -> None:
    halfway = (0.5 + expected_score(20)) / 2
    verdict = judge([halfway - 0.3, halfway + 0.3] * 20_000)
    assert verdict.decision == "inconclusive"
    assert verdict.expected_blocks is not None
    assert verdict.blocks == pytest.approx(10 * verdict.expected_blocks, rel=0.01)
    assert judge([0.45, 0.55] * 50, DuelSettings(elo1=5, most_blocks=40)).blocks == 40


def test_an_empty_duel_is_undecided() -> None:
    verdict = judge([])
    assert (verdict.decision, verdict.score, verdict.margin, verdict.over) == ("undecided", None, None, False)
    assert verdict.sentence == "Undecided after 0 blocks. Play on."


def test_expected_blocks_are_the_known_multiples() -> None:
    settings = DuelSettings()
    unit = 1 / (expected_score(20) - 0.5) ** 2
    assert settings.expected_blocks(1) == pytest.approx(5.30 * unit, rel=1e-3)
    assert settings.expected_blocks(1, halfway=True) == pytest.approx(8.67 * unit, rel=1e-3)
    assert DuelSettings(normalised=True).expected_blocks(0.1) == DuelSettings(normalised=True).expected_blocks(0.2)


def test_errors_stay_near_what_was_asked_for() -> None:
    chance = np.random.RandomState(7)
    settings = DuelSettings(elo0=0, elo1=50)

    def passes(elo: float) -> float:
        runs = expected_score(elo) + 0.25 * chance.normal(size=(300, 1500))
        return float(np.mean([judge(run.tolist(), settings).decision == "pass" for run in runs]))

    assert passes(0) <= 0.08
    assert passes(50) >= 0.92


def test_the_exact_ratio_is_near_the_closed_form() -> None:
    for counts in ([20, 30, 40, 35, 25], [5, 60, 80, 70, 8], [0, 10, 90, 20, 0]):
        for settings in (DuelSettings(), DuelSettings(normalised=True)):
            assert exact_llr(counts, settings) == pytest.approx(tally_llr(counts, settings), abs=0.05)


def test_a_tally_of_wins_alone_is_infinite_and_sure() -> None:
    found = tally([0, 0, 50])
    assert found.elo == float("inf")
    assert found.los > 0.999
    assert elo_of(0.0) == float("-inf")
    with pytest.raises(ValueError, match="nothing was counted"):
        tally([0, 0, 0])


def test_settings_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="elo0 must be below elo1"):
        DuelSettings(elo0=20, elo1=20)
    with pytest.raises(ValueError, match="within -4000 and 4000"):
        DuelSettings(elo0=-200_000)
    with pytest.raises(ValueError, match="too close"):
        DuelSettings(elo1=1e-17)
    with pytest.raises(ValueError, match="chances of an error"):
        DuelSettings(alpha=0)


def test_a_test_of_the_strongest_there_can_be_comes_to_an_end() -> None:
    settings = DuelSettings(elo0=3_999, elo1=4_000, most_blocks=40)
    assert judge([1.0] * 40, settings).over
