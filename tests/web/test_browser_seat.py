"""A human in a real Chromium: plays whole games, by keys and by buttons, and is watched like anybody else."""

from __future__ import annotations

import re
import signal

import pytest

from arena.games import GAMES
from arena.store import open_store
from arena.store.matches import Wanted
from tests.cli.shell import ladder_file, read_until, running
from tests.web import flock
from tests.web.chromium import watched
from tests.web.server import serving
from tests.web.sitting import sitting

pytestmark = pytest.mark.e2e

PLAY = """async (most) => {
  const root = document.getElementById("seat");
  let played = 0;
  for (let tries = 0; tries < 20000 && root.dataset.state !== "over" && played < most; tries += 1) {
    const buttons = [...document.querySelectorAll("#turn:not([hidden]) #options button")];
    if (buttons.length) buttons[(played++ * 7) % buttons.length].click();
    await new Promise((go) => setTimeout(go, 2));
  }
  return played;
}"""


def my_turn(page) -> bool:
    """Wait for it; False when the match is over instead."""
    page.wait_for_selector("#seat[data-state=over], #turn:not([hidden])")
    return page.locator("#seat").get_attribute("data-state") != "over"


@pytest.mark.parametrize("game", GAMES)
def test_a_human_plays_a_whole_game_by_keys_and_buttons(page, tmp_path, game):
    with sitting(tmp_path, game, "first", "--seat", "1") as (address, _):
        page.goto(address)
        for turn in range(6):
            assert my_turn(page)
            if turn % 3 == 0:
                page.keyboard.press("1")
                page.keyboard.press("Enter")
            elif turn % 3 == 1:
                page.keyboard.press("ArrowDown")
                page.keyboard.press("Enter")
            else:
                words = page.locator("#options button span").first.inner_text()
                page.locator("#typed").fill(words.upper())
                page.keyboard.press("Enter")
            page.wait_for_selector(f"#seat:not([data-move='{turn + 1}']), #turn[hidden]", state="attached")
        page.evaluate(PLAY, 5000)
        page.wait_for_selector("#seat[data-state=over]")
        assert re.search(r"you are number \d of \d", page.locator("#said").inner_text())
        page.get_by_text("See the replay").click()
        page.wait_for_selector("#replay[data-shown='0'][data-seat='1']")
        assert page.locator(".views [data-view='1']").inner_text() == "1 you"
        assert page.complaints == []


def test_a_reload_gives_the_same_turn_back_and_a_second_window_gets_none(page, tmp_path):
    with sitting(tmp_path, "sheepzzz", "first") as (address, _):
        page.goto(address)
        page.evaluate(PLAY, 3)
        assert my_turn(page)
        before = page.locator("#options").inner_text(), page.locator("[data-zone='hands.0']").inner_html()
        page.reload()
        assert my_turn(page)
        assert (
            page.locator("#options").inner_text(),
            page.locator("[data-zone='hands.0']").inner_html(),
        ) == before
        assert page.evaluate(PLAY, 2) == 2, "and play goes on"
        stored = page.evaluate("JSON.stringify(sessionStorage)")
        assert not re.search(r"zones|hands|options|view", stored), "no card is kept in the browser"
        other = watched(page.context.new_page())
        other.goto(address)
        other.wait_for_selector("text=in another window")
        assert other.locator(".card").count() == 0


def test_d24_a_human_who_opens_a_spectator_tab_sees_there_what_the_public_sees(page, tmp_path):
    with sitting(tmp_path, "sheepzzz", "first") as (address, _):
        page.goto(address)
        page.evaluate(PLAY, 4)
        assert my_turn(page)
        tab = watched(page.context.new_page())
        tab.goto(address.partition("seat")[0])
        link = tab.get_by_role("link", name=re.compile("^m-"))
        for _ in range(40):  # running matches are listed once a second
            if link.count():
                break
            tab.wait_for_timeout(250)
            tab.reload()
        link.first.click()
        tab.wait_for_selector("#live[data-shown]")
        assert tab.locator("[data-zone='hands.0'] .card:not(.back)").count() == 0
        assert page.locator("[data-zone='hands.0'] .card:not(.back)").count() >= 1
        seen = tab.locator("#live").get_attribute("data-shown")
        page.evaluate(PLAY, 3)
        tab.wait_for_selector(f"#live[data-shown]:not([data-shown='{seen}'])")
        page.evaluate(PLAY, 5000)
        tab.wait_for_selector("#live[data-state=open]")
        assert tab.get_by_text("see the replay").count() == 1
        # When the table is closed, pages are served anew, and a stream may be cut.
        assert [said for said in page.complaints + tab.complaints if "INCOMPLETE_CHUNKED" not in said] == []


def test_a_clock_that_is_set_is_shown_and_runs(page, tmp_path):
    with sitting(tmp_path, "wolfpack", "first", "--move-ms", "3000") as (address, _):
        page.goto(address)
        assert my_turn(page)
        assert re.fullmatch(r"[0-3]\.\d s left", page.locator("#clock").inner_text())
        page.wait_for_selector("#words .failed")


def test_a_phone_has_room_for_a_seat(browser, tmp_path):
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme="dark")
    page = watched(context.new_page())
    with sitting(tmp_path, "herr-der-ziegen", "first") as (address, _):
        page.goto(address)
        page.evaluate(PLAY, 3)
        assert my_turn(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        small = page.evaluate(
            "[...document.querySelectorAll('#turn button')].filter((one) => one.offsetHeight < 44).length"
        )
        assert small == 0 and page.complaints == []
    context.close()


def test_who_watches_a_ladder_sees_one_running_match_after_the_other(page, tmp_path):
    ladder_file(tmp_path, 3000)
    ladder = running(tmp_path, "--trust-bots", "--web", "0")
    try:
        address = read_until(ladder, "pages: ").split()[1]
        page.goto(address)
        page.wait_for_selector("h2:has-text('Live')")
        page.goto(f"{address}l/spring/live")
        page.wait_for_selector("#live[data-shown]")
        first = page.locator("#live").get_attribute("data-match")
        assert page.locator(".seat").count() == 2 and page.locator("#words li").count() > 3
        page.wait_for_selector(f"#live[data-match]:not([data-match='{first}'])")
        assert page.complaints == []
    finally:
        ladder.send_signal(signal.SIGTERM)
        ladder.communicate(timeout=60)


def test_an_owner_reads_in_the_page_what_the_bot_wrote(page, tmp_path):
    from arena.door.tokens import Tokens

    token = Tokens(tmp_path / "tokens.toml").create("anna-key", "anna", "")
    with open_store(tmp_path / "arena.db") as store:
        ladder = flock.begin(store, "spring", bots=flock.BOTS[:2])
        plan, finish = flock.a_block("spring", 0, "sheepzzz", flock.BOTS[:2], crash=1)
        store.plan_blocks(ladder, [plan])
        store.finish_blocks(ladder, [finish()])
        crashed = store.match_list(Wanted(code="CRASH"))[0].seats[1].bot
    with serving(tmp_path) as (address, _):
        page.goto(f"{address}/b/spring/{crashed}")
        page.locator("[name=token]").fill("arena-wrong")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=its token is another one")
        page.locator("[name=token]").fill(token)
        page.keyboard.press("Enter")
        page.wait_for_selector(f"pre:has-text('{flock.CANARY} stderr')")
        assert token not in page.content() and page.locator("[name=token]").input_value() == ""
