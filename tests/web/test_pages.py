"""What pages say, and that they say the same as the commands."""

from __future__ import annotations

import json
import re
import shutil

import pytest
from starlette.testclient import TestClient

from arena.games import GAMES
from arena.store import open_store
from arena.store.matches import Wanted
from arena.web.application import make_app
from arena.web.rendering import number
from tests.cli.shell import arena
from tests.contracts.tiny import Magpie
from tests.web import flock


def arena_json(database, *words):
    return json.loads(arena(*words, "--dir", str(database.parent), "--json", cwd=database.parent).stdout)


def test_home_lists_ladders_matches_faults_and_games(client, lines):
    page = client.get("/").text
    assert 'href="/l/spring"' in page and 'href="/l/empty"' in page
    assert "CRASH" in page and "forfeited" in page
    assert all(f'href="/g/{name}"' in page for name in GAMES)


def test_a_board_shows_rank_interval_bar_and_how_it_came_about(client, store):
    page = client.get("/l/spring").text
    head = store.find_ladder("spring").seed_commitment
    for words in ("sheepzzz, 2 seats", "wolfpack, 3 seats", "better", "Bradley-Terry", "bubblewrap", head):
        assert words in page
    assert page.count('<svg class="bar"') == 12, "three bots in each of four divisions"


def test_a_board_without_a_finished_block_says_so(client):
    assert "No block is planned yet" in client.get("/l/empty").text


@pytest.mark.parametrize("part", ["history", "matrix"])
def test_other_views_of_a_ladder_have_a_table_of_numbers(client, part):
    page = client.get(f"/l/spring/{part}").text
    assert page.count("<caption>") == {"history": 8, "matrix": 4}[part] and "anna@1" in page


def test_head_to_head_has_a_sign_and_both_directions_add_up(client):
    page = client.get("/l/spring/matrix").text
    cells = re.findall(r">([+−]\d+)<small>(\d+)", page)
    assert cells and sum(int(cell.replace("−", "-")) for cell, _ in cells) == 0


def test_filters_stand_in_the_url_and_hold(client, lines):
    told = client.get("/api/matches", params={"ladder": "spring", "game": "wolfpack"}).json()
    assert {line["game"] for line in told} == {"wolfpack"}
    told = client.get("/api/matches", params={"code": "CRASH", "ladder": "spring"}).json()
    assert {line["match"] for line in told} == {
        line.match for line in lines if any(seat.code == "CRASH" for seat in line.seats)
    }
    page = client.get("/matches?ladder=spring&bot=anna@1&sort=longest").text
    assert 'value="anna@1"' in page and "/matches?ladder=spring&amp;sort=longest" in page


def test_pages_of_a_list_do_not_overlap(client):
    first = client.get("/api/matches").json()
    assert client.get("/api/matches?page=1").json() == []
    assert len({line["match"] for line in first}) == len(first) > 20


def test_a_bot_page_puts_what_needs_attention_first(client, lines):
    page = client.get("/b/spring/bert@1").text
    crashed = [line.match for line in lines if any(seat.code == "CRASH" for seat in line.seats)]
    assert page.index("Needs attention") < page.index("Worst deals") < page.index("Time per decision")
    assert any(match in page for match in crashed)
    assert "By opponent" in page and "anna@1" in page


def test_worst_deals_compare_with_the_same_seat_of_the_same_block(client, lines):
    page = client.get("/b/spring/anna@1").text
    worst = re.search(r'href="/m/(m-\w+)\?seat=(\d)".*?num">\d<.*?num">([−\d]+)<', page, re.S)
    assert worst is not None
    match, seat, points = worst[1], int(worst[2]), int(worst[3].replace("−", "-"))
    line = next(line for line in lines if line.match == match)
    assert line.seats[seat].bot == "anna@1" and line.seats[seat].points == points
    row = page[worst.start() : page.index("</tr>", worst.start())]
    for other in lines:
        mate = other.seats[seat] if other.block == line.block else None
        if mate is not None and mate.bot != "anna@1" and not mate.forfeited:
            assert f"{mate.bot} {number(mate.points)}" in row


@pytest.mark.parametrize("name", GAMES)
def test_a_game_page_is_told_by_the_game(client, name):
    page = client.get(f"/g/{name}").text
    game = GAMES[name]
    assert game.title in page and all(option[0] in page for option in game.variant_type.described())


