"""A real Chromium on a real server: keys, streams, a phone; skipped, and said so, where there is no Chromium.

Set ARENA_E2E=1 and a missing browser is a failure.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import threading

import pytest
import trio

from arena.analyses import Analyses, Weighed
from arena.games import GAMES
from arena.store import open_store
from arena.store.matches import Wanted
from arena.web import serving as server
from arena.web.application import make_app
from tests.cli.shell import ladder_file
from tests.contracts.tiny import Magpie
from tests.warm import Popen
from tests.web import flock
from tests.web.chromium import watched
from tests.web.server import serving

pytestmark = pytest.mark.e2e

STEP_THROUGH = """async (keys) => {
  const root = document.getElementById("replay");
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const until = async (what) => {
    for (let tries = 0; tries < 50 && !what(); tries += 1) await null;  // a timer would paint what nobody looks at
    for (let tries = 0; tries < 4000 && !what(); tries += 1) await new Promise((go) => setTimeout(go, 1));
    if (!what()) throw new Error(`stuck at ${root.dataset.shown} as ${root.dataset.seat}`);
  };
  const last = Number(root.dataset.moves) - 1;
  const seen = {};
  for (const key of keys) {
    delete root.dataset.shown;
    press("Home");
    press(key);
    await until(() => root.dataset.shown === "0");
    const steps = seen[root.dataset.seat] = [];
    for (let move = 1; move <= last; move += 1) {
      press(move % 2 ? "ArrowRight" : "j");
      await until(() => root.dataset.shown === String(move));
      const table = document.getElementById("table");
      const wide = move % 10 === 0 && table.scrollWidth > table.clientWidth;
      steps.push([document.querySelectorAll(".seat").length, document.querySelectorAll(".card").length, wide]);
    }
  }
  return seen;
}"""


@pytest.fixture(scope="module")
def address(database):
    with serving(database.parent) as (where, _):
        yield where


def shown(page, move: int) -> None:
    page.wait_for_selector(f"#replay[data-shown='{move}']")


@pytest.mark.parametrize("game", GAMES)
def test_every_move_of_every_game_is_stepped_through_by_keys_as_every_seat(page, address, lines, game):
    line = next(line for line in lines if line.division.game == game)
    seats = len(line.seats)
    page.set_viewport_size({"width": 1200, "height": 120})  # what is not seen need not be painted
    page.goto(f"{address}/m/{line.match}?seat=public")
    shown(page, 0)
    keys = [str(number + 1) for number in range(seats)] + ["0", "a"]
    seen = page.evaluate(STEP_THROUGH, keys)
    assert set(seen) == {*map(str, range(seats)), "public", "all"}
    for steps in seen.values():
        assert len(steps) == len(seen["public"]) > 20
        for panels, cards, too_wide in steps:
            assert panels == seats and cards and not too_wide
    assert page.complaints == []


def test_a_hand_is_face_down_for_all_but_its_owner_and_everyone(page, address, lines):
    for seat, key in ((0, "1"), (1, "2"), ("public", "0"), ("all", "a")):
        page.goto(f"{address}/m/{lines[0].match}?move=3")
        shown(page, 3)
        page.keyboard.press(key)
        page.wait_for_selector(f"#replay[data-seat='{seat}']")
        page.wait_for_selector(f".views [data-view='{seat}'][aria-current='true']")
        shown(page, 3)
        for other in (0, 1):
            hand = page.locator(f"[data-zone='hands.{other}'] .card:not(.back)")
            assert (hand.count() > 0) == (seat in (other, "all"))
    assert page.complaints == []


def test_keys_play_turn_mark_help_and_link(page, address, lines):
    crashed = next(line for line in lines if any(seat.code == "CRASH" for seat in line.seats))
    page.goto(f"{address}/m/{crashed.match}?seat=1&move=0")
    shown(page, 0)
    assert page.locator(".seat").last.get_attribute("data-seat") == "1"
    page.keyboard.press("f")
    page.wait_for_selector(".seats:last-child .seat[data-seat='0']")
    page.keyboard.press("e")
    page.wait_for_selector("#replay[data-shown]:not([data-shown='0'])")
    assert "ILLEGAL" in page.locator("#facts").inner_text()
    assert page.locator("#marks rect").count() == 4, "a strike, a slow move, a forfeit, and here"
    move = page.locator("#replay").get_attribute("data-shown")
    assert f"seat=1&move={move}" in page.url
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()
    page.keyboard.press("+")
    assert page.locator("#speed").input_value() == "2"
    page.keyboard.press("End")
    page.wait_for_selector("text=place 2")
    page.keyboard.press("Home")
    shown(page, 0)
    page.keyboard.press(" ")
    shown(page, 2)
    page.keyboard.press(" ")
    assert page.locator("#said").inner_text() != ""
    page.reload()
    page.wait_for_selector("#replay[data-shown]")
    page.keyboard.press("m")
    page.wait_for_selector("#letter-text:not(:empty)")
    # Only the message of a seat that was not asked is missing; browsers word that differently.
    assert all("responded with a status of 404" in complaint for complaint in page.complaints)
    assert len(page.complaints) <= 1


def test_what_a_decision_lost_is_marked_for_its_own_seat_alone(page, address, database, lines):
    match = next(line.match for line in lines if line.division.game == "wolfpack")
    Analyses(database.parent).keep(match, 0, [Weighed(2, ("draw",), ("take",), 0.5, 0.1, 99)])
    remark = "seer: take an action card (0.50 ± 0.10 places lost)"
    page.goto(f"{address}/m/{match}?seat=0&move=0")
    shown(page, 0)
    page.keyboard.press("e")
    page.wait_for_selector("#replay[data-shown]:not([data-shown='0'])")
    for place in ("#said", "#facts", "#words .here .lost"):
        assert remark in page.locator(place).inner_text()
    for key, seat in (("2", "1"), ("0", "public")):
        page.keyboard.press(key)
        page.wait_for_selector(f"#replay[data-seat='{seat}'][data-shown]")
        assert page.locator("#marks .lost").count() == page.get_by_text(remark).count() == 0
    page.keyboard.press("a")
    page.wait_for_selector("#marks .lost", state="attached")
    page.wait_for_selector("#words .here .lost")
    assert page.complaints == []


def test_h1_h3_hostile_names_stay_text_in_the_drawn_table(page, address, store):
    match = store.match_list(Wanted(ladder="hostile", limit=1))[0].match
    page.goto(f"{address}/m/{match}?seat=all&move=5")
    shown(page, 5)
    assert page.locator("main b[onclick], main script").count() == 0
    assert "<b onclick" in page.locator("#table").inner_text()
    assert page.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_everything_in_one_column(browser, address, lines, scheme):
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme)
    page = watched(context.new_page())
    goats = next(line.match for line in lines if line.division.game == "herr-der-ziegen")
    for path in ("/", "/l/spring", "/matches", f"/m/{goats}?seat=0&move=20", "/b/spring/anna@1", "/errors"):
        page.goto(address + path)
        if path.startswith("/m/"):
            shown(page, 20)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
    page.goto(f"{address}/l/spring")
    right = "(cells) => Math.max(...cells.map((cell) => cell.getBoundingClientRect().right))"
    assert page.locator(".board td").evaluate_all(right) <= 390
    small = page.evaluate(
        "[...document.querySelectorAll('.tabs a, button, .top a')].filter((one) => one.offsetHeight < 44).length"
    )
    assert small == 0
    assert page.complaints == []
    context.close()


def test_a_board_renews_itself_while_a_ladder_runs(page, tmp_path):
    ladder_file(tmp_path, 400)
    command = [sys.executable, "-m", "arena", "ladder", "run", "spring.toml", "--trust-bots"]
    ladder = Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert ladder.stdout is not None
        while "block" not in ladder.stdout.readline():
            assert ladder.poll() is None, ladder.stderr
        with serving(tmp_path / ".arena") as (address, _):
            page.goto(f"{address}/l/spring")
            page.evaluate("window.sameDocument = true")
            page.wait_for_selector(".live")
            told = [page.locator(".state").inner_text()]
            for _ in range(2):
                # Standings rest ten times as long as they took, which is long where others have the processor.
                page.wait_for_selector(f".state:not(:has-text('{told[-1]}'))", timeout=60_000)
                told.append(page.locator(".state").inner_text())
            assert page.evaluate("window.sameDocument"), "it was never loaded again"
            assert page.locator(".board .bar").count() == 3
            ladder.send_signal(signal.SIGINT)
            page.wait_for_selector(".live", state="detached")
            assert page.complaints == []
    finally:
        ladder.send_signal(signal.SIGTERM)
        ladder.communicate(timeout=60)


def test_a_board_listens_for_news_even_when_its_last_script_comes_late(page, address):
    held = []
    page.route("**/hx-sse.min.js", lambda route: held.append(route))
    page.goto(f"{address}/l/spring", wait_until="commit")
    while not (held and page.evaluate("'htmx' in window")):  # waiting inside the page is what its policy forbids
        page.evaluate("new Promise((go) => setTimeout(go))")
    page.evaluate("new Promise((go) => setTimeout(go))")
    with page.expect_request("**/l/spring/news*"):
        held[0].continue_()


def test_the_history_is_drawn(page, address):
    page.goto(f"{address}/l/spring/history")
    page.wait_for_selector(".u-over")
    assert page.locator("canvas").count() == 8, "with bands and live, for four games"
    assert page.complaints == []


def test_a_new_game_is_drawn_from_its_own_layout(page, tmp_path, monkeypatch):
    monkeypatch.setitem(GAMES, Magpie.name, Magpie)
    with open_store(tmp_path / "arena.db") as store, server.listen("127.0.0.1", 0) as opened:
        ladder = flock.begin(store, "magpies")
        plan, finish = flock.a_block("magpies", 0, "magpie", flock.BOTS)
        store.plan_blocks(ladder, [plan])
        store.finish_blocks(ladder, [finish()])
        enough = threading.Event()

        async def stop() -> None:
            while not enough.is_set():
                await trio.sleep(0.05)

        thread = threading.Thread(target=trio.run, args=(server.serve, make_app(store), opened, stop))
        thread.start()
        try:
            page.goto(f"{server.address_of(opened)}m/{plan.matches[0][0]}?seat=0")
            shown(page, 0)
            assert page.locator("[data-zone='hands.0'] .card:not(.back)").count() == 3
            assert page.locator("[data-zone='hands.1'] .card.back").count() == 1
            seen = page.evaluate(STEP_THROUGH, ["1", "a"])
            assert len(seen["0"]) == len(seen["all"]) > 5
            assert page.complaints == []
        finally:
            enough.set()
            thread.join()
