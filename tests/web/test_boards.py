"""Boards under load: many bots, many matches, many readers; and the stream that renews them."""

from __future__ import annotations

import threading
import time

import pytest
from sqlalchemy import insert
from starlette.testclient import TestClient

from arena.store import Division, open_store
from arena.store.schema import blocks, divisions, matches, records, seats
from arena.web import library as shelves
from arena.web.application import make_app
from arena.web.charts import WIDTH, Scale, bar, histogram, level, scale_of
from arena.web.library import Kept, Library, history_of
from arena.web.news import News
from ladders.standings import Row
from tests.web import flock

BOTS = 100
BLOCKS = 50_000


@pytest.fixture(scope="module")
def crowded(tmp_path_factory):
    """100 bots and 100,000 matches, and a ladder with nothing."""
    with open_store(tmp_path_factory.mktemp("crowd") / "arena.db") as store:
        flock.begin(store, "nobody", bots=())
        ladder = flock.begin(store, "crowd", bots=tuple(f"bot{number}@1" for number in range(BOTS)))
        ids = [entry.id for entry in store.bots_of(ladder)]
        with store.database.writing() as connection:
            _crowd(connection, ladder.id, ids)
        yield store


def _crowd(connection, ladder: int, ids: list[int]) -> None:
    place = connection.execute(
        insert(divisions).values(ladder=ladder, **Division.of("sheepzzz", {}, 2)._asdict())
    ).inserted_primary_key[0]
    told: dict = {table: [] for table in (blocks, matches, records, seats)}
    for number in range(BLOCKS):
        one, other = number % BOTS, (number + 1 + number // BOTS % (BOTS - 1)) % BOTS
        key = number + 1
        told[blocks].append(
            (key, ladder, number, place, "final", "[]", "", "2026-11-16T10:00:00.000+00:00", number, b"", b"", "")
        )
        luck = flock.hashed(number)[0]
        for seating in (0, 1):
            told[matches].append((key, seating, f"m-{key}-{seating}", b""))
            told[records].append((key, seating, b"", 40, 50, b""))
            first = int(luck + (other - one) < 128)
            for seat, bot in enumerate((one, other) if seating == 0 else (other, one)):
                won = first == (bot == one)
                told[seats].append(
                    (key, seating, seat, ids[bot], 1 if won else 2, 20 if won else 80, 0, 0, 20, 900, "")
                )
    columns = {
        blocks: "id ladder number division state members planned finished "
        "chain_position payload_hash chain_hash note",
        matches: "block seating id commitment",
        records: "block seating hash moves duration_ms record",
        seats: "block seating seat bot place points forfeited strikes moves thinking_us code",
    }
    for table, rows in told.items():
        names = columns[table].split()
        marks = ", ".join("?" * len(names))
        cursor = connection.connection.cursor()
        cursor.executemany(f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({marks})", rows)
        cursor.close()


def seconds(client, path: str) -> float:
    took = []
    for _ in range(7):
        began = time.perf_counter()
        assert client.get(path).status_code == 200
        took.append(time.perf_counter() - began)
    return sorted(took)[3]


def test_a_board_of_100_bots_and_100_000_matches_is_light_and_quick(crowded):
    with TestClient(make_app(crowded), base_url="http://localhost", backend="trio") as client:
        page = client.get("/l/crowd")
        assert len(page.content) < 100_000
        assert page.text.count('<svg class="bar"') == BOTS and "100\u2009000 matches" in page.text
        assert seconds(client, "/l/crowd") <= 10 * seconds(client, "/l/nobody")
        assert len(client.get("/l/crowd/matrix").content) < 300_000
        assert len(client.get("/l/crowd/matrix?from=90").text) < 60_000
        assert len(client.get("/api/ladders/crowd/history").content) < 400_000
        assert client.get("/b/crowd/bot7@1").status_code == client.get("/matches?bot=bot7@1").status_code == 200


def a_row(elo: float | None, margin: float | None) -> Row:
    return Row(1, (1, 1), "x", elo, margin, None, 1, 1, 0.5, 0.5, 1.0, None, 0, False, (), None, None, None)


def test_bars_are_drawn_to_scale():
    rows = [a_row(1400, 50), a_row(1600, 100), a_row(None, None)]
    scale = scale_of(rows)
    assert scale == Scale(1340, 1710)
    assert scale.at(scale.low) == 0 and scale.at(scale.high) == WIDTH
    assert f"M{scale.at(1500)} 7H{scale.at(1700)}" in bar(rows[1], scale)
    assert bar(rows[2], scale) == ""


def test_a_margin_wider_than_the_whole_pool_does_not_squeeze_the_rest():
    assert scale_of([a_row(1400, 9000), a_row(1600, 20)]) == Scale(1190, 1630)


def test_heat_has_nine_steps_and_its_middle_at_a_half():
    assert [level(share) for share in (0, 0.25, 0.45, 0.5, 0.55, 0.75, 1)] == [-4, -2, 0, 0, 0, 2, 4]


def test_times_are_grouped_on_a_log_scale():
    assert histogram([1, 1, 10, 100]) == [
        ("1 ms", 2, 100), ("2.2 ms", 0, 0), ("4.6 ms", 0, 0), ("10 ms", 1, 50), ("22 ms", 0, 0), ("46 ms", 0, 0),
        ("1e+02 ms", 1, 50),
    ]  # fmt: skip
    assert histogram([]) == []


def test_many_readers_at_once_cost_one_computation(store, monkeypatch):
    books = Library(store)
    made = []
    real = books._compute
    monkeypatch.setattr(books, "_compute", lambda *words: (made.append(1), time.sleep(0.05), real(*words))[-1])
    found = books.ladder("spring")
    threads = [threading.Thread(target=books.boards, args=found) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [1]


def test_while_new_numbers_are_computed_the_last_ones_serve(store, monkeypatch):
    books = Library(store)
    ladder, pulse = books.ladder("spring")
    first = books.boards(ladder, pulse)
    monkeypatch.setattr(shelves, "REST", 1e9)
    books._boards["spring"] = (first, time.monotonic() + 1e9)
    assert books.boards(ladder, pulse._replace(length=pulse.length + 1)) is first
    books._boards["spring"] = (first, 0.0)
    assert books.boards(ladder, pulse._replace(length=pulse.length + 1)).length == pulse.length + 1


@pytest.mark.parametrize(("freeze_at", "blocks"), [("2001-01-01T00:00:00Z", 0), ("2999-01-01T00:00:00Z", 1)])
def test_a_board_may_stand_still_from_a_time_on(tmp_path, freeze_at, blocks):
    with open_store(tmp_path / "arena.db") as store:
        ladder = flock.begin(store, "spring", bots=flock.BOTS[:2], freeze_at=freeze_at)
        plan, finish = flock.a_block("spring", 0, "sheepzzz", flock.BOTS[:2])
        store.plan_blocks(ladder, [plan])
        store.finish_blocks(ladder, [finish()])
        with TestClient(make_app(store), base_url="http://localhost", backend="trio") as client:
            told = client.get("/api/ladders/spring").json()["divisions"][0]["head"]["blocks"]
            assert told == blocks
            assert ("stands still" in client.get("/l/spring").text) == (blocks == 0)


def test_only_the_last_few_values_are_kept():
    kept: Kept[int, int] = Kept(2)
    assert [kept.get(key, lambda key=key: key) for key in (1, 2, 3)] == [1, 2, 3]
    assert kept.get(1, lambda: 99) == 99 and kept.get(3, lambda: 99) == 3


async def test_a_reader_gets_the_newest_board_and_nothing_it_missed(store):
    told = News(Library(store))
    stream = told.of("spring", "")
    told._latest["spring"] = ("1", "<p>one</p>")
    assert await anext(stream) == "id: 1\ndata: <p>one</p>\n\n"
    told._latest["spring"] = ("2", "<p>two</p>")
    told._latest["spring"] = ("3", "<p>three</p>")
    told._looked.set()
    assert await anext(stream) == "id: 3\ndata: <p>three</p>\n\n"
    assert told.watching == 1
    await stream.aclose()
    assert told.watching == 0 and told._latest == {}


def test_the_history_is_thinned_and_keeps_its_end():
    points = [(block, 1500.0 + block) for block in range(1000)]
    thin = history_of({"often": points, "once": [(500, 1490.0)]})
    assert len(thin.blocks) <= shelves.POINTS and thin.blocks[-1] == 999 and thin.lines["often"][-1] == 2499.0
    assert thin.lines["once"][0] is None and thin.lines["once"][-1] == 1490.0


def test_the_history_has_one_value_per_bot_and_block(client):
    told = client.get("/api/ladders/spring/history").json()["divisions"][0]
    assert len(told["blocks"]) == 2 and set(told["bots"]) == set(flock.BOTS)
    assert all(len(line) == 2 for line in told["bots"].values())
    assert told["bots"]["carl@1"][0] is None, "it sat out the first block"
    assert told["bots"]["anna@1"][0] == told["bots"]["anna@1"][1], "it sat out the second"