def test_errors_lists_faults_and_void_blocks(client):
    page = client.get("/errors").text
    assert "CRASH" in page and "a worker died" in page


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/api/ladders", ("ladder", "list")),
        ("/api/ladders/spring", ("ladder", "show", "spring")),
        ("/api/matches?ladder=spring&sort=slowest", ("match", "list", "--ladder", "spring", "--sort", "slowest")),
        ("/api/games", ("games",)),
        ("/api/games/wolfpack", ("games", "wolfpack")),
    ],
)
def test_the_api_gives_what_the_commands_print_with_json(client, database, path, words):
    told = client.get(path).json()
    if words[0] == "games":
        printed = json.loads(arena(*words, "--json", cwd=database.parent).stdout)
    else:
        printed = arena_json(database, *words)
    short = printed[:50] if isinstance(printed, list) else printed
    assert (told[:20] if words[0] == "match" else told) == short


def test_a_replay_page_opens_at_match_move_and_seat(client, lines):
    page = client.get(f"/m/{lines[0].match}?seat=1&move=7").text
    assert 'data-seat="1" data-move="7"' in page
    assert "block 0 is finished" in page, "it says why everyone's cards are open"


def test_a_replay_is_found_by_the_beginning_of_its_name(client, lines):
    assert client.get(f"/m/{lines[0].match[:9]}").status_code == 200


@pytest.mark.parametrize("seat", ["9", "-1", "nobody", "٣", "1.5", "all,1"])
def test_only_viewers_of_the_table_can_be_chosen(client, lines, seat):
    assert client.get(f"/api/matches/{lines[0].match}/positions", params={"seat": seat}).status_code == 400


def test_the_text_view_tells_every_move(client, lines):
    for line in lines:
        moves = client.get(f"/api/matches/{line.match}/table?seat=0").json()["moves"]
        page = client.get(f"/m/{line.match}/text?seat=0").text
        assert page.count('<li id="move-') == moves


def test_an_open_match_gives_each_seat_the_message_it_got(client, lines):
    path = f"/api/matches/{lines[0].match}"
    asked = client.get(f"{path}/positions?seat=0").json()["positions"][3]["asked"][0]
    sent = client.get(f"{path}/message?seat={asked}&move=3")
    assert sent.json()["view"]["seat"] == asked
    assert client.get(f"{path}/message?seat={1 - asked}&move=3").status_code == 404
    assert client.get(f"{path}/message?seat=public&move=3").status_code == 400


def test_metrics_and_health_are_for_programs(client):
    told = client.get("/metrics").text
    assert 'arena_blocks{ladder="spring",state="planned"} 1.0' in told and "arena_matches" in told
    assert client.get("/healthz").text == "ok\n"


@pytest.mark.parametrize(
    "path",
    ["/l/nope", "/l/nope/news", "/l/nope/history", "/b/spring/nope", "/b/nope/anna@1", "/g/nope", "/m/m-nope"],
)
def test_what_is_not_there_is_not_found(client, path):
    assert client.get(path).status_code == 404


def test_a_new_game_gets_a_replay_without_script_or_template(tmp_path, monkeypatch):
    """Zones, values, faces and words all come from the rulebook: a game nobody prepared the pages for."""
    monkeypatch.setitem(GAMES, Magpie.name, Magpie)
    with open_store(tmp_path / "arena.db") as store:
        ladder = flock.begin(store, "magpies")
        plan, finish = flock.a_block("magpies", 0, "magpie", flock.BOTS)
        store.plan_blocks(ladder, [plan])
        store.finish_blocks(ladder, [finish()])
        match = plan.matches[0][0]
        with TestClient(make_app(store), base_url="http://localhost", backend="trio") as client:
            assert client.get(f"/m/{match}?seat=0").status_code == 200
            table = client.get(f"/api/matches/{match}/table?seat=0").json()
            assert table["seat_zones"] == ["hands", "won"]
            assert table["rows"] == [["deck"], ["table"], ["nest"], ["cairn"]]
            assert table["looks"]["3"] == {"words": "3", "big": "3"}
            assert table["seat_values"] == ["points"] and "round" in table["values"]
            told = client.get(f"/api/matches/{match}/positions?seat=0").json()["positions"]
            assert len(told[0]["zones"]["hands.0"]) == 3 and told[0]["zones"]["hands.1"] == 3
            assert client.get("/g/magpie").status_code == 200


def test_a_damaged_record_is_said_and_nothing_else_breaks(tmp_path, database):
    shutil.copy(database, tmp_path / "arena.db")
    with open_store(tmp_path / "arena.db", create=False) as store:
        match = store.match_list(Wanted(ladder="spring", limit=1))[0].match
        with store.database.writing() as connection:
            connection.exec_driver_sql("UPDATE records SET record = substr(record, 1, length(record) - 9)")
        with TestClient(make_app(store), base_url="http://localhost", backend="trio") as client:
            answer = client.get(f"/m/{match}")
            assert answer.status_code == 500 and "damaged" in answer.text
            assert client.get("/l/spring").status_code == 200
