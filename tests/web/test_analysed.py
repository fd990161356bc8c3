"""A replay says what a decision lost, at the move it led to and to the viewers of that seat."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from arena.analyses import Analyses, Weighed
from arena.web.application import make_app

REMARK = "seer: take an action card (0.50 ± 0.10 places lost)"
SECOND = 2


@pytest.fixture
def analyses(tmp_path):
    return Analyses(tmp_path)


@pytest.fixture
def pages(store, analyses):
    with TestClient(make_app(store, analyses=analyses), base_url="http://localhost", backend="trio") as opened:
        yield opened


@pytest.fixture
def match(lines, analyses):
    match = next(line.match for line in lines if line.division.game == "wolfpack")
    analyses.keep(match, 1, [Weighed(SECOND, ("draw",), ("take",), 0.5, 0.1, 99)])
    return match


def lost(pages, match, seat):
    marks = pages.get(f"/api/matches/{match}/table?seat={seat}").json()["marks"]
    return [(at, who, text) for at, who, kind, text in marks if kind == "lost"]


def test_the_mark_stands_at_the_second_decision_of_that_seat(pages, match):
    positions = pages.get(f"/api/matches/{match}/positions?seat=1&page=0").json()["positions"]
    decided = [at for at, one in enumerate(positions) if 1 in [seat for seat, *_ in one["answers"]]]
    at = decided[SECOND - 1]
    assert lost(pages, match, "1") == [(at, 1, REMARK)]
    assert positions[at]["marks"] == [[1, "lost", REMARK]]


@pytest.mark.parametrize(
    ("seat", "told"), [("1", True), ("all", True), ("0", False), ("2", False), ("public", False)]
)
def test_only_viewers_of_that_seat_are_told(pages, match, seat, told):
    assert bool(lost(pages, match, seat)) == told
    assert (REMARK in pages.get(f"/m/{match}/text?seat={seat}").text) == told
    assert ("places lost" in pages.get(f"/api/matches/{match}/positions?seat={seat}&page=0").text) == told


def test_a_match_analysed_later_is_marked_without_a_restart(pages, lines, analyses):
    match = next(line.match for line in lines if line.division.game == "sheepzzz")
    assert lost(pages, match, "0") == []
    analyses.keep(match, 0, [Weighed(SECOND, ("take", 0), ("take", 1), 0.5, 0.1, 99)])
    assert len(lost(pages, match, "0")) == 1


def test_nothing_is_told_of_a_match_whose_block_is_not_finished(pages, unfinished, analyses):
    analyses.keep(unfinished, 0, [Weighed(1, ("draw",), ("take",), 0.5, 0.1, 99)])
    answer = pages.get(f"/api/matches/{unfinished}/table?seat=0")
    assert answer.status_code != 200
    assert "places lost" not in answer.text
