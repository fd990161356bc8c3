"""What was found about a seat's decisions is kept by seat, and told to who sees what that seat saw."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.analyses import Analyses, Weighed
from arena.games.wolfpack import DRAW, TAKE, Wolfpack

BLUNDER = Weighed(2, DRAW, TAKE, 0.5, 0.1, 99)
TRIFLE = Weighed(3, DRAW, TAKE, 0.1, 0.1, 99)
REMARK = "seer: take an action card (0.50 ± 0.10 places lost)"


@pytest.fixture
def analyses(tmp_path: Path) -> Analyses:
    found = Analyses(tmp_path)
    found.keep("m-1", 0, [BLUNDER, TRIFLE])
    found.keep("m-1", 1, [TRIFLE])
    return found


def test_seats_are_kept_side_by_side_and_options_come_back_as_they_went(analyses: Analyses) -> None:
    assert analyses.of("m-1") == {0: [BLUNDER, TRIFLE], 1: [TRIFLE]}
    assert analyses.of("m-2") == {}


@pytest.mark.parametrize(("viewer", "told"), [(0, {(0, 2): REMARK}), (None, {(0, 2): REMARK}), (1, {}), (-1, {})])
def test_only_what_is_beyond_doubt_is_told_and_only_of_the_own_seat(
    analyses: Analyses, viewer: int | None, told: dict[tuple[int, int], str]
) -> None:
    assert analyses.remarks("m-1", Wolfpack, viewer) == told


@pytest.mark.parametrize("damage", [b"", b"[", b"\xff", b'{"0": [{"number": 1}]}'])
def test_a_damaged_file_is_as_good_as_none(analyses: Analyses, tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "analyses" / "m-1.json").write_bytes(damage)
    assert analyses.of("m-1") == {}
    analyses.keep("m-1", 1, [TRIFLE])
    assert analyses.of("m-1") == {1: [TRIFLE]}
