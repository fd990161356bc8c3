"""Nothing hidden reaches anybody: planted values are looked for in every byte of every page."""

from __future__ import annotations

import pytest

from arena.store import open_store
from arena.store.lock import LadderLock
from arena.store.matches import Wanted
from arena.web.library import Library, Sealed
from tests.web import flock, walk


def hidden_values() -> list[str]:
    """Deals and salts of all blocks, the seed in a ladder's file, folders, stderr, notes."""
    found = [flock.CANARY, flock.SEED]
    for ladder in ("spring", "late", "open-notes", "hostile"):
        for block in range(12):
            found.append(flock.hashed(ladder, block).hex())
            found += [flock.hashed(ladder, block, seating).hex() for seating in range(6)]
    return found


def test_d4_no_page_holds_a_seed_a_deal_a_salt_a_folder_stderr_or_a_note(answers, store):
    open_notes = [line.match for line in store.match_list(Wanted(ladder="open-notes"))]
    assert len(answers) > 300
    opened = {path for path, answer in answers.items() if answer.status_code == 200}
    assert len(opened) > 200
    for path, answer in answers.items():
        text = answer.text.replace(f"{flock.CANARY} note", "") if path[13:27] in open_notes else answer.text
        for value in hidden_values():
            assert value not in text, f"{path} holds {value}"


def test_d4_a_match_under_way_answers_409_on_every_route_that_could_show_it(client, unfinished):
    shown = {route.path for route in walk.routes(client.app) if "{match}" in route.path}
    told = client.get(f"/api/matches/{unfinished}").json()
    assert set(told) == {"match", "state", "commitment"} and told["state"] == "planned"
    for path in shown - {"/api/matches/{match}"}:
        for seat in ("0", "1", "public", "all"):
            answer = client.get(path.replace("{match}", unfinished), params={"seat": seat})
            assert answer.status_code == (404 if "live" in path else 409), path


def test_d5_a_seating_that_is_over_stays_closed_until_its_block_is_and_the_page_says_so(client, unfinished):
    assert "opens when all of block 8 is finished" in client.get(f"/m/{unfinished}").text


def test_d5_a_ladder_may_keep_its_records_closed_to_its_end(client, store):
    match = store.match_list(Wanted(ladder="late", limit=1))[0].match
    answer = client.get(f"/m/{match}?seat=all")
    assert answer.status_code == 409 and "whole ladder late is finished" in answer.text
    assert client.get(f"/api/matches/{match}/positions?seat=0").status_code == 409


def test_d5_such_a_ladder_opens_when_it_has_been_played_to_its_end_and_closes_when_it_goes_on(tmp_path):
    path = flock.build(tmp_path)
    with open_store(path) as store:
        books, ladder = Library(store), store.find_ladder("late")
        match = store.match_list(Wanted(ladder="late", limit=1))[0].match
        with LadderLock(store, ladder) as lock:
            with pytest.raises(Sealed, match="opens when the whole ladder late is finished"):
                books.open_match(match)
            lock.finish()
        assert books.open_match(match)[0].match == match
        assert store.find_ladder("late").finished
        with LadderLock(store, ladder), pytest.raises(Sealed, match="whole ladder"):
            books.open_match(match)


def test_d22_notes_are_shown_only_where_the_ladder_opens_them_and_only_to_their_own_seat(client, store):
    match = store.match_list(Wanted(ladder="open-notes", limit=1))[0].match
    heard: dict[str, set[str]] = {}
    for seat in ("0", "1", "public", "all"):
        told = client.get(f"/api/matches/{match}/positions?seat={seat}").json()["positions"]
        heard[seat] = {note[-1] for one in told for _, _, note in one["answers"] if note}
    assert heard == {"0": {"0"}, "1": {"1"}, "public": set(), "all": {"0", "1"}}


def test_d22_a_fault_is_told_without_the_last_words_of_the_bot(client, lines):
    crashed = next(line for line in lines if any(seat.code == "CRASH" for seat in line.seats))
    told = client.get(f"/api/matches/{crashed.match}/table?seat=1").text
    assert "CRASH: seat 1 at move 5, forfeits" in told


def test_d3_a_page_of_positions_holds_no_card_its_viewer_does_not_know(client, lines):
    """Both hands are known to everyone together; what only the other seat knows is in no byte for this one."""
    path = f"/api/matches/{lines[0].match}/positions"
    told = {seat: client.get(f"{path}?seat={seat}").json()["positions"] for seat in ("0", "1", "public", "all")}
    first = told["all"][0]["zones"]
    assert told["0"][0]["zones"]["hands.0"] == first["hands.0"] and told["0"][0]["zones"]["hands.1"] == 5
    assert told["1"][0]["zones"]["hands.1"] == first["hands.1"] and told["1"][0]["zones"]["hands.0"] == 5
    assert told["public"][0]["zones"]["hands.0"] == told["public"][0]["zones"]["hands.1"] == 5
    secret = [face for face in first["hands.1"] if face not in str(first["piles.0"])]
    assert secret and not any(f"'{face}'" in str(told["0"][0]) for face in secret)
