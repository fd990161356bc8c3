"""Running matches: what the public may know of them, to whoever looks, and at no cost while nobody does."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import trio
from starlette.testclient import TestClient

from arena.bots.manifest import find_bot
from arena.events import seen_by
from arena.gallery import ANY, Gallery, Running
from arena.games import GAMES
from arena.runner.local import LocalRunner
from arena.runner.orders import BlockOrder, Glimpse, Terms
from arena.runner.window import one_decision_back
from arena.web.application import make_app
from arena.web.library import Library
from arena.web.live import picture_of, table_broadcast
from arena.zones import PUBLIC
from tests.web import flock
from tests.web.test_scene import ALL_GAMES, names, shown, views_of

END = ["end", [1, 0], [1, 2]]
ASK = ["ask", [0], "stones", "reveal", [], True]


def running(match: str, game: str = "sheepzzz") -> Running:
    return Running(match, game, {}, ("anna@1", "bert@1"), 8)


@pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.name)
def test_d3_d24_a_picture_shows_what_the_public_knew_one_decision_ago(game, monkeypatch):
    monkeypatch.setitem(GAMES, game.name, game)
    truth = []
    for match in flock.play(game, names(game), flock.hashed(game.name, "live"), bytes(32)):
        truth.append(views_of(match.game, PUBLIC))
        events = match.game.events
        upto = len(events) if match.over else one_decision_back(events)
        picture = picture_of(game.name, seen_by(PUBLIC, events[:upto]))
        known = truth[-1] if match.over else truth[max(0, len(truth) - 2)]
        drawn = shown(picture["zones"])
        assert {label: drawn.get(label, ([], 0)) for label in known} == known
        assert picture["move"] == (len(truth) - 1 if match.over else max(0, len(truth) - 2))
    assert len(picture["places"]) == len(names(game)) and picture["asked"] == []


def test_a_match_is_kept_while_somebody_watches_it_and_no_longer():
    gallery = Gallery("spring")
    gallery.see(running("m-1"), 0, [ASK], featured=False)
    assert gallery.watched("m-1") is None, "nobody had asked"
    gallery.enter("m-1")
    gallery.enter("m-1")
    gallery.see(running("m-1"), 0, [ASK], featured=False)
    gallery.see(running("m-1"), 1, [ASK], featured=False)
    gallery.see(running("m-1"), 1, [ASK], featured=False)
    assert gallery.wanted == {"m-1"} and gallery.watched("m-1").events == [ASK, ASK], "said twice, seen once"
    gallery.leave("m-1")
    assert gallery.wanted == {"m-1"}
    gallery.leave("m-1")
    assert gallery.wanted == frozenset() and gallery.watched("m-1") is None


def test_who_watches_any_match_sees_one_to_its_end_before_the_next():
    gallery = Gallery("spring")
    gallery.enter(ANY)
    gallery.see(running("m-1"), 0, [ASK], featured=True)
    gallery.see(running("m-2"), 0, [ASK], featured=True)
    assert gallery.watched(ANY).running.match == "m-1"
    gallery.see(running("m-1"), 1, [END], featured=True)
    gallery.see(running("m-3"), 0, [ASK], featured=True)
    assert gallery.watched(ANY).running.match == "m-3" and set(gallery.shown) == {"m-3"}
    gallery.lose(["m-3"])
    gallery.see(running("m-4"), 0, [ASK], featured=True)
    assert gallery.watched(ANY).running.match == "m-4"


def an_order(number: int, *bots: str) -> BlockOrder:
    row = tuple((name, find_bot(name)) for name in bots)
    return BlockOrder(number, "sheepzzz", {}, (row, row[::-1]), (bytes(32),) * 2, (b"%032d" % number, bytes(32)))


async def test_workers_say_nothing_of_their_matches_until_somebody_watches():
    runner = LocalRunner(Terms(tables=2), 1)
    runner.gallery = gallery = Gallery("spring")
    heard: list[object] = []
    hear = runner._hear
    runner._hear = lambda hand, said: (heard.append(said), hear(hand, said))
    with trio.fail_after(120):
        async with trio.open_nursery() as nursery:
            await nursery.start(runner.run)
            for number in range(3):
                await runner.submit(an_order(number, "greedy", "random"))
                await runner.reports.receive()
            assert not any(isinstance(said, Glimpse) for said in heard) and gallery.shown == {}
            gallery.enter(ANY)
            number = 3
            while not (seen := gallery.watched(ANY)) or not seen.over:
                await runner.submit(an_order(number, "greedy", "random"))
                await runner.reports.receive()
                number += 1
            assert seen.running.bots in (("greedy", "random"), ("random", "greedy"))
            told = picture_of("sheepzzz", seen.events)
            assert len(told["places"]) == 2 and all(told["zones"][f"hands.{seat}"] is not None for seat in (0, 1))
            gallery.leave(ANY)
            await runner.close()


async def test_a_worker_that_dies_takes_its_matches_with_it_and_spectators_are_told():
    runner = LocalRunner(Terms(tables=1), 1)
    runner.gallery = gallery = Gallery("spring")
    sleeper = replace(find_bot("first"), run=("sleep", "60"))
    idle = replace(an_order(0, "first", "random"), rows=((("first", sleeper), ("random", sleeper)),) * 2)
    table = idle.tables()[0]
    gallery.enter(table.match)
    with trio.fail_after(120):
        async with trio.open_nursery() as nursery:
            await nursery.start(runner.run)
            await runner.submit(idle)
            gallery.see(table, 0, [ASK], featured=False)
            runner._hands[0].process.kill()
            await runner.reports.receive()
            assert gallery.shown[table.match].lost and gallery.playing == []
            await runner.close()


@pytest.fixture
def stand(store):
    """The pages of spring while its block 8 is being played."""
    gallery = Gallery("spring")
    match = store.planned_of(store.find_ladder("spring"))[0].matches[0][0]
    gallery.on_tables(0, (running(match),))
    with TestClient(make_app(store, gallery=gallery), base_url="http://localhost", backend="trio") as client:
        yield client, gallery, match


def test_home_lists_what_is_under_way(stand):
    client, _, match = stand
    page = client.get("/").text
    assert f'href="/m/{match}/live"' in page and 'href="/l/spring/live"' in page
    assert client.get("/api/live").json() == [
        {"match": match, "game": "sheepzzz", "block": 8, "bots": ["anna@1", "bert@1"]}
    ]


def test_a_live_page_says_when_the_cards_open_and_a_finished_match_leads_to_its_replay(stand, lines):
    client, _, match = stand
    assert "open when all of block 8 is finished" in client.get(f"/m/{match}/live").text
    assert "the next one follows" in client.get("/l/spring/live").text
    closed = client.get(f"/m/{match}?seat=all")
    assert closed.status_code == 409 and f'href="/m/{match}/live"' in closed.text
    moved = client.get(f"/m/{lines[0].match}/live", follow_redirects=False)
    assert moved.status_code == 307 and moved.headers["location"] == f"/m/{lines[0].match}"
    table = client.get(f"/api/live/{match}/table").json()
    assert table["seats"] == [{"bot": "anna@1"}, {"bot": "bert@1"}] and table["title"] == "SheepZzz"


def test_live_matches_are_shown_where_they_are_played(stand, client, unfinished):
    here, _, _ = stand
    for path in (f"/m/{unfinished}/live", "/l/spring/live", f"/m/{unfinished}/live/news", "/l/spring/live/news"):
        answer = client.get(path)
        assert answer.status_code == 404 and "--web" in answer.text
    assert here.get("/l/late/live").status_code == here.get("/l/late/live/news").status_code == 404
    assert here.get("/m/*/live/news").status_code == here.get("/api/live/m-nope/table").status_code == 404
    assert client.get("/").text.count("/live") == 0


async def test_a_stream_begins_with_the_whole_table_and_ends_with_the_replay(store, unfinished, lines):
    gallery = Gallery("spring")
    told = table_broadcast(Library(store), gallery)
    match = next(flock.play(GAMES["sheepzzz"], flock.BOTS[:2], bytes(32), bytes(32)))
    events = seen_by(PUBLIC, match.game.events)
    with trio.fail_after(120):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(told.keep_looking)
            stream = told.of(unfinished, "")
            assert json.loads((await anext(stream)).partition("data: ")[2])["state"] == "waiting"
            gallery.see(running(unfinished), 0, events, featured=False)
            picture = json.loads((await anext(stream)).partition("data: ")[2])
            assert picture["state"] == "playing" and picture["zones"]["hands.0"] == 5
            late = told.of(unfinished, "")
            assert json.loads((await anext(late)).partition("data: ")[2]) == picture
            await stream.aclose()
            await late.aclose()
            assert gallery.wanted == frozenset() and gallery.shown == {}
            over = told.of(lines[0].match, "")
            assert json.loads((await anext(over)).partition("data: ")[2]) == {
                "state": "open",
                "match": lines[0].match,
            }
            await over.aclose()
            nursery.cancel_scope.cancel()
